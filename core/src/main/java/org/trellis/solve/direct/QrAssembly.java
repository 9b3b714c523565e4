package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Permutation;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** One multifrontal QR factorisation under way. */
final class QrAssembly {
    private final QrAnalysis analysis;
    private final SymbolicCholesky symbolic;
    private final CsrMatrix matrix;
    private final CsrSegment segment;
    private final FactorMeter meter;
    private final double tolerance;
    private final int[] place;
    /** Where each column is in the matrix that is assembled, if it is there. */
    private final int[] local;
    private final int[][] children;
    private final Passed[] passed;
    private final QrFactors[] factors;
    /** Doubles in factors and in what waits for a parent. */
    private long kept;
    private double dropped;
    private double operations;

    QrAssembly(QrAnalysis analysis, CsrMatrix matrix, double tolerance) {
        this.analysis = analysis;
        this.matrix = matrix;
        this.tolerance = tolerance;
        symbolic = analysis.symbolic();
        segment = matrix.onlySegment();
        meter = new FactorMeter("QR factorisation", analysis.options().limits());
        place = Permutation.ofOldIndices(symbolic.order()).toArray();
        local = new int[matrix.columns()];
        Arrays.fill(local, -1);
        int supernodes = symbolic.supernodes();
        passed = new Passed[supernodes];
        factors = new QrFactors[supernodes];
        children = children(symbolic);
    }

    /** Rows that a supernode leaves to its parent: from their first column on, among the columns behind its own. */
    private record Passed(int[] columns, int[] slots, int[] starts, double[][] rows) {}

    private static int[][] children(SymbolicCholesky symbolic) {
        int[] counts = new int[symbolic.supernodes()];
        for (int s = 0; s < counts.length; s++) {
            if (symbolic.parent(s) >= 0) {
                counts[symbolic.parent(s)]++;
            }
        }
        int[][] result = new int[counts.length][];
        for (int s = 0; s < counts.length; s++) {
            result[s] = new int[counts[s]];
            counts[s] = 0;
        }
        for (int s = 0; s < counts.length; s++) {
            int parent = symbolic.parent(s);
            if (parent >= 0) {
                result[parent][counts[parent]++] = s;
            }
        }
        return result;
    }

    QrFactors[] run() {
        for (int s = 0; s < factors.length; s++) {
            meter.checkTime(symbolic.firstColumn(s), matrix.columns());
            eliminate(s);
        }
        return factors;
    }

    private void eliminate(int s) {
        int[] columns = symbolic.rows(s);
        for (int k = 0; k < columns.length; k++) {
            local[columns[k]] = k;
        }
        int[] stair = stair(s, columns.length);
        int height = columns.length == 0 ? 0 : stair[columns.length - 1];
        int[] slots = new int[height];
        double bytes = Double.BYTES * (kept + (double) height * columns.length);
        double[][] rows = meter.allocate(bytes, symbolic.firstColumn(s), () -> new double[height][columns.length]);
        fill(s, stair, rows, slots);
        for (int column : columns) {
            local[column] = -1;
        }
        QrFront front = new QrFront(rows, columns.length, symbolic.width(s), stair, tolerance);
        front.factorise();
        keep(s, front, rows, slots);
    }

    /** Counts the rows that start in each column or before. */
    private int[] stair(int s, int columns) {
        int[] stair = new int[columns];
        for (int t = analysis.rowStart(s); t < analysis.rowStart(s + 1); t++) {
            int row = analysis.rowAt()[t];
            int least = columns;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                least = Math.min(least, localOf(segment.columnIndices()[k], row));
            }
            stair[least]++;
        }
        for (int child : children[s]) {
            Passed from = passed[child];
            for (int start : from.starts()) {
                stair[local[from.columns()[start]]]++;
            }
        }
        for (int k = 1; k < columns; k++) {
            stair[k] += stair[k - 1];
        }
        return stair;
    }

    private int localOf(int column, int row) {
        int found = local[place[column]];
        if (found < 0) {
            throw new IllegalArgumentException("QR factorisation of " + matrix + ": it has an entry in row " + row
                    + ", column " + column + " that the matrix which was analysed has not, expected its structure");
        }
        return found;
    }

    private void fill(int s, int[] stair, double[][] rows, int[] slots) {
        int[] next = new int[stair.length];
        System.arraycopy(stair, 0, next, Math.min(1, stair.length), Math.max(0, stair.length - 1));
        for (int t = analysis.rowStart(s); t < analysis.rowStart(s + 1); t++) {
            int row = analysis.rowAt()[t];
            int least = stair.length;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                least = Math.min(least, local[place[segment.columnIndices()[k]]]);
            }
            int to = next[least]++;
            slots[to] = row;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                rows[to][local[place[segment.columnIndices()[k]]]] = segment.values().get(k);
            }
        }
        for (int child : children[s]) {
            Passed from = passed[child];
            passed[child] = null;
            for (int i = 0; i < from.slots().length; i++) {
                int start = from.starts()[i];
                double[] row = from.rows()[i];
                int to = next[local[from.columns()[start]]]++;
                slots[to] = from.slots()[i];
                for (int e = 0; e < row.length; e++) {
                    rows[to][local[from.columns()[start + e]]] = row[e];
                }
                kept -= row.length;
            }
        }
    }

    private void keep(int s, QrFront front, double[][] rows, int[] slots) {
        int[] columns = symbolic.rows(s);
        int rank = front.rank();
        int left = front.done() - rank;
        int[] starts = new int[front.done()];
        double[][] trimmed = new double[front.done()][];
        long entries = 0;
        for (int i = 0; i < front.done(); i++) {
            starts[i] = front.columnOf(i);
            entries += columns.length - starts[i];
        }
        for (double[] vector : front.vectors()) {
            entries += vector.length;
        }
        kept = Math.addExact(kept, entries);
        meter.allocate((double) Double.BYTES * (kept + (long) rows.length * columns.length),
                symbolic.firstColumn(s), () -> {
                    for (int i = 0; i < trimmed.length; i++) {
                        trimmed[i] = Arrays.copyOfRange(rows[i], starts[i], columns.length);
                    }
                    return trimmed;
                });
        factors[s] = new QrFactors(columns, slots, Arrays.copyOf(starts, rank), Arrays.copyOf(trimmed, rank),
                front.vectors(), front.first(), front.tau());
        for (int p = 0; p < front.vectors().length; p++) {
            int reflected = columns.length - front.columnOf(front.first()[p]);
            operations += 4.0 * front.vectors()[p].length * reflected;
        }
        dropped = Math.hypot(dropped, front.dropped());
        if (symbolic.parent(s) < 0 && left > 0) {
            throw new IllegalStateException("rows are left at root " + s + ": " + left);
        }
        passed[s] = new Passed(columns, Arrays.copyOfRange(slots, rank, front.done()),
                Arrays.copyOfRange(starts, rank, front.done()), Arrays.copyOfRange(trimmed, rank, front.done()));
    }

    /** Returns the Euclidean norm of what was dropped of dependent columns. */
    double dropped() {
        return dropped;
    }

    double operations() {
        return operations;
    }

    double seconds() {
        return meter.seconds();
    }

    static int longest(QrFactors[] factors) {
        int longest = 0;
        for (QrFactors one : factors) {
            longest = Math.max(longest, Math.max(one.columns().length, one.slots().length));
        }
        return longest;
    }
}
