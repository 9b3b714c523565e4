package org.trellis.mesh;

import java.util.OptionalDouble;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.SetExtent;

/** A loop of a mesh that has been divided: what this rank runs of it. */
final class LoopOnRanks implements LoopHandle {
    private final ParallelLoop loop;
    private final RankedLoop ranked;

    private LoopOnRanks(ParallelLoop loop, RankedLoop ranked) {
        this.loop = loop;
        this.ranked = ranked;
    }

    /** Declares the loop on this rank, and divides its mesh before if need be. */
    @SuppressWarnings("MustBeClosed") // released with the loop, or with the mesh
    static LoopOnRanks of(ParallelLoop loop) {
        return new LoopOnRanks(loop, loop.mesh().division().local().loop(loop));
    }

    /** A rank's own loop knows whether it is prepared, and what it needs of others each time. */
    @Override
    public boolean isCurrent() {
        return false;
    }

    @Override
    public LoopHandle prepared() {
        ranked.prepare();
        return this;
    }

    @Override
    public LoopParameters parameters() {
        return ranked.parameters();
    }

    @Override
    public LoopHandle parameters(LoopParameters wanted) {
        ranked.parameters(wanted);
        return this;
    }

    @Override
    public boolean isTuning() {
        return false;
    }

    /** Runs all that this rank has of the loop, whatever the part. */
    @Override
    public LoopHandle run(SetExtent part) {
        ranked.run();
        loop.times().count();
        return this;
    }

    @Override
    public void run(int from, int to) {
        throw new UnsupportedKernelException(loop.declaration() + " on elements " + from + " to " + (to - 1),
                loop.mesh().backend().name(), "its mesh is divided over ranks, whose elements have other numbers");
    }

    @Override
    public boolean rebind(int argument) {
        return true;
    }

    @Override
    public void rebound() {
        ranked.rebind();
    }

    @Override
    public PreparedLoop current() {
        return null;
    }

    @Override
    public void timeParts(boolean wanted) {}

    @Override
    public OptionalDouble partSeconds(int from, int to) {
        return OptionalDouble.empty();
    }

    @Override
    public double seconds() {
        return ranked.seconds();
    }

    @Override
    public LoopReport report() {
        return ranked.report();
    }

    @Override
    public void resetTimes() {
        ranked.resetTimes();
    }

    @Override
    public void release() {
        ranked.close();
    }
}
