/** The adapter to EJML. */
package org.trellis.bench.peers.ejml;
