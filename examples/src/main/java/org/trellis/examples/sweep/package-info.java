/**
 * What the applications share: how their sets are numbered, and the measurement of all parameters of all their loops on
 * a device.
 */
package org.trellis.examples.sweep;
