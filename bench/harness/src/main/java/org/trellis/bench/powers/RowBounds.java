package org.trellis.bench.powers;

import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.PartitionedMatrix;

/**
 * Bounds of a matrix's spectrum from its rows, by which steps are kept from overflowing.
 *
 * @param greatest the greatest sum of absolute values of a row, ‖A‖∞
 * @param scaled   the same of D⁻¹A, D the diagonal; infinite if an element of the diagonal is zero or absent
 */
record RowBounds(double greatest, double scaled) {
    /** Takes a pass over the owned rows. Collective. */
    static RowBounds of(PartitionedMatrix matrix) {
        double[] greatest = {Double.MIN_NORMAL, Double.MIN_NORMAL};
        int[] offsets = matrix.rows().offsets();
        for (int row = 0; row < matrix.ownedRows(); row++) {
            double sum = 0;
            double diagonal = 0;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                double size = Math.abs(matrix.rows().values().get(k));
                sum += size;
                diagonal += matrix.rows().columns()[k] == matrix.rows().indices()[row] ? size : 0;
            }
            greatest[0] = Math.max(greatest[0], sum);
            greatest[1] = Math.max(greatest[1], sum / diagonal);
        }
        matrix.communicator().allReduce(Reduction.MAX, greatest);
        return new RowBounds(greatest[0], greatest[1]);
    }
}
