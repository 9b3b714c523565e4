package org.trellis.distributed.solve;

import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.HostVector;

/**
 * A matrix that is scaled symmetrically by its diagonal, {@code D^-½ A D^-½}: conjugate gradients for it make the
 * iterates of those preconditioned by D.
 *
 * @param matrix  the scaled matrix; its rows are where those of the other are
 * @param scale   {@code D^-½} of the owned rows, or null if nothing is scaled
 * @param weights D of the owned rows, so that a residual of the scaled system has the norm of that of the system that
 *                was given, or null
 */
record ScaledSystem(PartitionedMatrix matrix, HostVector scale, HostVector weights) {
    /**
     * Scales a matrix. Collective; an exchange, and those of a new matrix.
     *
     * @param matrix a matrix with a positive diagonal
     * @param omega  what Jacobi's method is damped by, which changes no iterate; refused unless it is null
     * @throws IllegalArgumentException if an element of the diagonal is not positive; names its row
     */
    static ScaledSystem of(PartitionedMatrix matrix, String omega) {
        if (omega != null) {
            throw new IllegalArgumentException(
                    "method s-step with option omega=" + omega + " of jacobi, expected none: "
                            + "a factor of the preconditioner changes no iterate");
        }
        RowBlock rows = matrix.rows();
        HostVector scale = HostVector.zeros(matrix.precision(), rows.rows());
        HostVector weights = HostVector.zeros(matrix.precision(), rows.rows());
        HostVector values = HostVector.zeros(matrix.precision(), rows.nonZeros());
        try (HaloPlan plan = HaloPlan.of(matrix, 1)) {
            RingVector all = plan.vector(i -> 0);
            for (int row = 0; row < rows.rows(); row++) {
                double element = diagonal(rows, row);
                weights.set(row, element);
                scale.set(row, 1 / Math.sqrt(element));
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
                    double both = all.values().get(row) * all.values().get(local.columns()[k]);
                    values.set(k, both * rows.values().get(k));
                }
            }
        }
        return new ScaledSystem(PartitionedMatrix.ofRows(matrix.communicator(), matrix.globalRows(),
                new RowBlock(rows.indices(), rows.offsets(), rows.columns(), values)), scale, weights);
    }

    private static double diagonal(RowBlock rows, int row) {
        for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
            if (rows.columns()[k] == rows.indices()[row] && rows.values().get(k) > 0) {
                return rows.values().get(k);
            }
        }
        throw new IllegalArgumentException("row " + rows.indices()[row]
                + " has no positive element on the diagonal, expected one for method s-step with jacobi");
    }
}
