/** Between the sparse matrices of Trellis and of Commons Math. */
package org.trellis.convert.commonsmath;
