package org.trellis.adapt;

import java.util.Map;
import java.util.Optional;

/**
 * What an adaptation has done.
 *
 * @param sweeps    how many times the steps were taken; of smoothing alone, sweeps over the vertices
 * @param splits    edges split
 * @param collapses edges collapsed
 * @param swaps     edges and faces swapped
 * @param seconds   wall time, and that of each step by its label
 * @param phases    the times of phases, which lie across the steps; empty for smoothing by loops alone
 * @param settled   whether it ended because next to nothing changed any more
 * @param traffic   where loops have moved vertices, and what went there and back; empty if the host's threads did all
 */
public record AdaptReport(int sweeps, long splits, long collapses, long swaps, Map<String, Double> seconds,
        Map<AdaptPhase, PhaseTime> phases, boolean settled, Optional<LoopTraffic> traffic) {}
