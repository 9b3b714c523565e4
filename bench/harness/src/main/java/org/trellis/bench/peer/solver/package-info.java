/**
 * Other libraries that solve systems beside Trellis in the same run. An adapter implements
 * {@link org.trellis.bench.peer.solver.SolverPeer} and is found by {@link java.util.ServiceLoader}.
 */
package org.trellis.bench.peer.solver;
