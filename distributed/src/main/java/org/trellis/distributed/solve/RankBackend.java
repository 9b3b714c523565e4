package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.trellis.backend.Backend;
import org.trellis.backend.Device;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.DeferredReductions;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LoopKernels;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.RankNumber;
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
    private final ReducedElements elements;
    /** Null if all ranks are on the host. */
    private final RankSums sums;
    /** What is closed with this. */
    private final Runnable rest;

    /**
     * Makes the backend of one rank. Collective.
     *
     * @param communicator the ranks
     * @param backend      what this rank computes with, on the host or on a device that has {@link HaloKernels}; closed
     *                     with this
     * @throws IllegalArgumentException if the backend's memory is a device's that has no messages
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    public RankBackend(Communicator communicator, Backend backend) {
        this(communicator, backend, backend::close, Map.of());
    }

    /**
     * Makes the backend of one rank, which leaves the rank's own open. Collective.
     *
     * @param communicator the ranks, closed with what is returned
     * @param backend      what this rank computes with, as for the constructor; not closed
     * @param further      other kernels that are all ranks', by their interfaces
     * @return the backend, which the caller closes
     * @throws IllegalArgumentException if the backend's memory is a device's that has no messages
     */
    @MustBeClosed
    public static RankBackend around(Communicator communicator, Backend backend, Map<Class<?>, Object> further) {
        return new RankBackend(communicator, backend, communicator::close, further);
    }

    private RankBackend(Communicator communicator, Backend backend, Runnable rest, Map<Class<?>, Object> further) {
        this.rest = rest;
        Objects.requireNonNull(communicator);
        boolean onDevice = !backend.device().space().equals(MemorySpace.HOST);
        if (onDevice && backend.optionalKernels(HaloKernels.class).isEmpty()) {
            throw new IllegalArgumentException("ranks are to compute with backend '" + backend.name() + "' on "
                    + backend.device().space() + ", expected one on the host, or on a device with messages between "
                    + "ranks");
        }
        this.backend = backend;
        // Ranks on the host take part in the agreement of those with devices.
        this.sums = communicator.greatest(onDevice ? 1 : 0) > 0 ? new RankSums(communicator, backend) : null;
        RankSums own = onDevice ? sums : null;
        Communicator reducing = sums == null ? communicator : sums.communicator();
        this.elements = new ReducedElements(reducing, own, backend.kernels(ElementKernels.class));
        // Where some ranks have devices, sums may be combined on them, at once.
        PendingSums pending = sums == null ? new PendingSums() : null;
        ReducedLoops loops = new ReducedLoops(reducing, own, pending, backend.kernels(LoopKernels.class),
                backend.name());
        Map<Class<?>, Object> all = new HashMap<>(Map.of(LoopKernels.class, loops, ElementKernels.class, elements,
                CollectiveClock.class, clock(communicator), RankNumber.class, (RankNumber) communicator::rank));
        if (pending != null) {
            all.put(DeferredReductions.class, pending);
        }
        all.putAll(further);
        this.kernels = Map.copyOf(all);
    }

    /** Returns the clock of all ranks, on which as much time has passed as on the one that took longest. */
    static CollectiveClock clock(Communicator communicator) {
        return seconds -> {
            double[] most = {seconds};
            communicator.allReduce(Reduction.MAX, most);
            return most[0];
        };
    }

    /**
     * Returns what this rank computes with, for what concerns its own elements only.
     *
     * @return the backend that was given
     */
    public Backend own() {
        return backend;
    }

    ReducedElements elements() {
        return elements;
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
        if (sums != null) {
            sums.close();
        }
        rest.run();
    }

    @Override
    public String toString() {
        return backend + " of one rank";
    }
}
