package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.CsrSegment;

/**
 * The structure of a Cholesky factor, found before any number is computed: the elimination tree (J. Liu, "The role of
 * elimination trees in sparse factorization", SIAM J. Matrix Anal. Appl. 11, 1990), its postorder, the supernodes (runs
 * of columns of about equal structure) and the rows of each. Small supernodes are merged into their parents where that
 * adds few zeros, by the limits of CHOLMOD (Y. Chen, T. Davis, W. Hager, S. Rajamanickam, ACM Trans. Math. Softw. 35,
 * 2008, section 3).
 */
final class SymbolicCholesky {
    private static final int NONE = -1;
    private static final double SYMMETRY_TOLERANCE = 0x1p-20;
    private static final double ASSEMBLY_ROUNDING = 0x1p-44;
    /** Up to so many columns, so great a share of zeros is borne; the last for all others. */
    private static final int[] WIDTHS = {4, 16, 48, Integer.MAX_VALUE};
    private static final double[] SHARES = {1, 0.8, 0.1, 0.05};

    private final int n;
    /** The matrix with its rows and columns in the order of elimination; columns of a row in no order. */
    private int[] order;
    private int[] offsets;
    private int[] columns;
    private int[] place;
    /** Where each entry has its mirror image, -1 where it has none; found once it is asked for. */
    private int[] mirrors;
    /** A matrix that is known to be symmetric, until it is loaded: then its values may change. */
    private CsrMatrix trusted;
    private int[] parent;
    private int[] counts;
    private int[] firstColumns;
    /** The rows of each supernode, its own columns included: those of {@link #rows}, known before them. */
    private int[] heights;
    private int[][] rows;
    private int[] parentSupernode;

    private SymbolicCholesky(int n) {
        this.n = n;
    }

    static SymbolicCholesky of(CsrMatrix a, int[] elimination) {
        SymbolicCholesky symbolic = sized(a, elimination);
        symbolic.findRows();
        return symbolic;
    }

    /** Finds how large a factor is but not where its entries are: in time and memory of the order of the matrix. */
    static SymbolicCholesky sized(CsrMatrix a, int[] elimination) {
        SymbolicCholesky symbolic = new SymbolicCholesky(a.rows());
        symbolic.permute(a, elimination);
        symbolic.findTree();
        int[] post = postorder(symbolic.parent);
        int[] combined = new int[elimination.length];
        int[] place = new int[elimination.length];
        for (int k = 0; k < combined.length; k++) {
            combined[k] = elimination[post[k]];
            place[post[k]] = k;
        }
        symbolic.permute(a, combined);
        int[] old = symbolic.parent.clone();
        for (int k = 0; k < old.length; k++) {
            symbolic.parent[place[k]] = old[k] == NONE ? NONE : place[old[k]];
        }
        symbolic.countColumns();
        symbolic.findSupernodes();
        return symbolic;
    }

    private void permute(CsrMatrix a, int[] elimination) {
        CsrSegment source = a.onlySegment();
        place = new int[n];
        for (int k = 0; k < n; k++) {
            place[elimination[k]] = k;
        }
        order = elimination;
        offsets = new int[n + 1];
        columns = new int[source.nonZeros()];
        int to = 0;
        for (int k = 0; k < n; k++) {
            for (int e = source.rowStart(elimination[k]); e < source.rowEnd(elimination[k]); e++) {
                columns[to++] = place[source.columnIndices()[e]];
            }
            offsets[k + 1] = to;
        }
    }

    private void findTree() {
        parent = new int[n];
        int[] ancestor = new int[n];
        for (int i = 0; i < n; i++) {
            parent[i] = NONE;
            ancestor[i] = NONE;
            for (int k = offsets[i]; k < offsets[i + 1]; k++) {
                int j = columns[k];
                while (j != NONE && j < i) {
                    int next = ancestor[j];
                    ancestor[j] = i;
                    if (next == NONE) {
                        parent[j] = i;
                    }
                    j = next;
                }
            }
        }
    }

