package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.DenseVector;
import org.trellis.solve.multigrid.AggregationKernels;
import org.trellis.solve.multigrid.StrengthMeasure;
import org.trellis.solve.multigrid.StrengthOptions;
import org.trellis.sparse.BackendMatrix;

/** Strength, aggregates and prolongators on a device; matrix algebra does the rest. */
public final class CudaAggregationKernels implements AggregationKernels {
    private static final int SYMMETRIC = 0;
    private static final int SIGNED = 1;
    private static final int ONE_SIDED = 2;
    /** Threads that look for paths beside the entries of a row. */
    private static final int PATH_LANES = 8;

    private final CudaContext context;
    private final CudaAlgebra algebra;

    /**
     * Creates the kernels of a context.
     *
     * @param context the context, which outlives this object
     * @param algebra its matrix algebra
     */
    public CudaAggregationKernels(CudaContext context, CudaAlgebra algebra) {
        this.context = context;
        this.algebra = algebra;
    }

    @Override
    public void expectSetup(Precision precision) {
        context.compileAhead(precision == Precision.F64 ? "multigrid-f64" : "multigrid-f32");
    }

    CudaContext context() {
        return context;
    }

    CudaAlgebra algebra() {
        return algebra;
    }

    /** Prepares a launch with a matrix as the first operand. */
    Step step(String function, CudaMatrix a) {
        return algebra.launches().aggregation(function, a.precision()).a(a).set(Count.ROWS, a.rows());
    }

    /** What uses the signs of couplings and the limits of rows. */
    private interface WithLimits<T> {
        T use(CudaBuffer signs, CudaBuffer limits);
    }

    private <T> T withLimits(CudaMatrix a, double theta, double settled, WithLimits<T> work) {
        try (CudaBuffer signs = context.buffer((long) a.rows() * Double.BYTES);
                CudaBuffer limits = context.buffer((long) a.rows() * Double.BYTES)) {
            step("limits", a).alpha(theta).beta(settled).set(Pointer.X, signs).set(Pointer.Y, limits).run(a.rows());
            return work.use(signs, limits);
        }
    }

    @Override
    public double weakShare(BackendMatrix matrix, double theta) {
        CudaMatrix a = algebra.own(matrix);
        return withLimits(a, theta, 0, (signs, limits) -> {
            try (CudaBuffer counts = context.zeros(2L * Long.BYTES)) {
                step("countWeak", a).set(Pointer.X, signs).set(Pointer.Y, limits).set(Pointer.KEYS, counts)
                        .run(a.rows());
                int[] found = algebra.launches().fetch(counts, 4);
                long all = joined(found[0], found[1]);
                return all == 0 ? 0.0 : 1 - (double) joined(found[2], found[3]) / all;
            }
        });
    }

