package org.trellis.fem;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.ElementTables;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.ReferenceMap;

/** Evaluates coefficients on the host, and refuses those that are not positive. */
final class CoefficientValues {
    private static final int CELLS_PER_TASK = 256;
    private static final int VALUES_PER_TASK = 1 << 13;

    private final CellMesh mesh;
    private final LagrangeElement.Tabulation map;

    CoefficientValues(CellMesh mesh, ElementTables tables) {
        this.mesh = mesh;
        this.map = tables.map();
    }

    int points() {
        return map.points();
    }

    int dimension() {
        return map.dimension();
    }

    /** Returns the components of a constant, or null if it is none; κ is checked. */
    static double[] checkedConstant(String name, Coefficient coefficient) {
        double[] constant = coefficient.constant();
        if (constant != null && "kappa".equals(name) && !positive(constant)) {
            throw new IllegalArgumentException("kappa is " + Arrays.toString(constant) + ", expected it "
                    + (constant.length == 1 ? "positive" : "positive definite"));
        }
        return constant;
    }

    /** The coordinates of all quadrature points. */
    double[] coordinates() {
        return atPoints((x, at) -> System.arraycopy(x, 0, at, 0, at.length), dimension(), new AtomicBoolean(true));
    }

    /** Evaluates a coefficient for each cell or at each point of each cell. */
    double[] evaluate(String name, Coefficient coefficient, boolean mustBePositive) {
        int components = coefficient.components();
        double[] values = coefficient.cells();
        if (values != null) {
            Checks.length("number of values of " + name + " with " + components + " components on " + mesh,
                    values.length, (long) mesh.cells() * components);
        } else {
            AtomicBoolean finite = new AtomicBoolean(true);
            values = atPoints(coefficient.function(), components, finite);
            if (finite.get() && !mustBePositive) {
                return values;
            }
        }
        check(name, values, components, mustBePositive);
        return values;
    }

    /**
     * Evaluates a function at all points, and says whether all values are finite: then they need not be checked again.
     */
    private double[] atPoints(PointFunction function, int components, AtomicBoolean finite) {
        double[] values = new double[Checks.arrayLength("values at quadrature points",
                (long) mesh.cells() * points() * components)];
        ParallelRanges.strips(mesh.cells(), CELLS_PER_TASK, (from, to) -> {
            double[] corners = new double[map.functions() * dimension()];
            double[] x = new double[dimension()];
            double[] one = new double[components];
            double wrong = 0;
            for (int cell = from; cell < to; cell++) {
                mesh.gather(cell, corners);
                for (int q = 0; q < points(); q++) {
                    ReferenceMap.point(map, q, corners, x);
                    function.at(x, one);
                    for (int c = 0; c < components; c++) {
                        values[(cell * points() + q) * components + c] = one[c];
                        wrong += 0 * one[c];
                    }
                }
            }
            if (wrong != 0) { // what is not finite leaves NaN
                finite.set(false);
            }
        });
        return values;
    }

    private void check(String name, double[] values, int components, boolean mustBePositive) {
        int perCell = values.length / mesh.cells();
        int wrong = ParallelRanges.first(values.length / components, VALUES_PER_TASK,
                k -> !isGood(values, k * components, components, mustBePositive));
        if (wrong >= 0) {
            int at = wrong * components;
            double[] one = Arrays.copyOfRange(values, at, at + components);
            boolean finite = isGood(values, at, components, false);
            double[] corners = new double[map.functions() * dimension()];
            double[] x = new double[dimension()];
            int cell = at / perCell;
            mesh.gather(cell, corners);
            ReferenceMap.point(map, perCell == components ? 0 : at % perCell / components, corners, x);
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "%s is %s in cell %d at %s, expected it %s",
                            name, Arrays.toString(one), cell, Arrays.toString(x),
                            !finite ? "finite" : components == 1 ? "positive" : "positive definite"));
        }
    }

    private static boolean isGood(double[] values, int at, int components, boolean mustBePositive) {
        boolean finite = true;
        for (int k = at; k < at + components; k++) {
            finite &= Double.isFinite(values[k]);
        }
        return finite && (!mustBePositive || positive(Arrays.copyOfRange(values, at, at + components)));
    }

    /** Says whether a number is positive, or a symmetric tensor positive definite. */
    private static boolean positive(double... k) {
        return switch (k.length) {
            case 1 -> k[0] > 0 && k[0] < Double.POSITIVE_INFINITY;
            case 3 -> k[0] > 0 && k[0] * k[2] - k[1] * k[1] > 0;
            case 6 -> k[0] > 0 && k[0] * k[3] - k[1] * k[1] > 0 && k[0] * (k[3] * k[5] - k[4] * k[4])
                    - k[1] * (k[1] * k[5] - k[4] * k[2]) + k[2] * (k[1] * k[4] - k[3] * k[2]) > 0;
            default -> throw new IllegalArgumentException("kappa has " + k.length
                    + " components, expected 1, or 3 in the plane and 6 in space for a symmetric tensor");
        };
    }
}
