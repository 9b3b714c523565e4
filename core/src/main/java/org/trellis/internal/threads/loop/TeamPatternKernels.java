package org.trellis.internal.threads.loop;

import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.mesh.device.PatternArrays;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.mesh.device.PatternTables;

/** Patterns on a team of threads. */
public final class TeamPatternKernels implements PatternKernels {
    private final WorkerTeam team;

    /**
     * Creates the kernels.
     *
     * @param team the threads
     */
    public TeamPatternKernels(WorkerTeam team) {
        this.team = team;
    }

    @Override
    public PatternArrays build(PatternTables tables) {
        return new TeamPattern(tables, team).build();
    }
}
