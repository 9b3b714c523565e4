package org.trellis.mesh;

import java.util.OptionalDouble;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.SetExtent;

/** A loop whose runs compare parameters. When that has ended, it is a {@link WholeLoop} with the best. */
final class TunedLoop implements LoopHandle {
    private final ParallelLoop loop;
    private final LoopTrials trials;
    private final int structure;

    private TunedLoop(ParallelLoop loop, LoopTrials trials, int structure) {
        this.loop = loop;
        this.trials = trials;
        this.structure = structure;
    }

    /** Prepares the tuner's first guess, which may be all that it wants. */
    static LoopHandle begin(ParallelLoop loop, LoopTuner tuner) {
        int structure = loop.mesh().structure();
        LoopTrials trials = new LoopTrials(loop.mesh().kernels(), loop.declaration(), tuner);
        return new TunedLoop(loop, trials, structure).follow();
    }

    /** Takes over what preparation took, and lets tuning go when it has ended. */
    private LoopHandle follow() {
        loop.times().prepared(trials.takePreparation());
        if (!trials.isFinished()) {
            return this;
        }
        trials.finish();
        loop.times().settle(trials.bestRuns(), trials.otherSeconds());
        return new WholeLoop(loop, trials.parameters(), trials.prepared(), structure);
    }

    @Override
    public boolean isCurrent() {
        return structure == loop.mesh().structure();
    }

    @Override
    public LoopHandle prepared() {
        return isCurrent() ? this : loop.anew().prepared();
    }

    @Override
    public LoopParameters parameters() {
        return trials.parameters();
    }

    @Override
    public LoopHandle parameters(LoopParameters wanted) {
        UnpreparedLoop next = new UnpreparedLoop(loop, loop.checked(wanted));
        release();
        return next;
    }

    @Override
    public boolean isTuning() {
        return true;
    }

    @Override
    public LoopHandle run(SetExtent part) {
        MeshSet set = loop.declaration().set();
        if (set.extent(part) == set.extent(SetExtent.EXECUTED)) {
            loop.times().count(trials.run());
            return follow();
        }
        long start = System.nanoTime();
        trials.prepared().run(part); // of another part, times say nothing
        loop.times().count(System.nanoTime() - start);
        return this;
    }

    @Override
    public void run(int from, int to) {
        trials.prepared().run(from, to);
    }

    @Override
    public boolean rebind(int argument) {
        return isCurrent() && trials.rebind(argument);
    }

    @Override
    public void rebound() {}

    @Override
    public PreparedLoop current() {
        return null;
    }

    @Override
    public void timeParts(boolean wanted) {
        trials.prepared().timeParts(wanted);
    }

    @Override
    public OptionalDouble partSeconds(int from, int to) {
        return trials.prepared().deviceSeconds(from, to);
    }

    @Override
    public double seconds() {
        OptionalDouble device = trials.prepared().deviceSeconds();
        return device.isEmpty()
                ? loop.times().wallSeconds()
                : loop.times().deviceSeconds(device.getAsDouble(), trials);
    }

    @Override
    public LoopReport report() {
        return loop.report(trials.prepared());
    }

    @Override
    public void resetTimes() {
        trials.resetTimes();
    }

    @Override
    public void release() {
        trials.close();
    }
}
