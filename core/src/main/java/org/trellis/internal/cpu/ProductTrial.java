package org.trellis.internal.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.internal.threads.product.DoubleOrderedRows;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A small part of a product that is done again and again in two variants until the JIT compiler has taken the second
 * one: interpreted vectors are hundreds of times slower than compiled ones, so a whole product would be. The part has
 * rows from all over the matrix, the first, the last and the longest among them, so that no branch is met for the first
 * time later on.
 */
final class ProductTrial {
    private static final int PLACES = 8;
    private static final int ROWS = 64;
    /** The second way is compiled if it takes at most so many times as long as the first one. */
    private static final double COMPILED = 1.5;
    /** Rounds without any progress after which there will be none. */
    private static final int STALLED = 4000;
    private static final double PROGRESS = 0.9;

    private final List<PreparedProduct> scalar;
    private final List<PreparedProduct> vector;
    private final HostVector result;
    private long bestScalar = Long.MAX_VALUE;
    private long bestVector = Long.MAX_VALUE;
    private long progressed = Long.MAX_VALUE;
    private int rounds;
    private int since;

    private ProductTrial(List<PreparedProduct> scalar, List<PreparedProduct> vector, Precision precision, int rows) {
        this.scalar = scalar;
        this.vector = vector;
        this.result = HostVector.zeros(precision, rows);
    }

    /** Prepares some rows of a matrix. */
    interface Form {
        List<PreparedProduct> prepare(CsrMatrix part);
    }

    static ProductTrial of(CsrMatrix matrix, Form scalar, Form vector) {
        CsrMatrix part = matrix.selectRows(rows(matrix));
        return new ProductTrial(scalar.prepare(part), vector.prepare(part), matrix.precision(), part.rows());
    }

    /** Rows in groups of {@value #ROWS} neighbours, and a long row if there is one. */
    private static int[] rows(CsrMatrix matrix) {
        int rows = matrix.rows();
        int groups = Math.ceilDiv(rows, ROWS);
        int taken = Math.min(PLACES, groups);
        IntStream some = IntStream.range(0, taken)
                .map(place -> taken == 1 ? 0 : (int) ((long) (groups - 1) * place / (taken - 1)))
                .flatMap(group -> IntStream.range(group * ROWS, Math.min(rows, (group + 1) * ROWS)))
                .filter(row -> matrix.rowLength(row) <= DoubleOrderedRows.LONGEST);
        IntStream longest = IntStream.range(0, rows)
                .filter(row -> matrix.rowLength(row) > DoubleOrderedRows.LONGEST).limit(1);
        return IntStream.concat(some, longest).toArray();
    }

    /** Does the part in both variants, with every kind of scalars. */
    void round(HostVector x, TrialBudget budget) {
        long start = budget.now();
        run(scalar, x);
        long between = budget.now();
        run(vector, x);
        bestScalar = Math.min(bestScalar, between - start);
        bestVector = Math.min(bestVector, budget.now() - between);
        rounds++;
        if (bestVector < PROGRESS * progressed) {
            progressed = bestVector;
            since = rounds;
        }
    }

    private void run(List<PreparedProduct> parts, HostVector x) {
        run(parts, 1, x, 0);
        run(parts, -1, x, rounds % 2);
        run(parts, 1, x, 1);
    }

    private void run(List<PreparedProduct> parts, double alpha, HostVector x, double beta) {
        for (PreparedProduct part : parts) {
            for (int unit = 0; unit < part.units(); unit++) {
                part.run(unit, alpha, x, beta, result);
            }
            part.finish(alpha, beta, result);
        }
    }

    /** Says whether the second way is compiled. */
    boolean isReady() {
        return bestVector <= COMPILED * bestScalar;
    }

    /** Says whether the second way will not become fast. */
    boolean isHopeless() {
        return !isReady() && rounds - since > STALLED;
    }

    /** Forgets the times, since the compiler has thrown the code away. */
    void restart() {
        bestVector = Long.MAX_VALUE;
        progressed = Long.MAX_VALUE;
        since = rounds;
    }

    @Override
    public String toString() {
        return "trial of " + result.length() + " rows, " + rounds + " rounds, best " + Arrays.toString(
                new long[]{bestScalar, bestVector}) + " ns";
    }
}
