package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.solve.multigrid.AggregationKernels;
import org.trellis.sparse.BackendMatrix;

/**
 * A tentative prolongator for nodes of several unknowns, or of several vectors, on a device: the orthogonal factors of
 * the vectors on the aggregates. One thread orthogonalises an aggregate, in the order in which the host does it.
 */
final class CudaBlockTentative implements AggregationKernels.Tentative {
    private final CudaAggregationKernels kernels;
    private final int count;
    private final CudaVector coarse;
    private CudaMatrix factors;
    /** The factors, where no row has more than one entry; else null. */
    private SingleEntries entries;
    /** A T, for its structure. */
    private CudaMatrix smoothing;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaBlockTentative(CudaAggregationKernels kernels, CudaGroups groups, BackendMatrix like,
            AggregationKernels.Vectors space) {
        this.kernels = kernels;
        this.count = space.count();
        this.coarse = kernels.context().vector(Precision.F64,
                Math.multiplyExact(Math.multiplyExact(groups.count(), count), count));
        try {
            kernels.fill(coarse, 0);
            factors = orthogonalise(groups, like, space);
            if (kernels.algebra().longestRow(factors) <= 1) {
                entries = new SingleEntries(kernels, factors.rows(), factors.columns(), factors.precision());
                entries.store(step("singleEntries").a(factors).set(Count.ROWS, factors.rows()), factors.rows());
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private Step step(String function) {
        return kernels.algebra().launches().nodes(function, factors.precision());
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private CudaMatrix orthogonalise(CudaGroups groups, BackendMatrix like, AggregationKernels.Vectors space) {
        int rows = like.rows();
        CudaAlgebra algebra = kernels.algebra();
        Precision precision = like.precision();
        try (CudaBuffer q = kernels.context().buffer((long) rows * count * Double.BYTES)) {
            algebra.launches().nodes("orthogonalise", precision).b(groups.offsets(), groups.members())
                    .set(Pointer.X, ((CudaVector) space.elements()).address()).set(Pointer.Y, coarse.address())
                    .set(Pointer.Z, q).set(Count.ROWS, groups.count()).set(Count.SIZE, count)
                    .set(Count.FIRST, space.blockSize()).set(Count.LAST, rows).run(groups.count());
            return algebra.maker().make(rows, groups.count() * count, precision,
                    lengths -> entries("countFactors", groups, space, precision, q).set(Count.ROWS, rows)
                            .set(Pointer.LENGTHS, lengths).run(rows),
                    (arrays, total) -> {
                        Step step = entries("fillFactors", groups, space, precision, q).set(Count.ROWS, rows);
                        arrays.accept(step);
                        step.run(rows);
                    });
        }
    }

    private Step entries(String function, CudaGroups groups, AggregationKernels.Vectors space, Precision precision,
            CudaBuffer q) {
        return kernels.algebra().launches().nodes(function, precision).set(Pointer.LIST, groups.ofNodes())
                .set(Pointer.Z, q).set(Count.SIZE, count).set(Count.FIRST, space.blockSize());
    }

    @Override
    public AggregationKernels.Vectors coarse() {
        return new AggregationKernels.Vectors(coarse, count, count);
    }

    @Override
    @MustBeClosed
    public CudaMatrix matrix() {
        return kernels.algebra().toPrecision(factors, factors.precision());
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned, or closed with this
    public CudaMatrix smoothed(BackendMatrix matrix, double omega, BackendMatrix structure) {
        if (entries != null) {
            return entries.smoothed(matrix, omega, structure);
        }
        CudaAlgebra algebra = kernels.algebra();
        CudaMatrix a = algebra.own(matrix);
        int rows = a.rows();
        CudaMatrix before = smoothing;
        smoothing = before == null ? algebra.multiply(a, factors) : algebra.multiplyAgain(before, a, factors);
        if (before != null) {
            before.close();
        }
        try (CudaBuffer inverse = kernels.context().buffer((long) rows * Double.BYTES);
                CudaBuffer roots = kernels.context().buffer((long) rows * Double.BYTES);
                CudaVector scale = kernels.context().vector(a.precision(), rows)) {
            kernels.step("invertDiagonal", a).set(Pointer.X, inverse).set(Pointer.Y, roots).run(rows);
            kernels.step("scaleVector", a).set(Pointer.X, inverse).alpha(omega).run(rows);
            step("roundVector").set(Pointer.X, inverse).set(Pointer.VECTOR, scale.address()).set(Count.ROWS, rows)
                    .run(rows);
            try (CudaMatrix scaled = algebra.scaleRows(smoothing, scale)) {
                return algebra.combine(1, factors, -1, scaled);
            }
        }
    }

    @Override
    public void close() {
        coarse.close();
        if (factors != null) {
            factors.close();
        }
        if (entries != null) {
            entries.close();
        }
        if (smoothing != null) {
            smoothing.close();
        }
    }
}
