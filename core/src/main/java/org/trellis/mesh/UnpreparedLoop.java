package org.trellis.mesh;

import java.util.Map;
import java.util.OptionalDouble;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;

/**
 * A loop that has been declared, or released: nothing but how it is going to be run.
 *
 * @param loop       the loop
 * @param parameters its parameters so far
 */
record UnpreparedLoop(ParallelLoop loop, LoopParameters parameters) implements LoopHandle {
    @Override
    public boolean isCurrent() {
        return false;
    }

    @Override
    public LoopHandle prepared() {
        if (loop.mesh().division().ranked()) {
            return LoopOnRanks.of(loop).prepared();
        }
        return loop.choice().prepare(loop);
    }

    @Override
    public LoopHandle parameters(LoopParameters wanted) {
        return new UnpreparedLoop(loop, loop.checked(wanted));
    }

    @Override
    public boolean isTuning() {
        return false;
    }

    @Override
    public LoopHandle run(SetExtent part) {
        return prepared().run(part);
    }

    @Override
    public void run(int from, int to) {
        throw new IllegalStateException(loop.declaration() + " is run before it has been prepared");
    }

    @Override
    public boolean rebind(int argument) {
        return true;
    }

    @Override
    public void rebound() {}

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
        return loop.times().wallSeconds();
    }

    @Override
    public LoopReport report() {
        // Once a mesh has been divided, ranks have only their share of maps, and this loop none so far.
        long bytes = loop.mesh().division().divided() ? 0 : loop.usefulBytes();
        LoopTimes times = loop.times();
        return new LoopReport(loop.declaration().name(), loop.declaration().set().name(), parameters, times.runs(),
                seconds(), times.preparationSeconds(), bytes, new LoopStatistics(0, 0, 0, 0, 1, 0), Map.of());
    }

    @Override
    public void resetTimes() {}

    @Override
    public void release() {}
}