    private static int[] postorder(int[] parent) {
        int n = parent.length;
        int[] firstChild = new int[n];
        int[] sibling = new int[n];
        Arrays.fill(firstChild, NONE);
        for (int j = n - 1; j >= 0; j--) {
            if (parent[j] != NONE) {
                sibling[j] = firstChild[parent[j]];
                firstChild[parent[j]] = j;
            }
        }
        int[] post = new int[n];
        int[] stack = new int[n];
        int count = 0;
        for (int root = 0; root < n; root++) {
            if (parent[root] != NONE) {
                continue;
            }
            int top = 0;
            stack[top++] = root;
            while (top > 0) {
                int j = stack[top - 1];
                if (firstChild[j] == NONE) {
                    post[count++] = j;
                    top--;
                } else {
                    int child = firstChild[j];
                    firstChild[j] = sibling[child];
                    stack[top++] = child;
                }
            }
        }
        return post;
    }

    /**
     * Counts the entries of each column of the factor by the leaves of row subtrees, in time nearly proportional to the
     * entries of the matrix (J. Gilbert, E. Ng, B. Peyton, "An efficient algorithm to compute row and column counts for
     * sparse Cholesky factorization", SIAM J. Matrix Anal. Appl. 15, 1994). Columns are in postorder.
     */
    private void countColumns() {
        counts = new int[n];
        int[] firstDescendant = new int[n];
        Arrays.fill(firstDescendant, NONE);
        for (int j = 0; j < n; j++) {
            counts[j] = firstDescendant[j] == NONE ? 1 : 0;
            firstDescendant[j] = firstDescendant[j] == NONE ? j : firstDescendant[j];
            if (parent[j] != NONE && firstDescendant[parent[j]] == NONE) {
                firstDescendant[parent[j]] = firstDescendant[j];
            }
        }
        int[] lastFirst = new int[n];
        int[] lastLeaf = new int[n];
        int[] ancestor = new int[n];
        Arrays.fill(lastFirst, NONE);
        Arrays.fill(lastLeaf, NONE);
        Arrays.setAll(ancestor, j -> j);
        for (int j = 0; j < n; j++) {
            for (int k = offsets[j]; k < offsets[j + 1]; k++) {
                int i = columns[k];
                if (i > j && firstDescendant[j] > lastFirst[i]) {
                    // A leaf of row i's subtree: the path from it to where it meets that of the leaf before is new.
                    lastFirst[i] = firstDescendant[j];
                    counts[j]++;
                    if (lastLeaf[i] != NONE) {
                        counts[root(ancestor, lastLeaf[i])]--;
                    }
                    lastLeaf[i] = j;
                }
            }
            if (parent[j] != NONE) {
                counts[parent[j]]--;
                ancestor[j] = parent[j];
            }
        }
        for (int j = 0; j < n; j++) {
            if (parent[j] != NONE) {
                counts[parent[j]] += counts[j];
            }
        }
    }

    private static int root(int[] ancestor, int of) {
        int root = of;
        while (ancestor[root] != root) {
            root = ancestor[root];
        }
        int j = of;
        while (j != root) {
            int next = ancestor[j];
            ancestor[j] = root;
            j = next;
        }
        return root;
    }

    private void findSupernodes() {
        int[] first = new int[n + 1];
        int[] height = new int[n + 1];
        long[] zeros = new long[n + 1];
        int size = 0;
        int j = 0;
        while (j < n) {
            int start = j++;
            while (j < n && parent[j - 1] == j && counts[j - 1] == counts[j] + 1) {
                j++;
            }
            first[size] = start;
            height[size] = counts[start];
            zeros[size++] = 0;
            while (size > 1 && merges(first, height, zeros, size, j)) {
                size--;
            }
        }
        firstColumns = Arrays.copyOf(first, size + 1);
        firstColumns[size] = n;
        heights = Arrays.copyOf(height, size);
    }

