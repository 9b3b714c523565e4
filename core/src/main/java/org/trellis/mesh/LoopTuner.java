package org.trellis.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopTuning;

/**
 * Finds out how the loops of a mesh are run best, within the runs that a program makes anyway. A mesh gets it by
 * {@link MeshOptions#withTuner}; module {@code org.trellis.tuner} has one, {@code TunedLoops}. It is asked about loops
 * whose parameters are not set, neither {@link ParallelLoop#parameters(LoopParameters)} nor the options of the mesh.
 *
 * <p>Two variants round differently: until {@link ParallelLoop#isTuned()}, a loop need not give the same bits
 * for the same data.
 */
public interface LoopTuner {
    /**
     * Takes a loop on: before its first run, and again after a layout or numbering has changed.
     *
     * @param loop     the loop in its present layouts and numbering
     * @param proposed what the backend's rule says
     * @return what decides about its runs; the loop closes it
     */
    @MustBeClosed
    LoopTuning begin(LoopDeclaration loop, LoopParameters proposed);
}
