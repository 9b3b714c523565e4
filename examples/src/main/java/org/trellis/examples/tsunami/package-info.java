/**
 * Tsunami: the shallow-water equations by finite volumes on triangles, with the loops of Volna (I. Z. Reguly,
 * Abstraction and Implementation of Unstructured Grid Algorithms on Massively Parallel Heterogeneous Architectures,
 * 2014, section 5.3).
 */
package org.trellis.examples.tsunami;
