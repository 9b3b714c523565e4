package org.trellis.solve.smooth;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.Preordering;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Incomplete factorisations with fill, row by row on one thread in double precision: by level, which keeps an entry as
 * far as the paths that make it are short (Saad, Iterative Methods for Sparse Linear Systems, section 10.3.3), or by a
 * threshold and a limit of entries for each row (section 10.4). A symmetric matrix gets {@code L Lᵀ} by the same loop,
 * with the columns of L in the place of the rows of U.
 */
final class FilledFactors {
    private final SmootherContext input;
    private final Preordering ordering;
    private final CsrMatrix matrix;
    private final Rule rule;
    private final boolean symmetric;
    private final int n;
    private final RowStore lower;
    private final RowStore upper;
    /** Inverses of pivots: of U, or of the diagonal of L. */
    private final double[] inverse;
    /** The columns of L, each as a list of its entries, for symmetric matrices. */
    private int[] firstOf;
    private int[] lastOf;
    private int[] nextOf;
    private int[] rowOf;

    /** The row under way: values and levels of its entries, the columns below the diagonal as a heap. */
    private final double[] row;
    private final int[] level;
    private final boolean[] there;
    private final IntHeap before;
    private int[] after = new int[16];
    private int afterCount;

    /**
     * What is kept.
     *
     * @param level     the greatest level of fill that is kept; {@link Integer#MAX_VALUE} for any
     * @param threshold the share of the norm of a row that an entry must exceed
     * @param fill      entries of a row of either factor beyond those of the matrix
     * @param shift     the share of the diagonal that is added to it before
     */
    record Rule(int level, double threshold, int fill, double shift) {
        static Rule levels(int level, double shift) {
            return new Rule(level, 0, Integer.MAX_VALUE, shift);
        }

        static Rule threshold(double threshold, int fill, double shift) {
            return new Rule(Integer.MAX_VALUE, threshold, fill, shift);
        }
    }

    private FilledFactors(SmootherContext input, Preordering ordering, Rule rule, boolean symmetric) {
        this.input = input;
        this.ordering = ordering;
        this.matrix = ordering.apply(input.matrix());
        this.rule = rule;
        this.symmetric = symmetric;
        n = matrix.rows();
        lower = new RowStore(n, matrix.nonZeros(), rule.level() < Integer.MAX_VALUE);
        upper = symmetric ? null : new RowStore(n, matrix.nonZeros(), rule.level() < Integer.MAX_VALUE);
        inverse = new double[n];
        row = new double[n];
        level = new int[n];
        there = new boolean[n];
        before = new IntHeap(n);
        if (symmetric) {
            firstOf = new int[n];
            lastOf = new int[n];
            Arrays.fill(firstOf, -1);
            nextOf = new int[16];
            rowOf = new int[16];
        }
    }

    /**
     * Factorises into {@code L U} with ones on the diagonal of L.
     *
     * @throws FactorisationException if a pivot is 0 or has no finite inverse; names the row
     */
    static IncompleteFactors lu(SmootherContext input, Preordering ordering, Rule rule) {
        FilledFactors state = new FilledFactors(input, ordering, rule, false);
        state.run();
        Precision precision = input.precision();
        CsrMatrix l = state.lower.matrix(precision);
        CsrMatrix u = state.upper.matrix(precision);
        return IncompleteFactors.ordered(l.plus(u), null, HostVector.of(state.inverse).convert(precision), ordering);
    }

    /**
     * Factorises a symmetric matrix into {@code L Lᵀ}.
     *
     * @throws FactorisationException if a pivot is not positive; names the row
     */
    static IncompleteFactors cholesky(SmootherContext input, Preordering ordering, Rule rule) {
        input.requireSymmetric();
        FilledFactors state = new FilledFactors(input, ordering, rule, true);
        state.run();
        CsrMatrix l = state.lower.matrix(input.precision());
        HostVector inverses = HostVector.of(state.inverse).convert(input.precision());
        return IncompleteFactors.ordered(l.plus(l.transpose()), inverses, inverses, ordering);
    }

    private void run() {
        for (int i = 0; i < n; i++) {
            eliminate(i);
        }
    }

