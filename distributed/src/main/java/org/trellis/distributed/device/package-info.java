/**
 * What ranks whose values are in the memory of devices send each other as messages of the host, so that the devices can
 * do the rest: exchanges of halos and combinations of numbers.
 */
package org.trellis.distributed.device;
