package org.trellis.bench.application;

import java.util.List;
import java.util.Objects;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.ParallelLoop;
import org.trellis.tuner.loop.MeshSearch;

/**
 * An application that was declared on a mesh.
 *
 * @param parts     the loops of a step or an iteration, and how often it runs each
 * @param loops     the loops that are worth measuring: of several with one kernel and data alike the first, and those
 *                  that belong to no step
 * @param edgeCells the map through which loops over edges add to cells
 * @param step      runs a step or an iteration and waits for it
 */
public record LoopProgram(List<MeshSearch.Part> parts, List<ParallelLoop> loops, MeshMap edgeCells, Runnable step) {
    /** Copies the lists. */
    public LoopProgram {
        parts = List.copyOf(parts);
        loops = List.copyOf(loops);
        Objects.requireNonNull(edgeCells);
        Objects.requireNonNull(step);
    }
}
