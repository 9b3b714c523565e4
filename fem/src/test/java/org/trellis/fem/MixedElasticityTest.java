package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.SparseLu;

/** Mixed elements against exact solutions, and their iterations as bodies become incompressible and cells small. */
class MixedElasticityTest {
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-10, 500);
    private static Backend threads;

    @BeforeAll
    @SuppressWarnings("MustBeClosed") // closed after all
    static void open() {
        threads = FemCases.backend("threads");
    }

    @AfterAll
    static void close() {
        threads.close();
    }

    private static FunctionSpace space(ElementShape shape, int n, boolean distorted) {
        UnaryOperator<double[]> move = distorted ? StructuredMeshes::distorted : UnaryOperator.identity();
        return FunctionSpace.of(StructuredMeshes.unit(shape, n, move), 2);
    }

    /** Held at all of the boundary, or at x = 0 alone. */
    private static Constraints held(FunctionSpace space, boolean everywhere) {
        int dimension = space.mesh().dimension();
        int[] nodes = everywhere ? space.boundaryNodes() : space.boundaryNodes(x -> x[0] < 1e-12);
        Constraints constraints = Constraints.none(space, dimension);
        for (int a = 0; a < dimension; a++) {
            constraints.fix(nodes, a, x -> 0);
        }
        return constraints;
    }

    /** A polynomial with double zeros at 0 and 1, and its derivatives. */
    private static double g(double x, int derivative) {
        return switch (derivative) {
            case 0 -> x * x * (1 - x) * (1 - x);
            case 1 -> 2 * x - 6 * x * x + 4 * x * x * x;
            case 2 -> 2 - 12 * x + 12 * x * x;
            default -> -12 + 24 * x;
        };
    }

    /** The load of u = (g(x) g'(y), −g'(x) g(y)), which has no divergence, and of the pressure x + y − 1 times s. */
    private static PointFunction load(double mu, double s) {
        return (x, f) -> {
            f[0] = -mu * (g(x[0], 2) * g(x[1], 1) + g(x[0], 0) * g(x[1], 3)) + s;
            f[1] = mu * (g(x[0], 3) * g(x[1], 0) + g(x[0], 1) * g(x[1], 2)) + s;
        };
    }

    /** The largest error of displacements at nodes, and of means of pressures over squares. */
    private static double[] errors(int n, double poisson) {
        FunctionSpace space = space(ElementShape.QUADRILATERAL, n, true);
        boolean flow = poisson == 0.5;
        double mu = flow ? 0.7 : 3 / (2 * (1 + poisson));
        try (MixedElasticity system = flow
                ? MixedElasticity.stokes(held(space, true), mu, threads)
                : MixedElasticity.elasticity(held(space, true), 3, poisson, threads)) {
            MixedElasticity.Result result = system.solve(load(mu, flow ? 1 : 0), CRITERIA);
            assertTrue(result.report().converged(), result.report()::toString);
            double error = 0;
            double[] x = space.coordinates();
            for (int node = 0; node < space.nodes(); node++) {
                double u = g(x[2 * node], 0) * g(x[2 * node + 1], 1);
                double v = -g(x[2 * node], 1) * g(x[2 * node + 1], 0);
                error = Math.max(error, Math.abs(result.displacements()[2 * node] - u));
                error = Math.max(error, Math.abs(result.displacements()[2 * node + 1] - v));
            }
            double sum = Arrays.stream(result.pressures()).map(Math::abs).max().orElseThrow();
            return new double[]{error, sum};
        }
    }

    /** Errors fall with the third power of the size of cells, and do not grow as ν approaches ½. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.4999, 0.4999999, 0.5})
    void convergesWithoutLocking(double poisson) {
        double[] coarse = errors(6, poisson);
        double[] fine = errors(12, poisson);
        assertTrue(fine[0] < coarse[0] / 6, () -> coarse[0] + ", then " + fine[0]);
        assertTrue(fine[0] < 1e-4, () -> "error " + fine[0]);
        double pressure = poisson == 0.5 ? 1 : 0;
        assertEquals(pressure, fine[1], poisson == 0.5 ? 0.15 : 0.01);
    }

    /** Flow between plates is a polynomial that the elements have: u = (y (1 − y), 0), p = η (1 − 2 x). */
    @Test
    void flowBetweenPlatesIsExact() {
        FunctionSpace space = space(ElementShape.QUADRILATERAL, 3, false);
        int[] boundary = space.boundaryNodes();
        Constraints constraints = Constraints.none(space, 2).fix(boundary, 0, x -> x[1] * (1 - x[1]))
                .fix(boundary, 1, x -> 0);
        try (MixedElasticity system = MixedElasticity.stokes(constraints, 0.25, threads)) {
            MixedElasticity.Result result = system.solve((x, f) -> Arrays.fill(f, 0), CRITERIA);
            assertTrue(result.report().converged(), result.report()::toString);
            for (int node = 0; node < space.nodes(); node++) {
                double y = space.coordinates()[2 * node + 1];
                assertEquals(y * (1 - y), result.displacements()[2 * node], 1e-8, "node " + node);
                assertEquals(0, result.displacements()[2 * node + 1], 1e-8, "node " + node);
            }
            double[] means = result.pressures().clone();
            Arrays.sort(means);
            double end = 0.25 * (1 - 2.0 / 6);
            assertArrayEquals(new double[]{-end, -end, -end, 0, 0, 0, end, end, end}, means, 1e-7);
        }
    }

    /** Iterations stay between bounds for any ν and size of cells, in the plane and in space. */
    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 6, 75", "QUADRILATERAL, 14, 80", "HEXAHEDRON, 3, 85"})
    void iterationsAreBounded(ElementShape shape, int n, int most) {
        FunctionSpace space = space(shape, n, true);
        int least = Integer.MAX_VALUE;
        int greatest = 0;
        for (double poisson : new double[]{0.3, 0.49, 0.4999, 0.4999999, 0.5}) {
            try (MixedElasticity system = MixedElasticity.elasticity(held(space, false), 1, poisson, threads)) {
                MixedElasticity.Result result =
                        system.solve((x, f) -> f[1] = -1, StoppingCriteria.relative(1e-8, 500));
                assertTrue(result.report().converged(), result.report()::toString);
                least = Math.min(least, result.report().iterations());
                greatest = Math.max(greatest, result.report().iterations());
            }
        }
        assertTrue(greatest <= most && greatest <= 2 * least, least + " to " + greatest + " iterations");
    }

    /** The solution is that of a direct method, and the preconditioner is symmetric. */
    @Test
    void agreesWithFactors() {
        FunctionSpace space = space(ElementShape.HEXAHEDRON, 2, true);
        try (MixedElasticity system = MixedElasticity.elasticity(held(space, false), 2, 0.4999, threads);
                Preconditioner preconditioner = system.preconditioner(Map.of("coarse-rows", "20"))) {
            PointFunction load = (x, f) -> f[2] = -x[0];
            double[] b = system.rightHandSide(load).toDoubleArray();
            double[] exact = SparseLu.of(system.matrix()).solve(b);
            double[] found = system.solve(load, CRITERIA).displacements();
            double largest = Arrays.stream(found).map(Math::abs).max().orElseThrow();
            int free = 0;
            for (int node = 0; node < space.nodes(); node++) {
                boolean fixed = space.coordinates()[3 * node] < 1e-12;
                for (int a = 0; a < 3 && !fixed; a++) {
                    assertEquals(exact[free++], found[3 * node + a], 1e-6 * largest, "node " + node);
                }
            }
            HostVector x = HostVector.of(Precision.F64, b.length, Math::sin);
            HostVector y = HostVector.of(Precision.F64, b.length, i -> Math.cos(3.0 * i));
            HostVector mx = HostVector.zeros(Precision.F64, b.length);
            HostVector my = HostVector.zeros(Precision.F64, b.length);
            preconditioner.apply(x, mx);
            preconditioner.apply(y, my);
            assertTrue(preconditioner.symmetric());
            assertEquals(dot(y, mx), dot(x, my), 1e-10 * Math.abs(dot(x, mx)));
        }
    }

    private static double dot(HostVector x, HostVector y) {
        double sum = 0;
        for (int i = 0; i < x.length(); i++) {
            sum += x.get(i) * y.get(i);
        }
        return sum;
    }

    @Test
    @SuppressWarnings("MustBeClosed") // refused
    void refusesWhatDoesNotFit() {
        Constraints held = held(space(ElementShape.QUADRILATERAL, 2, false), true);
        assertThrows(IllegalArgumentException.class, () -> MixedElasticity.elasticity(held, 1, 0.6, threads));
        assertThrows(IllegalArgumentException.class, () -> MixedElasticity.elasticity(held, 0, 0.3, threads));
        assertThrows(IllegalArgumentException.class, () -> MixedElasticity.stokes(held, Double.NaN, threads));
        FunctionSpace linear =
                FunctionSpace.of(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 2, UnaryOperator.identity()), 1);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> MixedElasticity.stokes(held(linear, true), 1, threads));
        assertTrue(refused.getMessage().contains("expected degree 2"), refused.getMessage());
        FunctionSpace scalar = space(ElementShape.QUADRILATERAL, 2, false);
        assertThrows(IllegalArgumentException.class,
                () -> MixedElasticity.stokes(Constraints.onBoundary(scalar, x -> 0), 1, threads));
        FunctionSpace triangles = space(ElementShape.TRIANGLE, 2, false);
        assertThrows(IllegalArgumentException.class,
                () -> MixedElasticity.stokes(held(triangles, true), 1, threads));
    }
}
