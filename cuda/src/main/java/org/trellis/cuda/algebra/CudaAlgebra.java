package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Objects;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** Algebra of matrices on a device. Kernels are compiled when they are first used. */
public final class CudaAlgebra implements MatrixAlgebra {
    private static final int DROP = 3;
    private static final int SORTING_GROUP = 16;
    private static final int SORTING_BLOCKS = 528;
    private static final int WARPS_SORTING = 4;
    private static final long SYMMETRY_LANES = 8;

    private final CudaContext context;
    private final AlgebraLaunch launches;
    private final TwoPassBuilder maker;

    /**
     * Creates the algebra of a context.
     *
     * @param context the context, which outlives this
     */
    public CudaAlgebra(CudaContext context) {
        this.context = context;
        this.launches = new AlgebraLaunch(context);
        this.maker = new TwoPassBuilder(launches);
    }

    /**
     * Returns what launches kernels.
     *
     * @return launches of the context
     */
    public AlgebraLaunch launches() {
        return launches;
    }

    /**
     * Returns what makes matrices.
     *
     * @return a maker of the context
     */
    public TwoPassBuilder maker() {
        return maker;
    }

    /**
     * Checks that a matrix is here.
     *
     * @param matrix a matrix
     * @return the same
     * @throws IllegalArgumentException if it belongs to another backend
     */
    @SuppressWarnings("ReferenceEquality") // one context is what is asked about
    public CudaMatrix own(BackendMatrix matrix) {
        if (matrix instanceof CudaMatrix cuda && cuda.context() == context) {
            return cuda;
        }
        throw new IllegalArgumentException(matrix + " is in the memory " + matrix.space() + ", expected a matrix of "
                + context.space());
    }

