/**
 * Computations on unstructured meshes: sets of elements, maps between sets, data on sets, and parallel loops that run a
 * kernel on every element of a set. A loop says through its kernel's access descriptors what it reads and writes; how
 * it is run (order, threads, SIMD, device) is the backend's business and never changes the result beyond rounding.
 *
 * <p>The abstraction is that of OP2 (I. Z. Reguly, Abstraction and Implementation of Unstructured Grid Algorithms on
 * Massively Parallel Heterogeneous Architectures, 2014, chapter 5). {@link org.trellis.mesh.Mesh} is where to start.
 */
package org.trellis.mesh;