    /** Merges the last supernode but one into the last, its parent, which ends before {@code end}; or says no. */
    private boolean merges(int[] first, int[] height, long[] zeros, int size, int end) {
        int child = size - 2;
        int own = size - 1;
        if (parent[first[own] - 1] == NONE || parent[first[own] - 1] >= end) {
            return false;
        }
        int childWidth = first[own] - first[child];
        long width = (long) end - first[child];
        long merged = childWidth + (long) height[own];
        long added = zeros[child] + zeros[own] + childWidth * (merged - height[child]);
        double share = (double) added / (width * merged - width * (width - 1) / 2);
        int limit = 0;
        while (width > WIDTHS[limit]) {
            limit++;
        }
        if (share > SHARES[limit]) {
            return false;
        }
        height[child] = (int) merged;
        zeros[child] = added;
        return true;
    }

    private void findRows() {
        int supernodes = firstColumns.length - 1;
        int[] supernodeOf = new int[n];
        for (int s = 0; s < supernodes; s++) {
            Arrays.fill(supernodeOf, firstColumns[s], firstColumns[s + 1], s);
        }
        rows = new int[supernodes][];
        parentSupernode = new int[supernodes];
        int[] firstChild = new int[supernodes];
        int[] sibling = new int[supernodes];
        Arrays.fill(firstChild, NONE);
        int[] mark = new int[n];
        Arrays.fill(mark, NONE);
        int[] found = new int[n];
        for (int s = 0; s < supernodes; s++) {
            int count = gatherRows(s, mark, found, firstChild, sibling);
            rows[s] = Arrays.copyOf(found, count);
            int width = firstColumns[s + 1] - firstColumns[s];
            Arrays.sort(rows[s], width, count);
            parentSupernode[s] = count == width ? NONE : supernodeOf[rows[s][width]];
            if (parentSupernode[s] != NONE) {
                sibling[s] = firstChild[parentSupernode[s]];
                firstChild[parentSupernode[s]] = s;
            }
        }
    }

    private int gatherRows(int s, int[] mark, int[] found, int[] firstChild, int[] sibling) {
        int count = 0;
        for (int j = firstColumns[s]; j < firstColumns[s + 1]; j++) {
            mark[j] = s;
            found[count++] = j;
        }
        for (int j = firstColumns[s]; j < firstColumns[s + 1]; j++) {
            for (int k = offsets[j]; k < offsets[j + 1]; k++) {
                int i = columns[k];
                if (i > j && mark[i] != s) {
                    mark[i] = s;
                    found[count++] = i;
                }
            }
        }
        for (int child = firstChild[s]; child != NONE; child = sibling[child]) {
            for (int k = firstColumns[child + 1] - firstColumns[child]; k < rows[child].length; k++) {
                int i = rows[child][k];
                if (mark[i] != s) {
                    mark[i] = s;
                    found[count++] = i;
                }
            }
        }
        return count;
    }

    int size() {
        return n;
    }

    int supernodes() {
        return heights.length;
    }

    int firstColumn(int s) {
        return firstColumns[s];
    }

    int width(int s) {
        return firstColumns[s + 1] - firstColumns[s];
    }

    /** The rows of a supernode in increasing order; its own columns come first. */
    int[] rows(int s) {
        return rows[s];
    }

    /** The supernode into which the update of another one goes, -1 if there is none. */
    int parent(int s) {
        return parentSupernode[s];
    }

    /** Which row of the matrix is eliminated at each step. */
    int[] order() {
        return order;
    }

    int[] offsets() {
        return offsets;
    }

    int[] columns() {
        return columns;
    }

    /**
     * Copies the entries of a matrix of this structure into the places that {@link #columns} has for them.
     *
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric
     */
    void load(CsrMatrix a, double[] values) {
        if (a.rows() != n || a.columns() != n || a.nonZeros() != columns.length) {
            throw new IllegalArgumentException(a + " has another structure than the matrix of " + n + " rows and "
                    + columns.length + " non-zeros that was analysed");
        }
        CsrRowCursor source = new CsrRowCursor(a);
        int to = 0;
        for (int k = 0; k < n; k++) {
            source.moveTo(order[k]);
            int[] from = source.columns();
            for (int e = source.start(); e < source.end(); e++) {
                int column = from[e];
                if (to >= offsets[k + 1] || columns[to] != place[column]) {
                    throw new IllegalArgumentException(a + " has another structure than the matrix that was analysed:"
                            + " an entry in row " + order[k] + ", column " + column);
                }
                values[to++] = source.value(e);
            }
            if (to != offsets[k + 1]) {
                throw new IllegalArgumentException(a + " has another structure than the matrix that was analysed: row "
                        + order[k] + " lacks an entry in column " + order[columns[to]]);
            }
        }
        if (trusted == a) {
            trusted = null;
        } else {
            requireSymmetric(values);
        }
    }

