package org.trellis.bench.prediction;

import java.util.Arrays;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.sparse.CsrMatrix;

/** What a rank has of a level of multigrid, on a rank of its own, to be measured. */
final class LevelCopy implements AutoCloseable {
    private static final int STRIDE = 7;

    private final HaloPlan plan;
    private final RingSmoother smoother;
    private final RingProduct product;
    private final RingVector residual;
    private final Transfer prolongation;
    private final Transfer restriction;
    private final int degree;

    /** A product of rows with the elements that they need, which are brought together first, as transfers form it. */
    private static final class Transfer {
        private final int[] offsets;
        /** Places among what is brought together. */
        private final int[] columns;
        private final double[] entries;
        /** What is brought together, and where it goes. */
        private final int[] wanted;
        private final int[] places;
        private final double[] x;
        private final double[] operand;
        private final double[] y;

        Transfer(CsrMatrix rows) {
            offsets = rows.onlySegment().rowOffsets();
            entries = rows.onlySegment().values().toDoubleArray();
            int[] given = rows.onlySegment().columnIndices();
            wanted = Arrays.stream(given, 0, (int) rows.nonZeros()).distinct().sorted().toArray();
            int[] placeOf = new int[rows.columns()];
            for (int i = 0; i < wanted.length; i++) {
                placeOf[wanted[i]] = i;
            }
            columns = Arrays.stream(given, 0, (int) rows.nonZeros()).map(column -> placeOf[column]).toArray();
            places = new int[wanted.length];
            Arrays.setAll(places, i -> i);
            // As long as what a rank owns, not as the whole vector.
            int first = wanted.length == 0 ? 0 : wanted[0];
            for (int i = 0; i < wanted.length; i++) {
                wanted[i] -= first;
            }
            x = new double[wanted.length == 0 ? 0 : wanted[wanted.length - 1] + 1];
            operand = new double[wanted.length];
            y = new double[rows.rows()];
            Arrays.setAll(x, i -> 1.0 / (1 + i % STRIDE));
        }

        void run() {
            for (int i = 0; i < wanted.length; i++) {
                operand[places[i]] = x[wanted[i]];
            }
            for (int row = 0; row < y.length; row++) {
                double sum = 0;
                for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                    sum += entries[k] * operand[columns[k]];
                }
                y[row] = sum;
            }
        }
    }

    /**
     * Prepares a level.
     *
     * @param matrix       rows and columns of a part, on one rank
     * @param prolongation rows of a part, of any columns
     * @param restriction  likewise
     * @param degree       of Chebyshev's method
     */
    LevelCopy(PartitionedMatrix matrix, CsrMatrix prolongation, CsrMatrix restriction, int degree) {
        this.plan = HaloPlan.of(matrix, 1);
        this.smoother = RingSmoother.chebyshevOfFourthKind(plan, 2);
        smoother.rightHandSide().set(i -> 1 + i % STRIDE);
        this.product = new RingProduct(plan);
        this.residual = plan.vector();
        this.prolongation = new Transfer(prolongation);
        this.restriction = new Transfer(restriction);
        this.degree = degree;
    }

    void smooth() {
        smoother.smooth(degree);
    }

    void smoothFromZero() {
        smoother.smoothFromZero(degree);
    }

    void residual() {
        smoother.solution().changed();
        product.combine(-1, smoother.solution(), 0, smoother.rightHandSide(), 1, residual);
    }

    void transfers() {
        restriction.run();
        prolongation.run();
    }

    /** What a cycle does on its way down. */
    void down() {
        smoothFromZero();
        residual();
        restriction.run();
    }

    /** What it does on its way up. */
    void up() {
        prolongation.run();
        smooth();
    }

    @Override
    public void close() {
        plan.close();
    }
}
