package org.trellis.examples.poisson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Mesh;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparsityPattern;
import org.trellis.testing.TestSeed;

/** The discretisation: by hand on two triangles, against linear elements on others, on every backend that there is. */
final class PoissonTest {
    /** A backend and a precision. */
    record Where(String backend, Precision precision) {
        @MustBeClosed
        Backend open() {
            return Backends.open(backend, Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
        }
    }

    static Stream<Where> everywhere() {
        List<Where> all = new ArrayList<>();
        for (BackendProvider provider : Backends.providers()) {
            for (Precision precision : Precision.values()) {
                if (provider.probe().available()) {
                    all.add(new Where(provider.name(), precision));
                }
            }
        }
        return all.stream();
    }

    private static PoissonProblem problem(Mesh mesh, PlaneMesh coarsest, int times, Precision precision) {
        return new PoissonProblem(mesh, PoissonProblem.Meshes.of(coarsest, times), true, precision);
    }

    /** The unit square of two triangles, refined: one node inside, with the couplings of the five-point stencil. */
    @Test
    void twoTrianglesByHand() {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            PoissonProblem problem = problem(mesh, PlaneInput.generated("square:n=1"), 1, Precision.F64);
            problem.contrast(1);
            // Right angles: no weight across a diagonal, 1/2 + 1/2 along inner edges, 1/2 along the boundary.
            double[] weights = problem.finest().weight().toArray();
            PlaneMesh plane = problem.finestPlane();
            for (int edge = 0; edge < weights.length; edge++) {
                int a = plane.edgeNodes()[2 * edge];
                int b = plane.edgeNodes()[2 * edge + 1];
                double dx = plane.coordinates()[2 * a] - plane.coordinates()[2 * b];
                double dy = plane.coordinates()[2 * a + 1] - plane.coordinates()[2 * b + 1];
                boolean diagonal = dx != 0 && dy != 0;
                boolean inner = !plane.onBoundary(a) || !plane.onBoundary(b);
                assertEquals(diagonal ? 0 : inner ? 1 : 0.5, weights[edge], 1e-14);
            }
            CsrMatrix matrix = new PoissonMatrix(problem.finest()).assemble();
            int inside = 3; // after node 0 and the middles of the edges to nodes 1 and 2
            assertEquals(4, matrix.get(inside, inside), 1e-14);
            // f / 4 for the volume of a quarter, and what flows in from the four neighbours at (1/2 ± 1/2, 1/2 ± 1/2).
            double u = (Poisson.solution(0, 0.5) + Poisson.solution(1, 0.5) + Poisson.solution(0.5, 0)
                    + Poisson.solution(0.5, 1));
            assertEquals(2, u, 1e-14);
            // The volume of the node inside: a third of six triangles of 1/8.
            assertEquals(2 * Math.PI * Math.PI * 0.25 + u, problem.rightHandSide().toArray()[inside], 1e-13);
        }
    }

