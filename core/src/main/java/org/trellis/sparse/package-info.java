/**
 * Sparse matrices and their products.
 *
 * <p>{@link org.trellis.sparse.CsrMatrix} is the format of exchange; the others are made from it and for a purpose. A
 * product runs through a {@link org.trellis.sparse.SpmvOperator}, which a backend's
 * {@link org.trellis.sparse.SparseKernels} prepare from a matrix and {@link org.trellis.sparse.SpmvParameters}.
 */
package org.trellis.sparse;
