/** The set-up of multigrid by aggregation on a device. */
package org.trellis.cuda.multigrid;
