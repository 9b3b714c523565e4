/** The adapter to ojAlgo. */
package org.trellis.bench.peers.ojalgo;
