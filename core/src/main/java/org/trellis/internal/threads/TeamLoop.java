package org.trellis.internal.threads;

import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopStatistics;
import org.trellis.mesh.PreparedLoop;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/** Phases that run one after the other, each on all threads. */
final class TeamLoop implements PreparedLoop {
    private final LoopDeclaration loop;
    private final LoopPlan plan;
    private final WorkerTeam team;
    private final LoopPhase[] phases;
    private final Reductions reductions;

    TeamLoop(LoopDeclaration loop, LoopPlan plan, WorkerTeam team, LoopPhase[] phases, Reductions reductions) {
        this.loop = loop;
        this.plan = plan;
        this.team = team;
        this.phases = phases;
        this.reductions = reductions;
    }

    @Override
    public void run() {
        reductions.start();
        for (LoopPhase phase : phases) {
            team.run(phase.units(), phase);
        }
        reductions.finish();
    }

    @Override
    public LoopStatistics statistics() {
        return LoopPlans.statistics(loop, plan);
    }
}
