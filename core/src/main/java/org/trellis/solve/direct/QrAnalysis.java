package org.trellis.solve.direct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.order.Graph;
import org.trellis.solve.direct.QrOptions.Order;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.algebra.MatrixProduct;

/**
 * What a QR factorisation needs to know of a structure, found once for any number of matrices that have it: the order
 * of the columns, the elimination tree of AᵀA, its supernodes, and the rows that each begins with.
 *
 * <p>AᵀA is not formed: eliminating the first column of a row connects all others of that row, so that the factor of
 * the graph in which each row is a star around its first column has the same structure.
 *
 * <p>Immutable; factorisations may be made from several threads.
 */
public final class QrAnalysis {
    /** Columns from which nested dissection is tried. */
    private static final int MIN_DISSECTED_COLUMNS = 20_000;
    /** So many times the entries of A: AᵀA of as many is formed to dissect it. */
    private static final int PRODUCT = 40;

    private final QrOptions options;
    private final int rows;
    private final long nonZeros;
    private final SymbolicCholesky symbolic;
    private final Order order;
    private final List<String> remarks = new ArrayList<>();
    /** The rows that start in each supernode; where those of each start; empty rows are behind the last. */
    private int[] rowAt;
    private int[] rowStart;
    private FactorSize predicted;
    private Subtrees subtrees;
    private final double seconds;

    private QrAnalysis(CsrMatrix a, QrOptions options) {
        FactorMeter meter = new FactorMeter("QR analysis", options.limits());
        this.options = options;
        rows = a.rows();
        nonZeros = a.nonZeros();
        if (options.order() == Order.AUTOMATIC) {
            Chosen chosen = choose(a, meter);
            order = chosen.order();
            symbolic = chosen.symbolic();
        } else {
            order = options.order();
            symbolic = symbolic(a, columns(order, a));
        }
        meter.checkTime(0, a.columns());
        sortRows(a);
        predict();
        meter.checkTime(0, a.columns());
        seconds = meter.seconds();
    }

    /** What an automatic choice ends with. */
    private record Chosen(Order order, SymbolicCholesky symbolic) {}

    /**
     * Analyses a matrix.
     *
     * @param matrix  a matrix of any shape with fewer than 2³¹ non-zeros
     * @param options how it is to be factorised
     * @return the analysis
     * @throws IllegalArgumentException if a given order has another length
     * @throws FactorisationException   if the time is over
     */
    public static QrAnalysis of(CsrMatrix matrix, QrOptions options) {
        if (options.given() != null && options.given().size() != matrix.columns()) {
            throw new IllegalArgumentException("QR factorisation of " + matrix + " in an order of "
                    + options.given().size() + " columns, expected one for each");
        }
        return new QrAnalysis(matrix, options);
    }

    private Chosen choose(CsrMatrix a, FactorMeter meter) {
        Order best = Order.COLUMN_MINIMUM_DEGREE;
        SymbolicCholesky found = symbolic(a, columns(best, a));
        double pairs = 0;
        for (int i = 0; i < a.rows(); i++) {
            pairs += (double) a.rowLength(i) * a.rowLength(i);
        }
        if (a.columns() < MIN_DISSECTED_COLUMNS || pairs > PRODUCT * (double) a.nonZeros()) {
            return new Chosen(best, found);
        }
        meter.checkTime(0, a.columns());
        SymbolicCholesky dissected = symbolic(a, columns(Order.NESTED_DISSECTION, a));
        remarks.add(String.format(Locale.ROOT, "operations of a Cholesky factorisation of the normal equations by a "
                + "count: %s %.3g, %s %.3g", word(best), found.operations(), word(Order.NESTED_DISSECTION),
                dissected.operations()));
        return dissected.operations() < found.operations()
                ? new Chosen(Order.NESTED_DISSECTION, dissected)
                : new Chosen(best, found);
    }

