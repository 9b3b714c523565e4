/** Between the sparse matrices of Trellis and of Smile. */
package org.trellis.convert.smile;
