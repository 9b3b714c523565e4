package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.algebra.RowScan;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.solve.multigrid.ClassicalKernels;
import org.trellis.sparse.BackendMatrix;

/** Classical coarsening on a device; matrix algebra does the rest. */
public final class CudaClassicalKernels implements ClassicalKernels {
    /** The filter of {@code algebra.cu} that keeps strong couplings. */
    private static final int CLASSICAL = 4;

    private final CudaContext context;
    private final CudaAlgebra algebra;

    /**
     * Creates the kernels of a context.
     *
     * @param context the context, which outlives this object
     * @param algebra its matrix algebra
     */
    public CudaClassicalKernels(CudaContext context, CudaAlgebra algebra) {
        this.context = context;
        this.algebra = algebra;
    }

    /** Components of unknowns, of which there is no list where all are of one. */
    private record ComponentList(CudaBuffer list) implements Components {
        long address() {
            return list == null ? 0 : list.address();
        }

        @Override
        public void close() {
            if (list != null) {
                list.close();
            }
        }
    }

    /** The states of unknowns, and their numbers on the next level. */
    private record PointList(CudaBuffer states, CudaBuffer numbers, int rows, int count) implements Points {
        @Override
        public void close() {
            states.close();
            numbers.close();
        }
    }

    private Step step(String function, CudaMatrix a) {
        return algebra.launches().coarsening(function, a.precision()).a(a).set(Count.ROWS, a.rows());
    }

    private Step step(String function, int rows) {
        return algebra.launches().coarsening(function, Precision.F64).set(Count.ROWS, rows);
    }

