package org.trellis.internal.simd;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.internal.threads.product.TeamSpmvOperator;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * Products with the Vector API. The rule: by diagonals if the sampled rows fill them well enough, else in runs if all
 * rows consist of runs, else SELL-C-σ by gathers (in blocks of columns if the sampled rows jump all over an operand
 * that the cache does not hold); the last three with vectors of 512 bits only, else the scalar kernels.
 */
public final class SimdSparseKernels implements SparseKernels {
    /**
     * Zeros included, what storage by diagonals may hold for each entry before gathers are faster. From memory that
     * would be the bytes of a value and its column over those of a value, 1.5 in double and 2 in single precision;
     * from caches it is more, since loads are cheaper than gathers.
     */
    private static final double DIAGONALS_WIN = 1.7;
    private static final double DIAGONALS_WIN_SINGLE = 2;
    private static final int DEFAULT_WINDOW = 4_096;
    private static final List<Integer> WINDOWS = List.of(256, DEFAULT_WINDOW, 65_536);
    /** Leaves room for zeros and for the vector behind the last entry in arrays with 32-bit indices. */
    private static final int MOST_NON_ZEROS = 1_000_000_000;
    /** Leaves room for filling up the last chunk. */
    private static final int MOST_ROWS = 2_000_000_000;
    /** Bits of a vector from which gathers work at all. */
    private static final int SMALLEST_GATHER_BITS = 256;
    /**
     * Bits of a vector from which gathers are proposed: four at a time are slower than four loads, on processors of
     * both makers.
     */
    private static final int FAST_GATHER_BITS = 512;
    /** The part of the operand that one block of columns covers: half of a common second-level cache. */
    private static final int BLOCK_BYTES = 1 << 20;
    /** A smaller sorting window, which keeps what a block adds to in the first-level cache. */
    private static final int BLOCK_WINDOW = 256;

    private final WorkerTeam team;

    /**
     * Creates the kernels.
     *
     * @param team the threads that run them
     */
    public SimdSparseKernels(WorkerTeam team) {
        this.team = team;
    }

    private static int lanes(SparseMatrix matrix) {
        return VectorWidth.lanes(matrix.precision());
    }

    private static boolean gathers() {
        return VectorWidth.BITS >= SMALLEST_GATHER_BITS;
    }

    private static SpmvParameters scalar() {
        return SpmvParameters.of(SpmvFamily.CSR_BALANCED);
    }

    private static SpmvParameters diagonals(SparseMatrix matrix) {
        return SpmvParameters.of(SpmvFamily.SELL_DIAGONALS)
                .withChunks(DoubleDiagonals.VECTORS * lanes(matrix), 0).withSimd(true);
    }

    private static SpmvParameters sell(SpmvFamily family, SparseMatrix matrix, int window) {
        return SpmvParameters.of(family).withChunks(lanes(matrix), window).withSimd(true);
    }

    @Override
    public SpmvParameters rule(SparseMatrix matrix) {
        CsrMatrix csr = matrix.toCsr();
        if (!fits(csr)) {
            return scalar();
        }
        double most = matrix.precision() == Precision.F64 ? DIAGONALS_WIN : DIAGONALS_WIN_SINGLE;
        if (ColumnPattern.diagonalFill(csr, diagonals(matrix).chunkRows()) <= most) {
            return diagonals(matrix);
        }
        if (VectorWidth.BITS < FAST_GATHER_BITS) {
            return scalar();
        }
        if (ColumnPattern.runLength(csr) > 1) {
            return sell(SpmvFamily.SELL_RUNS, matrix, DEFAULT_WINDOW);
        }
        int block = blockColumns(matrix);
        return matrix.columns() > 2L * block && ColumnPattern.gainsFromBlocks(csr, block)
                ? blocks(matrix)
                : sell(SpmvFamily.SELL, matrix, DEFAULT_WINDOW);
    }

    /** To sort the rows of a transfer into chunks takes as long as forty products gain by it, if they gain at all. */
    @Override
    public SpmvParameters ruleForFew(SparseMatrix matrix) {
        return scalar();
    }

    private static int blockColumns(SparseMatrix matrix) {
        return BLOCK_BYTES / matrix.precision().bytes();
    }

    private static SpmvParameters blocks(SparseMatrix matrix) {
        return sell(SpmvFamily.SELL, matrix, BLOCK_WINDOW).withBlockSize(blockColumns(matrix));
    }

    @Override
    public List<SpmvParameters> parameterSpace(SparseMatrix matrix) {
        CsrMatrix csr = matrix.toCsr();
        List<SpmvParameters> space = new ArrayList<>();
        space.add(scalar());
        if (!fits(csr)) {
            return space;
        }
        space.add(diagonals(matrix));
        if (gathers()) {
            boolean runs = ColumnPattern.runLength(csr) > 1;
            if (matrix.columns() > blockColumns(matrix)) {
                space.add(blocks(matrix));
            }
            for (int window : WINDOWS) {
                space.add(sell(SpmvFamily.SELL, matrix, window));
                if (runs) {
                    space.add(sell(SpmvFamily.SELL_RUNS, matrix, window));
                }
            }
        }
        return space;
    }

    private static boolean fits(CsrMatrix matrix) {
        return matrix.segments().stream()
                .allMatch(segment -> segment.nonZeros() <= MOST_NON_ZEROS && segment.rows() <= MOST_ROWS);
    }

    @Override
    public Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters) {
        List<SpmvParameters> space = parameterSpace(matrix);
        return space.contains(parameters)
                ? Optional.empty()
                : Optional.of("parameters are '" + parameters + "', expected one of " + space);
    }

    /**
     * Prepares the parts of a product that some number of threads run.
     *
     * @param matrix     the matrix
     * @param parameters how to run it; {@link #constraint} accepts them
     * @return its parts, which together have all rows
     */
    public List<PreparedProduct> parts(CsrMatrix matrix, SpmvParameters parameters) {
        return new SimdPreparation(this, team).single(matrix, parameters);
    }

    @Override
    @MustBeClosed
    public SpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters) {
        constraint(matrix, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException("the product", SimdBackendProvider.NAME, reason);
        });
        return new TeamSpmvOperator(matrix, parameters, team, new SimdPreparation(this, team));
    }
}
