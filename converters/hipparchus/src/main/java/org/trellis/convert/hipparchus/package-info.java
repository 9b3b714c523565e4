/** Between the sparse matrices of Trellis and of Hipparchus. */
package org.trellis.convert.hipparchus;