    @Override
    @MustBeClosed
    public CudaMatrix upload(CsrMatrix matrix) {
        return CudaMatrix.upload(context, matrix);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or here
    public CudaMatrix diagonalMatrix(DenseVector diagonal) {
        if (!(diagonal instanceof CudaVector there) || !there.space().equals(context.space())) {
            throw new IllegalArgumentException("diagonal " + diagonal + ", expected a vector on " + context.space());
        }
        int n = there.length();
        Precision precision = there.precision();
        CudaBuffer[] arrays = new CudaBuffer[3];
        try {
            arrays[0] = context.buffer(RowScan.ints(n + 1L));
            arrays[1] = context.buffer(RowScan.ints(n));
            arrays[2] = context.buffer((long) n * precision.bytes());
            launches.algebra("ofDiagonal", precision).set(Pointer.OFFSETS, arrays[0]).set(Pointer.COLUMNS, arrays[1])
                    .set(Pointer.VALUES, arrays[2]).set(Pointer.VECTOR, there.address()).set(Count.ROWS, n)
                    .run(n + 1L);
            return new CudaMatrix(context, new CudaMatrix.Sizes(n, n, n, precision), arrays);
        } catch (RuntimeException | Error e) {
            CudaMatrix.closeAll(arrays);
            throw e;
        }
    }

    @Override
    @MustBeClosed
    public CudaMatrix multiply(BackendMatrix a, BackendMatrix b) {
        return new CudaProduct(launches, own(a), own(b)).multiply();
    }

    @Override
    @MustBeClosed
    public CudaMatrix multiplyAgain(BackendMatrix structure, BackendMatrix a, BackendMatrix b) {
        CudaMatrix known = own(structure);
        CudaProduct product = new CudaProduct(launches, own(a), own(b));
        if (known.rows() != a.rows() || known.columns() != b.columns() || known.precision() != a.precision()) {
            throw new IllegalArgumentException("product of " + a + " and " + b + " in the structure of " + structure
                    + ", expected sizes that fit and equal precisions");
        }
        return maker.copying(known, (arrays, total) -> {
            int row = product.again(known.structure(), arrays);
            if (row < known.rows()) {
                throw new IllegalArgumentException("product in the structure of " + structure + ": row " + row
                        + " has a term without an entry, expected an entry for each");
            }
        });
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix transpose(BackendMatrix matrix) {
        CudaMatrix a = own(matrix);
        int entries = (int) a.nonZeros();
        return maker.make(a.columns(), a.rows(), a.precision(), lengths -> {
            lengths.clear();
            step("countColumns", a).a(a).set(Pointer.LENGTHS, lengths).set(Count.SIZE, entries).run(entries);
        }, (arrays, total) -> {
            scatter(a, arrays);
            sortRows(a.columns(), a.precision(), arrays);
            transposeValues(a, arrays, null);
        });
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix transposeAgain(BackendMatrix structure, BackendMatrix matrix) {
        CudaMatrix a = own(matrix);
        CudaMatrix known = own(structure);
        if (known.rows() != a.columns() || known.columns() != a.rows() || known.precision() != a.precision()
                || known.nonZeros() != a.nonZeros()) {
            throw new IllegalArgumentException("transpose of " + a + " in the structure of " + structure
                    + ", expected that of a transpose");
        }
        return maker.copying(known, (arrays, total) -> {
            try (CudaBuffer missing = context.zeros(Integer.BYTES)) {
                transposeValues(a, arrays, missing);
                if (launches.fetch(missing, 1)[0] != 0) {
                    throw new IllegalArgumentException("transpose of " + a + " in the structure of " + structure
                            + ", which has an entry that the transpose has not, expected that of a transpose");
                }
            }
        });
    }

    /** Finds the values of a transpose whose structure is there; counts entries that are missing if asked to. */
    private void transposeValues(CudaMatrix a, Consumer<Step> arrays, CudaBuffer missing) {
        Step values = step("transposeValues", a).a(a).set(Pointer.COUNTS, missing == null ? 0 : missing.address());
        arrays.accept(values);
        values.asOperand().set(Count.ROWS, a.columns()).run(SYMMETRY_LANES * a.columns());
    }

    private void scatter(CudaMatrix a, Consumer<Step> arrays) {
        try (CudaBuffer cursors = context.buffer(RowScan.ints(a.columns()))) {
            Step step = step("scatterRows", a).a(a).set(Pointer.LIST, cursors).set(Count.ROWS, a.rows());
            arrays.accept(step);
            context.copyOnDevice(cursors.address(), step.address(Pointer.OFFSETS), RowScan.ints(a.columns()));
            step.run(a.rows());
        }
    }

    /**
     * Sorts the columns of each row in place.
     *
     * @param rows      how many rows
     * @param precision the type of the matrix
     * @param arrays    sets offsets and columns of a launch
     */
    public void sortRows(int rows, Precision precision, Consumer<Step> arrays) {
        Step sort = launches.product("sortColumns", precision, 0, SORTING_GROUP).set(Count.ROWS, rows);
        arrays.accept(sort);
        sort.run(rows);
        try (CudaBuffer list = context.buffer(RowScan.ints(rows));
                CudaBuffer counts = context.zeros(Integer.BYTES)) {
            Step collect = launches.algebra("longRows", precision).set(Pointer.LIST, list).set(Pointer.COUNTS, counts)
                    .set(Count.ROWS, rows).set(Count.FIRST, AlgebraLaunch.bound(0));
            arrays.accept(collect);
            collect.run(rows);
            for (int bin = 1; bin <= 2; bin++) {
                Step sortLong = launches.product("sortColumns", precision, bin, SORTING_GROUP).set(Count.ROWS, rows)
                        .set(Pointer.LIST, list).set(Pointer.COUNTS, counts);
                arrays.accept(sortLong);
                sortLong.runBlocks(bin == 1 ? WARPS_SORTING * SORTING_BLOCKS : SORTING_BLOCKS);
            }
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix combine(double alpha, BackendMatrix first, double beta, BackendMatrix second) {
        CudaMatrix a = own(first);
        CudaMatrix b = own(second);
        if (a.rows() != b.rows() || a.columns() != b.columns() || a.precision() != b.precision()) {
            throw new IllegalArgumentException("sum of " + a + " and " + b + ", expected equal sizes and precisions");
        }
        return maker.make(a.rows(), a.columns(), a.precision(),
                lengths -> step("countUnion", a).a(a).b(b).set(Pointer.LENGTHS, lengths).run(a.rows()),
                (arrays, total) -> {
                    Step step = step("fillUnion", a).a(a).b(b).alpha(alpha).beta(beta);
                    arrays.accept(step);
                    step.run(a.rows());
                });
    }

    /**
     * Makes a symmetric matrix of one that is symmetric but for rounding, {@code (A + Aᵀ) / 2}.
     *
     * @param matrix a square matrix
     * @return a new matrix; of the same structure if that is symmetric
     * @throws IllegalArgumentException if the matrix is not square, or belongs to another backend
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix symmetrised(BackendMatrix matrix) {
        CudaMatrix a = own(matrix);
        try (CudaBuffer missing = context.zeros(Integer.BYTES)) {
            CudaMatrix mean = maker.copying(a, (arrays, total) -> {
                Step step = step("symmetrise", a).a(a).set(Pointer.COUNTS, missing);
                arrays.accept(step);
                step.run(SYMMETRY_LANES * a.rows());
            });
            if (a.structure().isSymmetric() || launches.fetch(missing, 1)[0] == 0) {
                a.structure().rememberSymmetric();
                mean.remember(new CudaMatrix.Symmetry(true, 0, true));
                return mean;
            }
            mean.close();
        }
        try (CudaMatrix transpose = transpose(a)) {
            return combine(0.5, a, 0.5, transpose);
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix scaleRows(BackendMatrix matrix, DenseVector factors) {
        CudaMatrix a = own(matrix);
        long address = fitting(a, "factors", factors).address();
        return maker.copying(a, (arrays, total) -> {
            Step step = step("scaleRows", a).a(a).set(Pointer.VECTOR, address);
            arrays.accept(step);
            step.run(a.rows());
        });
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix toPrecision(BackendMatrix matrix, Precision precision) {
        CudaMatrix a = own(matrix);
        boolean widens = a.precision() == Precision.F32;
        if (a.precision() == precision) {
            return maker.copying(a, (arrays, total) -> {
                Step step = step("copyValues", a).a(a).set(Count.SIZE, total);
                arrays.accept(step);
                step.run(total);
            });
        }
        return maker.like(a, precision, (arrays, total) -> {
            Step step = launches.algebra(widens ? "widen" : "narrow", Precision.F32).a(a).set(Count.SIZE, total);
            arrays.accept(step);
            step.run(total);
        });
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix dropSmall(BackendMatrix matrix, double least) {
        return filter(own(matrix), DROP, step -> step.alpha(least));
    }

    /**
     * Keeps entries of a matrix.
     *
     * @param a      the matrix
     * @param mode   which ones, as {@code algebra.cu} numbers the variants
     * @param limits sets what the way needs
     * @return a new matrix
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix filter(CudaMatrix a, int mode, Consumer<Step> limits) {
        return maker.make(a.rows(), a.columns(), a.precision(), lengths -> {
            Step step = step("countFiltered", a).a(a).set(Pointer.LENGTHS, lengths).set(Count.SIZE, mode);
            limits.accept(step);
            step.run(a.rows());
        }, (arrays, total) -> {
            Step step = step("fillFiltered", a).a(a).set(Count.SIZE, mode);
            limits.accept(step);
            arrays.accept(step);
            step.run(a.rows());
        });
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix submatrix(BackendMatrix matrix, int fromRow, int toRow, int fromColumn, int toColumn) {
        CudaMatrix a = own(matrix);
        Objects.checkFromToIndex(fromRow, toRow, a.rows());
        Objects.checkFromToIndex(fromColumn, toColumn, a.columns());
        int rows = toRow - fromRow;
        Consumer<Step> block = step -> step.a(a).set(Count.ROWS, rows).set(Count.SIZE, fromRow)
                .set(Count.FIRST, fromColumn).set(Count.LAST, toColumn);
        return maker.make(rows, toColumn - fromColumn, a.precision(), lengths -> {
            Step step = step("countBlock", a).set(Pointer.LENGTHS, lengths);
            block.accept(step);
            step.run(rows);
        }, (arrays, total) -> {
            Step step = step("fillBlock", a);
            block.accept(step);
            arrays.accept(step);
            step.run(rows);
        });
    }

    @Override
    public void diagonal(BackendMatrix matrix, DenseVector diagonal) {
        CudaMatrix a = square("diagonal", matrix);
        step("diagonal", a).a(a).set(Pointer.VECTOR, fitting(a, "diagonal", diagonal).address()).run(a.rows());
    }

    /**
     * One pass answers for values and patterns, and the matrix remembers.
     *
     * @throws IllegalArgumentException if the matrix is not square, or belongs to another backend
     */
    @Override
    public boolean isSymmetric(BackendMatrix matrix, double tolerance) {
        CudaMatrix a = square("symmetry", matrix);
        if (!a.symmetry().answers(tolerance)) {
            double share = Math.max(0, tolerance);
            try (CudaBuffer found = context.zeros(2L * Integer.BYTES)) {
                step("findAsymmetry", a).a(a).alpha(share).set(Pointer.COUNTS, found).run(SYMMETRY_LANES * a.rows());
                int[] flags = launches.fetch(found, 2);
                a.remember(new CudaMatrix.Symmetry(flags[1] == 0, share, flags[0] == 0));
            }
        }
        return a.symmetry().of(tolerance);
    }

    @Override
    public boolean isFinite(BackendMatrix matrix) {
        CudaMatrix a = own(matrix);
        try (CudaBuffer first = RowScan.counters(launches, Integer.MAX_VALUE)) {
            int entries = (int) a.nonZeros();
            step("findNotFinite", a).a(a).set(Count.SIZE, entries).set(Pointer.COUNTS, first).run(entries);
            return launches.fetch(first, 1)[0] == Integer.MAX_VALUE;
        }
    }

    @Override
    public int invertDiagonal(BackendMatrix matrix, double factor, DenseVector inverse) {
        return invert("invertInto", square("diagonal", matrix), factor, inverse);
    }

    @Override
    public int invertRowSums(BackendMatrix matrix, double factor, DenseVector inverse) {
        return invert("invertRowSums", square("sums of rows", matrix), factor, inverse);
    }

    private int invert(String kernel, CudaMatrix a, double factor, DenseVector inverse) {
        try (CudaBuffer first = RowScan.counters(launches, Integer.MAX_VALUE)) {
            step(kernel, a).a(a).alpha(factor).set(Pointer.COUNTS, first)
                    .set(Pointer.VECTOR, fitting(a, "inverses", inverse).address()).run(a.rows());
            int row = launches.fetch(first, 1)[0];
            return row == Integer.MAX_VALUE ? -1 : row;
        }
    }

    /**
     * Finds the longest row.
     *
     * @param matrix a matrix
     * @return its number of entries
     * @throws IllegalArgumentException if the matrix belongs to another backend
     */
    public int longestRow(BackendMatrix matrix) {
        CudaMatrix a = own(matrix);
        try (CudaBuffer longest = context.zeros(Integer.BYTES)) {
            step("longestRow", a).a(a).set(Pointer.COUNTS, longest).run(a.rows());
            return launches.fetch(longest, 1)[0];
        }
    }

    private Step step(String function, CudaMatrix a) {
        return launches.algebra(function, a.precision()).set(Count.ROWS, a.rows());
    }

    private CudaMatrix square(String what, BackendMatrix matrix) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException(what + " of " + matrix + ", expected a square matrix");
        }
        return own(matrix);
    }

    private static CudaVector fitting(CudaMatrix a, String name, DenseVector vector) {
        if (vector instanceof CudaVector cuda && cuda.length() == a.rows() && cuda.precision() == a.precision()
                && cuda.space().equals(a.space())) {
            return cuda;
        }
        throw new IllegalArgumentException(name + " for " + a + ": " + vector + ", expected " + a.rows()
                + " elements of " + a.precision().label() + " on " + a.space());
    }
}
