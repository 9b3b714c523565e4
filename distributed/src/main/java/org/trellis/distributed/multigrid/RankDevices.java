package org.trellis.distributed.multigrid;

import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.HaloKernels;
import org.trellis.sparse.ElementKernels;

/**
 * Where the levels of this rank are, and whether other ranks have theirs on devices.
 *
 * @param backend  of this rank
 * @param onDevice whether its memory is a device's
 * @param devices  how many ranks' is
 * @param ranks    how many ranks there are
 */
record RankDevices(Backend backend, boolean onDevice, int devices, int ranks) {
    /**
     * Asks all ranks. Collective.
     *
     * @param what         is to be there, for messages
     * @param backend      of this rank
     * @param communicator the ranks
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    static RankDevices of(String what, Backend backend, Communicator communicator) {
        boolean onDevice = !backend.device().space().equals(MemorySpace.HOST);
        if (onDevice && backend.optionalKernels(HaloKernels.class).isEmpty()) {
            throw new UnsupportedKernelException(what, backend.name(),
                    "only ranks on the host and on devices with messages between ranks have it");
        }
        return new RankDevices(backend, onDevice, (int) communicator.sum(onDevice ? 1 : 0), communicator.size());
    }

    /** Says whether some rank is on a device. */
    boolean anyDevices() {
        return devices > 0;
    }

    /** Says whether all ranks are on devices. */
    boolean allDevices() {
        return devices == ranks;
    }

    ElementKernels elements() {
        return backend.kernels(ElementKernels.class);
    }

    VectorSpace space(Precision precision, int length) {
        return VectorSpace.of(length, precision, backend.device().space());
    }

    /** Makes a vector of zeros, which the caller closes. */
    @SuppressWarnings("MustBeClosed") // returned
    DenseVector zeros(Precision precision, int length) {
        return onDevice ? backend.vector(precision, length) : HostVector.zeros(precision, length);
    }

    /** Waits until what was asked of the device is done. */
    void synchronize() {
        if (onDevice) {
            backend.optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
        }
    }
}
