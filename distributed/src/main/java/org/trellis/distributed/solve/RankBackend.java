package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.Objects;
import org.trellis.backend.Backend;
import org.trellis.backend.Device;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.LoopKernels;
import org.trellis.sparse.ElementKernels;

/**
 * A rank's backend whose vectors are the owned parts of vectors of the whole job: dot products, norms and reductions of
 * loops are combined over all ranks, everything else stays on the rank. So a solver that is made with it and with a
 * {@link PartitionedOperator} solves the system of the whole job, in step with the same solver on every other rank; it
 * takes the same decisions there, since combined numbers have the same bits on all ranks.
 *
 * <p>Each reduction is collective. Sets that every rank has whole ({@link org.trellis.mesh.MeshSet#replicate}) are not
 * combined. What the wrapped backend has beyond loops and updates of vectors is not offered: a triangular solution of
 * one rank's rows, say, would not be one of the whole system.
 */
public final class RankBackend implements Backend {
    private final Backend backend;
    private final Map<Class<?>, Object> kernels;

    /**
     * Makes the backend of one rank.
     *
     * @param communicator the ranks
     * @param backend      what this rank computes with, in memory of the host; closed with this
     * @throws IllegalArgumentException if the backend's memory is a device's
     */
    public RankBackend(Communicator communicator, Backend backend) {
        Objects.requireNonNull(communicator);
        if (!backend.device().space().equals(MemorySpace.HOST)) {
            throw new IllegalArgumentException("ranks are to compute with backend '" + backend.name() + "' on "
                    + backend.device().space() + ", expected one whose vectors are in memory of the host");
        }
        this.backend = backend;
        this.kernels = Map.of(
                LoopKernels.class, new ReducedLoops(communicator, backend.kernels(LoopKernels.class), backend.name()),
                ElementKernels.class, new ReducedElements(communicator, backend.kernels(ElementKernels.class)));
    }

    /** Returns what this rank computes with, for what concerns its own elements only. */
    Backend own() {
        return backend;
    }

    @Override
    public String name() {
        return backend.name();
    }

    @Override
    public Device device() {
        return backend.device();
    }

    @Override
    public <K> K kernels(Class<K> kernelInterface) {
        Object found = kernels.get(kernelInterface);
        if (found == null) {
            throw new UnsupportedKernelException(kernelInterface.getSimpleName(), name(),
                    "over several ranks it has " + kernels.keySet().stream().map(Class::getSimpleName).sorted()
                            .toList());
        }
        return kernelInterface.cast(found);
    }

    @Override
    @MustBeClosed
    public DenseVector vector(Precision precision, int length) {
        return backend.vector(precision, length);
    }

    @Override
    public void close() {
        backend.close();
    }

    @Override
    public String toString() {
        return backend + " of one rank";
    }
}
