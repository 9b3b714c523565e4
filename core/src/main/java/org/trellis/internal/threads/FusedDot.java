package org.trellis.internal.threads;

import java.util.List;
import org.trellis.memory.HostVector;

/**
 * The dot product of a product's result with another vector, unit by unit while the results are in the cache. The
 * partial sums are added up in the order of the rows, so that the same number of threads gives the same bits.
 */
final class FusedDot {
    private final List<PreparedProduct> products;
    private final double[][] partial;

    private FusedDot(List<PreparedProduct> products) {
        this.products = products;
        this.partial = products.stream().map(product -> new double[product.units()]).toArray(double[][]::new);
    }

    /** Returns null if results do not come in ranges of rows. */
    static FusedDot of(List<PreparedProduct> products) {
        return products.stream().allMatch(PreparedProduct::completesRanges) ? new FusedDot(products) : null;
    }

    /** Adds up what a unit has just completed. */
    void add(int product, int unit, HostVector w, HostVector y) {
        PreparedProduct done = products.get(product);
        partial[product][unit] = RangeLoops.dot(w, y, done.firstRow(unit), done.endRow(unit));
    }

    /** The whole dot product, once everything is completed. */
    double sum(HostVector w, HostVector y) {
        double sum = 0;
        int row = 0;
        for (int p = 0; p < partial.length; p++) {
            PreparedProduct product = products.get(p);
            for (int unit = 0; unit < partial[p].length; unit++) {
                sum += RangeLoops.dot(w, y, row, Math.max(row, product.firstRow(unit))) + partial[p][unit];
                row = Math.max(row, product.endRow(unit));
            }
        }
        return sum + RangeLoops.dot(w, y, row, y.length());
    }
}
