/**
 * What the solvers of one rank need to work on several: an operator that exchanges, and a backend whose sums are those
 * of all ranks. No method has a second version.
 */
package org.trellis.distributed.solve;
