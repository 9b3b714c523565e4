package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.testing.TestSeed;

/** Solutions: rates of convergence, patch tests, and preconditioners. */
class ConvergenceTest {
    /** Degrees beyond 2 p that errors are integrated exactly for. */
    private static final int EXTRA_DEGREES = 3;

    private static Backend backend;

    @BeforeAll
    @SuppressWarnings("MustBeClosed") // closed after all
    static void open() {
        // One thread: systems are small, and threads beyond the cores wait for one another after each product.
        backend = Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
    }

    @AfterAll
    static void close() {
        backend.close();
    }

    private static double exponent(double[] x) {
        return x.length == 2 ? 1.8 * x[0] + 1.4 * x[1] : 0.9 * x[0] + 0.7 * x[1] - 0.8 * x[2];
    }

    private static double[] slopes(int dimension) {
        return dimension == 2 ? new double[]{1.8, 1.4} : new double[]{0.9, 0.7, -0.8};
    }

    /** A quarter of the usual distortion, so that coarse meshes are fine enough for it. */
    private static double[] gently(double[] x) {
        double[] moved = StructuredMeshes.distorted(x);
        Arrays.setAll(moved, d -> 0.75 * x[d] + 0.25 * moved[d]);
        return moved;
    }

    /** −∇·(κ∇u) + u = f with u an exponential and κ = 1 + x. */
    private static FunctionErrors errors(ElementShape shape, int degree, int n) {
        return errors(shape, degree, n, EXTRA_DEGREES);
    }

