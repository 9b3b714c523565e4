package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.cuda.runtime.NcclCommunicator;
import org.trellis.mesh.device.DeviceGroup;

/** Ranks that NCCL has joined. */
final class CudaGroup implements DeviceGroup {
    private final NcclCommunicator communicator;

    @MustBeClosed
    CudaGroup(NcclCommunicator communicator) {
        this.communicator = communicator;
    }

    /** Returns the communicator of a group of this backend's. */
    static NcclCommunicator communicator(DeviceGroup group) {
        if (!(group instanceof CudaGroup own)) {
            throw new IllegalArgumentException("a group of ranks is " + group + ", expected one of the cuda backend");
        }
        return own.communicator;
    }

    @Override
    public int rank() {
        return communicator.rank();
    }

    @Override
    public int ranks() {
        return communicator.ranks();
    }

    @Override
    public String library() {
        return "NCCL " + communicator.version();
    }

    @Override
    public void abort() {
        communicator.close();
    }

    @Override
    public void close() {
        communicator.leave();
    }

    @Override
    public String toString() {
        return "rank " + rank() + " of " + ranks() + " joined by " + library();
    }
}
