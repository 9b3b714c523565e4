package org.trellis.internal.threads;

import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/** Phases that run one after the other, each on all threads. */
final class TeamLoop implements PreparedLoop {
    private final LoopDeclaration loop;
    private final LoopPlan plan;
    private final WorkerTeam team;
    private final LoopPhase[] phases;
    private final HostBinding binding;
    private final Reductions reductions;

    TeamLoop(LoopDeclaration loop, LoopPlan plan, WorkerTeam team, LoopPhase[] phases, HostBinding binding,
            Reductions reductions) {
        this.loop = loop;
        this.plan = plan;
        this.team = team;
        this.phases = phases;
        this.binding = binding;
        this.reductions = reductions;
    }

    @Override
    public void run() {
        run(SetExtent.EXECUTED);
    }

    @Override
    public void run(SetExtent part) {
        MeshSet set = loop.set();
        int end = Integer.MAX_VALUE;
        int counted = Integer.MAX_VALUE;
        if (set.inParts()) {
            end = set.extent(part);
            counted = Math.min(end, set.extent(SetExtent.OWNED));
        }
        binding.readScalars();
        for (LoopPhase phase : phases) {
            phase.limit(end);
            team.run(phase.units(), phase);
        }
        reductions.finish(counted);
    }

    @Override
    public boolean rebind(int argument) {
        reductions.rebind(argument);
        return binding.rebind(argument);
    }

    @Override
    public LoopStatistics statistics() {
        return LoopPlans.statistics(loop, plan);
    }
}
