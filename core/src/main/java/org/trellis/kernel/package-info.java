/**
 * Mesh kernels: the annotations with which a plain static method says what it reads and writes, and what the code that
 * the {@code processor} generates from it offers to the backends. A kernel is written once, in {@code double}; from it
 * come a loop over a range of elements in both precisions, the same with the Vector API, the CUDA C of a device
 * function, and a {@link org.trellis.kernel.KernelSignature}.
 *
 * <p>The access descriptors are those of OP2 (I. Z. Reguly, Abstraction and Implementation of Unstructured Grid
 * Algorithms on Massively Parallel Heterogeneous Architectures, 2014, chapter 5).
 */
package org.trellis.kernel;
