/**
 * What ranks whose values are in the memory of devices tell each other by messages of the host, so that the devices can
 * do the rest: exchanges of halos and combinations of numbers.
 */
package org.trellis.distributed.device;
