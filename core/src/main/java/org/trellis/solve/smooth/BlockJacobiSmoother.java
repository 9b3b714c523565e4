package org.trellis.solve.smooth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.DenseVector;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SpmvOperator;

/**
 * Multiplies by the inverses of dense blocks on the diagonal (Saad, Iterative Methods for Sparse Linear Systems,
 * section 4.1.1). The inverses are formed, which is meant for small blocks, and applied as the product of a sparse
 * matrix.
 */
final class BlockJacobiSmoother extends StepSmoother {
    private static final int BLOCKS_PER_TASK = 64;

    private final double omega;
    private final String blocks;
    private SpmvOperator inverse;

    /**
     * Inverts blocks.
     *
     * @param input   the matrix
     * @param offsets where each block starts, and the number of rows
     * @param omega   a damping factor
     * @param sweeps  sweeps in an application
     * @param blocks  the sizes in words
     */
    BlockJacobiSmoother(SmootherContext input, int[] offsets, double omega, int sweeps, String blocks) {
        super(input, sweeps);
        this.omega = omega;
        this.blocks = blocks;
        orClose(() -> inverse = product(inverted(offsets)));
    }

    /** Cuts rows into blocks of one size; the last may be smaller. */
    static int[] offsets(int rows, int size) {
        int[] offsets = new int[Math.ceilDiv(rows, size) + 1];
        for (int block = 1; block < offsets.length; block++) {
            offsets[block] = (int) Math.min(rows, (long) block * size);
        }
        return offsets;
    }

    private CsrMatrix inverted(int[] offsets) {
        int[] lengths = new int[input().rows()];
        List<double[][]> inverses = new ArrayList<>();
        for (int block = 0; block + 1 < offsets.length; block++) {
            Arrays.fill(lengths, offsets[block], offsets[block + 1], offsets[block + 1] - offsets[block]);
            inverses.add(null);
        }
        boolean symmetric = input().symmetric();
        ParallelRanges.run(inverses.size(), BLOCKS_PER_TASK, (from, to) -> {
            for (int block = from; block < to; block++) {
                double[][] found = inverse(offsets[block], offsets[block + 1]);
                inverses.set(block, symmetric ? symmetrised(found) : found);
            }
        });
        int[] blockOf = new int[lengths.length];
        for (int block = 0; block + 1 < offsets.length; block++) {
            Arrays.fill(blockOf, offsets[block], offsets[block + 1], block);
        }
        return CsrFill.fill(lengths.length, input().precision(), lengths, () -> (row, columns, values, at) -> {
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
            CsrSegment segment = input().matrix().segmentOf(from + i);
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
            throw new FactorisationException(input().name() + " of " + input().matrix() + ": the block of rows " + from
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
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        steps.add(inverse.bind(1, r, 0, z));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        addResidual(b, x, steps);
        steps.add(inverse.bind(1, residual(), 1, x));
    }

    @Override
    public boolean symmetric() {
        return input().symmetric();
    }

    @Override
    public String describe() {
        return "block-jacobi, " + blocks + ", omega=" + omega + ", sweeps=" + sweeps();
    }
}
