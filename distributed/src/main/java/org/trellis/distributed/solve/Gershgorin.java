package org.trellis.distributed.solve;

import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.PartitionedMatrix;

/** Bounds of spectra by Gershgorin's circles, over ranks. */
final class Gershgorin {
    private Gershgorin() {}

    /**
     * Encloses the real parts of the eigenvalues. Collective; a pass over the rows and two reductions.
     *
     * @param scaled whether those of D⁻¹A are meant, D the diagonal
     * @return a lower and an upper bound
     */
    static double[] realParts(PartitionedMatrix matrix, boolean scaled) {
        double[] least = {Double.POSITIVE_INFINITY};
        double[] greatest = {Double.NEGATIVE_INFINITY};
        int[] offsets = matrix.rows().offsets();
        for (int row = 0; row < matrix.ownedRows(); row++) {
            double diagonal = 0;
            double others = 0;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                double value = matrix.rows().values().get(k);
                if (matrix.rows().columns()[k] == matrix.rows().indices()[row]) {
                    diagonal = value;
                } else {
                    others += Math.abs(value);
                }
            }
            double radius = scaled ? others / Math.abs(diagonal) : others;
            double centre = scaled ? 1 : diagonal;
            least[0] = Math.min(least[0], centre - radius);
            greatest[0] = Math.max(greatest[0], centre + radius);
        }
        matrix.communicator().allReduce(Reduction.MIN, least);
        matrix.communicator().allReduce(Reduction.MAX, greatest);
        return new double[]{least[0], greatest[0]};
    }
}
