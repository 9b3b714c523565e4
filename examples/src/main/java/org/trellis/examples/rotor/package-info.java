/**
 * Rotor: compressible flow by a multigrid method on hybrid meshes in space, in the manner of industrial codes (I. Z.
 * Reguly, Abstraction and Implementation of Unstructured Grid Algorithms on Massively Parallel Heterogeneous
 * Architectures, 2014, sections 5.4 and 7.2.1).
 */
package org.trellis.examples.rotor;
