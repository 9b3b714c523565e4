package org.trellis.solve.direct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.solve.direct.LuOptions.Matching;
import org.trellis.solve.direct.LuOptions.Order;
import org.trellis.sparse.CsrMatrix;

/**
 * What an LU factorisation needs to know of a structure, found once for any number of matrices that have it: which
 * entries are brought onto the diagonal, the block triangular form, and the order of each block.
 *
 * <p>Values are read only where {@link Matching#PRODUCT} is asked for: then the matching and the scale of columns
 * are those of the first matrix, which suit others as long as their great elements are in the same places.
 *
 * <p>Does not change once made; factorisations may be made from several threads.
 */
public final class LuAnalysis {
    /** Blocks of fewer rows are eliminated as they are. */
    private static final int MIN_ORDERED_ROWS = 3;
    /** So many times the entries of a block: factors as small as that are not worth another order. */
    private static final double GOOD_ENOUGH = 6;
    /** Structures whose entries have a counterpart across the diagonal to this share are ordered as symmetric ones. */
    private static final double SYMMETRIC = 0.9;
    /** So many times the entries that were counted for pivots on the diagonal. */
    private static final double BEARABLE = 1.5;
    /** Operations for each entry from which dense matrices are worth their assembly. */
    private static final double DENSE = 40;
    /** So many times the entries of columns are borne in supernodes. */
    private static final double WASTE = 1.5;
    /** Rows from which nested dissection is tried. */
    private static final int MIN_DISSECTED_ROWS = 20_000;

    private final LuOptions options;
    private final ColumnStructure matrix;
    private final int[] rowAt;
    private final int[] columnAt;
    private final double[] columnScale;
    private final BlockTriangularForm form;
    private final FactorMeter meter;
    /** Until blocks are ordered. */
    private double[] values;
    private final List<String> remarks = new ArrayList<>();
    private Matching matchingUsed;
    /** The row on the diagonal of each column. */
    private final int[] matched;
    private LuTree tree;
    private LuAnalysis byColumns;
    private Order orderOfLargest = Order.NATURAL;
    /** Whether no block would get another order without a limit of entries. */
    private boolean settled = true;
    private int largestOrdered;
    private long entries;
    private double operations;
    private double seconds;

    private LuAnalysis(CsrMatrix a, LuOptions options) {
        // Another analysis, for pivots that are chosen freely, comes too late for a limit of entries.
        this.options = options.with(options.limits().ofEntries(Double.POSITIVE_INFINITY));
        this.meter = new FactorMeter("LU analysis", options.limits());
        this.matrix = ColumnStructure.of(a);
        this.values = ColumnStructure.values(a);
        this.matchingUsed = options.matching();
        int n = a.rows();
        int[] rowOf = match();
        boolean ordered = options.order() == Order.GIVEN || options.order() == Order.NATURAL;
        form = options.blocks() && !ordered && matchingUsed != Matching.NONE
                ? BlockTriangularForm.of(matrix, rowOf)
                : BlockTriangularForm.whole(n);
        columnAt = form.columns().clone();
        rowAt = new int[n];
        columnScale = new double[n];
        Arrays.fill(columnScale, 1);
        int[] positionOfRow = new int[n];
        for (int b = 0; b < form.blocks(); b++) {
            Arrays.sort(columnAt, form.blockStart()[b], form.blockStart()[b + 1]);
        }
        for (int k = 0; k < n; k++) {
            rowAt[k] = rowOf[columnAt[k]];
            positionOfRow[rowAt[k]] = k;
        }
        for (int b = 0; b < form.blocks(); b++) {
            meter.checkTime(form.blockStart()[b], n);
            orderBlock(form.blockStart()[b], form.blockStart()[b + 1], positionOfRow);
            meter.checkEntries((double) entries, form.blockStart()[b + 1]);
        }
        values = null;
        matched = new int[n];
        for (int k = 0; k < n; k++) {
            matched[columnAt[k]] = rowAt[k];
        }
        chooseKernel();
    }

