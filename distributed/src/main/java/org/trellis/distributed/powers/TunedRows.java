package org.trellis.distributed.powers;

import java.util.IdentityHashMap;
import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.OwnedProducts;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.PreparedRows.SweepData;

/**
 * Kernels whose products with interior and boundary rows are those of a backend. What a product of a backend does not
 * do, sweeps, three-term recurrences and the rows of rings, is left to the kernels of this module.
 */
final class TunedRows implements HostLocalKernels {
    /** Parts of vectors that are kept; those of a method are fewer. */
    private static final int MOST_PARTS = 200;

    private final HaloPlan plan;
    private final HostLocalKernels others;
    private final int interior;
    private final int owned;
    private final IdentityHashMap<DenseVector, Parts> parts = new IdentityHashMap<>();
    private final HostVector sum = HostVector.zeros(Precision.F64, 1);
    /** Prepared when a product is formed first, since sweeps alone need none. */
    private OwnedProducts prepared;

    /** A vector as operand of both products, and the elements that are their results. */
    private record Parts(DenseVector ofInterior, DenseVector ofBoundary, DenseVector interior, DenseVector boundary) {}

    TunedRows(HaloPlan plan, HostLocalKernels others) {
        this.plan = plan;
        this.others = others;
        this.interior = plan.matrix().interiorRows();
        this.owned = plan.rowsWithin(0);
    }

    private OwnedProducts products() {
        if (prepared == null) {
            prepared = plan.ownedProducts().orElseThrow();
        }
        return prepared;
    }

    private Parts parts(DenseVector vector) {
        Parts known = parts.get(vector);
        if (known == null) {
            if (parts.size() >= MOST_PARTS) {
                parts.clear();
            }
            int withRing = plan.rowsWithin(1);
            known = new Parts(part(vector, 0, owned), vector.length() < withRing ? null : part(vector, 0, withRing),
                    part(vector, 0, interior), part(vector, interior, owned - interior));
            parts.put(vector, known);
        }
        return known;
    }

    private static DenseVector part(DenseVector vector, int from, int length) {
        return from == 0 && length == vector.length() ? vector : vector.part(from, length);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // what is written is what is read
    public void combine(int from, int to, double a, DenseVector x, double b, DenseVector w, double c,
            DenseVector y) {
        int first = from;
        boolean plain = b == 0 && (c == 0 || w == y);
        if (plain && first == 0 && to >= interior && interior > 0) {
            products().interior().apply(a, parts(x).ofInterior(), c, parts(y).interior());
            first = interior;
        }
        if (plain && first == interior && to >= owned && owned > interior) {
            products().boundary().apply(a, parts(x).ofBoundary(), c, parts(y).boundary());
            first = owned;
        }
        if (first < to) {
            others.combine(first, to, a, x, b, w, c, y);
        }
    }

    @Override
    public double multiplyAndDot(int from, int to, double a, DenseVector x, double c, DenseVector y, DenseVector w) {
        if (from == to) {
            return 0;
        }
        if (from == 0 && to == interior) {
            products().interior().multiplyAndDot(a, parts(x).ofInterior(), c, parts(y).interior(), parts(w).interior(),
                    sum, 0);
        } else if (from == interior && to == owned) {
            products().boundary().multiplyAndDot(a, parts(x).ofBoundary(), c, parts(y).boundary(),
                    parts(w).boundary(), sum, 0);
        } else {
            return others.multiplyAndDot(from, to, a, x, c, y, w);
        }
        return sum.get(0);
    }

    @Override
    public void sweep(int from, int to, double momentum, DenseVector w, double step, DenseVector x, SweepData data,
            DenseVector y) {
        others.sweep(from, to, momentum, w, step, x, data, y);
    }

    @Override
    public void copy(int[] places, DenseVector x, DenseVector y) {
        others.copy(places, x, y);
    }

    @Override
    public double dot(int from, int to, DenseVector x, DenseVector y) {
        return others.dot(from, to, x, y);
    }

    @Override
    public void transposed(int rows, DenseVector x, DenseVector y, int columns) {
        others.transposed(rows, x, y, columns);
    }
}