    private int number(CudaBuffer buffer) {
        return algebra.launches().fetch(buffer, 1)[0];
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public Components components(int rows, int blockSize) {
        if (blockSize == 1) {
            return new ComponentList(null);
        }
        CudaBuffer list = context.buffer((long) rows * Integer.BYTES);
        step("fillComponents", rows).set(Pointer.MORE, list).set(Count.SIZE, blockSize).run(rows);
        return new ComponentList(list);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public Components coarse(Components components, Points points) {
        ComponentList all = (ComponentList) components;
        PointList those = (PointList) points;
        if (all.list() == null) {
            return new ComponentList(null);
        }
        CudaBuffer list = context.buffer((long) those.count() * Integer.BYTES);
        step("coarseComponents", those.rows()).set(Pointer.LIST, all.list()).set(Pointer.LENGTHS, those.states())
                .set(Pointer.OFFSETS, those.numbers()).set(Pointer.MORE, list).run(those.rows());
        return new ComponentList(list);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaMatrix strong(BackendMatrix matrix, double theta, double rowSum, Components components) {
        CudaMatrix a = algebra.own(matrix);
        long list = ((ComponentList) components).address();
        try (CudaBuffer signs = context.buffer((long) a.rows() * Double.BYTES);
                CudaBuffer limits = context.buffer((long) a.rows() * Double.BYTES)) {
            step("classicalLimits", a).alpha(theta).beta(rowSum).set(Pointer.LIST, list).set(Pointer.X, signs)
                    .set(Pointer.Y, limits).run(a.rows());
            return algebra.filter(a, CLASSICAL,
                    step -> step.set(Pointer.LIST, list).set(Pointer.X, signs).set(Pointer.Y, limits));
        }
    }

    @Override
    public int cutOff(BackendMatrix matrix, BackendMatrix strong) {
        CudaMatrix a = algebra.own(matrix);
        try (CudaBuffer count = context.zeros(Integer.BYTES)) {
            step("countCutOff", a).b(algebra.own(strong)).set(Pointer.COUNTS, count).run(a.rows());
            return number(count);
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned, or closed here
    public Points split(BackendMatrix couplings) {
        CudaMatrix strong = algebra.own(couplings);
        int rows = strong.rows();
        CudaBuffer states = context.buffer((long) rows * Integer.BYTES);
        CudaBuffer next = context.buffer((long) rows * Integer.BYTES);
        try (CudaMatrix influenced = algebra.transpose(strong);
                CudaBuffer keys = context.buffer((long) rows * Long.BYTES);
                CudaBuffer left = context.zeros(Integer.BYTES)) {
            step("splittingKeys", strong).b(influenced).set(Pointer.LIST, states).set(Pointer.KEYS, keys).run(rows);
            boolean undecided = rows > 0;
            while (undecided) {
                left.clear();
                step("selectCoarse", strong).b(influenced).set(Pointer.LIST, states).set(Pointer.KEYS, keys)
                        .set(Pointer.MORE, next).run(rows);
                step("selectFine", strong).set(Pointer.MORE, next).set(Pointer.COUNTS, left).run(rows);
                CudaBuffer old = states;
                states = next;
                next = old;
                undecided = number(left) > 0;
            }
            step("countCoarse", rows).set(Pointer.LIST, states).set(Pointer.LENGTHS, next).run(rows);
            RowScan numbers = RowScan.of(algebra.launches(), next, rows);
            next.close();
            return new PointList(states, numbers.offsets(), rows, numbers.total());
        } catch (RuntimeException | Error e) {
            states.close();
            next.close();
            throw e;
        }
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned, or closed here
    public CudaMatrix interpolation(BackendMatrix matrix, BackendMatrix couplings, Splitted splitted, Limits limits) {
        CudaMatrix a = algebra.own(matrix);
        CudaMatrix strong = algebra.own(couplings);
        PointList points = (PointList) splitted.points();
        int rows = a.rows();
        RowScan scan;
        try (CudaBuffer reach = context.buffer((long) rows * Integer.BYTES)) {
            step("countReach", a).b(strong).set(Pointer.LIST, points.states()).set(Pointer.LENGTHS, reach).run(rows);
            scan = RowScan.of(algebra.launches(), reach, rows);
        }
        try (CudaBuffer offsets = scan.offsets();
                CudaBuffer coarse = context.buffer((long) scan.total() * Integer.BYTES);
                CudaBuffer weights = context.buffer((long) scan.total() * Double.BYTES);
                CudaBuffer diagonal = context.buffer((long) rows * Double.BYTES)) {
            algebra.launches().aggregation("diagonalOf", a.precision()).a(a).set(Count.ROWS, rows)
                    .set(Pointer.X, diagonal).run(rows);
            return algebra.maker().make(rows, points.count(), a.precision(),
                    lengths -> step("interpolate", a).b(strong)
                            .set(Pointer.LIST, ((ComponentList) splitted.components()).address())
                            .set(Pointer.LENGTHS, points.states()).set(Pointer.COUNTS, offsets)
                            .set(Pointer.MORE, coarse).set(Pointer.Z, weights).set(Pointer.X, diagonal)
                            .set(Pointer.COLUMNS, lengths).set(Count.SIZE, limits.most()).alpha(limits.truncation())
                            .run(rows),
                    (arrays, total) -> {
                        Step step = step("copyWeights", a).set(Pointer.LIST, points.numbers())
                                .set(Pointer.COUNTS, offsets).set(Pointer.MORE, coarse).set(Pointer.Z, weights);
                        arrays.accept(step);
                        step.run(rows);
                    });
        }
    }

    @Override
    @MustBeClosed
    public CudaMatrix symmetrised(BackendMatrix product) {
        return algebra.symmetrised(product);
    }

    @Override
    public boolean samePattern(BackendMatrix one, BackendMatrix other) {
        CudaMatrix a = algebra.own(one);
        CudaMatrix b = algebra.own(other);
        if (a.rows() != b.rows() || a.columns() != b.columns() || a.nonZeros() != b.nonZeros()) {
            return false;
        }
        if (a.sharesStructure(b)) {
            return true;
        }
        try (CudaBuffer differ = context.zeros(Integer.BYTES)) {
            Step offsets = algebra.launches().coarsening("comparePatterns", a.precision()).a(a).b(b)
                    .set(Pointer.COUNTS, differ).set(Count.ROWS, a.rows() + 1);
            offsets.run(a.rows() + 1L);
            Step columns = algebra.launches().coarsening("comparePatterns", a.precision()).a(a).b(b)
                    .set(Pointer.COUNTS, differ).set(Count.ROWS, (int) a.nonZeros()).set(Count.SIZE, 1);
            columns.run(a.nonZeros());
            return number(differ) == 0;
        }
    }
}