    /** Finds supernodes where dense matrices are the quicker kernel. */
    private void chooseKernel() {
        boolean wanted = options.kernel() != LuOptions.Kernel.COLUMNS
                && orderOfLargest != Order.COLUMN_MINIMUM_DEGREE;
        boolean automatic = options.kernel() == LuOptions.Kernel.AUTOMATIC;
        if (!wanted || (automatic && operations < DENSE * entries)) {
            return;
        }
        int[] rows = rowAt.clone();
        int[] columns = columnAt.clone();
        tree = LuTree.of(matrix, rowAt, columnAt, form.blockStart());
        if (automatic && tree.entries() > WASTE * entries) {
            tree = null;
            System.arraycopy(rows, 0, rowAt, 0, rows.length);
            System.arraycopy(columns, 0, columnAt, 0, columns.length);
            return;
        }
        remarks.add("supernodes: " + tree.symbolic().supernodes() + " of " + tree.entries() + " entries");
        entries = tree.entries();
    }

    /**
     * Analyses a matrix.
     *
     * @param matrix  a square matrix of fewer than 2³¹ non-zeros
     * @param options how it is to be factorised
     * @return the analysis
     * @throws IllegalArgumentException if the matrix is not square, or a given order has another length
     * @throws FactorisationException   if the matrix is structurally singular, which names a row and a column, has a
     *                                  value that is not finite, or a limit is reached
     */
    public static LuAnalysis of(CsrMatrix matrix, LuOptions options) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("LU factorisation of " + matrix + ", expected a square matrix");
        }
        if (options.given() != null && options.given().size() != matrix.rows()) {
            throw new IllegalArgumentException("LU factorisation of " + matrix + " in an order of "
                    + options.given().size() + " columns, expected one for each");
        }
        LuAnalysis analysis = new LuAnalysis(matrix, options);
        analysis.seconds = analysis.meter.seconds();
        return analysis;
    }

    /**
     * Computes the greatest rank that a matrix of this structure can have.
     *
     * @param matrix any matrix of fewer than 2³¹ non-zeros
     * @return the number of entries of which no two share a row or a column
     */
    public static int structuralRank(CsrMatrix matrix) {
        int[] rowOf = MaximumTransversal.rowOfColumn(ColumnStructure.of(matrix));
        return (int) Arrays.stream(rowOf).filter(row -> row >= 0).count();
    }

    /** Returns the row that is brought onto the diagonal of each column. */
    private int[] match() {
        int n = matrix.columns();
        int[] rowOf = new int[n];
        if (options.matching() == Matching.NONE) {
            Arrays.setAll(rowOf, j -> j);
            return rowOf;
        }
        rowOf = MaximumTransversal.rowOfColumn(matrix);
        int rank = 0;
        int column = -1;
        boolean[] matched = new boolean[n];
        for (int j = n - 1; j >= 0; j--) {
            if (rowOf[j] >= 0) {
                matched[rowOf[j]] = true;
                rank++;
            } else {
                column = j;
            }
        }
        if (rank == n) {
            return rowOf;
        }
        int row = 0;
        while (matched[row]) {
            row++;
        }
        throw new FactorisationException("LU factorisation: the structural rank is " + rank + " of " + n
                + ": no entry is left for the pivot of column " + column + " once the others have theirs, nor for row "
                + row + ": the matrix is singular whatever its values", column, 0);
    }

    private void orderBlock(int from, int to, int[] positionOfRow) {
        int size = to - from;
        if (size < MIN_ORDERED_ROWS) {
            entries += size == 2 ? 4 : 1;
            return;
        }
        ColumnStructure block = matrix.block(columnAt, from, to, positionOfRow);
        if (options.matching() == Matching.PRODUCT) {
            block = matchProduct(block, from);
        }
        int[] order = orderOf(block);
        int[] columns = Arrays.copyOfRange(columnAt, from, to);
        int[] rows = Arrays.copyOfRange(rowAt, from, to);
        for (int k = 0; k < size; k++) {
            columnAt[from + k] = columns[order[k]];
            rowAt[from + k] = rows[order[k]];
        }
    }

    /** Brings the entries of greatest product onto the diagonal of a block. */
    private ColumnStructure matchProduct(ColumnStructure block, int from) {
        if (ProductMatching.isDiagonal(block, values)) {
            return block;
        }
        ProductMatching product = ProductMatching.of(block, values);
        if (product == null) {
            matchingUsed = Matching.TRANSVERSAL;
            remarks.add("no complete matching of non-zeros in the block from column " + columnAt[from] + " on");
            return block;
        }
        int n = block.columns();
        int[] columnOf = new int[n];
        int[] rows = Arrays.copyOfRange(rowAt, from, from + n);
        for (int j = 0; j < n; j++) {
            columnOf[product.rowOfColumn()[j]] = j;
            rowAt[from + j] = rows[product.rowOfColumn()[j]];
            columnScale[columnAt[from + j]] = product.columnScale(j);
        }
        int[] moved = new int[block.row().length];
        for (int e = 0; e < moved.length; e++) {
            moved[e] = columnOf[block.row()[e]];
        }
        return new ColumnStructure(n, n, block.start(), moved, block.place());
    }

    private int[] orderOf(ColumnStructure block) {
        Order used = options.order();
        int[] order;
        if (used == Order.AUTOMATIC) {
            return chooseOrder(block);
        }
        if (used == Order.GIVEN) {
            order = options.given().inverse().toArray();
        } else {
            order = eliminate(used, block);
        }
        note(used, block);
        add(SymbolicLu.of(block, order, Long.MAX_VALUE));
        return order;
    }

    private int[] chooseOrder(ColumnStructure block) {
        Order best = Order.MINIMUM_DEGREE;
        boolean limited = meter.limitsEntries();
        double symmetry = limited ? symmetry(block) : Double.NaN;
        // Where a structure is not symmetric, its factors may be sparser than those of its sum with its transpose.
        int[] order = limited
                ? MinimumDegree.order(block.graph(), meter, (double) entries, symmetry >= SYMMETRIC)
                : eliminate(best, block);
        long most = limited ? meter.entriesLeft(entries) : Long.MAX_VALUE;
        SymbolicLu.Count count = SymbolicLu.of(block, order, most);
        List<Order> others = count == null || count.entries() > GOOD_ENOUGH * block.row().length
                ? others(block, count, limited ? symmetry : symmetry(block))
                : List.of();
        if (limited) {
            settled &= others.isEmpty();
            others = count == null && symmetry < SYMMETRIC ? List.of(Order.COLUMN_MINIMUM_DEGREE) : List.of();
        }
        String counts = "minimum-degree " + (count == null ? "too many" : count.entries());
        for (Order other : others) {
            meter.checkTime(0, matrix.columns());
            int[] tried = eliminate(other, block);
            SymbolicLu.Count found = SymbolicLu.of(block, tried, count == null ? most : count.entries());
            counts += ", " + word(other) + ' ' + (found == null ? "more" : found.entries());
            if (found != null) {
                best = other;
                order = tried;
                count = found;
            }
        }
        if (!others.isEmpty()) {
            remarks.add("entries of a block of " + block.columns() + " rows by a count: " + counts);
        }
        if (limited && count == null) {
            meter.checkEntries((double) entries + most + 1, block.columns());
        }
        note(best, block);
        add(count);
        return order;
    }

    /** Returns orders that may be better than minimum degree where that makes many entries. */
    private static List<Order> others(ColumnStructure block, SymbolicLu.Count count, double symmetry) {
        List<Order> found = new ArrayList<>();
        if (symmetry < SYMMETRIC) {
            found.add(Order.COLUMN_MINIMUM_DEGREE);
        }
        if (block.columns() >= MIN_DISSECTED_ROWS && (count == null
                || count.operations() >= FillReduction.WORTH_DISSECTION * count.entries())) {
            found.add(Order.NESTED_DISSECTION);
            if (FillReduction.METIS.isAvailable()) {
                found.add(Order.METIS);
            }
        }
        return found;
    }

    private void note(Order used, ColumnStructure block) {
        if (block.columns() > largestOrdered) {
            largestOrdered = block.columns();
            orderOfLargest = used;
        }
    }

    private void add(SymbolicLu.Count count) {
        if (count != null) {
            entries += count.entries();
            operations += count.operations();
        }
    }

    private static int[] eliminate(Order order, ColumnStructure block) {
        return switch (order) {
            case MINIMUM_DEGREE -> MinimumDegree.order(block.graph());
            case NESTED_DISSECTION -> NestedDissection.order(block.graph());
            case METIS -> FillReduction.METIS.eliminate(block.graph());
            case SCOTCH -> FillReduction.SCOTCH.eliminate(block.graph());
            case COLUMN_MINIMUM_DEGREE -> MinimumDegree.orderColumns(block);
            default -> {
                int[] natural = new int[block.columns()];
                Arrays.setAll(natural, j -> j);
                yield natural;
            }
        };
    }

    /** Returns the share of entries off the diagonal that have one across it. */
    private static double symmetry(ColumnStructure block) {
        ColumnStructure across = block.transpose();
        int[] mark = new int[block.columns()];
        Arrays.fill(mark, -1);
        long off = 0;
        long both = 0;
        for (int j = 0; j < block.columns(); j++) {
            for (int e = across.start()[j]; e < across.start()[j + 1]; e++) {
                mark[across.row()[e]] = j;
            }
            for (int e = block.start()[j]; e < block.start()[j + 1]; e++) {
                off += block.row()[e] == j ? 0 : 1;
                both += block.row()[e] != j && mark[block.row()[e]] == j ? 1 : 0;
            }
        }
        return off == 0 ? 1 : (double) both / off;
    }

    /**
     * Factorises a matrix of the structure that was analysed.
     *
     * @param a the matrix; rows, columns and where its entries are must be those of the first
     * @return its factors
     * @throws IllegalArgumentException if the matrix has another size or number of entries
     * @throws FactorisationException   if it is singular, which names row and column, or a limit is reached
     */
    public SparseLu factorise(CsrMatrix a) {
        requireStructure(a);
        return SparseLu.of(this, a);
    }

    /** Returns the entries beyond which pivots have left the diagonal so often that another order is the better one. */
    long mostEntries() {
        return options.order() == Order.AUTOMATIC && orderOfLargest != Order.COLUMN_MINIMUM_DEGREE
                ? (long) (BEARABLE * entries) + matrix.columns()
                : Long.MAX_VALUE;
    }

    /** Returns the analysis for pivots that are chosen freely, made at the first call. */
    synchronized LuAnalysis byColumns(CsrMatrix a) {
        if (byColumns == null) {
            byColumns = of(a, options.with(Order.COLUMN_MINIMUM_DEGREE).with(LuOptions.Kernel.AUTOMATIC));
            byColumns.remarks.add("pivots that had to leave the diagonal filled the order " + word(orderOfLargest)
                    + " beyond " + BEARABLE + " times the " + entries + " entries counted");
        }
        return byColumns;
    }

    /** Refuses a matrix that has another number of rows, columns or entries. */
    void requireStructure(CsrMatrix a) {
        if (a.rows() != matrix.rows() || a.columns() != matrix.columns()
                || a.nonZeros() != matrix.start()[matrix.columns()]) {
            throw new IllegalArgumentException("LU factorisation of " + a + " by the analysis of one of "
                    + matrix.rows() + " rows and " + matrix.start()[matrix.columns()]
                    + " entries, expected the same structure");
        }
    }

    /**
     * Says whether an analysis without a limit of entries would find the same order.
     *
     * @return false where such a limit left out orders that may be better
     */
    public boolean isSettled() {
        return settled;
    }

    /**
     * Returns the order of the largest block.
     *
     * @return the one that was used
     */
    public Order order() {
        return orderOfLargest;
    }

    /**
     * Returns what was brought onto the diagonal.
     *
     * @return the matching that was used
     */
    public Matching matching() {
        return matchingUsed;
    }

    /**
     * Returns the number of diagonal blocks of the block triangular form.
     *
     * @return 1 without the form
     */
    public int blocks() {
        return form.blocks();
    }

    /**
     * Returns the rows of the largest diagonal block.
     *
     * @return at most the rows of the matrix
     */
    public int largestBlock() {
        return form.largest();
    }

    /**
     * Predicts the factors as if each pivot were on the diagonal that the matching made. Others make other entries.
     *
     * @return entries of L and U, the diagonal once; operations; bytes of the factors
     */
    public FactorSize predicted() {
        return new FactorSize(entries, operations, (Double.BYTES + Integer.BYTES) * entries);
    }

    /**
     * Returns what is worth knowing of the choice, such as the counts of several orders.
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

    LuOptions options() {
        return options;
    }

    /** Returns the supernodes; null where columns are eliminated one by one. */
    LuTree tree() {
        return tree;
    }

    /** Returns the row that was matched with a column. */
    int rowOfColumn(int column) {
        return matched[column];
    }

    ColumnStructure matrix() {
        return matrix;
    }

    int[] rowAt() {
        return rowAt;
    }

    int[] columnAt() {
        return columnAt;
    }

    int[] blockStart() {
        return form.blockStart();
    }

    double[] columnScale() {
        return columnScale;
    }

    private static String word(Order order) {
        return order.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return "LU analysis of " + matrix.columns() + " rows, " + blocks() + " blocks, " + word(orderOfLargest);
    }
}
