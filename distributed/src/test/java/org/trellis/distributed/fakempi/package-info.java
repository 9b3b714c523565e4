/** Stands in for the {@code mpi} packages that programs may have, over threads, in both dialects. */
package org.trellis.distributed.fakempi;