    private void eliminate(int i) {
        double limit = rule.threshold() * load(i);
        int ownLower = before.size();
        int ownUpper = afterCount;
        double pivot = (1 + rule.shift()) * row[i];
        lower.begin();
        while (before.size() > 0) {
            int k = before.poll();
            there[k] = false;
            if (Math.abs(row[k]) <= limit && rule.threshold() > 0) {
                row[k] = 0;
                continue;
            }
            double factor = row[k] * inverse[k];
            row[k] = 0;
            lower.add(k, factor, level[k]);
            if (symmetric) {
                subtractColumn(k, factor, i);
            } else {
                pivot -= subtractRow(k, factor, i);
            }
        }
        lower.end(most(ownLower));
        pivot -= symmetric ? lower.squares(i) : 0;
        inverse[i] = invert(i, pivot);
        if (symmetric) {
            link(i);
        } else {
            storeUpper(limit, ownUpper);
        }
        row[i] = 0;
        there[i] = false;
    }

    private int most(int own) {
        return (int) Math.min(Integer.MAX_VALUE, (long) own + rule.fill());
    }

    /** Spreads a row of the matrix; returns its Euclidean norm. */
    private double load(int i) {
        afterCount = 0;
        there[i] = true;
        row[i] = 0;
        double squares = 0;
        CsrSegment segment = matrix.segmentOf(i);
        for (int e = segment.rowStart(i); e < segment.rowEnd(i); e++) {
            int j = segment.columnIndices()[e];
            double value = segment.values().get(e);
            squares += value * value;
            if (j == i) {
                row[i] = value;
            } else if (j < i || !symmetric) {
                enter(j, i, 0);
                row[j] = value;
            }
        }
        return Math.sqrt(squares);
    }

    private void enter(int j, int i, int entryLevel) {
        there[j] = true;
        level[j] = entryLevel;
        if (j < i) {
            before.add(j);
        } else {
            if (afterCount == after.length) {
                after = Arrays.copyOf(after, 2 * afterCount);
            }
            after[afterCount++] = j;
        }
    }

    /** Subtracts a row of U; returns what is to be subtracted from the pivot. */
    private double subtractRow(int k, double factor, int i) {
        double ofPivot = 0;
        for (int e = upper.start(k); e < upper.start(k + 1); e++) {
            int j = upper.column(e);
            if (j == i) {
                ofPivot = factor * upper.value(e);
            } else {
                subtract(j, factor * upper.value(e), level[k], upper.level(e), i);
            }
        }
        return ofPivot;
    }

    /** Subtracts a column of L as far as it is known. */
    private void subtractColumn(int k, double factor, int i) {
        for (int e = firstOf[k]; e >= 0; e = nextOf[e]) {
            subtract(rowOf[e], factor * lower.value(e), level[k], lower.level(e), i);
        }
    }

    private void subtract(int j, double term, int left, int right, int i) {
        int ofTerm = rule.level() == Integer.MAX_VALUE ? 0 : left + right + 1;
        if (!there[j]) {
            if (ofTerm > rule.level()) {
                return;
            }
            enter(j, i, ofTerm);
            row[j] = 0;
        } else if (ofTerm < level[j]) {
            level[j] = ofTerm;
        }
        row[j] -= term;
    }

    private double invert(int i, double pivot) {
        boolean good = symmetric ? pivot > 0 : pivot != 0;
        double inverted = symmetric ? 1 / Math.sqrt(pivot) : 1 / pivot;
        if (!good || !Double.isFinite(inverted) || inverted == 0) {
            int original = ordering.rowAt(i);
            throw IncompleteFactors.broken(input, original, pivot, symmetric
                    ? "a positive number"
                    : "a finite number other than 0", rule.shift());
        }
        return inverted;
    }

    private void storeUpper(double limit, int own) {
        Arrays.sort(after, 0, afterCount);
        upper.begin();
        for (int t = 0; t < afterCount; t++) {
            int j = after[t];
            there[j] = false;
            if (!(Math.abs(row[j]) <= limit && rule.threshold() > 0)) {
                upper.add(j, row[j], level[j]);
            }
            row[j] = 0;
        }
        upper.end(most(own));
    }

