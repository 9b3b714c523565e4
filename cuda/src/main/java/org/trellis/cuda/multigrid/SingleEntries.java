package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.sparse.BackendMatrix;

/** A tentative prolongator of at most one entry a row on a device: the column of each row's entry, and its value. */
final class SingleEntries implements AutoCloseable {
    private static final long WARP = 32;
    /** Threads that move a row. */
    private static final long MOVERS = 4;
    /** Rows of more entries, on average, are for warps, unless there are so many that threads have enough to do. */
    private static final long SHORT = 16;
    private static final int MANY_ROWS = 1 << 20;

    private final CudaAggregationKernels kernels;
    private final int rows;
    private final int columns;
    private final Precision precision;
    private final CudaBuffer column;
    private final CudaBuffer value;

    /** Allocates entries, of none yet. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    SingleEntries(CudaAggregationKernels kernels, int rows, int columns, Precision precision) {
        this.kernels = kernels;
        this.rows = rows;
        this.columns = columns;
        this.precision = precision;
        this.column = kernels.context().buffer((long) rows * Integer.BYTES);
        this.value = kernels.context().zeros((long) rows * precision.bytes());
        step("fillIntegers").set(Pointer.LIST, column).set(Count.SIZE, -1).run(rows);
    }

    /** Has a kernel store the entries. */
    void store(Step step, int items) {
        step.set(Pointer.MORE, column).set(Pointer.VECTOR, value).run(items);
    }

    private Step step(String function) {
        return kernels.algebra().launches().aggregation(function, precision).set(Count.ROWS, rows);
    }

    /** Makes a matrix of them. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    CudaMatrix matrix() {
        return kernels.algebra().maker().make(rows, columns, precision,
                lengths -> step("countTentative").set(Pointer.LIST, column).set(Pointer.LENGTHS, lengths).run(rows),
                (arrays, total) -> {
                    Step step = step("fillTentative").set(Pointer.LIST, column).set(Pointer.VECTOR, value);
                    arrays.accept(step);
                    step.run(rows);
                });
    }

    /** Smooths them, in a known structure if there is one. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    CudaMatrix smoothed(BackendMatrix matrix, double omega, BackendMatrix structure) {
        CudaMatrix a = kernels.algebra().own(matrix);
        CudaContext context = kernels.context();
        try (CudaBuffer factors = context.buffer((long) rows * Double.BYTES);
                CudaBuffer roots = context.buffer((long) rows * Double.BYTES)) {
            kernels.step("invertDiagonal", a).set(Pointer.X, factors).set(Pointer.Y, roots).run(rows);
            kernels.step("scaleVector", a).set(Pointer.X, factors).alpha(omega).run(rows);
            return structure == null
                    ? smoothed(a, factors)
                    : smoothedAgain(a, factors, kernels.algebra().own(structure));
        }
    }

    /** Adds up the terms of each row where the structure says. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private CudaMatrix smoothedAgain(CudaMatrix a, CudaBuffer factors, CudaMatrix structure) {
        long places = precision == Precision.F64 ? 0 : structure.nonZeros();
        try (CudaBuffer sums = kernels.context().buffer(places * Double.BYTES)) {
            return kernels.algebra().maker().copying(structure, (arrays, total) -> {
                Step step = kernels.step("smoothAgain", a).set(Pointer.LIST, column).set(Pointer.VECTOR, value)
                        .set(Pointer.X, factors).set(Pointer.Z, sums);
                arrays.accept(step);
                step.run(rows);
            });
        }
    }

    /** Rows are made in scratch memory of as many places as rows of A have entries, and one. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private CudaMatrix smoothed(CudaMatrix a, CudaBuffer factors) {
        long places = a.nonZeros() + rows;
        boolean isLong = a.nonZeros() > SHORT * rows && rows <= MANY_ROWS;
        try (CudaBuffer found = kernels.context().buffer(places * Integer.BYTES);
                CudaBuffer sums = kernels.context().buffer(places * Double.BYTES)) {
            return kernels.algebra().maker().make(rows, columns, precision,
                    lengths -> kernels.step(isLong ? "smoothLongRows" : "smoothRows", a).set(Pointer.LIST, column)
                            .set(Pointer.VECTOR, value).set(Pointer.X, factors).set(Pointer.MORE, found)
                            .set(Pointer.Z, sums).set(Pointer.LENGTHS, lengths).run(isLong ? WARP * rows : rows),
                    (arrays, total) -> {
                        Step step = kernels.step("copySmoothed", a).set(Pointer.MORE, found).set(Pointer.Z, sums);
                        arrays.accept(step);
                        step.run(MOVERS * rows);
                    });
        }
    }

    @Override
    public void close() {
        column.close();
        value.close();
    }
}
