/**
 * Between the sparse matrices of Trellis and of MTJ. MTJ comes without BLAS and LAPACK, which its dense matrices and
 * its {@code GMRES} call: add {@code com.github.fommil.netlib:core} to use them.
 */
package org.trellis.convert.mtj;
