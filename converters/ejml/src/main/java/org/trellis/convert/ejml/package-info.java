/** Between the sparse matrices of Trellis and of EJML. */
package org.trellis.convert.ejml;
