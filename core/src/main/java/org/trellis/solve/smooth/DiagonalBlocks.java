package org.trellis.solve.smooth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.algebra.MatrixProduct;

/** Rows of a matrix in blocks of consecutive ones, and what becomes of the dense blocks on its diagonal. */
final class DiagonalBlocks {
    private static final int BLOCKS_PER_TASK = 64;

    private final SmootherContext input;
    private final int[] offsets;
    private final String sizes;

    private DiagonalBlocks(SmootherContext input, int[] offsets, String sizes) {
        this.input = input;
        this.offsets = offsets;
        this.sizes = sizes;
    }

    /** Cuts rows into blocks of one size; the last may be smaller. */
    static DiagonalBlocks ofSize(SmootherContext input, int size) {
        int[] offsets = new int[Math.ceilDiv(input.rows(), size) + 1];
        for (int block = 1; block < offsets.length; block++) {
            offsets[block] = (int) Math.min(input.rows(), (long) block * size);
        }
        return new DiagonalBlocks(input, offsets, "block-size=" + size);
    }

    /** Takes blocks that start at given rows, the last of which is the number of rows. */
    static DiagonalBlocks given(SmootherContext input, int... offsets) {
        return new DiagonalBlocks(input, offsets, offsets.length - 1 + " blocks of given sizes");
    }

    /** Returns the block of each row. */
    int[] blockOf() {
        int[] blockOf = new int[input.rows()];
        for (int block = 0; block + 1 < offsets.length; block++) {
            Arrays.fill(blockOf, offsets[block], offsets[block + 1], block);
        }
        return blockOf;
    }

    /**
     * Multiplies the matrix by the inverses of its blocks, which leaves identities in their places: without any entries
     * within blocks, so that the rows of a block know nothing of each other.
     *
     * @param inverse the inverses
     * @return a matrix of what couples blocks
     */
    CsrMatrix between(CsrMatrix inverse) {
        int[] blockOf = blockOf();
        return MatrixProduct.multiply(inverse, input.matrix()).filter((i, j, value) -> blockOf[i] != blockOf[j]);
    }

    /**
     * Inverts the blocks. Those of symmetric matrices have symmetric inverses, to the last bit.
     *
     * @param omega what inverses are multiplied by
     * @return a matrix of dense blocks on the diagonal
     * @throws FactorisationException if a block is singular; names its rows
     */
    CsrMatrix inverted(double omega) {
        int[] lengths = new int[input.rows()];
        List<double[][]> inverses = new ArrayList<>();
        for (int block = 0; block + 1 < offsets.length; block++) {
            Arrays.fill(lengths, offsets[block], offsets[block + 1], offsets[block + 1] - offsets[block]);
            inverses.add(null);
        }
        boolean symmetric = input.symmetric();
        ParallelRanges.run(inverses.size(), BLOCKS_PER_TASK, (from, to) -> {
            for (int block = from; block < to; block++) {
                double[][] found = inverse(offsets[block], offsets[block + 1]);
                inverses.set(block, symmetric ? symmetrised(found) : found);
            }
        });
        int[] blockOf = blockOf();
        return CsrFill.fill(lengths.length, input.precision(), lengths, () -> (row, columns, values, at) -> {
            int first = offsets[blockOf[row]];
            double[] source = inverses.get(blockOf[row])[row - first];
            for (int k = 0; k < source.length; k++) {
                columns[at + k] = first + k;
                values.set(at + k, omega * source[k]);
            }
        });
    }

    private static double[][] symmetrised(double[][] a) {
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < i; j++) {
                a[i][j] = (a[i][j] + a[j][i]) / 2;
                a[j][i] = a[i][j];
            }
        }
        return a;
    }

    /** Inverts the block of some rows by elimination with partial pivoting. */
    private double[][] inverse(int from, int to) {
        int size = to - from;
        double[][] a = new double[size][2 * size];
        for (int i = 0; i < size; i++) {
            CsrSegment segment = input.matrix().segmentOf(from + i);
            for (int k = segment.rowStart(from + i); k < segment.rowEnd(from + i); k++) {
                int column = segment.columnIndices()[k];
                if (column >= from && column < to) {
                    a[i][column - from] = segment.values().get(k);
                }
            }
            a[i][size + i] = 1;
        }
        for (int pivot = 0; pivot < size; pivot++) {
            eliminate(a, pivot, from);
        }
        double[][] result = new double[size][];
        for (int i = 0; i < size; i++) {
            result[i] = Arrays.copyOfRange(a[i], size, 2 * size);
        }
        return result;
    }

    private void eliminate(double[][] a, int pivot, int from) {
        int best = pivot;
        for (int i = pivot + 1; i < a.length; i++) {
            best = Math.abs(a[i][pivot]) > Math.abs(a[best][pivot]) ? i : best;
        }
        double[] row = a[best];
        a[best] = a[pivot];
        a[pivot] = row;
        double factor = 1 / row[pivot];
        if (!Double.isFinite(factor) || factor == 0) {
            throw new FactorisationException(input.name() + " of " + input.matrix() + ": the block of rows " + from
                    + " to " + (from + a.length - 1) + " is singular, its pivot " + pivot + " is " + row[pivot]
                    + ", expected blocks that have an inverse; other block sizes may help", from + pivot, row[pivot]);
        }
        for (int j = 0; j < row.length; j++) {
            row[j] *= factor;
        }
        for (int i = 0; i < a.length; i++) {
            double multiple = a[i][pivot];
            if (i != pivot && multiple != 0) {
                for (int j = 0; j < row.length; j++) {
                    a[i][j] -= multiple * row[j];
                }
            }
        }
    }

    @Override
    public String toString() {
        return sizes;
    }
}
