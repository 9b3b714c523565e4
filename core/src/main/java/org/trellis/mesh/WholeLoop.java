package org.trellis.mesh;

import java.util.OptionalDouble;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.SetExtent;

/** A loop that is prepared, and runs the same way each time until the structure of its mesh is another one. */
final class WholeLoop implements LoopHandle {
    private final ParallelLoop loop;
    private final LoopParameters parameters;
    private final PreparedLoop prepared;
    private final int structure;

    /** Takes over what has been prepared for a structure of the mesh. */
    WholeLoop(ParallelLoop loop, LoopParameters parameters, PreparedLoop prepared, int structure) {
        this.loop = loop;
        this.parameters = parameters;
        this.prepared = prepared;
        this.structure = structure;
    }

    /** Makes plan and code, which has taken time since a start. */
    @SuppressWarnings("MustBeClosed") // released with the loop, or with the mesh
    static WholeLoop prepare(ParallelLoop loop, LoopParameters parameters, long start) {
        int structure = loop.mesh().structure();
        PreparedLoop prepared = loop.mesh().kernels().prepare(loop.declaration(), parameters);
        loop.times().prepared(System.nanoTime() - start);
        return new WholeLoop(loop, parameters, prepared, structure);
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
        return parameters;
    }

    @Override
    public LoopHandle parameters(LoopParameters wanted) {
        UnpreparedLoop next = new UnpreparedLoop(loop, loop.checked(wanted));
        release();
        return next;
    }

    @Override
    public boolean isTuning() {
        return false;
    }

    @Override
    public LoopHandle run(SetExtent part) {
        LoopTimes times = loop.times();
        if (times.wants(loop.declaration().set().size())) {
            long start = System.nanoTime();
            prepared.run(part);
            times.count(System.nanoTime() - start);
        } else {
            prepared.run(part);
            times.count();
        }
        return this;
    }

    @Override
    public void run(int from, int to) {
        prepared.run(from, to);
    }

    @Override
    public boolean rebind(int argument) {
        return isCurrent() && prepared.rebind(argument);
    }

    @Override
    public void rebound() {}

    @Override
    public PreparedLoop current() {
        return isCurrent() ? prepared : null;
    }

    @Override
    public void timeParts(boolean wanted) {
        prepared.timeParts(wanted);
    }

    @Override
    public OptionalDouble partSeconds(int from, int to) {
        return prepared.deviceSeconds(from, to);
    }

    @Override
    public double seconds() {
        OptionalDouble device = prepared.deviceSeconds();
        return device.isEmpty() ? loop.times().wallSeconds() : loop.times().deviceSeconds(device.getAsDouble());
    }

    @Override
    public LoopReport report() {
        return loop.report(prepared);
    }

    @Override
    public void resetTimes() {
        prepared.resetTimes();
    }

    @Override
    public void release() {
        prepared.close();
    }
}
