package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.space.FunctionSpace;

/** Right-hand sides: their sums are integrals, and later ones of a system are those that a new system has. */
class LoadTest {
    private static final BilinearForm MASS = BilinearForm.mass(Coefficient.constant(1));

    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 5, 1, threads", "QUADRILATERAL, 3, 3, simd", "HEXAHEDRON, 2, 2, simd",
        "TETRAHEDRON, 2, 2, threads", "TRIANGLE, 4, 3, simd"})
    void sumsAreIntegrals(ElementShape shape, int n, int degree, String name) {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(shape, n, true), degree);
        try (Backend backend = FemCases.backend(name);
                FormSystem system =
                        FormSystem.of(MASS, Constraints.none(space, 1), List.of(), FemCases.csr(), backend)) {
            assertEquals(0.5, sum(system, (x, f) -> f[0] = x[0]), 1e-13, "of x");
            assertEquals(2, sum(system, (x, f) -> f[0] = 2), 1e-13, "of 2, with the same loop");
        }
    }

    private static double sum(FormSystem system, PointFunction load) {
        return Arrays.stream(system.rightHandSide(load).doubles()).sum();
    }

    /** With values on a side, eliminated or by rows, a flux and a Robin condition, in both precisions. */
    @ParameterizedTest
    @CsvSource({"ELIMINATE, F64", "ROWS, F64", "ELIMINATE, F32"})
    void furtherOnesAreThoseOfANewSystem(DirichletMethod method, Precision precision) {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.QUADRILATERAL, 4, true), 2);
        Constraints left = Constraints.none(space, 1).fix(space.boundaryNodes(x -> x[0] < 1e-9), 0, x -> 1 + x[1]);
        List<BoundaryCondition> right =
                List.of(new BoundaryCondition(x -> x[0] > 1 - 1e-9, (x, g) -> g[0] = x[1], 2));
        FormOptions plain = FemCases.csr();
        FormOptions options = new FormOptions(plain.storage(), plain.formulation(), precision, method, plain.scheme(),
                0);
        PointFunction load = (x, f) -> f[0] = Math.sin(x[0]) - x[1];
        try (Backend backend = FemCases.backend("threads");
                FormSystem used = FormSystem.of(MASS, left, right, options, backend);
                FormSystem fresh = FormSystem.of(MASS, left, right, options, backend)) {
            double[] other = used.rightHandSide((x, f) -> f[0] = 7).toDoubleArray();
            double[] again = used.rightHandSide(load).toDoubleArray();
            assertArrayEquals(fresh.rightHandSide(load).toDoubleArray(), again);
            assertTrue(Math.abs(other[0] - again[0]) > 1e-3, "another load gave " + other[0] + ", too");
            assertEquals(used.size(), again.length);
            for (int k = used.unknowns().free(); k < again.length; k++) {
                assertTrue(again[k] >= 1 && again[k] <= 2, "row " + k + " of a fixed unknown is " + again[k]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"NaN", "Infinity"})
    void whatIsNotFiniteIsRefused(double value) {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.QUADRILATERAL, 3, false), 1);
        try (Backend backend = FemCases.backend("threads");
                FormSystem system =
                        FormSystem.of(MASS, Constraints.none(space, 1), List.of(), FemCases.csr(), backend)) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                    () -> system.rightHandSide((x, f) -> f[0] = x[0] > 0.5 && x[1] > 0.7 ? value : 1));
            assertTrue(e.getMessage().startsWith("the load is [" + value + "] in cell 7 at [0.5"), e.getMessage());
            assertTrue(e.getMessage().endsWith("expected it finite"), e.getMessage());
        }
    }
}