    private int[] columns(Order wanted, CsrMatrix a) {
        return switch (wanted) {
            case COLUMN_MINIMUM_DEGREE -> MinimumDegree.orderColumns(ColumnStructure.of(a));
            case NESTED_DISSECTION -> NestedDissection.order(normalGraph(a));
            case METIS -> FillReduction.METIS.eliminate(normalGraph(a));
            case SCOTCH -> FillReduction.SCOTCH.eliminate(normalGraph(a));
            case GIVEN -> options.given().inverse().toArray();
            default -> {
                int[] natural = new int[a.columns()];
                Arrays.setAll(natural, j -> j);
                yield natural;
            }
        };
    }

    /** The graph of AᵀA. */
    private static Graph normalGraph(CsrMatrix a) {
        CsrMatrix ones = a.mapValues((i, j, value) -> 1);
        return ColumnStructure.of(MatrixProduct.multiply(ones.transpose(), ones)).graph();
    }

    private static SymbolicCholesky symbolic(CsrMatrix a, int[] elimination) {
        return SymbolicCholesky.of(stars(a, elimination), elimination);
    }

    /** A symmetric structure in which the columns of each row are connected with the one that is eliminated first. */
    private static CsrMatrix stars(CsrMatrix a, int[] elimination) {
        int n = a.columns();
        int[] place = Permutation.ofOldIndices(elimination).toArray();
        CsrSegment segment = a.onlySegment();
        int[] column = segment.columnIndices();
        int[] starts = new int[n + 1];
        int[] centre = new int[a.rows()];
        for (int i = 0; i < a.rows(); i++) {
            centre[i] = first(segment, i, place);
            for (int k = segment.rowStart(i); k < segment.rowEnd(i); k++) {
                if (column[k] != centre[i]) {
                    starts[centre[i] + 1]++;
                    starts[column[k] + 1]++;
                }
            }
        }
        for (int j = 0; j < n; j++) {
            starts[j + 1] = Math.addExact(starts[j], starts[j + 1]);
        }
        int[] at = Arrays.copyOf(starts, n);
        int[] others = new int[starts[n]];
        for (int i = 0; i < a.rows(); i++) {
            for (int k = segment.rowStart(i); k < segment.rowEnd(i); k++) {
                if (column[k] != centre[i]) {
                    others[at[centre[i]]++] = column[k];
                    others[at[column[k]]++] = centre[i];
                }
            }
        }
        return sorted(n, starts, others);
    }

