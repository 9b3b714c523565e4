package org.trellis.internal.threads.product;

import java.util.Arrays;
import java.util.List;
import org.trellis.internal.threads.team.UnitTask;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.internal.threads.vector.RangeLoops;
import org.trellis.memory.HostVector;

/**
 * The dot product of a product's result with another vector, while the results are in the cache where the product
 * completes rows in ranges, and in a pass of its own elsewhere. Rows are cut into blocks of {@value #BLOCK} whatever
 * the product and the number of threads, and the sums of blocks are added up in their order, so the bits depend on
 * neither.
 */
final class FusedDot {
    private static final int BLOCK = 1024;
    /** Blocks that one thread adds up at a stretch. */
    private static final int BLOCKS_PER_UNIT = 16;

    private final List<PreparedProduct> products;
    private final int rows;
    private final double[] partial;
    /** Blocks that lie in the rows of no single unit. */
    private final int[] left;
    /** Adds up those blocks; made once, so that a dot product allocates nothing. */
    private final UnitTask rest = this::addRest;
    private HostVector one;
    private HostVector other;

    private FusedDot(List<PreparedProduct> products, int rows) {
        this.products = products;
        this.rows = rows;
        this.partial = new double[Math.ceilDiv(rows, BLOCK)];
        boolean[] whole = new boolean[partial.length];
        for (PreparedProduct product : products) {
            for (int unit = 0; product.completesRanges() && unit < product.units(); unit++) {
                int end = end(product, unit);
                for (int block = begin(product, unit); block < end; block++) {
                    whole[block] = true;
                }
            }
        }
        int[] others = new int[partial.length];
        int count = 0;
        for (int block = 0; block < whole.length; block++) {
            if (!whole[block]) {
                others[count++] = block;
            }
        }
        this.left = Arrays.copyOf(others, count);
    }

    static FusedDot of(List<PreparedProduct> products, int rows) {
        return new FusedDot(products, rows);
    }

    private void addRest(int unit) {
        int end = Math.min(left.length, (unit + 1) * BLOCKS_PER_UNIT);
        for (int i = unit * BLOCKS_PER_UNIT; i < end; i++) {
            add(left[i], one, other);
        }
    }

    /** The first block that starts in the rows of a unit. */
    private static int begin(PreparedProduct product, int unit) {
        return Math.ceilDiv(product.firstRow(unit), BLOCK);
    }

    /** The block after the last that ends in the rows of a unit. */
    private int end(PreparedProduct product, int unit) {
        int end = product.endRow(unit);
        return end == rows && end > product.firstRow(unit) ? partial.length : end / BLOCK;
    }

    /** Adds up what a unit has just completed. */
    void add(int product, int unit, HostVector w, HostVector y) {
        PreparedProduct done = products.get(product);
        if (done.completesRanges()) {
            int end = end(done, unit);
            for (int block = begin(done, unit); block < end; block++) {
                add(block, w, y);
            }
        }
    }

    private void add(int block, HostVector w, HostVector y) {
        partial[block] = RangeLoops.dot(w, y, block * BLOCK, Math.min(rows - block * BLOCK, BLOCK) + block * BLOCK);
    }

    /** The whole dot product, once everything is completed. */
    double sum(WorkerTeam team, HostVector w, HostVector y) {
        one = w;
        other = y;
        team.run(Math.ceilDiv(left.length, BLOCKS_PER_UNIT), rest);
        double sum = 0;
        for (double part : partial) {
            sum += part;
        }
        return sum;
    }
}
