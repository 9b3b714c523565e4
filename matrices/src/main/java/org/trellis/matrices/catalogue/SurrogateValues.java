package org.trellis.matrices.catalogue;

import org.trellis.matrices.generate.RowBuffer;
import org.trellis.matrices.generate.SplitMix;
import org.trellis.matrices.generate.ValueRule;

/**
 * Values of a surrogate. Patterns have ones; symmetric originals symmetric values in (−1, 1); unsymmetric ones
 * unsymmetric values in (−1, 1). A positive definite original has a dominant diagonal, 1 plus the magnitudes of the
 * rest of the row, which makes the surrogate positive definite too.
 */
final class SurrogateValues {
    private final boolean ones;
    private final boolean symmetric;
    private final boolean dominant;
    private final long upperSeed;
    private final long lowerSeed;

    SurrogateValues(ThesisMatrix facts, long seed) {
        this.ones = facts.type().charAt(0) == 'p';
        this.symmetric = facts.symmetric();
        this.dominant = facts.positiveDefinite();
        this.upperSeed = SplitMix.hash(seed, 1);
        this.lowerSeed = symmetric ? upperSeed : SplitMix.hash(seed, 2);
    }

    /** Adds a row of given columns to an empty buffer. */
    void fill(int row, int[] columns, RowBuffer buffer) {
        double diagonal = 1;
        for (int k = 0; dominant && k < columns.length; k++) {
            diagonal += columns[k] == row ? 0 : Math.abs(value(row, columns[k]));
        }
        for (int column : columns) {
            buffer.add(column, dominant && column == row ? diagonal : value(row, column));
        }
    }

    private double value(int row, int column) {
        return ones ? 1 : ValueRule.symmetric(column >= row ? upperSeed : lowerSeed, row, column);
    }
}