    private static int first(CsrSegment segment, int row, int[] place) {
        int first = -1;
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int column = segment.columnIndices()[k];
            if (first < 0 || place[column] < place[first]) {
                first = column;
            }
        }
        return first;
    }

    /** Sorts lists of neighbours, which are the same in both directions, and takes each once. */
    private static CsrMatrix sorted(int n, int[] starts, int[] others) {
        int[] last = new int[n];
        int[] counts = new int[n + 1];
        Arrays.fill(last, -1);
        for (int j = 0; j < n; j++) {
            for (int k = starts[j]; k < starts[j + 1]; k++) {
                if (last[others[k]] != j) {
                    last[others[k]] = j;
                    counts[others[k] + 1]++;
                }
            }
        }
        for (int j = 0; j < n; j++) {
            counts[j + 1] += counts[j];
        }
        int[] at = Arrays.copyOf(counts, n);
        int[] neighbours = new int[counts[n]];
        Arrays.fill(last, -1);
        for (int j = 0; j < n; j++) {
            for (int k = starts[j]; k < starts[j + 1]; k++) {
                if (last[others[k]] != j) {
                    last[others[k]] = j;
                    neighbours[at[others[k]]++] = j;
                }
            }
        }
        return CsrMatrix.of(n, n, counts, neighbours, HostVector.zeros(Precision.F32, neighbours.length));
    }

    /** Assigns each row to the supernode of its first column, by that column. */
    private void sortRows(CsrMatrix a) {
        int n = a.columns();
        int[] place = Permutation.ofOldIndices(symbolic.order()).toArray();
        CsrSegment segment = a.onlySegment();
        int[] firstPlace = new int[rows];
        int[] starts = new int[n + 2];
        for (int i = 0; i < rows; i++) {
            int first = first(segment, i, place);
            firstPlace[i] = first < 0 ? n : place[first];
            starts[firstPlace[i] + 1]++;
        }
        for (int j = 0; j <= n; j++) {
            starts[j + 1] += starts[j];
        }
        int[] at = Arrays.copyOf(starts, n + 1);
        rowAt = new int[rows];
        for (int i = 0; i < rows; i++) {
            rowAt[at[firstPlace[i]]++] = i;
        }
        rowStart = new int[symbolic.supernodes() + 1];
        for (int s = 0; s <= symbolic.supernodes(); s++) {
            rowStart[s] = starts[s < symbolic.supernodes() ? symbolic.firstColumn(s) : n];
        }
    }

    /** Counts as if all columns were independent and dense matrices had no zeros below their staircase. */
    private void predict() {
        int supernodes = symbolic.supernodes();
        double[] work = new double[supernodes];
        long[] fromChildren = new long[supernodes];
        long[] childBytes = new long[supernodes];
        long entries = 0;
        double held = 0;
        double peak = 0;
        for (int s = 0; s < supernodes; s++) {
            long m = fromChildren[s] + rowStart[s + 1] - rowStart[s];
            long n = symbolic.rows(s).length;
            long steps = Math.min(m, n);
            long factor = 0;
            for (long k = 0; k < steps; k++) {
                factor += (k < symbolic.width(s) ? n - k : 0) + m - k;
                work[s] += 4.0 * (m - k) * (n - k);
            }
            entries += factor;
            long passed = Math.max(0, steps - symbolic.width(s));
            peak = Math.max(peak, held + m * (double) n + factor);
            held += factor - childBytes[s];
            if (symbolic.parent(s) >= 0) {
                long update = passed * (n - symbolic.width(s)) - passed * (passed - 1) / 2;
                fromChildren[symbolic.parent(s)] += passed;
                childBytes[symbolic.parent(s)] += update;
                held += update;
            }
            peak = Math.max(peak, held);
        }
        predicted = new FactorSize(entries, Arrays.stream(work).sum(), (long) (Double.BYTES * peak));
        int[] parents = new int[supernodes];
        Arrays.setAll(parents, symbolic::parent);
        subtrees = Subtrees.of(parents, work, Subtrees.threads());
    }

    /**
     * Factorises a matrix of the structure that was analysed.
     *
     * @param a a matrix with entries where the first one had them
     * @return its factors
     * @throws IllegalArgumentException if the structure is another, or a value is not finite
     * @throws FactorisationException   if a limit is reached
     */
    public SparseQr factorise(CsrMatrix a) {
        return new SparseQr(this, a);
    }

    /** Refuses a matrix that has another number of rows, columns or entries. */
    void requireSize(CsrMatrix a) {
        if (a.rows() != rows || a.columns() != columns() || a.nonZeros() != nonZeros) {
            throw new IllegalArgumentException("QR factorisation of " + a + " by the analysis of one of " + rows
                    + " rows, " + columns() + " columns and " + nonZeros + " entries, expected the same structure");
        }
    }

    /**
     * Returns the order that was used.
     *
     * @return never {@link Order#AUTOMATIC}
     */
    public Order order() {
        return order;
    }

    /**
     * Predicts the factors as if all columns were independent, which bounds what others take.
     *
     * @return entries of R and of the Householder vectors; operations; bytes while it is made
     */
    public FactorSize predicted() {
        return predicted;
    }

    /**
     * Returns what is worth knowing of the choice of the order.
     *
     * @return sentences
     */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /**
     * Returns how long the analysis took.
     *
     * @return seconds
     */
    public double seconds() {
        return seconds;
    }

    QrOptions options() {
        return options;
    }

    int rows() {
        return rows;
    }

    int columns() {
        return symbolic.size();
    }

    SymbolicCholesky symbolic() {
        return symbolic;
    }

    /** What threads factorise at the same time. */
    Subtrees subtrees() {
        return subtrees;
    }

    int[] rowAt() {
        return rowAt;
    }

    int rowStart(int supernode) {
        return rowStart[supernode];
    }

    private static String word(Order order) {
        return order.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return "QR analysis of " + rows + " rows and " + columns() + " columns, " + word(order);
    }
}
