/** The sparse matrices of SciPy in files of NumPy. */
package org.trellis.matrices.numpy;
