package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.solve.dense.DoubleUpdate;

/** The numbers of an LDLᵀ factorisation, front by front, and what is left of them: the factors. */
final class LdltKernel {
    private final SymbolicCholesky symbolic;
    private final double[] values;
    private final IndefiniteFront front;
    private final FactorMeter meter;
    private final DoubleSupernodalFactor factor;
    private final double[][] diagonals;
    private final double[][] besides;
    /** Columns that a front could not eliminate, then the rows below: the rows of its update. */
    private final int[][] updateRows;
    private final double[][] updates;
    private final int[] waiting;
    private final int[] lastChild;
    private final int[] sibling;
    private final int[] local;
    private double[][] workspace = new double[0][];
    private double heldEntries;
    private long nonZeros;
    private long delays;
    private int negative;
    private int pivotsOfTwo;

    LdltKernel(SymbolicCholesky symbolic, double[] values, IndefiniteFront front, FactorMeter meter) {
        int supernodes = symbolic.supernodes();
        this.symbolic = symbolic;
        this.values = values;
        this.front = front;
        this.meter = meter;
        this.factor = new DoubleSupernodalFactor(supernodes);
        this.diagonals = new double[supernodes][];
        this.besides = new double[supernodes][];
        this.updateRows = new int[supernodes][];
        this.updates = new double[supernodes][];
        this.waiting = new int[supernodes];
        this.lastChild = new int[supernodes];
        this.sibling = new int[supernodes];
        this.local = new int[symbolic.size()];
        Arrays.fill(lastChild, -1);
    }

    /**
     * Factorises.
     *
     * @throws FactorisationException if the matrix is singular or a limit is reached
     */
    void run() {
        for (int s = 0; s < waiting.length; s++) {
            meter.checkTime(symbolic.firstColumn(s), symbolic.size());
            int[] rows = rows(s);
            int candidates = rows.length - (symbolic.rows(s).length - symbolic.width(s));
            ensureWorkspace(rows.length, symbolic.firstColumn(s));
            for (int i = 0; i < rows.length; i++) {
                local[rows[i]] = i;
                Arrays.fill(workspace[i], i, rows.length, 0);
            }
            gather(s);
            for (int child = lastChild[s]; child >= 0; child = sibling[child]) {
                add(child);
            }
            double[] d = new double[candidates];
            double[] e = new double[candidates];
            int done = front.eliminate(workspace, rows, candidates, d, e);
            if (done < candidates && symbolic.parent(s) < 0) {
                throw singular(rows, done, candidates);
            }
            keep(s, rows, done, d, e);
            waiting[s] = candidates - done;
            delays += waiting[s];
            pushUpdate(s, rows, done);
        }
        workspace = null;
    }

    /** The columns of a supernode, those that wait from its children, the rows below. */
    private int[] rows(int s) {
        int[] own = symbolic.rows(s);
        int width = symbolic.width(s);
        int delayed = 0;
        for (int child = lastChild[s]; child >= 0; child = sibling[child]) {
            delayed += waiting[child];
        }
        int[] rows = new int[own.length + delayed];
        System.arraycopy(own, 0, rows, 0, width);
        int at = width;
        for (int child = lastChild[s]; child >= 0; child = sibling[child]) {
            System.arraycopy(updateRows[child], 0, rows, at, waiting[child]);
            at += waiting[child];
        }
        System.arraycopy(own, width, rows, at, own.length - width);
        return rows;
    }

    private void ensureWorkspace(int size, int done) {
        if (workspace.length < size + DoubleUpdate.MARGIN) {
            double entries = heldEntries + (double) size * size;
            int length = size + size / 8 + DoubleUpdate.MARGIN;
            workspace = new double[0][];
            workspace = meter.allocate(Double.BYTES * entries, done, () -> new double[length][length]);
        }
    }

    private void gather(int s) {
        for (int j = 0; j < symbolic.width(s); j++) {
            int column = symbolic.firstColumn(s) + j;
            for (int k = symbolic.offsets()[column]; k < symbolic.offsets()[column + 1]; k++) {
                int row = symbolic.columns()[k];
                if (row >= column && values[k] != 0) {
                    workspace[j][local[row]] += values[k];
                }
            }
        }
    }

    /** Adds the update of a child; columns that wait may come before or behind those of other rows. */
    private void add(int child) {
        int[] rows = updateRows[child];
        double[] update = updates[child];
        int at = 0;
        for (int j = 0; j < rows.length; j++) {
            int column = local[rows[j]];
            for (int i = j; i < rows.length; i++) {
                int row = local[rows[i]];
                workspace[Math.min(row, column)][Math.max(row, column)] += update[at++];
            }
        }
        heldEntries -= update.length;
        updates[child] = null;
        updateRows[child] = null;
    }

