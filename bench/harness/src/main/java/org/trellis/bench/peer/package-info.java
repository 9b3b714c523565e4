/**
 * Other libraries beside Trellis in the same run. An adapter implements {@link org.trellis.bench.peer.Peer} and is
 * found by {@link java.util.ServiceLoader}; the harness itself knows none.
 */
package org.trellis.bench.peer;
