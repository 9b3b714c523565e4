/**
 * Sparse direct solvers for systems of medium size: Cholesky and LU factorisations, orders that reduce fill, triangular
 * solves. They run on the host, beside the iterative methods of {@link org.trellis.solve}.
 */
package org.trellis.solve.direct;
