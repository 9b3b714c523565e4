package org.trellis.solve.krylov;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Powers of two for rows and columns by which the largest magnitude of each becomes about 1 (D. Ruiz, A scaling
 * algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034). Multiplying by them rounds
 * nothing. Of a symmetric matrix, rows and columns have the same ones, so that it stays symmetric. Costs a few passes
 * over the entries.
 */
final class Equilibration {
    /** Binary orders of magnitude between the largest entries of rows, or of columns, that call for it. */
    private static final int BADLY_SCALED = 20;
    /** Each halves what is left in the exponents, of which there are at most some two thousand. */
    private static final int MOST_PASSES = 12;
    private static final int MOST_EXPONENT = 500;
    private static final int MOST_SINGLE = 60;
    private static final int NONE = Integer.MIN_VALUE;

    private final CsrMatrix matrix;
    private final int[] rows;
    private final int[] columns;
    private final int[] largestOfRows;
    private final int[] largestOfColumns;

    private Equilibration(CsrMatrix matrix, boolean symmetric) {
        this.matrix = matrix;
        rows = new int[matrix.rows()];
        columns = symmetric ? rows : new int[matrix.columns()];
        largestOfRows = new int[matrix.rows()];
        largestOfColumns = new int[matrix.columns()];
    }

    /**
     * Finds the factors of a badly scaled matrix.
     *
     * @param matrix    a square matrix
     * @param symmetric whether it is its own transpose
     * @return the factors; empty if the largest entries of rows, and of columns, are within six orders of magnitude
     */
    static Optional<Equilibration> of(CsrMatrix matrix, boolean symmetric) {
        Equilibration found = new Equilibration(matrix, symmetric);
        found.measure();
        if (!found.isNeeded()) {
            return Optional.empty();
        }
        for (int pass = 0; pass < MOST_PASSES && found.improve(); pass++) {
            found.measure();
        }
        return Optional.of(found);
    }

    /**
     * Says whether a matrix is badly scaled. Costs a pass over it.
     *
     * @param matrix a square matrix
     * @return whether {@link #of} finds factors
     */
    static boolean isNeeded(CsrMatrix matrix) {
        Equilibration found = new Equilibration(matrix, true);
        found.measure();
        return found.isNeeded();
    }

    private boolean isNeeded() {
        return Math.max(range(largestOfRows), range(largestOfColumns)) >= BADLY_SCALED;
    }

    /** Finds the binary exponents of the largest entries as they are scaled by now. */
    private void measure() {
        Arrays.fill(largestOfRows, NONE);
        Arrays.fill(largestOfColumns, NONE);
        matrix.forEachEntry((i, j, value) -> {
            if (value != 0) {
                int exponent = Math.getExponent(value) + rows[i] + columns[j];
                largestOfRows[i] = Math.max(largestOfRows[i], exponent);
                largestOfColumns[j] = Math.max(largestOfColumns[j], exponent);
            }
        });
    }

    private static int range(int[] exponents) {
        int least = Integer.MAX_VALUE;
        int most = NONE;
        for (int exponent : exponents) {
            if (exponent != NONE) {
                least = Math.min(least, exponent);
                most = Math.max(most, exponent);
            }
        }
        return most == NONE ? 0 : most - least;
    }

    /** Takes half of each exponent away, as its square root; returns whether there was something to take. */
    private boolean improve() {
        boolean improved = improve(rows, largestOfRows);
        return columns == rows ? improved : improve(columns, largestOfColumns) || improved;
    }

    private boolean improve(int[] factors, int[] largest) {
        int most = matrix.precision() == Precision.F64 ? MOST_EXPONENT : MOST_SINGLE;
        boolean improved = false;
        for (int i = 0; i < factors.length; i++) {
            if (largest[i] != NONE) {
                int better = Math.clamp((long) factors[i] - largest[i] / 2, -most, most);
                improved |= better != factors[i];
                factors[i] = better;
            }
        }
        return improved;
    }

    /** Returns the matrix with rows and columns multiplied, a copy. */
    CsrMatrix scaled() {
        return matrix.mapValues((i, j, value) -> Math.scalb(value, rows[i] + columns[j]));
    }

    /** Returns the factor of each row. */
    HostVector rowFactors() {
        return HostVector.of(matrix.precision(), rows.length, i -> Math.scalb(1.0, rows[i]));
    }

    /** Returns the factor of each column. */
    HostVector columnFactors() {
        return HostVector.of(matrix.precision(), columns.length, j -> Math.scalb(1.0, columns[j]));
    }

    @Override
    public String toString() {
        return "rows times 2^" + bounds(rows) + ", columns times 2^" + bounds(columns);
    }

    private static String bounds(int[] exponents) {
        return Arrays.stream(exponents).min().orElse(0) + " to 2^" + Arrays.stream(exponents).max().orElse(0);
    }
}
