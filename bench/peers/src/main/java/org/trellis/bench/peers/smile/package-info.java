/** The adapter to Smile. */
package org.trellis.bench.peers.smile;
