package org.trellis.distributed.solve;

import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.HostVector;

/**
 * A matrix that is scaled by its diagonal D. Symmetrically, {@code D^-½ A D^-½}, conjugate gradients for it make the
 * iterates of those preconditioned by D; with scaled columns, {@code A D⁻¹}, other methods make those of
 * preconditioning from the right.
 *
 * @param matrix     the scaled matrix; its rows are where those of the other are
 * @param scale      of the owned rows, what the solution of the scaled system is to be multiplied by, and where rows
 *                   are scaled the right-hand side, too; null if nothing is scaled
 * @param weights    D of the owned rows, so that a residual of the symmetrically scaled system has the norm of that of
 *                   the system that was given, or null
 * @param scalesRows whether rows are scaled, too
 */
record ScaledSystem(PartitionedMatrix matrix, HostVector scale, HostVector weights, boolean scalesRows) {
    /**
     * Scales a matrix. Collective; an exchange, and those of a new matrix.
     *
     * @param matrix    a matrix with a diagonal without zeros, a positive one if it is scaled symmetrically
     * @param method    for messages
     * @param omega     what Jacobi's method is damped by, which changes no iterate; refused unless it is null
     * @param symmetric whether it is scaled symmetrically, else its columns
     * @throws IllegalArgumentException if an element of the diagonal is not positive, or is 0; names its row
     */
    static ScaledSystem of(PartitionedMatrix matrix, String method, String omega, boolean symmetric) {
        if (omega != null) {
            throw new IllegalArgumentException("method " + method + " with option omega=" + omega
                    + " of jacobi, expected none: a factor of the preconditioner changes no iterate");
        }
        RowBlock rows = matrix.rows();
        HostVector scale = HostVector.zeros(matrix.precision(), rows.rows());
        HostVector weights = HostVector.zeros(matrix.precision(), rows.rows());
        HostVector values = HostVector.zeros(matrix.precision(), rows.nonZeros());
        try (HaloPlan plan = HaloPlan.of(matrix, 1)) {
            RingVector all = plan.vector(i -> 0);
            for (int row = 0; row < rows.rows(); row++) {
                double element = diagonal(rows, row, method, symmetric);
                weights.set(row, element);
                scale.set(row, symmetric ? 1 / Math.sqrt(element) : 1 / element);
                all.values().set(row, scale.get(row));
            }
            all.changed();
            HaloExchange exchange = plan.exchange(1).with(0, all);
            exchange.start();
            exchange.finish();
            LocalRows local = plan.localRows();
            for (int row = 0; row < rows.rows(); row++) {
                for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                    // Both factors first: entries that mirror each other stay equal.
                    double both = (symmetric ? all.values().get(row) : 1) * all.values().get(local.columns()[k]);
                    values.set(k, both * rows.values().get(k));
                }
            }
        }
        return new ScaledSystem(PartitionedMatrix.ofRows(matrix.communicator(), matrix.globalRows(),
                new RowBlock(rows.indices(), rows.offsets(), rows.columns(), values)), scale,
                symmetric ? weights : null, symmetric);
    }

    private static double diagonal(RowBlock rows, int row, String method, boolean positive) {
        for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
            double value = rows.values().get(k);
            if (rows.columns()[k] == rows.indices()[row] && (positive ? value > 0 : value != 0)) {
                return value;
            }
        }
        throw new IllegalArgumentException("row " + rows.indices()[row] + " has no "
                + (positive ? "positive element on the diagonal" : "element on the diagonal, or zero there")
                + ", expected one for method " + method + " with jacobi");
    }
}
