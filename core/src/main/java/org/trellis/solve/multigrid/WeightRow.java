package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;

/**
 * A row of an interpolation under way: weights of C unknowns, of which the greatest are kept. An array as long as the
 * matrix says which place each unknown has.
 */
final class WeightRow {
    private final Splitting splitting;
    private final int most;
    private final double truncation;
    private final int[] place;
    private int[] coarse = new int[32];
    private double[] sums = new double[32];
    private int size;
    private int[] columns;
    private double[] weights;

    /**
     * Makes an empty row.
     *
     * @param splitting  which unknowns stay
     * @param most       weights that a row keeps at most
     * @param truncation weights below this share of the row's greatest are dropped
     */
    WeightRow(Splitting splitting, int most, double truncation) {
        this.splitting = splitting;
        this.most = most;
        this.truncation = truncation;
        this.place = new int[splitting.rows()];
        Arrays.fill(place, -1);
    }

    /** Makes a matrix of finished rows. */
    static CsrMatrix matrix(CsrMatrix a, Splitting splitting, int[][] columns, double[][] weights) {
        int[] lengths = new int[a.rows()];
        Arrays.setAll(lengths, i -> columns[i].length);
        return CsrFill.fill(splitting.count(), a.precision(), lengths, () -> (i, indices, values, at) -> {
            for (int k = 0; k < columns[i].length; k++) {
                indices[at + k] = columns[i][k];
                values.set(at + k, weights[i][k]);
            }
        });
    }

    /** Says that an unknown is among those of the row, with a weight of 0 so far. */
    void add(int j) {
        if (place[j] < 0) {
            if (size == coarse.length) {
                coarse = Arrays.copyOf(coarse, 2 * size);
                sums = Arrays.copyOf(sums, 2 * size);
            }
            place[j] = size;
            coarse[size] = j;
            sums[size++] = 0;
        }
    }

    /** Puts the unknowns in order. */
    void sort() {
        Arrays.sort(coarse, 0, size);
        for (int k = 0; k < size; k++) {
            place[coarse[k]] = k;
        }
    }

    /** Says whether an unknown is among those of the row. */
    boolean has(int j) {
        return place[j] >= 0;
    }

    /** Adds to the weight of an unknown of the row. */
    void add(int j, double value) {
        sums[place[j]] += value;
    }

    /**
     * Ends the row: of the weights {@code sign · w / divisor} the greatest are kept, scaled so that their sum stays.
     *
     * @param sign    1 or −1; 0 leaves no weights
     * @param divisor what weights are divided by
     */
    void end(int sign, double divisor) {
        for (int k = 0; k < size; k++) {
            sums[k] = sign == 0 ? 0 : sign * sums[k] / divisor;
            place[coarse[k]] = -1;
        }
        truncate();
        size = 0;
    }

    /** Keeps the greatest weights, in the order of their columns. */
    private void truncate() {
        double all = 0;
        double greatest = 0;
        for (int k = 0; k < size; k++) {
            all += sums[k];
            greatest = Math.max(greatest, Math.abs(sums[k]));
        }
        int kept = 0;
        for (int k = 0; k < size; k++) {
            if (sums[k] != 0 && Math.abs(sums[k]) >= truncation * greatest) {
                kept = insert(k, kept);
            }
        }
        columns = new int[kept];
        double left = 0;
        for (int k = 0; k < kept; k++) {
            left += sums[k];
            columns[k] = splitting.coarseIndex(coarse[k]);
        }
        double factor = left == 0 ? 1 : all / left;
        weights = new double[kept];
        Arrays.sort(columns);
        for (int k = 0; k < kept; k++) {
            weights[Arrays.binarySearch(columns, splitting.coarseIndex(coarse[k]))] = factor * sums[k];
        }
    }

    /** Moves a weight to its place among the greatest so far, the one of the lower column first of equal ones. */
    private int insert(int k, int kept) {
        int column = coarse[k];
        double weight = sums[k];
        int to = kept;
        while (to > 0 && comesBefore(column, weight, to - 1)) {
            to--;
        }
        if (to >= most) {
            return kept;
        }
        int end = Math.min(kept, most - 1);
        System.arraycopy(coarse, to, coarse, to + 1, end - to);
        System.arraycopy(sums, to, sums, to + 1, end - to);
        coarse[to] = column;
        sums[to] = weight;
        return end + 1;
    }

    private boolean comesBefore(int column, double weight, int other) {
        int bySize = Double.compare(Math.abs(weight), Math.abs(sums[other]));
        return bySize > 0 || (bySize == 0 && column < coarse[other]);
    }

    /** Returns the columns of the row that was ended last, in rising order. */
    int[] columns() {
        return columns;
    }

    /** Returns the weights of the row that was ended last. */
    double[] weights() {
        return weights;
    }
}
