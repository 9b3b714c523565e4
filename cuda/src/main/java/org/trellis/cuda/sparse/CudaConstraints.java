package org.trellis.cuda.sparse;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/** Which matrices the kernels can multiply with which parameters. */
final class CudaConstraints {
    /** Threads of the largest block. */
    static final int LARGEST_BLOCK = 1024;

    /** Shared memory that a block can have without asking for more. */
    static final int SHARED_BYTES = 48 << 10;

    /**
     * Shared memory that a tile may take beside the hot columns: devices from compute capability 7.0 on have 96 KiB.
     */
    static final int LARGEST_HOT_TILE_BYTES = (96 << 10) - HotProduct.HOT_BYTES;

    /** Entries with padding that are always accepted, so that small matrices run with everything. */
    static final long ACCEPTED_ENTRIES = 1 << 20;

    /** Entries with padding for each non-zero that are accepted in large matrices. */
    static final double ACCEPTED_PADDING = 2.5;

    private static final int LARGEST_ROWS_PER_THREAD = 4;
    private static final int LARGEST_TILE_SHARE = 32;
    private static final long LARGEST_ARRAY = Integer.MAX_VALUE - 8L;
    private static final int EXTRA_SHARED_BYTES = 1 << 10;

    private CudaConstraints() {}

    /**
     * Says why a matrix cannot be multiplied with given parameters.
     *
     * @param matrix     the matrix
     * @param parameters the parameters
     * @param sums       the type of sums
     * @return the reason and what would work, or empty
     */
    static Optional<String> objection(MatrixView matrix, SpmvParameters parameters, Precision sums) {
        if (parameters.simd()) {
            return Optional.of("simd is true, expected false on a GPU");
        }
        int block = parameters.blockSize();
        if (block < ChunkShape.WARP || block > LARGEST_BLOCK || block % ChunkShape.WARP != 0) {
            return Optional.of("blockSize is " + block + ", expected a multiple of 32 from 32 to " + LARGEST_BLOCK);
        }
        return switch (parameters.family()) {
            case CSR -> csr(matrix, parameters);
            case CSR_BALANCED -> balanced(matrix, parameters, sums, SHARED_BYTES);
            case CSR_HOT -> hot(matrix, parameters, sums);
            case SELL -> chunked(matrix, parameters);
            case SELL_RUNS -> parameters.indexBits() == Short.SIZE
                    ? chunked(matrix, parameters)
                    : Optional.of("indexBits is 32, expected 16 for family sell-runs");
            default -> Optional.of("family is " + parameters.family().label()
                    + ", expected csr, csr-balanced, csr-hot, sell or sell-runs");
        };
    }

    private static Optional<String> csr(MatrixView matrix, SpmvParameters parameters) {
        Optional<String> chunks = refuseChunks(parameters);
        if (chunks.isPresent()) {
            return chunks;
        }
        // Codes may take two elements for a non-zero, and their start is kept in 31 bits.
        if (parameters.indexBits() == Short.SIZE && matrix.profile().nonZeros() > LARGEST_ARRAY / 2) {
            return Optional.of(matrix.profile().nonZeros() + " non-zeros with 16-bit columns, expected at most "
                    + LARGEST_ARRAY / 2 + "; indexBits=32 works");
        }
        return Optional.empty();
    }

    /** The places of hot columns come before the columns of the matrix. */
    private static Optional<String> hot(MatrixView matrix, SpmvParameters parameters, Precision sums) {
        if (parameters.indexBits() != Integer.SIZE) {
            return Optional.of("indexBits is " + parameters.indexBits() + ", expected 32 for family csr-hot");
        }
        if (matrix.profile().columns() > Integer.MAX_VALUE - HotProduct.HOT_BYTES) {
            return Optional.of(matrix.profile().columns() + " columns, expected at most "
                    + (Integer.MAX_VALUE - HotProduct.HOT_BYTES) + " for family csr-hot; csr-balanced works");
        }
        return balanced(matrix, parameters, sums, LARGEST_HOT_TILE_BYTES);
    }

    private static Optional<String> balanced(MatrixView matrix, SpmvParameters parameters, Precision sums, int shared) {
        Optional<String> chunks = refuseChunks(parameters);
        if (chunks.isPresent()) {
            return chunks;
        }
        if (parameters.cooperatingThreads() != 1) {
            return Optional.of("cooperatingThreads is " + parameters.cooperatingThreads()
                    + ", expected 1 for family " + parameters.family().label() + ", which chooses for each tile");
        }
        long limit = parameters.indexBits() == Short.SIZE ? LARGEST_ARRAY / 2 : LARGEST_ARRAY;
        if (matrix.profile().nonZeros() > limit) {
            return Optional.of(matrix.profile().nonZeros() + " non-zeros, expected at most " + limit
                    + " for family " + parameters.family().label() + "; csr works");
        }
        return tileObjection(parameters, sums, shared);
    }

