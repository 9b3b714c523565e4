package org.trellis.internal.reference;

import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * Adds up {@code a × x} entry by entry, in the order in which the format stores them, in double precision whatever the
 * precision of the operands; each result is rounded once.
 */
final class ReferenceSpmvOperator extends SpmvOperator {
    private final ReferenceTurn turn;

    ReferenceSpmvOperator(SparseMatrix matrix, SpmvParameters parameters, ReferenceTurn turn) {
        super(matrix, parameters, MemorySpace.HOST);
        this.turn = turn;
    }

    @Override
    public long preparedBytes() {
        return matrix().storedBytes();
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        HostVector from = (HostVector) x;
        double[] sums = new double[y.length()];
        turn.take(() -> {
            matrix().forEachEntry((row, column, value) -> sums[row] += value * from.get(column));
            update(alpha, sums, beta, (HostVector) y);
        });
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        HostVector from = (HostVector) x;
        double[] sums = new double[y.length()];
        turn.take(() -> {
            matrix().forEachEntry((row, column, value) -> sums[column] += value * from.get(row));
            update(alpha, sums, beta, (HostVector) y);
        });
    }

    @Override
    protected void runMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
        HostVector from = (HostVector) x.storage();
        int count = x.count();
        double[] sums = new double[y.storage().length()];
        turn.take(() -> {
            matrix().forEachEntry((row, column, value) -> {
                for (int v = 0; v < count; v++) {
                    sums[row * count + v] += value * from.get(column * count + v);
                }
            });
            update(alpha, sums, beta, (HostVector) y.storage());
        });
    }

    private static void update(double alpha, double[] sums, double beta, HostVector y) {
        for (int i = 0; i < sums.length; i++) {
            y.set(i, beta == 0 ? alpha * sums[i] : alpha * sums[i] + beta * y.get(i));
        }
    }
}
