package org.trellis.internal.threads.loop;

import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.RangeLoop;
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
    private LoopChooser chooser;
    private ElementPhase[] elements;

    TeamLoop(LoopDeclaration loop, LoopPlan plan, WorkerTeam team, LoopPhase[] phases, HostBinding binding,
            Reductions reductions) {
        this.loop = loop;
        this.plan = plan;
        this.team = team;
        this.phases = phases;
        this.binding = binding;
        this.reductions = reductions;
    }

    /** Has each run choose its code. */
    TeamLoop choosing(LoopChooser choice, ElementPhase... phasesOfElements) {
        chooser = choice;
        elements = phasesOfElements;
        return this;
    }

    @Override
    public void run() {
        run(SetExtent.EXECUTED);
    }

    @Override
    public void run(SetExtent part) {
        MeshSet set = loop.set();
        if (set.inParts()) {
            run(0, set.extent(part));
        } else {
            run(0, Integer.MAX_VALUE, Integer.MAX_VALUE);
        }
    }

    @Override
    public void run(int from, int to) {
        run(from, to, Math.min(to, loop.set().extent(SetExtent.OWNED)));
    }

    private void run(int from, int to, int counted) {
        binding.readScalars();
        for (LoopPhase phase : phases) {
            phase.limit(from, to);
        }
        boolean choosing = chooser != null && from == 0;
        long start = choosing ? begin() : 0;
        for (LoopPhase phase : phases) {
            team.run(phase.units(), phase);
        }
        if (choosing) {
            chooser.done(System.nanoTime() - start);
        }
        reductions.finish(from, counted);
    }

    /** Takes the code that is chosen, and runs the first elements in the code that is tried out. */
    private long begin() {
        RangeLoop code = chooser.next();
        for (ElementPhase phase : elements) {
            phase.code(code);
        }
        int pieces = elements.length == 0 ? 0 : chooser.pieces();
        if (pieces > 0) {
            RangeLoop trial = chooser.trial();
            for (int piece = 0; piece < pieces; piece++) {
                long start = System.nanoTime();
                if (!elements[0].runHead(trial, LoopChooser.PIECE)) {
                    break;
                }
                chooser.tried(System.nanoTime() - start);
            }
        }
        return System.nanoTime();
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