    /** Takes a matrix for finite and symmetric, which need not be checked when it is loaded for the first time. */
    void trust(CsrMatrix a) {
        trusted = a;
    }

    private void requireSymmetric(double[] values) {
        if (mirrors == null) {
            mirrors = mirrors();
        }
        for (int k = 0; k < n; k++) {
            for (int e = offsets[k]; e < offsets[k + 1]; e++) {
                double mirror = mirrors[e] < 0 ? 0 : values[mirrors[e]];
                double tolerated = SYMMETRY_TOLERANCE * Math.max(Math.abs(values[e]), Math.abs(mirror));
                double difference = Math.abs(values[e] - mirror);
                if (!(difference <= tolerated) && !(difference <= roundingOf(k, columns[e], values))) {
                    throw new IllegalArgumentException("the matrix to be factorised has " + values[e] + " in row "
                            + order[k] + ", column " + order[columns[e]] + " and " + mirror + " in row "
                            + order[columns[e]] + ", column " + order[k]
                            + ", expected finite elements of a matrix that equals its transpose");
                }
            }
        }
    }

    /**
     * What an entry may differ from its mirror where it is the rest of a cancellation, as in assembled matrices: a
     * rounding error of the geometric mean of its diagonal entries, which is unchanged by symmetric scaling.
     */
    private double roundingOf(int row, int column, double[] values) {
        return ASSEMBLY_ROUNDING * Math.sqrt(diagonal(row, values)) * Math.sqrt(diagonal(column, values));
    }

    private double diagonal(int k, double[] values) {
        for (int e = offsets[k]; e < offsets[k + 1]; e++) {
            if (columns[e] == k) {
                return Math.abs(values[e]);
            }
        }
        return 0;
    }

    private int[] mirrors() {
        int[] result = new int[columns.length];
        Arrays.fill(result, NONE);
        int[] entriesOfColumn = new int[n + 1];
        for (int column : columns) {
            entriesOfColumn[column + 1]++;
        }
        ParallelRanges.accumulate(entriesOfColumn);
        int[] next = entriesOfColumn.clone();
        int[] rowOf = new int[columns.length];
        int[] entryOf = new int[columns.length];
        for (int k = 0; k < n; k++) {
            for (int e = offsets[k]; e < offsets[k + 1]; e++) {
                rowOf[next[columns[e]]] = k;
                entryOf[next[columns[e]]++] = e;
            }
        }
        int[] entryAt = new int[n];
        Arrays.fill(entryAt, NONE);
        for (int k = 0; k < n; k++) {
            for (int t = entriesOfColumn[k]; t < entriesOfColumn[k + 1]; t++) {
                entryAt[rowOf[t]] = entryOf[t];
            }
            for (int e = offsets[k]; e < offsets[k + 1]; e++) {
                result[e] = entryAt[columns[e]];
            }
            for (int t = entriesOfColumn[k]; t < entriesOfColumn[k + 1]; t++) {
                entryAt[rowOf[t]] = NONE;
            }
        }
        return result;
    }

    long nonZeros() {
        long sum = 0;
        for (int s = 0; s < heights.length; s++) {
            sum += factorEntries(s);
        }
        return sum;
    }

    private long factorEntries(int s) {
        long w = width(s);
        return w * heights[s] - w * (w - 1) / 2;
    }

    private long updateEntries(int s) {
        long below = (long) heights[s] - width(s);
        return below * (below + 1) / 2;
    }