    /** Appends the entries of a row of L, which is complete, to the lists of its columns. */
    private void link(int i) {
        if (lower.start(i + 1) > nextOf.length) {
            int length = lower.capacity();
            nextOf = Arrays.copyOf(nextOf, length);
            rowOf = Arrays.copyOf(rowOf, length);
        }
        for (int e = lower.start(i); e < lower.start(i + 1); e++) {
            int k = lower.column(e);
            nextOf[e] = -1;
            rowOf[e] = i;
            if (firstOf[k] < 0) {
                firstOf[k] = e;
            } else {
                nextOf[lastOf[k]] = e;
            }
            lastOf[k] = e;
        }
    }

    /** Rows of a factor, made one after another. */
    private static final class RowStore {
        private final int[] starts;
        private final boolean levelled;
        private int[] columns;
        private double[] values;
        private int[] levels;
        private int rows;
        private int count;

        RowStore(int n, long expected, boolean levelled) {
            this.levelled = levelled;
            starts = new int[n + 1];
            int size = Math.clamp(expected, 16, Checks.LONGEST_ARRAY);
            columns = new int[size];
            values = new double[size];
            levels = levelled ? new int[size] : null;
        }

        void begin() {
            count = starts[rows];
        }

        void add(int column, double value, int level) {
            if (count == columns.length) {
                int size = Checks.arrayLength("entries of an incomplete factor", Math.max(count + 1L,
                        Math.min(Checks.LONGEST_ARRAY, count * 3L / 2)));
                columns = Arrays.copyOf(columns, size);
                values = Arrays.copyOf(values, size);
                levels = levelled ? Arrays.copyOf(levels, size) : null;
            }
            columns[count] = column;
            values[count] = value;
            if (levelled) {
                levels[count] = level;
            }
            count++;
        }

        /** Ends a row whose columns increase; of more than so many entries the greatest stay. */
        void end(int most) {
            int from = starts[rows];
            if (count - from > most) {
                double[] sizes = new double[count - from];
                for (int e = from; e < count; e++) {
                    sizes[e - from] = Math.abs(values[e]);
                }
                Arrays.sort(sizes);
                double least = most == 0 ? Double.POSITIVE_INFINITY : sizes[sizes.length - most];
                int greater = 0;
                for (int e = from; e < count; e++) {
                    greater += Math.abs(values[e]) > least ? 1 : 0;
                }
                keep(from, least, most - greater);
            }
            starts[++rows] = count;
        }

        /** Keeps what is greater than a value, and of what equals it the first so many. */
        private void keep(int from, double least, int equal) {
            int left = equal;
            int to = from;
            for (int e = from; e < count; e++) {
                double size = Math.abs(values[e]);
                if (size > least || (size == least && left-- > 0)) {
                    columns[to] = columns[e];
                    values[to] = values[e];
                    if (levelled) {
                        levels[to] = levels[e];
                    }
                    to++;
                }
            }
            count = to;
        }

        /** The sum of the squares of a row: of what is kept, so that what was dropped does not make a pivot smaller. */
        double squares(int row) {
            double sum = 0;
            for (int e = starts[row]; e < starts[row + 1]; e++) {
                sum += values[e] * values[e];
            }
            return sum;
        }

        int start(int row) {
            return starts[row];
        }

        int capacity() {
            return columns.length;
        }

        int column(int e) {
            return columns[e];
        }

        double value(int e) {
            return values[e];
        }

        int level(int e) {
            return levelled ? levels[e] : 0;
        }

        CsrMatrix matrix(Precision precision) {
            int n = starts.length - 1;
            return CsrMatrix.of(n, n, starts, Arrays.copyOf(columns, starts[n]),
                    HostVector.of(Arrays.copyOf(values, starts[n])).convert(precision));
        }
    }

    /** The least of some numbers, each there once. */
    private static final class IntHeap {
        private final int[] items;
        private int size;

        IntHeap(int most) {
            items = new int[most];
        }

        int size() {
            return size;
        }

        void add(int item) {
            int at = size++;
            while (at > 0 && items[(at - 1) / 2] > item) {
                items[at] = items[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            items[at] = item;
        }

        int poll() {
            int least = items[0];
            int moved = items[--size];
            int at = 0;
            while (2 * at + 1 < size) {
                int child = 2 * at + 1;
                if (child + 1 < size && items[child + 1] < items[child]) {
                    child++;
                }
                if (items[child] >= moved) {
                    break;
                }
                items[at] = items[child];
                at = child;
            }
            items[at] = moved;
            return least;
        }
    }
}
