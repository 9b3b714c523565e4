/** One dialect. */
package org.trellis.distributed.fakempi.open;
