/**
 * The Harwell-Boeing and Rutherford-Boeing formats: assembled matrices, column by column, in fixed Fortran fields.
 *
 * <p>I. S. Duff, R. G. Grimes and J. G. Lewis, "Users' Guide for the Harwell-Boeing Sparse Matrix Collection", 1992,
 * and "The Rutherford-Boeing Sparse Matrix Collection", 1997.
 */
package org.trellis.matrices.harwellboeing;
