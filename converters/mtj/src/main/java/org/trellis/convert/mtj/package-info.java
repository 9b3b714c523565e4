/** Between the sparse matrices of Trellis and of MTJ. */
package org.trellis.convert.mtj;