    private void keep(int s, int[] rows, int done, double[] d, double[] e) {
        factor.rows()[s] = rows;
        factor.widths()[s] = done;
        factor.values()[s] = packed(0, done, rows.length, symbolic.firstColumn(s));
        diagonals[s] = Arrays.copyOf(d, done);
        besides[s] = Arrays.copyOf(e, done);
        nonZeros += factor.values()[s].length;
        int at = 0;
        for (int j = 0; j < done; j++) {
            factor.values()[s][at] = 1;
            at += rows.length - j;
        }
        for (int j = 0; j < done; j++) {
            if (e[j] == 0) {
                negative += d[j] < 0 ? 1 : 0;
            } else {
                pivotsOfTwo++;
                boolean oneOfEach = d[j] * d[j + 1] < e[j] * e[j];
                negative += oneOfEach ? 1 : d[j] < 0 ? 2 : 0;
                j++;
            }
        }
    }

    private void pushUpdate(int s, int[] rows, int done) {
        int parent = symbolic.parent(s);
        if (parent >= 0) {
            updateRows[s] = Arrays.copyOfRange(rows, done, rows.length);
            updates[s] = packed(done, rows.length, rows.length, symbolic.firstColumn(s));
            sibling[s] = lastChild[parent];
            lastChild[parent] = s;
        }
    }

    private double[] packed(int fromColumn, int toColumn, int size, int counted) {
        long length = DoubleSupernodalFactor.entries((long) toColumn - fromColumn, (long) size - fromColumn);
        heldEntries += length;
        double bytes = Double.BYTES * (heldEntries + Math.pow(workspace.length - DoubleUpdate.MARGIN, 2));
        if (length > Integer.MAX_VALUE - 8) {
            throw meter.tooLarge(bytes, counted, "with " + length + " numbers in one dense matrix");
        }
        double[] result = meter.allocate(bytes, counted, () -> new double[(int) length]);
        int at = 0;
        for (int j = fromColumn; j < toColumn; j++) {
            System.arraycopy(workspace[j], j, result, at, size - j);
            at += size - j;
        }
        return result;
    }

    private FactorisationException singular(int[] rows, int done, int candidates) {
        double greatest = 0;
        for (int j = done; j < candidates; j++) {
            for (int i = j; i < candidates; i++) {
                greatest = Math.max(greatest, Math.abs(workspace[j][i]));
            }
        }
        int row = symbolic.order()[rows[done]];
        return new FactorisationException("LDLᵀ factorisation: row and column " + row + " depend on those eliminated"
                + " before: the greatest element that is left is " + greatest + " of a matrix scaled to 1; "
                + (candidates - done) + " such rows, the matrix is singular or nearly so", row, greatest);
    }

    /** Solves for one right-hand side or for four with the elements of a row beside one another. */
    void solve(double[] y, boolean four) {
        factor.forward(y, four);
        int stride = four ? DoubleSupernodalFactor.TOGETHER : 1;
        for (int s = 0; s < diagonals.length; s++) {
            int[] rows = factor.rows()[s];
            double[] d = diagonals[s];
            double[] e = besides[s];
            for (int j = 0; j < d.length; j++) {
                if (e[j] == 0) {
                    for (int r = stride * rows[j]; r < stride * (rows[j] + 1); r++) {
                        y[r] /= d[j];
                    }
                } else {
                    for (int r = 0; r < stride; r++) {
                        divide(y, stride * rows[j] + r, stride * rows[j + 1] + r, d[j], e[j], d[j + 1]);
                    }
                    j++;
                }
            }
        }
        factor.backward(y, four);
    }

    private static void divide(double[] y, int first, int second, double d1, double off, double d2) {
        double low = d1 / off;
        double high = d2 / off;
        double determinant = (low * high - 1) * off;
        double a = y[first];
        double b = y[second];
        y[first] = (high * a - b) / determinant;
        y[second] = (low * b - a) / determinant;
    }

    /** The determinant of D. */
    Determinant determinant() {
        Determinant determinant = Determinant.ONE;
        for (int s = 0; s < diagonals.length; s++) {
            for (int j = 0; j < diagonals[s].length; j++) {
                double off = besides[s][j];
                double own = diagonals[s][j];
                determinant = determinant.times(off == 0 ? own : own * diagonals[s][++j] - off * off);
            }
        }
        return determinant;
    }

    long nonZeros() {
        return nonZeros;
    }

    long delays() {
        return delays;
    }

    int negative() {
        return negative;
    }

    int pivotsOfTwo() {
        return pivotsOfTwo;
    }
}
