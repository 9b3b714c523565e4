package org.trellis.internal.reference;

import java.util.Arrays;
import org.trellis.common.Precision;
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
    private final ReferenceLock turn;
    private double[] kept = {};

    ReferenceSpmvOperator(SparseMatrix matrix, SpmvParameters parameters, ReferenceLock turn) {
        super(matrix, parameters, MemorySpace.HOST);
        this.turn = turn;
    }

    @Override
    public long preparedBytes() {
        return matrix().storedBytes();
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        turn.take(() -> {
            double[] sums = cleared(y.length());
            sum((HostVector) x, sums);
            update(alpha, sums, beta, (HostVector) y);
        });
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        turn.take(() -> {
            double[] sums = cleared(y.length());
            sumTransposed((HostVector) x, sums);
            update(alpha, sums, beta, (HostVector) y);
        });
    }

    /** Sums that are kept from product to product, of rows or of columns. */
    private double[] cleared(int length) {
        if (kept.length != length) {
            kept = new double[length];
        }
        Arrays.fill(kept, 0);
        return kept;
    }

    // The operand's array is looked up once, not at every entry. One lambda serves both precisions: the loop over
    // entries is compiled once, and calls its consumer where it has seen several classes of them.

    private void sum(HostVector x, double[] sums) {
        double[] doubles = x.precision() == Precision.F64 ? x.doubleStorage() : null;
        float[] floats = doubles == null ? x.floatStorage() : null;
        int first = x.offset();
        matrix().forEachEntry((row, column, value) -> sums[row] += value
                * (doubles != null ? doubles[first + column] : floats[first + column]));
    }

    private void sumTransposed(HostVector x, double[] sums) {
        double[] doubles = x.precision() == Precision.F64 ? x.doubleStorage() : null;
        float[] floats = doubles == null ? x.floatStorage() : null;
        int first = x.offset();
        matrix().forEachEntry((row, column, value) -> sums[column] += value
                * (doubles != null ? doubles[first + row] : floats[first + row]));
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