    private static Optional<String> tileObjection(SpmvParameters parameters, Precision sums, int shared) {
        if (parameters.rowsPerGroup() > LARGEST_TILE_SHARE) {
            return Optional.of("rowsPerGroup (non-zeros of a thread) is " + parameters.rowsPerGroup()
                    + ", expected at most " + LARGEST_TILE_SHARE);
        }
        int bytes = sharedBytes(parameters, sums);
        return bytes <= shared
                ? Optional.empty()
                : Optional.of(
                        "tiles of " + parameters.blockSize() * parameters.rowsPerGroup() + " non-zeros take " + bytes
                                + " bytes of shared memory, expected at most " + shared
                                + "; a smaller blockSize or rowsPerGroup works");
    }

    /** Products with one element in 16 (8-byte sums) or 32 (4-byte sums) for skew, indices of long rows, the rest. */
    static int sharedBytes(SpmvParameters parameters, Precision sums) {
        int tile = parameters.blockSize() * parameters.rowsPerGroup();
        int products = tile + tile / (sums == Precision.F64 ? 16 : 32) + 1;
        return products * sums.bytes() + (tile / 16 + 1) * Short.BYTES + EXTRA_SHARED_BYTES;
    }

    private static Optional<String> chunked(MatrixView matrix, SpmvParameters parameters) {
        int perThread = parameters.rowsPerGroup();
        if (perThread > LARGEST_ROWS_PER_THREAD || Integer.bitCount(perThread) != 1) {
            return Optional.of("rowsPerGroup (rows of a thread) is " + perThread + ", expected 1, 2 or "
                    + LARGEST_ROWS_PER_THREAD + " for family " + parameters.family().label());
        }
        ChunkShape shape = Chunked.shape(parameters);
        if (parameters.chunkRows() != shape.rows()) {
            return Optional.of("chunkRows is " + parameters.chunkRows() + ", expected " + shape.rows()
                    + ": 32 / cooperatingThreads * rowsPerGroup");
        }
        if (parameters.sortingWindow() < 1) {
            return Optional.of("sortingWindow is 0, expected at least 1 for family " + parameters.family().label());
        }
        return sizeObjection(matrix, parameters, shape);
    }

    private static Optional<String> sizeObjection(MatrixView matrix, SpmvParameters parameters, ChunkShape shape) {
        long nonZeros = matrix.profile().nonZeros();
        if (nonZeros > LARGEST_ARRAY / 2) {
            return Optional.of(nonZeros + " non-zeros, expected at most " + LARGEST_ARRAY / 2 + " for family "
                    + parameters.family().label() + "; csr works");
        }
        int longest = parameters.sortingWindow() == 1
                ? matrix.profile().maximumRowLength()
                : shape.longestStoredRow(matrix.profile().meanRowLength());
        if (longest / shape.cooperating() > PackedChunk.MAXIMUM_UNITS) {
            return Optional.of("rows of up to " + longest + " non-zeros, expected at most "
                    + (long) PackedChunk.MAXIMUM_UNITS * shape.cooperating() + "; sorting or csr-balanced works");
        }
        long entries = matrix.paddedEntries(shape, parameters.sortingWindow());
        long most = Math.max(ACCEPTED_ENTRIES, Math.min(LARGEST_ARRAY / 2, (long) (ACCEPTED_PADDING * nonZeros)));
        return entries <= most
                ? Optional.empty()
                : Optional.of(entries + " entries with padding for " + nonZeros + " non-zeros, expected at most " + most
                        + "; a larger sortingWindow or csr-balanced works");
    }

    private static Optional<String> refuseChunks(SpmvParameters parameters) {
        return parameters.chunkRows() == 0 && parameters.sortingWindow() == 0
                ? Optional.empty()
                : Optional.of("chunkRows is " + parameters.chunkRows() + " and sortingWindow "
                        + parameters.sortingWindow() + ", expected 0 and 0 for family " + parameters.family().label());
    }

    /** Returns whether a family has kernels here. */
    static boolean supports(SpmvFamily family) {
        return switch (family) {
            case CSR, CSR_BALANCED, CSR_HOT, SELL, SELL_RUNS -> true;
            default -> false;
        };
    }
}