    /** The entries of the factor without the zeros that supernodes bring along. */
    long columnEntries() {
        return Arrays.stream(counts).asLongStream().sum();
    }

    /** Multiplications and additions of the factorisation. */
    double operations() {
        double sum = 0;
        for (int s = 0; s < heights.length; s++) {
            sum += operations(s);
        }
        return sum;
    }

    private double operations(int s) {
        double sum = 0;
        for (int j = 0; j < width(s); j++) {
            double below = heights[s] - j;
            sum += below * below;
        }
        return sum;
    }

    int greatestFront() {
        return Arrays.stream(heights).max().orElse(0);
    }

    /** Cuts the tree for threads. */
    Subtrees subtrees(int threads) {
        double[] operations = new double[heights.length];
        for (int s = 0; s < heights.length; s++) {
            operations[s] = operations(s);
        }
        return Subtrees.of(parentSupernode, operations, threads);
    }

    /**
     * What a factorisation by subtrees needs.
     *
     * @param factor        entries of the factor
     * @param handed        entries of the updates of subtrees
     * @param stackBelow    the most entries of updates that wait within a subtree
     * @param greatestBelow the rows of the greatest front of subtrees
     * @param stackAbove    the most entries of updates that wait above the subtrees
     * @param greatestAbove the rows of the greatest front above them
     */
    record Space(long factor, long handed, long stackBelow, int greatestBelow, long stackAbove, int greatestAbove) {
        long greatestStack() {
            return Math.max(stackBelow, stackAbove);
        }

        /** Returns all entries if so many threads take part. */
        double entries(int workers) {
            return (double) factor + handed + stackAbove + (double) greatestAbove * greatestAbove
                    + workers * (stackBelow + (double) greatestBelow * greatestBelow);
        }
    }

    /** Computes what a factorisation by subtrees needs. */
    Space space(Subtrees subtrees) {
        long[] ofChildren = new long[heights.length];
        long handed = 0;
        long stackBelow = 0;
        int greatestBelow = 0;
        for (int t = 0; t < subtrees.root().length; t++) {
            int root = subtrees.root()[t];
            int[] nodes = new int[root - subtrees.first()[t] + 1];
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = subtrees.first()[t] + i;
                greatestBelow = Math.max(greatestBelow, heights[nodes[i]]);
            }
            stackBelow = Math.max(stackBelow, peakUpdates(nodes, root, ofChildren));
            handed += parentSupernode[root] == NONE ? 0 : updateEntries(root);
        }
        int greatestAbove = 0;
        for (int s : subtrees.above()) {
            greatestAbove = Math.max(greatestAbove, heights[s]);
        }
        return new Space(nonZeros(), handed, stackBelow, greatestBelow, peakUpdates(subtrees.above(), NONE, ofChildren),
                greatestAbove);
    }

    /** Returns the most entries of updates of some nodes that wait at a time, but for that of the root. */
    private long peakUpdates(int[] nodes, int root, long[] ofChildren) {
        long held = 0;
        long peak = 0;
        for (int s : nodes) {
            held -= ofChildren[s];
            if (parentSupernode[s] != NONE && s != root) {
                ofChildren[parentSupernode[s]] += updateEntries(s);
                held += updateEntries(s);
                peak = Math.max(peak, held);
            }
        }
        return peak;
    }

    /** Returns the most entries of factor, updates under way and dense matrix that exist at a time. */
    long peakEntries() {
        int[] supernodeOf = new int[n];
        for (int s = 0; s < heights.length; s++) {
            Arrays.fill(supernodeOf, firstColumns[s], firstColumns[s + 1], s);
        }
        long[] ofChildren = new long[heights.length];
        long held = 0;
        long peak = 0;
        for (int s = 0; s < heights.length; s++) {
            held += factorEntries(s) - ofChildren[s];
            int above = parent[firstColumns[s + 1] - 1];
            if (above != NONE) {
                ofChildren[supernodeOf[above]] += updateEntries(s);
                held += updateEntries(s);
            }
            peak = Math.max(peak, held);
        }
        long front = greatestFront();
        return peak + front * front;
    }
}