    private static long joined(int low, int high) {
        return Integer.toUnsignedLong(low) | (long) high << Integer.SIZE;
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix strong(BackendMatrix matrix, StrengthOptions options) {
        CudaMatrix a = algebra.own(matrix);
        double theta = options.theta();
        if (options.measure() == StrengthMeasure.SIGNED) {
            return directed(a, theta, SIGNED);
        }
        try (CudaBuffer inverse = context.buffer((long) a.rows() * Double.BYTES)) {
            step("diagonalOf", a).set(Pointer.X, inverse).run(a.rows());
            return algebra.filter(a, SYMMETRIC, step -> step.alpha(theta * theta).set(Pointer.X, inverse));
        }
    }

    @Override
    @MustBeClosed
    public CudaMatrix oneSided(BackendMatrix matrix, double theta) {
        return directed(algebra.own(matrix), theta, ONE_SIDED);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private CudaMatrix directed(CudaMatrix a, double theta, int mode) {
        return withLimits(a, theta, StrengthOptions.SETTLED, (signs, limits) -> algebra.filter(a, mode,
                step -> step.set(Pointer.X, signs).set(Pointer.Y, limits)));
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix filtered(BackendMatrix matrix, BackendMatrix strong, DenseVector space) {
        CudaMatrix a = algebra.own(matrix);
        CudaMatrix some = algebra.own(strong);
        return algebra.maker().copying(some, (arrays, total) -> {
            Step step = step("filterWeak", a).b(some).set(Pointer.X, ((CudaVector) space).address());
            arrays.accept(step);
            step.run(a.rows());
        });
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public Groups aggregate(BackendMatrix strong, BackendMatrix oneSided) {
        CudaMatrix couplings = algebra.own(strong);
        CudaMatrix more = oneSided == null ? null : algebra.own(oneSided);
        if (algebra.isSymmetric(couplings, -1)) {
            return CudaGroups.of(this, couplings, more);
        }
        try (CudaMatrix transpose = algebra.transpose(couplings);
                CudaMatrix graph = algebra.combine(1, couplings, 1, transpose)) {
            return CudaGroups.of(this, graph, more);
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix nodes(BackendMatrix matrix, int blockSize) {
        CudaMatrix a = algebra.own(matrix);
        int rows = a.rows() / blockSize;
        try (CudaBuffer places = context.buffer((long) a.rows() * Integer.BYTES)) {
            Consumer<Step> merging = step -> step.a(a).set(Pointer.MORE, places).set(Count.ROWS, rows)
                    .set(Count.SIZE, blockSize);
            return algebra.maker().make(rows, rows, a.precision(), lengths -> {
                Step step = algebra.launches().nodes("countBlocks", a.precision()).set(Pointer.LENGTHS, lengths);
                merging.accept(step);
                step.run(rows);
            }, (arrays, total) -> {
                Step step = algebra.launches().nodes("fillNorms", a.precision());
                merging.accept(step);
                arrays.accept(step);
                step.run(rows);
            });
        }
    }

    @Override
    @MustBeClosed
    public Tentative tentative(Groups groups, BackendMatrix like, Vectors space) {
        return space.count() == 1 && space.blockSize() == 1
                ? new CudaTentative(this, (CudaGroups) groups, like, (CudaVector) space.elements())
                : new CudaBlockTentative(this, (CudaGroups) groups, like, space);
    }

    @Override
    public void fill(DenseVector vector, double value) {
        algebra.launches().aggregation("fillVector", Precision.F64).set(Pointer.X, ((CudaVector) vector).address())
                .set(Count.ROWS, vector.length()).alpha(value).run(vector.length());
    }

    @Override
    public double radius(BackendMatrix matrix, boolean symmetric) {
        CudaMatrix a = algebra.own(matrix);
        try (RadiusEstimate estimate = new RadiusEstimate(this, a)) {
            return estimate.estimate(symmetric);
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix coarse(BackendMatrix product, BackendMatrix restriction, boolean symmetric) {
        CudaMatrix whole = withoutEmptyRows(algebra.own(product), algebra.own(restriction));
        if (!symmetric) {
            return whole;
        }
        try (whole) {
            return algebra.symmetrised(whole);
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private CudaMatrix withoutEmptyRows(CudaMatrix product, CudaMatrix restriction) {
        int rows = product.rows();
        try (CudaBuffer ones = context.buffer((long) rows * Integer.BYTES);
                CudaBuffer count = context.zeros(Integer.BYTES)) {
            step("countEmpty", product).b(restriction).set(Pointer.LENGTHS, ones).set(Pointer.COUNTS, count).run(rows);
            if (algebra.launches().fetch(count, 1)[0] == 0) {
                return product;
            }
            Consumer<CudaBuffer> lengths = buffer -> buffer.copyFrom(ones);
            try (product;
                    CudaMatrix diagonal = algebra.maker().make(rows, rows, product.precision(), lengths,
                            (arrays, total) -> {
                                Step step = step("fillOnes", product);
                                arrays.accept(step);
                                step.run(rows);
                            })) {
                return algebra.combine(1, product, 1, diagonal);
            }
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix thinned(BackendMatrix matrix, DenseVector space, double share) {
        CudaMatrix a = algebra.own(matrix);
        int rows = a.rows();
        long vector = ((CudaVector) space).address();
        try (CudaBuffer greatest = context.buffer((long) rows * Double.BYTES);
                CudaBuffer stays = context.buffer(a.nonZeros() * Integer.BYTES)) {
            coarsening("greatestWeights", a).set(Pointer.X, vector).set(Pointer.Y, greatest).run(rows);
            coarsening("findPaths", a).set(Pointer.X, vector).set(Pointer.Y, greatest).set(Pointer.MORE, stays)
                    .alpha(share).run((long) PATH_LANES * rows);
            return algebra.maker().make(rows, rows, a.precision(),
                    lengths -> coarsening("countStaying", a).set(Pointer.MORE, stays).set(Pointer.LENGTHS, lengths)
                            .run(rows),
                    (arrays, total) -> {
                        Step step = coarsening("fillThinned", a).set(Pointer.X, vector).set(Pointer.MORE, stays);
                        arrays.accept(step);
                        step.run(rows);
                    });
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix thinnedAgain(BackendMatrix pattern, BackendMatrix matrix, DenseVector space) {
        CudaMatrix a = algebra.own(matrix);
        return algebra.maker().copying(algebra.own(pattern), (arrays, total) -> {
            Step step = coarsening("thinAgain", a).set(Pointer.X, ((CudaVector) space).address());
            arrays.accept(step);
            step.run(a.rows());
        });
    }

    private Step coarsening(String function, CudaMatrix a) {
        return algebra.launches().coarsening(function, a.precision()).a(a).set(Count.ROWS, a.rows());
    }
}