    private static FunctionErrors errors(ElementShape shape, int degree, int n, int more) {
        CellMesh mesh = StructuredMeshes.unit(shape, n, ConvergenceTest::gently);
        FunctionSpace space = FunctionSpace.of(mesh, degree);
        double[] a = slopes(shape.dimension());
        double square = Arrays.stream(a).map(t -> t * t).sum();
        BilinearForm form = BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0]))
                .plusReaction(Coefficient.constant(1));
        FormOptions options = FormOptions.defaults(space.element(), 1, Precision.F64);
        Constraints constraints = Constraints.onBoundary(space, x -> Math.exp(exponent(x)));
        try (FormSystem system = FormSystem.of(form, constraints, List.of(), options, backend)) {
            system.assemble();
            HostVector b = system.rightHandSide(
                    (x, f) -> f[0] = Math.exp(exponent(x)) * (1 - a[0] - (1 + x[0]) * square));
            double[] u = FemCases.solve(system, b, backend, 1e-13);
            return FunctionErrors.of(space, u, 1, (x, v) -> v[0] = Math.exp(exponent(x)), (x, g) -> {
                for (int d = 0; d < g.length; d++) {
                    g[d] = a[d] * Math.exp(exponent(x));
                }
            }, more);
        }
    }

    /** The rule that rates are measured with resolves errors: one of many more points changes them by 1 in 2000. */
    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 1, 20", "QUADRILATERAL, 4, 8", "TRIANGLE, 3, 12", "HEXAHEDRON, 2, 6",
        "TETRAHEDRON, 1, 6", "TETRAHEDRON, 3, 3"})
    void errorsAreResolvedByTheRule(ElementShape shape, int degree, int n) {
        FunctionErrors few = errors(shape, degree, n);
        FunctionErrors many = errors(shape, degree, n, 10);
        assertEquals(1, few.l2() / many.l2(), 5e-4, "L2");
        assertEquals(1, few.h1() / many.h1(), 5e-4, "H1");
    }

    /** Large meshes are measured at fewer points, and a rule of many more finds the same. */
    @Test
    void largeMeshesNeedFewerPoints() {
        CellMesh mesh = StructuredMeshes.unit(ElementShape.QUADRILATERAL, 230, ConvergenceTest::gently);
        FunctionSpace space = FunctionSpace.of(mesh, 2);
        double[] a = slopes(2);
        PointFunction exact = (x, v) -> v[0] = Math.exp(exponent(x));
        AtomicInteger points = new AtomicInteger();
        PointFunction gradient = (x, g) -> {
            points.incrementAndGet();
            Arrays.setAll(g, d -> a[d] * Math.exp(exponent(x)));
        };
        double[] u = new double[space.nodes()];
        Arrays.setAll(u, node -> Math.exp(exponent(
                Arrays.copyOfRange(space.coordinates(), 2 * node, 2 * node + 2))));
        FunctionErrors usual = FunctionErrors.of(space, u, 1, exact, gradient);
        assertEquals(16 * mesh.cells(), points.get());
        FunctionErrors many = FunctionErrors.of(space, u, 1, exact, gradient, 10);
        assertEquals(1, usual.l2() / many.l2(), 1e-5, "L2");
        assertEquals(1, usual.h1() / many.h1(), 1e-5, "H1");
    }

    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 1, 20", "QUADRILATERAL, 2, 14", "QUADRILATERAL, 3, 10", "QUADRILATERAL, 4, 8",
        "TRIANGLE, 1, 20", "TRIANGLE, 2, 14", "TRIANGLE, 3, 12", "HEXAHEDRON, 1, 8", "HEXAHEDRON, 2, 6",
        "HEXAHEDRON, 3, 4", "HEXAHEDRON, 4, 3", "TETRAHEDRON, 1, 6", "TETRAHEDRON, 2, 4", "TETRAHEDRON, 3, 3"})
    void errorsFallAtTheRateOfTheDegree(ElementShape shape, int degree, int n) {
        FunctionErrors coarse = errors(shape, degree, n);
        int finer = shape.dimension() == 2 ? 2 * n : n + n / 2;
        FunctionErrors fine = errors(shape, degree, finer);
        double steps = Math.log((double) finer / n);
        double l2 = Math.log(coarse.l2() / fine.l2()) / steps;
        double h1 = Math.log(coarse.h1() / fine.h1()) / steps;
        assertEquals(degree + 1, l2, 0.06, "L2 rate");
        assertEquals(degree, h1, 0.05, "H1 rate");
    }

    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 1", "QUADRILATERAL, 3", "TRIANGLE, 2", "HEXAHEDRON, 1", "HEXAHEDRON, 2",
        "TETRAHEDRON, 1", "TETRAHEDRON, 3"})
    void linearDisplacementsOfAnElasticBodyAreExact(ElementShape shape, int degree) {
        int dimension = shape.dimension();
        int n = dimension == 3 && degree == 3 ? 1 : 3;
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(shape, n, true), degree);
        double[] m = {0.1, 0.2, -0.3, 0.05, -0.1, 0.4, 0.2, 0.15, -0.25};
        Constraints constraints = Constraints.none(space, dimension);
        for (int a = 0; a < dimension; a++) {
            int field = a;
            constraints.fix(space.boundaryNodes(), a, x -> displacement(m, field, x));
        }
        for (Storage storage : List.of(Storage.CSR, Storage.MATRIX_FREE)) {
            try (FormSystem system = FormSystem.of(BilinearForm.elasticity(dimension, 200, 0.3), constraints, List.of(),
                    FemCases.csr().withStorage(storage), backend)) {
                system.assemble();
                double[] u = FemCases.solve(system, system.rightHandSide((x, f) -> Arrays.fill(f, 0)), backend, 1e-14);
                FunctionErrors errors = FunctionErrors.of(space, u, dimension, (x, v) -> {
                    for (int a = 0; a < dimension; a++) {
                        v[a] = displacement(m, a, x);
                    }
                }, (x, g) -> {
                    for (int k = 0; k < g.length; k++) {
                        g[k] = m[k / dimension * 3 + k % dimension];
                    }
                });
                assertEquals(0, errors.l2(), 1e-13, storage.label());
                assertEquals(0, errors.h1(), 1e-12, storage.label());
            }
        }
    }

    private static double displacement(double[] m, int field, double[] x) {
        double u = field;
        for (int d = 0; d < x.length; d++) {
            u += m[3 * field + d] * x[d];
        }
        return u;
    }

    @ParameterizedTest
    @CsvSource({"TRIANGLE, 2", "TRIANGLE, 3", "TETRAHEDRON, 2", "TETRAHEDRON, 3"})
    void polynomialsOfTheDegreeAreExactOnSimplices(ElementShape shape, int degree) {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(shape, 2, true), degree);
        // u = x^p + y
        Constraints constraints = Constraints.onBoundary(space, x -> Math.pow(x[0], degree) + x[1]);
        try (FormSystem system = FormSystem.of(BilinearForm.diffusion(Coefficient.constant(1)), constraints, List.of(),
                FemCases.csr(), backend)) {
            system.assemble();
            HostVector b = system.rightHandSide(
                    (x, f) -> f[0] = -degree * (degree - 1) * Math.pow(x[0], degree - 2.0));
            double[] u = FemCases.solve(system, b, backend, 1e-14);
            FunctionErrors errors = FunctionErrors.of(space, u, 1, (x, v) -> v[0] = Math.pow(x[0], degree) + x[1],
                    (x, g) -> {
                        Arrays.fill(g, 0);
                        g[0] = degree * Math.pow(x[0], degree - 1.0);
                        g[1] = 1;
                    });
            assertEquals(0, errors.l2(), 1e-12);
            assertEquals(0, errors.h1(), 1e-11);
        }
    }

    @Test
    void rigidMotionsCostNothing() {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.HEXAHEDRON, 2, true), 1);
        try (FormSystem system = FormSystem.singular(BilinearForm.elasticity(3, 1, 0.2), Constraints.none(space, 3),
                FemCases.csr(), backend)) {
            system.assemble();
            HostVector x = HostVector.zeros(Precision.F64, system.size());
            HostVector y = HostVector.zeros(Precision.F64, system.size());
            for (int node = 0; node < space.nodes(); node++) {
                x.set(3 * node, 1 - 2 * space.coordinates()[3 * node + 1]);
                x.set(3 * node + 1, 2 * space.coordinates()[3 * node]);
                x.set(3 * node + 2, 3);
            }
            system.operator().apply(x, y);
            assertEquals(0, Arrays.stream(y.doubles()).map(Math::abs).max().orElseThrow(), 1e-13);
        }
    }

    private static SolveReport solve(FormSystem system, Preconditioner preconditioner, double[] expected) {
        HostVector b = system.rightHandSide((x, f) -> f[0] = 1 + x[0]);
        HostVector x = HostVector.zeros(b.precision(), b.length());
        try (ConjugateGradient method = new ConjugateGradient(system.operator(), preconditioner, backend)) {
            SolveReport report = method.solve(b, x, StoppingCriteria.relative(1e-11, 2000));
            assertTrue(report.converged(), report::toString);
            double[] u = system.unknowns().expand(x.doubles());
            for (int k = 0; k < u.length; k++) {
                assertEquals(expected[k], u[k], 1e-9);
            }
            return report;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"csr", "matrix-free-factored"})
    void preconditionersWorkWithEveryStorage(String storage) {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.QUADRILATERAL, 4, true), 4);
        FormOptions options = FemCases.csr().withStorage(Storage.of(storage));
        BilinearForm form = BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + 5 * x[0]));
        try (FormSystem system = FormSystem.of(form, FemCases.zero(space), List.of(), options, backend);
                DegreeMultigridCase multigrid = new DegreeMultigridCase(form, space, system, options);
                Preconditioner jacobi = FormPreconditioners.jacobi(system.operator(), backend);
                Preconditioner chebyshev =
                        FormPreconditioners.chebyshev(system.operator(), Map.of("degree", "4"), backend);
                ColouredSsor ssor = ColouredSsor.of(system, backend)) {
            double[] expected = FemCases.solve(system, system.rightHandSide((x, f) -> f[0] = 1 + x[0]), backend, 1e-12);
            int plain = solve(system, jacobi, expected).iterations();
            assertTrue(solve(system, ssor, expected).iterations() < 0.8 * plain, storage);
            assertTrue(solve(system, chebyshev, expected).iterations() < plain / 2, storage);
            int cycles = solve(system, multigrid.cycle().preconditioner(), expected).iterations();
            assertTrue(cycles <= 20, storage + ": " + cycles + " cycles, levels " + multigrid.cycle().levels());
        }
    }

    /** Assembles, and sets up the levels. */
    private record DegreeMultigridCase(DegreeMultigrid cycle) implements AutoCloseable {
        DegreeMultigridCase(BilinearForm form, FunctionSpace space, FormSystem system, FormOptions options) {
            this(make(form, space, system, options));
        }

        private static DegreeMultigrid make(BilinearForm form, FunctionSpace space, FormSystem system,
                FormOptions options) {
            system.assemble();
            return new DegreeMultigrid(new DegreeMultigrid.Problem(form, FemCases::zero, List.of()), space, system,
                    options, backend);
        }

        @Override
        public void close() {
            cycle.close();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Storage.class, names = {"CSR", "CSR_SEARCH"}, mode = EnumSource.Mode.EXCLUDE)
    void ssorIsItsFormula(Storage storage) {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(ElementShape.QUADRILATERAL, 4, true), 2);
        FormOptions options = FemCases.csr().withStorage(storage);
        try (FormSystem system = FemCases.poisson(space, options, backend)) {
            system.assemble();
            int[] colour = RowColours.colours(system.unknowns().ofCells(), system.unknowns().perCell(), system.size(),
                    system.size());
            double[][] k = FemCases.dense(system.operator());
            int n = system.size();
            HostVector r = HostVector.of(Precision.F64, n, i -> TestSeed.random("r" + i).nextDouble());
            HostVector z = HostVector.zeros(Precision.F64, n);
            try (ColouredSsor ssor = ColouredSsor.of(system, backend)) {
                ssor.apply(r, z);
            }
            double[] upper = new double[n]; // D⁻¹ (L + D)ᵀ z
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    upper[i] += colour[j] > colour[i] || i == j ? k[j][i] * z.get(j) / k[i][i] : 0;
                }
            }
            for (int i = 0; i < n; i++) {
                double product = 0;
                for (int j = 0; j < n; j++) {
                    product += colour[j] < colour[i] || i == j ? k[j][i] * upper[j] : 0;
                }
                assertEquals(r.get(i), product, 1e-12, "row " + i + ", seed " + TestSeed.value());
            }
        }
    }

    @Test
    void aSlopingCantileverBendsAsItsMeshIsTurned() {
        // the same beam along two directions has the same deflection: nothing depends on the axes
        double first = deflection(x -> new double[]{4 * x[0], x[1]}, 1);
        double second = deflection(x -> new double[]{-x[1], 4 * x[0]}, 0);
        assertEquals(Math.abs(first), Math.abs(second), 1e-8 * Math.abs(first));
        assertTrue(first < 0, "deflection " + first);
    }

    private static double deflection(java.util.function.UnaryOperator<double[]> place, int across) {
        CellMesh mesh = StructuredMeshes.box(ElementShape.QUADRILATERAL, new int[]{8, 3}, place);
        FunctionSpace space = FunctionSpace.of(mesh, 2);
        int along = 1 - across;
        Constraints clamped = Constraints.none(space, 2);
        int[] end = space.boundaryNodes(m -> Math.abs(m[along]) < 1e-9);
        clamped.fix(end, 0, x -> 0).fix(end, 1, x -> 0);
        BoundaryCondition load = BoundaryCondition.neumann(m -> m[along] > 4 - 1e-9, (x, g) -> g[across] = -1e-3);
        try (FormSystem system = FormSystem.of(BilinearForm.elasticity(2, 1, 0.3), clamped, List.of(load),
                FemCases.csr(), backend)) {
            system.assemble();
            double[] u = FemCases.solve(system, system.rightHandSide((x, f) -> Arrays.fill(f, 0)), backend, 1e-11);
            double most = 0;
            for (int node = 0; node < space.nodes(); node++) {
                double value = u[2 * node + across];
                most = Math.abs(value) > Math.abs(most) ? value : most;
            }
            return most;
        }
    }
}
