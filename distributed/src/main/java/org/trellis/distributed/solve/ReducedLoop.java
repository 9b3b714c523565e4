package org.trellis.distributed.solve;

import java.util.Map;
import java.util.OptionalDouble;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.PendingReduction;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.kernel.Access;
import org.trellis.memory.HostVector;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;

/**
 * A loop that reduces into scalars, which are combined over all ranks after each run: one all-reduce for the sums of a
 * loop, one for its minima, one for its maxima. Allocates nothing.
 */
final class ReducedLoop implements PreparedLoop {
    private static final Access[] KINDS = {Access.SUM, Access.MIN, Access.MAX};
    private static final int SUM = 0;
    private static final Reduction[] REDUCTIONS = {Reduction.SUM, Reduction.MIN, Reduction.MAX};

    private final Communicator communicator;
    /** Combines what is on a device, or null for the host. */
    private final RankSums device;
    /** Lets sums be combined later, or null where that cannot be. */
    private final PendingSums pending;
    private final LoopDeclaration loop;
    private final PreparedLoop own;
    private final RankTimeline timeline;
    private final int activity;
    private final double[][] values = new double[KINDS.length][];

    ReducedLoop(Communicator communicator, RankSums device, PendingSums pending, LoopDeclaration loop,
            PreparedLoop own) {
        this.pending = pending;
        this.device = device;
        this.communicator = communicator;
        this.loop = loop;
        this.own = own;
        this.timeline = communicator.timeline();
        this.activity = timeline.activity(loop.name());
        for (int kind = 0; kind < KINDS.length; kind++) {
            int count = 0;
            for (int a = 0; a < loop.arity(); a++) {
                count += loop.access(a) == KINDS[kind] ? ((Scalar) loop.argument(a)).components() : 0;
            }
            values[kind] = new double[count];
        }
    }

    @Override
    public void run() {
        long began = enter();
        own.run();
        timeline.end(RankPhase.INTERIOR, began);
        combine();
    }

    @Override
    public void run(SetExtent part) {
        long began = enter();
        own.run(part);
        timeline.end(RankPhase.INTERIOR, began);
        combine();
    }

    private long enter() {
        timeline.enter(activity);
        return timeline.begin();
    }

    private void combine() {
        if (device != null) {
            combineOnDevice();
            return;
        }
        for (int kind = 0; kind < KINDS.length; kind++) {
            if (values[kind].length > 0) {
                move(kind, false);
                if (kind == SUM && pending != null && pending.wanted()) {
                    pending.started(this, communicator.startSum(values[kind]));
                    continue;
                }
                communicator.allReduce(REDUCTIONS[kind], values[kind]);
                move(kind, true);
            }
        }
    }

    /** Puts sums that were under way into their scalars. */
    void settle(PendingReduction reduction) {
        reduction.finish(values[SUM]);
        move(SUM, true);
    }

    private void combineOnDevice() {
        for (int a = 0; a < loop.arity(); a++) {
            for (int kind = 0; kind < KINDS.length; kind++) {
                if (loop.access(a) == KINDS[kind]) {
                    Scalar scalar = (Scalar) loop.argument(a);
                    device.combine(REDUCTIONS[kind], scalar.vector(), scalar.first(), scalar.components());
                }
            }
        }
    }

    /** Copies the scalars of a kind to the buffer or back; other ones may be bound than in the run before. */
    private void move(int kind, boolean back) {
        double[] buffer = values[kind];
        int at = 0;
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a) == KINDS[kind]) {
                Scalar scalar = (Scalar) loop.argument(a);
                HostVector all = (HostVector) scalar.vector();
                for (int i = 0; i < scalar.components(); i++, at++) {
                    if (back) {
                        all.set(scalar.first() + i, buffer[at]);
                    } else {
                        buffer[at] = all.get(scalar.first() + i);
                    }
                }
            }
        }
    }

    @Override
    public boolean rebind(int argument) {
        return own.rebind(argument);
    }

    @Override
    public LoopStatistics statistics() {
        return own.statistics();
    }

    @Override
    public OptionalDouble deviceSeconds() {
        return own.deviceSeconds();
    }

    @Override
    public void resetTimes() {
        own.resetTimes();
    }

    @Override
    public Map<String, String> deviceFigures() {
        return own.deviceFigures();
    }

    @Override
    public void close() {
        own.close();
    }
}
