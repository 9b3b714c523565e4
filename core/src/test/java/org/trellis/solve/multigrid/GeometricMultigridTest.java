package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.KroneckerProduct;

/**
 * Asymptotic convergence factors of geometric hierarchies against those measured with PETSc 3.18.5 for the same
 * stencils, smoothers and cycles: A e = 0 from e_i = ((7919 i + 13) mod 1009) / 1009, 30 cycles, the eighth root over
 * the last 8.
 */
final class GeometricMultigridTest {
    private static final int POINTS = 127;
    private static final int CYCLES = 30;
    private static final int LAST = 8;
    private static final double APART = 0.02;

    /** Points of the levels in one direction, transfers by bilinear interpolation and its transpose. */
    private static Hierarchy hierarchy(int dimensions, int points, int levels, boolean galerkin) {
        List<CsrMatrix> prolongations = new ArrayList<>();
        List<HierarchyLevel> given = new ArrayList<>();
        int n = points;
        for (int l = 0; l < levels - 1; l++) {
            CsrMatrix line = Grids.interpolation(n / 2);
            CsrMatrix p = KroneckerProduct.of(line, line);
            CsrMatrix r = p.transpose();
            if (dimensions == 3) {
                p = KroneckerProduct.of(line, p);
                r = p.transpose().scaled(0.5);
            }
            prolongations.add(p);
            given.add(HierarchyLevel.of(dimensions == 3 ? Grids.cube(n) : Grids.square(n), p, r));
            n /= 2;
        }
        given.add(HierarchyLevel.coarsest(dimensions == 3 ? Grids.cube(n) : Grids.square(n)));
        return galerkin ? Hierarchy.galerkin(Grids.square(points), prolongations) : Hierarchy.given(given);
    }

    private static double norm(HostVector x) {
        double sum = 0;
        for (int i = 0; i < x.length(); i++) {
            sum += x.get(i) * x.get(i);
        }
        return Math.sqrt(sum);
    }

    private static double factor(Hierarchy hierarchy, CycleOptions cycle, String smoother) {
        int rows = hierarchy.level(0).matrix().rows();
        HostVector b = HostVector.zeros(Precision.F64, rows);
        HostVector x = Grids.vector(Precision.F64, rows, i -> ((7919L * i + 13) % 1009) / 1009.0);
        try (Backend backend = Backends.open("threads", Configuration.load());
                Multigrid multigrid = Multigrid.of(hierarchy, cycle,
                        MultigridParts.of(backend, SmootherSpec.parse(smoother).on(backend)));
                PreparedStep step = multigrid.bindSweep(b, x, SweepDirection.FORWARD).getFirst()) {
            double before = 0;
            for (int k = 1; k <= CYCLES; k++) {
                step.run();
                before = k == CYCLES - LAST ? norm(x) : before;
            }
            return Math.pow(norm(x) / before, 1.0 / LAST);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2 | jacobi,omega=0.6666666666666666 | v | 1 | 1 | 0.4392",
        "6 | jacobi,omega=0.6666666666666666 | v | 1 | 1 | 0.4437",
        "6 | jacobi,omega=0.6666666666666666 | w | 1 | 1 | 0.4391",
        "6 | jacobi,omega=0.6666666666666666 | v | 2 | 1 | 0.3076",
        "6 | jacobi,omega=0.8 | v | 1 | 1 | 0.3624",
        "6 | jacobi,omega=0.8 | v | 2 | 2 | 0.1752",
        "6 | jacobi,omega=0.8 | f | 1 | 1 | 0.3552",
        "2 | gauss-seidel,direction=forward | v | 1 | 1 | 0.0689",
        "6 | gauss-seidel,direction=forward | v | 1 | 1 | 0.1126",
        "6 | gauss-seidel,direction=forward | w | 1 | 1 | 0.0690",
        "6 | gauss-seidel,direction=forward | v | 2 | 1 | 0.0805"})
    void factorsAreThoseOfPetsc(int levels, String smoother, String shape, int before, int after, double expected) {
        CycleOptions cycle = new CycleOptions(CycleShape.of(shape), before, after, false);
        assertEquals(expected, factor(hierarchy(2, POINTS, levels, false), cycle, smoother), APART);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "jacobi,omega=0.6666666666666666 | 0.4390",
        "jacobi,omega=0.8 | 0.3552",
        "gauss-seidel,direction=forward | 0.0676"})
    void factorsOfGalerkinProductsAreThoseOfPetsc(String smoother, double expected) {
        CycleOptions cycle = new CycleOptions(CycleShape.V, 1, 1, false);
        assertEquals(expected, factor(hierarchy(2, POINTS, 6, true), cycle, smoother), APART);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "jacobi,omega=0.6666666666666666 | 0.5938",
        "jacobi,omega=0.8571428571428571 | 0.4987"})
    void factorsInSpaceAreThoseOfPetsc(String smoother, double expected) {
        CycleOptions cycle = new CycleOptions(CycleShape.V, 1, 1, false);
        assertEquals(expected, factor(hierarchy(3, 31, 4, false), cycle, smoother), APART);
    }
}
