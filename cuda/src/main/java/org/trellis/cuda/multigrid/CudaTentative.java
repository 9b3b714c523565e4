package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.solve.multigrid.AggregationKernels;
import org.trellis.sparse.BackendMatrix;

/** A tentative prolongator of one vector of a scalar problem on a device. */
final class CudaTentative implements AggregationKernels.Tentative {
    private final SingleEntries entries;
    private final CudaVector coarse;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaTentative(CudaAggregationKernels kernels, CudaGroups groups, BackendMatrix like, CudaVector space) {
        int columns = groups.count();
        this.coarse = kernels.context().vector(Precision.F64, columns);
        this.entries = new SingleEntries(kernels, groups.nodes(), columns, like.precision());
        try {
            entries.store(kernels.algebra().launches().aggregation("tentative", like.precision())
                    .b(groups.offsets(), groups.members()).set(Count.ROWS, columns).set(Pointer.X, space.address())
                    .set(Pointer.Y, coarse.address()), columns);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    @Override
    public AggregationKernels.Vectors coarse() {
        return new AggregationKernels.Vectors(coarse, 1, 1);
    }

    @Override
    @MustBeClosed
    public CudaMatrix matrix() {
        return entries.matrix();
    }

    @Override
    @MustBeClosed
    public CudaMatrix smoothed(BackendMatrix matrix, double omega, BackendMatrix structure) {
        return entries.smoothed(matrix, omega, structure);
    }

    @Override
    public void close() {
        entries.close();
        coarse.close();
    }
}
