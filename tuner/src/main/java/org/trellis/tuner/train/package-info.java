/** Learns models from measured searches, with Smile. The only package that needs Smile on the class path. */
package org.trellis.tuner.train;