    /** The stiffness matrix of linear elements, from gradients, with boundary rows and columns as they are here. */
    private static double[][] elements(PlaneMesh plane, double contrast) {
        int n = plane.nodes();
        double[][] k = new double[n][n];
        double[] x = plane.coordinates();
        double[] frame = plane.frame();
        for (int first = 0; first < plane.cellNodes().length; first += 3) {
            int[] node = {plane.cellNodes()[first], plane.cellNodes()[first + 1], plane.cellNodes()[first + 2]};
            double[] gx = new double[3];
            double[] gy = new double[3];
            double middle = 0;
            for (int i = 0; i < 3; i++) {
                int next = 2 * node[(i + 1) % 3];
                int last = 2 * node[(i + 2) % 3];
                gx[i] = x[next + 1] - x[last + 1];
                gy[i] = x[last] - x[next];
                middle += x[2 * node[i]] / 3;
            }
            double twice = gy[2] * gx[1] - gx[2] * gy[1];
            double kappa = Math.pow(contrast, (middle - frame[0]) / frame[2]);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    k[node[i]][node[j]] += kappa * (gx[i] * gx[j] + gy[i] * gy[j]) / (2 * Math.abs(twice));
                }
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                k[i][j] = i == j || !(plane.onBoundary(i) || plane.onBoundary(j)) ? k[i][j] : 0;
            }
        }
        return k;
    }

    private static double[] applied(LinearOperator operator, double[] x, Backend backend) {
        HostVector result = HostVector.zeros(operator.precision(), operator.rows());
        try (DenseVector from = backend.vector(operator.precision(), operator.columns());
                DenseVector to = backend.vector(operator.precision(), operator.rows())) {
            from.copyFrom(HostVector.of(operator.precision(), x.length, i -> x[i]));
            operator.apply(from, to);
            to.copyTo(result);
        }
        return result.toDoubleArray();
    }

    /** Loops, the matrix that loops assemble, one that a pattern assembles, and linear elements: all the same. */
    @ParameterizedTest
    @MethodSource("everywhere")
    void operatorIsTheMatrixOfLinearElements(Where where) {
        SplittableRandom random = TestSeed.random("operators");
        double relative = 2e3 * where.precision().unitRoundoff();
        try (Backend backend = where.open()) {
            for (int size : new int[]{2, 3, 7, 12}) {
                PlaneMesh plane = PlaneInput.square(size, 0.3, random.nextLong());
                double contrast = random.nextDouble(0.2, 5);
                try (Mesh mesh = Mesh.on(backend)) {
                    PoissonProblem problem = problem(mesh, plane, 0, where.precision());
                    PoissonMatrix assembly = new PoissonMatrix(problem.finest());
                    problem.contrast(1);
                    assembly.assemble();
                    problem.contrast(contrast);
                    CsrMatrix matrix = assembly.assemble();
                    double[][] expected = elements(plane, contrast);
                    // Flat triangles have large entries, and so have their roundings.
                    double tolerance = relative
                            * Arrays.stream(expected).flatMapToDouble(Arrays::stream).map(Math::abs).max()
                                    .orElseThrow();
                    for (int i = 0; i < plane.nodes(); i++) {
                        for (int j = 0; j < plane.nodes(); j++) {
                            assertEquals(expected[i][j], matrix.get(i, j), tolerance, size + ": " + i + ", " + j);
                        }
                    }
                    double[] x = random.doubles(plane.nodes(), -1, 1).map(value -> (float) value).toArray();
                    assertArrayEquals(matrix.multiply(x), applied(problem.finest().operator(), x, backend), tolerance);
                    checkPattern(problem, plane, matrix, tolerance);
                }
            }
        }
    }

    private static void checkPattern(PoissonProblem problem, PlaneMesh plane, CsrMatrix matrix, double tolerance) {
        int[] table = plane.edgeNodes();
        SparsityPattern.ElementMap map = SparsityPattern.ElementMap.of(table, 2, plane.nodes());
        SparsityPattern pattern = SparsityPattern.of(map, map);
        double[] coupling = problem.finest().coupling().toArray();
        double[] shift = problem.finest().shift().toArray();
        int[] degree = new int[plane.nodes()];
        for (int node : table) {
            degree[node]++;
        }
        CsrMatrix other = pattern.assemble(matrix.precision(), (edge, block) -> {
            block[0] = coupling[edge] + shift[table[2 * edge]] / degree[table[2 * edge]];
            block[1] = -coupling[edge];
            block[2] = -coupling[edge];
            block[3] = coupling[edge] + shift[table[2 * edge + 1]] / degree[table[2 * edge + 1]];
        });
        assertEquals(other.nonZeros(), matrix.nonZeros());
        matrix.forEachEntry((row, column, value) -> assertEquals(other.get(row, column), value, tolerance));
    }

    /** Linear functions that are zero on the boundary's far side do not exist, so boundary shares are left out here. */
    @ParameterizedTest
    @MethodSource("everywhere")
    void interpolationOfLinearFunctionsIsExact(Where where) {
        SplittableRandom random = TestSeed.random("transfers");
        PlaneMesh plane = PlaneInput.square(5, 0.3, random.nextLong());
        double tolerance = 100 * where.precision().unitRoundoff();
        try (Backend backend = where.open(); Mesh mesh = Mesh.on(backend)) {
            PoissonProblem problem = problem(mesh, plane, 1, where.precision());
            Transfer transfer = problem.transfers().getFirst();
            PlaneMesh fine = problem.finestPlane();
            int[] parents = Refinement.of(plane).parents();
            double a = random.nextDouble(-1, 1);
            double b = random.nextDouble(-1, 1);
            IntToDoubleFunction coarseLinear = node -> 1 + a * plane.coordinates()[2 * node]
                    + b * plane.coordinates()[2 * node + 1];
            double[] coarse = new double[plane.nodes()];
            Arrays.setAll(coarse, coarseLinear);
            double[] found = applied(transfer.prolongation(), coarse, backend);
            int exact = 0;
            for (int node = 0; node < found.length; node++) {
                boolean free = !plane.onBoundary(parents[2 * node]) && !plane.onBoundary(parents[2 * node + 1]);
                if (free) {
                    assertEquals(1 + a * fine.coordinates()[2 * node] + b * fine.coordinates()[2 * node + 1],
                            found[node], tolerance);
                    exact++;
                }
                assertTrue(!fine.onBoundary(node) || found[node] == 0);
            }
            assertTrue(exact > 20, exact + " nodes");
            // The restriction is the transposed: y^T P x = x^T R y.
            double[] y = random.doubles(fine.nodes(), -1, 1).toArray();
            double[] restricted = applied(transfer.restriction(), y, backend);
            double left = 0;
            double right = 0;
            for (int i = 0; i < y.length; i++) {
                left += y[i] * found[i];
            }
            for (int i = 0; i < coarse.length; i++) {
                right += restricted[i] * coarse[i];
            }
            assertEquals(left, right, 10 * tolerance * y.length);
        }
    }

    /** The polynomial by loops against its formula in D⁻¹A, and the eigenvalue against the dense one's bounds. */
    @ParameterizedTest
    @MethodSource("everywhere")
    void smootherIsItsPolynomial(Where where) {
        SplittableRandom random = TestSeed.random("smoothers");
        double tolerance = 500 * where.precision().unitRoundoff();
        try (Backend backend = where.open(); Mesh mesh = Mesh.on(backend)) {
            PoissonProblem problem = problem(mesh, PlaneInput.square(6, 0.2, random.nextLong()), 0, where.precision());
            Smoothing smoothing = new Smoothing(Smoothing.Kind.CHEBYSHEV, 3, 5);
            LinearOperator smoother = problem.finest().smoother(smoothing);
            LinearOperator jacobi = problem.finest().smoother(new Smoothing(Smoothing.Kind.JACOBI, 2, 2));
            problem.contrast(3);
            double largest = problem.finest().largestEigenvalue();
            assertTrue(largest > 1 && largest < 4, "largest eigenvalue " + largest);
            CsrMatrix matrix = new PoissonMatrix(problem.finest()).assemble();
            double[] b = random.doubles(matrix.rows(), -1, 1).map(value -> (float) value).toArray();
            assertArrayEquals(polynomial(matrix, b, smoothing.factors(largest)), applied(smoother, b, backend),
                    tolerance);
            assertArrayEquals(
                    polynomial(matrix, b, new double[][]{{4 / 3.0 / largest, 0}, {4 / 3.0 / largest, 0}}),
                    applied(jacobi, b, backend), tolerance);
        }
    }

    private static double[] polynomial(CsrMatrix matrix, double[] b, double[][] factors) {
        double[] x = new double[b.length];
        double[] d = new double[b.length];
        HostVector diagonal = matrix.diagonal();
        for (double[] factor : factors) {
            double[] ax = matrix.multiply(x);
            for (int i = 0; i < b.length; i++) {
                d[i] = factor[0] * (b[i] - ax[i]) / diagonal.get(i) + factor[1] * d[i];
            }
            for (int i = 0; i < b.length; i++) {
                x[i] += d[i];
            }
        }
        return x;
    }

    @Test
    void refusesWhatCannotBeSolved() {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            PlaneMesh nothingInside = PlaneInput.generated("square:n=1");
            assertThrows(IllegalArgumentException.class, () -> problem(mesh, nothingInside, 0, Precision.F64));
            PoissonProblem problem = problem(mesh, PlaneInput.generated("square:n=2"), 0, Precision.F64);
            assertThrows(IllegalArgumentException.class, () -> problem.contrast(0));
            assertThrows(IllegalArgumentException.class, () -> problem.contrast(Double.NaN));
        }
        assertThrows(IllegalArgumentException.class, () -> new Smoothing(Smoothing.Kind.CHEBYSHEV, 0, 5));
        assertThrows(IllegalArgumentException.class, () -> new Smoothing(Smoothing.Kind.CHEBYSHEV, 2, 1));
    }
}
