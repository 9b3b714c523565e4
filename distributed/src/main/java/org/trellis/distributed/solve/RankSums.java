package org.trellis.distributed.solve;

import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.device.DeviceReduction;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.PreparedReduction;

/**
 * Combines numbers over all ranks that are on a device: there, if all ranks have devices that reach each other, else on
 * the host, which waits for the device then.
 */
final class RankSums implements AutoCloseable {
    private static final int TAG = 1;

    private final Communicator communicator;
    private final DeviceReduction onDevice;

    /**
     * Agrees with the other ranks. Called by all of them.
     *
     * @param parent  the ranks
     * @param backend of this rank
     */
    RankSums(Communicator parent, Backend backend) {
        this.communicator = parent.split(0, parent.rank());
        this.onDevice = DeviceReduction.of(communicator, TAG, backend, DeviceReduction.MAX_NUMBERS).orElse(null);
    }

    /** Returns the communicator through which ranks of this group combine numbers on the host. */
    Communicator communicator() {
        return communicator;
    }

    /** Combines some elements of a vector of doubles. */
    void combine(Reduction reduction, DenseVector values, int first, int count) {
        for (int from = 0; from < count; from += DeviceReduction.MAX_NUMBERS) {
            int length = Math.min(DeviceReduction.MAX_NUMBERS, count - from);
            if (onDevice != null) {
                onDevice.combine(operation(reduction), values, first + from, length);
            } else {
                throughHost(reduction, values.part(first + from, length));
            }
        }
    }

    private static PreparedReduction.Operation operation(Reduction reduction) {
        return switch (reduction) {
            case SUM -> PreparedReduction.Operation.SUM;
            case MIN -> PreparedReduction.Operation.MIN;
            case MAX -> PreparedReduction.Operation.MAX;
        };
    }

    private void throughHost(Reduction reduction, DenseVector values) {
        HostVector copy = HostVector.zeros(Precision.F64, values.length());
        values.copyTo(copy);
        communicator.allReduce(reduction, copy.doubles());
        values.copyFrom(copy);
    }

    @Override
    public void close() {
        if (onDevice != null) {
            onDevice.close();
        }
        communicator.close();
    }
}
