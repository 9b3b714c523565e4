package org.trellis.solve.direct;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.trellis.common.Permutation;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * One multifrontal QR factorisation under way. Subtrees are factorised at the same time, each by a thread; above them
 * one dense matrix is worked on at a time by all threads. The same bits whatever the threads.
 */
final class QrAssembly {
    private final QrAnalysis analysis;
    private final SymbolicCholesky symbolic;
    private final CsrMatrix matrix;
    private final CsrSegment segment;
    private final FactorMeter meter;
    private final Subtrees subtrees;
    private final double tolerance;
    private final int[] place;
    private final int[][] children;
    private final Passed[] passed;
    private final QrFactors[] factors;
    /** Doubles in factors, in what waits for a parent, and in dense matrices. */
    private final AtomicLong held = new AtomicLong();
    private final double[] dropped;
    private final double[] operations;

    /**
     * Allocates.
     *
     * @param subtrees what threads factorise at the same time
     */
    QrAssembly(QrAnalysis analysis, CsrMatrix matrix, double tolerance, Subtrees subtrees) {
        this.analysis = analysis;
        this.subtrees = subtrees;
        this.matrix = matrix;
        this.tolerance = tolerance;
        symbolic = analysis.symbolic();
        segment = matrix.onlySegment();
        meter = new FactorMeter("QR factorisation", analysis.options().limits());
        place = Permutation.ofOldIndices(symbolic.order()).toArray();
        int supernodes = symbolic.supernodes();
        passed = new Passed[supernodes];
        factors = new QrFactors[supernodes];
        dropped = new double[supernodes];
        operations = new double[supernodes];
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
        subtrees.run(() -> new Worker(false), _ -> {});
        Worker last = new Worker(true);
        for (int s : subtrees.above()) {
            last.eliminate(s);
        }
        return factors;
    }

    /** What a thread needs. */
    private final class Worker implements Subtrees.Worker {
        /** Where each column is in the matrix that is assembled, if it is there. */
        private final int[] local = new int[matrix.columns()];
        private final boolean shared;

        /** With dense matrices that all threads share, or not. */
        Worker(boolean shared) {
            this.shared = shared;
            Arrays.fill(local, -1);
        }

        @Override
        public void run(int first, int root) {
            for (int s = first; s <= root; s++) {
                eliminate(s);
            }
        }

        void eliminate(int s) {
            meter.checkTime(symbolic.firstColumn(s), matrix.columns());
            int[] columns = symbolic.rows(s);
            for (int k = 0; k < columns.length; k++) {
                local[columns[k]] = k;
            }
            int[] stair = stair(s, columns.length, local);
            int height = columns.length == 0 ? 0 : stair[columns.length - 1];
            int[] slots = new int[height];
            long entries = (long) height * columns.length;
            double[][] rows = meter.allocate(bytes(entries), symbolic.firstColumn(s),
                    () -> new double[height][columns.length]);
            fill(s, stair, rows, slots, local);
            for (int column : columns) {
                local[column] = -1;
            }
            QrFront front = new QrFront(rows, stair, symbolic.width(s), tolerance, shared);
            front.factorise();
            keep(s, front, rows, slots);
            held.addAndGet(-entries);
        }
    }

    /** Counts more numbers; returns the bytes of all. */
    private double bytes(long more) {
        return (double) Double.BYTES * held.addAndGet(more);
    }

    /** Counts the rows that start in each column or before. */
    private int[] stair(int s, int columns, int[] local) {
        int[] stair = new int[columns];
        for (int t = analysis.rowStart(s); t < analysis.rowStart(s + 1); t++) {
            int row = analysis.rowAt()[t];
            int least = columns;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                least = Math.min(least, localOf(segment.columnIndices()[k], row, local));
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

    private int localOf(int column, int row, int[] local) {
        int found = local[place[column]];
        if (found < 0) {
            throw new IllegalArgumentException("QR factorisation of " + matrix + ": it has an entry in row " + row
                    + ", column " + column + " that the matrix which was analysed has not, expected its structure");
        }
        return found;
    }

    private void fill(int s, int[] stair, double[][] rows, int[] slots, int[] local) {
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
                held.addAndGet(-row.length);
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
        meter.allocate(bytes(entries), symbolic.firstColumn(s), () -> {
            for (int i = 0; i < trimmed.length; i++) {
                trimmed[i] = Arrays.copyOfRange(rows[i], starts[i], columns.length);
            }
            return trimmed;
        });
        factors[s] = new QrFactors(columns, slots, Arrays.copyOf(starts, rank), Arrays.copyOf(trimmed, rank),
                front.vectors(), front.first(), front.tau());
        for (int p = 0; p < front.vectors().length; p++) {
            int reflected = columns.length - front.columnOf(front.first()[p]);
            operations[s] += 4.0 * front.vectors()[p].length * reflected;
        }
        dropped[s] = front.dropped();
        if (symbolic.parent(s) < 0 && left > 0) {
            throw new IllegalStateException("rows are left at root " + s + ": " + left);
        }
        passed[s] = new Passed(columns, Arrays.copyOfRange(slots, rank, front.done()),
                Arrays.copyOfRange(starts, rank, front.done()), Arrays.copyOfRange(trimmed, rank, front.done()));
    }

    /** Returns the Euclidean norm of what was dropped of dependent columns. */
    double dropped() {
        return Arrays.stream(dropped).reduce(0, Math::hypot);
    }

    double operations() {
        return Arrays.stream(operations).sum();
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
