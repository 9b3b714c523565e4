package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.solve.StoppingCriteria;

final class PoissonProblemTest {
    private static double exact(double[] x) {
        double product = 1;
        for (double coordinate : x) {
            product *= Math.sin(Math.PI * coordinate + 0.3);
        }
        return product;
    }

    /** The error falls with the degree plus one; the function is not zero on the boundary. */
    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 1, 8", "QUADRILATERAL, 2, 6", "QUADRILATERAL, 4, 4", "TRIANGLE, 2, 6",
        "HEXAHEDRON, 2, 3", "TETRAHEDRON, 1, 4"})
    void errorsFallAsTheyShould(ElementShape shape, int degree, int n) {
        double[] errors = new double[2];
        for (int k = 0; k < 2; k++) {
            CellMesh mesh = StructuredMeshes.unit(shape, n << k, x -> x);
            PoissonProblem.Result result = PoissonProblem.on(mesh).degree(degree)
                    .source(x -> 2 * x.length * Math.PI * Math.PI * exact(x)).conductivity(x -> 2)
                    .boundary(PoissonProblemTest::exact).solve();
            errors[k] = result.error(PoissonProblemTest::exact);
        }
        double rate = Math.log(errors[0] / errors[1]) / Math.log(2);
        assertTrue(rate > degree + 0.5, "rate " + rate + ", errors " + errors[0] + ", " + errors[1]);
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void failuresAreExceptions(int degree) {
        CellMesh mesh = StructuredMeshes.unit(ElementShape.QUADRILATERAL, 12, x -> x);
        PoissonProblem problem = PoissonProblem.on(mesh).degree(degree).source(x -> 1 + x[0]);
        String message = assertThrows(ArithmeticException.class,
                problem.criteria(StoppingCriteria.relative(1e-12, 0))::solve).getMessage();
        assertTrue(message.startsWith("Poisson's equation with elements of degree " + degree), message);
        assertThrows(IllegalArgumentException.class, () -> problem.degree(0));
        assertThrows(IllegalArgumentException.class, problem.conductivity(x -> -1)::solve);
    }
}
