package org.trellis.distributed.solve;

import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;

/** Updates of a rank's elements, and dot products over all ranks. */
final class ReducedElements implements ElementKernels {
    private final Communicator communicator;
    /** Combines what is on a device, or null for the host. */
    private final RankSums device;
    private final ElementKernels own;
    private final double[] sum = new double[1];

    ReducedElements(Communicator communicator, RankSums device, ElementKernels own) {
        this.device = device;
        this.communicator = communicator;
        this.own = own;
    }

    @Override
    public void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        own.update(alpha, d, x, beta, y);
    }

    @Override
    public void dot(DenseVector x, DenseVector y, DenseVector result, int at) {
        own.dot(x, y, result, at);
        if (device != null) {
            device.combine(Reduction.SUM, result, at, 1);
            return;
        }
        HostVector sums = (HostVector) result;
        combine(sums.get(at), sums, at);
    }

    /** Queues the addition of what each rank has of a sum on its device. */
    void combineOnDevice(DenseVector result, int at) {
        device.combine(Reduction.SUM, result, at, 1);
    }

    /** Adds up what each rank has of a sum, on the host. */
    void combine(double share, HostVector result, int at) {
        sum[0] = share;
        communicator.allReduce(Reduction.SUM, sum);
        result.set(at, sum[0]);
    }
}
