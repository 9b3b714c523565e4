/**
 * A few eigenvalues of large sparse matrices: {@link org.trellis.solve.eigen.Eigenvalues}. Methods are written over
 * operators and the vectors of a backend, so that they run on all of them and over ranks; what is small and dense is
 * the host's.
 */
package org.trellis.solve.eigen;
