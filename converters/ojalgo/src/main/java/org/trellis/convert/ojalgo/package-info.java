/** Between the sparse matrices of Trellis and of ojAlgo. */
package org.trellis.convert.ojalgo;
