package org.trellis.solve.smooth;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * Relaxation of two parts of the unknowns, F and C, one after the other: sweeps over F, which make up for what a
 * reduction leaves to them, and then over C (T. A. Manteuffel, J. Ruge, B. S. Southworth, SIAM J. Sci. Comput. 40(6),
 * 2018, section 5). By Jacobi's method, or by that of Gauss and Seidel colour by colour within each part. A sweep over
 * a part reads the rows of that part only.
 */
final class PartSmoother extends StepSmoother {
    private final String description;
    private final List<Part> parts = new ArrayList<>();

    /** How to relax. */
    record Settings(double omega, int fine, int coarse) {}

    /** The rows of a part: of Jacobi's method with an inverse diagonal of 0 elsewhere, or staged ones. */
    private interface Part {
        /** Adds a sweep; from zero the old iterate is not read. */
        void addSweep(DenseVector b, DenseVector x, boolean fromZero, SmootherSteps steps);
    }

    private PartSmoother(SmootherContext input, String name, Settings settings) {
        super(input, 1);
        this.description = name + ", omega=" + settings.omega() + ", f-sweeps=" + settings.fine() + ", c-sweeps="
                + settings.coarse();
    }

    /** Jacobi's method, on each part. */
    static PartSmoother jacobi(SmootherContext input, IntPredicate coarse, Settings settings) {
        PartSmoother smoother = new PartSmoother(input, "fc-jacobi", settings);
        smoother.orClose(() -> {
            HostVector inverse = input.inverseDiagonal();
            if (settings.fine() > 0) {
                smoother.repeat(smoother.jacobi(coarse.negate(), inverse, settings.omega()), settings.fine());
            }
            if (settings.coarse() > 0) {
                smoother.repeat(smoother.jacobi(coarse, inverse, settings.omega()), settings.coarse());
            }
        });
        return smoother;
    }

    /** Gauss–Seidel sweeps, on each part colour by colour. */
    static PartSmoother gaussSeidel(SmootherContext input, IntPredicate coarse, Settings settings) {
        PartSmoother smoother = new PartSmoother(input, "fc-gauss-seidel", settings);
        smoother.orClose(() -> {
            SweepOrder order = SweepOrder.colouredByParts(input.matrix(), coarse);
            SmootherKernels.PreparedRows rows =
                    smoother.own(order.take(SweepOrder.Part.BOTH, input.inverseDiagonal()));
            int first = order.stagesBefore(coarse);
            smoother.repeat(staged(smoother, rows, new SmootherKernels.Visit(false, 0, first), settings.omega()),
                    first > 0 ? settings.fine() : 0);
            smoother.repeat(
                    staged(smoother, rows, new SmootherKernels.Visit(false, first, order.stages()), settings.omega()),
                    first < order.stages() ? settings.coarse() : 0);
        });
        return smoother;
    }

    private void repeat(Part part, int sweeps) {
        for (int sweep = 0; sweep < sweeps; sweep++) {
            parts.add(part);
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private Part jacobi(IntPredicate member, HostVector inverse, double omega) {
        CsrMatrix matrix = input().matrix();
        SpmvOperator rows = product(matrix.filter((i, j, value) -> member.test(i)));
        DenseVector factors = own(input().upload(HostVector.of(inverse.precision(), inverse.length(),
                row -> member.test(row) ? omega * inverse.get(row) : 0)));
        return (b, x, fromZero, steps) -> {
            if (fromZero) {
                steps.add(update(1, factors, b, 0, x));
                return;
            }
            steps.add(update(1, null, b, 0, residual()));
            steps.add(rows.bind(-1, x, 1, residual()));
            steps.add(update(1, factors, residual(), 1, x));
        };
    }

    private static Part staged(PartSmoother smoother, SmootherKernels.PreparedRows rows, SmootherKernels.Visit visit,
            double omega) {
        return (b, x, fromZero, steps) -> {
            if (fromZero) {
                steps.add(smoother.update(0, null, b, 0, x));
            }
            steps.add(rows.bind(1 - omega, omega, b, x, visit));
        };
    }

    @Override
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        for (int k = 0; k < parts.size(); k++) {
            parts.get(k).addSweep(r, z, k == 0, steps);
        }
    }

    @Override
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        parts.forEach(part -> part.addSweep(b, x, false, steps));
    }

    /** Returns false: F before C is not C before F. */
    @Override
    public boolean symmetric() {
        return false;
    }

    @Override
    public String describe() {
        return description;
    }
}
