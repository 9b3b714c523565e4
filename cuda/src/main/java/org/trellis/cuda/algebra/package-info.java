/** Sparse matrices in the memory of a device, and algebra with them that stays there. */
package org.trellis.cuda.algebra;
