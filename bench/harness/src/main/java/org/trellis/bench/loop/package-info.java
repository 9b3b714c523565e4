/**
 * Mesh loops from the command line: how an application on the mesh runtime is run, how its loops are tuned and tuning
 * is judged, and the measurement of all parameters of all its loops on a device.
 */
package org.trellis.bench.loop;
