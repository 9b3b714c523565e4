package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopParameters;

/** The loops of a rank, whose reductions into scalars are combined over all ranks. */
final class ReducedLoops implements LoopKernels {
    private final Communicator communicator;
    private final RankSums device;
    private final PendingSums pending;
    private final LoopKernels own;
    private final String backend;

    ReducedLoops(Communicator communicator, RankSums device, PendingSums pending, LoopKernels own, String backend) {
        this.pending = pending;
        this.device = device;
        this.communicator = communicator;
        this.own = own;
        this.backend = backend;
    }

    @Override
    @MustBeClosed
    public DatStorage allocate(ScalarType type, int length) {
        return own.allocate(type, length);
    }

    @Override
    public DatStorage wrap(DenseVector vector) {
        return own.wrap(vector);
    }

    @Override
    public LoopParameters rule(LoopDeclaration loop) {
        return own.rule(loop);
    }

    @Override
    public void expect(LoopDeclaration loop, LoopParameters parameters) {
        own.expect(loop, parameters);
    }

    @Override
    public List<LoopParameters> parameterSpace(LoopDeclaration loop) {
        return own.parameterSpace(loop);
    }

    @Override
    public Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters) {
        for (int a = 0; a < loop.arity(); a++) {
            if (isCombined(loop, a) && !(loop.argument(a) instanceof Scalar)) {
                return Optional.of("over several ranks " + loop.where(a) + " reduces into " + loop.argument(a)
                        + ", expected scalars of the mesh");
            }
        }
        return own.constraint(loop, parameters);
    }

    static boolean isCombined(LoopDeclaration loop, int argument) {
        return loop.access(argument).reduces() && !loop.set().isReplicated();
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned, perhaps in another
    public PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters) {
        constraint(loop, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException(loop.toString(), backend, reason);
        });
        PreparedLoop prepared = own.prepare(loop, parameters);
        for (int a = 0; a < loop.arity(); a++) {
            if (isCombined(loop, a)) {
                return new ReducedLoop(communicator, device, pending, loop, prepared);
            }
        }
        // A loop that combines nothing is noted on the timeline, too.
        return communicator.timeline().isOn()
                ? new ReducedLoop(communicator, device, pending, loop, prepared)
                : prepared;
    }

    @Override
    public LoopParameters refine(LoopDeclaration loop, LoopParameters proposed) {
        return own.refine(loop, proposed);
    }
}
