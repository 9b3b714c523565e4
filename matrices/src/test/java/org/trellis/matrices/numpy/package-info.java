/** Tests of files of SciPy. */
package org.trellis.matrices.numpy;
