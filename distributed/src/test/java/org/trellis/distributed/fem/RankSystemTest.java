package org.trellis.distributed.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.BoundaryCondition;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.DirichletMethod;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.PointFunction;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.MultilevelPartitioner;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;

/** Finite elements on several ranks against one. */
@SuppressWarnings("MustBeClosed") // the backend of ranks closes that of each
class RankSystemTest {
    private static final StoppingCriteria TIGHT = StoppingCriteria.relative(1e-11, 2000);

    /** What is solved. */
    private record Case(CellMesh mesh, int degree, BilinearForm form, Function<FunctionSpace, Constraints> constraints,
            List<BoundaryCondition> conditions, PointFunction load) {
        FunctionSpace space() {
            return FunctionSpace.of(mesh, degree);
        }

        DegreeMultigrid.Problem asProblem() {
            return new DegreeMultigrid.Problem(form, constraints, conditions);
        }
    }

    private record Solution(double[] nodes, int iterations) {}

    private static Case named(String name) {
        PointFunction wave = (x, f) -> f[0] = 1 + x[0] * x[1];
        return switch (name) {
            case "squares" -> {
                CellMesh mesh = StructuredMeshes.unit(ElementShape.QUADRILATERAL, 7, StructuredMeshes::distorted);
                double[] kappa = new double[49];
                Arrays.setAll(kappa, cell -> 1 + cell % 5);
                yield new Case(mesh, 3, BilinearForm.diffusion(Coefficient.ofCells(1, kappa)),
                        space -> Constraints.onBoundary(space, x -> x[0] - x[1]), List.of(), wave);
            }
            case "bent" -> new Case(StructuredMeshes.unit(ElementShape.TRIANGLE, 5, x -> x).curved(2,
                    x -> new double[]{x[0] + 0.1 * Math.sin(2 * x[1]), x[1]}), 2,
                    BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = 1 + x[0] * x[0]))
                            .plusReaction(Coefficient.constant(2)),
                    space -> Constraints.none(space, 1), List.of(new BoundaryCondition(x -> true,
                            (x, g) -> g[0] = x[1], 0.5)),
                    wave);
            case "thick" -> new Case(StructuredMeshes.unit(ElementShape.HEXAHEDRON, 3, StructuredMeshes::distorted), 2,
                    BilinearForm.elasticity(3, 1, 0.3), RankSystemTest::clamped,
                    List.of(BoundaryCondition.neumann(x -> x[0] > 1 - 1e-9, (x, g) -> g[2] = x[1])),
                    (x, f) -> Arrays.fill(f, 0));
            default -> new Case(StructuredMeshes.unit(ElementShape.TETRAHEDRON, 3, StructuredMeshes::distorted), 1,
                    BilinearForm.elasticity(3, 1, 0.3), RankSystemTest::clamped,
                    List.of(BoundaryCondition.neumann(x -> x[0] > 0.5, (x, g) -> g[2] = x[1])),
                    (x, f) -> Arrays.fill(f, 0));
        };
    }

    private static Constraints clamped(FunctionSpace space) {
        int[] nodes = space.boundaryNodes(centre -> centre[0] < 1e-9);
        return Constraints.none(space, 3).fix(nodes, 0, x -> 0).fix(nodes, 1, x -> 0).fix(nodes, 2, x -> 0);
    }

    private static Backend backend() {
        return Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
    }

    private static SolveReport solve(LinearOperator operator, HostVector b, HostVector x, Backend backend) {
        try (JacobiPreconditioner jacobi = FormPreconditioners.jacobi(operator, backend);
                ConjugateGradient method = new ConjugateGradient(operator, jacobi, backend)) {
            return method.solve(b, x, TIGHT);
        }
    }

    private static Solution alone(Case problem, FormOptions options) {
        FunctionSpace space = problem.space();
        try (Backend backend = backend();
                FormSystem system = FormSystem.of(problem.form(), problem.constraints().apply(space),
                        problem.conditions(), options, backend)) {
            system.assemble();
            HostVector b = system.rightHandSide(problem.load());
            HostVector x = HostVector.zeros(b.precision(), b.length());
            int iterations = solve(system.operator(), b, x, backend).iterations();
            return new Solution(system.unknowns().expand(x.toDoubleArray()), iterations);
        }
    }

    private static Solution ranked(Case problem, FormOptions options, Communicator ranks, boolean blocks) {
        FunctionSpace space = problem.space();
        int[] rankOfCell = RankSystem.divide(ranks, problem.mesh(), blocks ? null : new MultilevelPartitioner(), 1.05);
        try (RankBackend backend = new RankBackend(ranks, backend());
                RankSystem system = new RankSystem(problem.form(), problem.constraints().apply(space),
                        problem.conditions(), options, backend, ranks, rankOfCell)) {
            system.assemble();
            assertEquals(system.unknowns(), ranks.sum(system.owned()));
            assertTrue(ranks.size() == 1 ? system.neighbours() == 0 : system.neighbours() > 0);
            HostVector b = system.rightHandSide(problem.load());
            HostVector x = HostVector.zeros(b.precision(), b.length());
            SolveReport report = solve(system.operator(), b, x, backend);
            assertTrue(report.converged(), report::toString);
            return new Solution(system.gather(x), report.iterations());
        }
    }

    @ParameterizedTest
    @CsvSource({"squares, CSR, GLOBAL_REUSE, 2", "squares, MATRIX_FREE_FACTORED, SUM_FACTORISED, 5",
        "squares, LAZY_ELLPACK, LOCAL_STORAGE, 1", "bent, CSR, GLOBAL_REUSE, 3", "bent, MATRIX_FREE, GLOBAL_REUSE, 2",
        "body, LOCAL_MATRICES, LOCAL_STORAGE, 4", "body, CSR, GLOBAL_REUSE, 2"})
    void severalRanksSolveAsOne(String name, Storage storage, Formulation formulation, int ranks) {
        Case problem = named(name);
        FormOptions options = FormOptions.of(storage, formulation, Precision.F64);
        Solution one = alone(problem, options);
        double most = Arrays.stream(one.nodes()).map(Math::abs).max().orElseThrow();
        List<Solution> several =
                ThreadRanks.run(ranks, communicator -> ranked(problem, options, communicator, ranks == 3));
        for (Solution solution : several) {
            assertArrayEquals(one.nodes(), solution.nodes(), 1e-9 * most);
            assertEquals(one.iterations(), solution.iterations(), 1);
            assertArrayEquals(several.getFirst().nodes(), solution.nodes(), "not the same on all ranks");
        }
    }

    private static Preconditioner one(String name, Case problem, FormSystem system, FormOptions options,
            Backend backend, List<AutoCloseable> more) {
        return switch (name) {
            case "jacobi" -> FormPreconditioners.jacobi(system.operator(), backend);
            case "chebyshev" -> FormPreconditioners.chebyshev(system.operator(), Map.of(), backend);
            case "block-jacobi" -> options.storage() == Storage.CSR
                    ? NamedPreconditioners.of(name, system.matrix().orElseThrow(), null, backend,
                            Map.of("block-size", Integer.toString(problem.form().fields()))).orElseThrow()
                    : FormPreconditioners.blockJacobi(system, Map.of(), backend);
            case "amg" -> NamedPreconditioners.multigrid(system.matrix().orElseThrow(), Map.of("aggregates", "mis2"),
                    system.nearNullSpace().orElse(null), backend, backend.kernels(SparseKernels.class)::prepare);
            default -> {
                DegreeMultigrid multigrid = new DegreeMultigrid(problem.asProblem(), problem.space(), system, options,
                        backend);
                more.add(multigrid);
                yield multigrid.preconditioner();
            }
        };
    }

    private static Solution aloneWith(String name, Case problem, FormOptions options) throws Exception {
        List<AutoCloseable> more = new ArrayList<>();
        try (Backend backend = backend();
                FormSystem system = FormSystem.of(problem.form(), problem.constraints().apply(problem.space()),
                        problem.conditions(), options, backend)) {
            system.assemble();
            HostVector b = system.rightHandSide(problem.load());
            HostVector x = HostVector.zeros(b.precision(), b.length());
            try (Preconditioner preconditioner = one(name, problem, system, options, backend, more);
                    ConjugateGradient method = new ConjugateGradient(system.operator(), preconditioner, backend)) {
                int iterations = method.solve(b, x, TIGHT).iterations();
                return new Solution(system.unknowns().expand(x.toDoubleArray()), iterations);
            } finally {
                for (AutoCloseable multigrid : more) {
                    multigrid.close();
                }
            }
        }
    }

    private static Solution rankedWith(String name, Case problem, FormOptions options, Communicator ranks) {
        int[] rankOfCell = RankSystem.divide(ranks, problem.mesh(), new MultilevelPartitioner(), 1.05);
        try (RankBackend backend = new RankBackend(ranks, backend());
                RankSystem system = new RankSystem(problem.form(), problem.constraints().apply(problem.space()),
                        problem.conditions(), options, backend, ranks, rankOfCell)) {
            system.assemble();
            HostVector b = system.rightHandSide(problem.load());
            HostVector x = HostVector.zeros(b.precision(), b.length());
            try (Preconditioner preconditioner = name.equals("p-multigrid")
                    ? new RankDegreeMultigrid(problem.asProblem(), system, options, backend)
                    : system.preconditioner(name, backend).orElseThrow();
                    ConjugateGradient method = new ConjugateGradient(system.operator(), preconditioner, backend)) {
                SolveReport report = method.solve(b, x, TIGHT);
                assertTrue(report.converged(), report::toString);
                return new Solution(system.gather(x), report.iterations());
            }
        }
    }

    /** What is apart from one rank's: nothing but rounding, and how algebraic levels below degree 1 are divided. */
    @ParameterizedTest
    @CsvSource({"jacobi, squares, CSR, 3, 0", "jacobi, body, CSR, 2, 0", "block-jacobi, body, CSR, 3, 0",
        "block-jacobi, body, LOCAL_MATRICES, 2, 0", "block-jacobi, squares, MATRIX_FREE, 3, 0",
        "chebyshev, squares, MATRIX_FREE_FACTORED, 3, 0", "chebyshev, body, CSR, 2, 0", "amg, squares, CSR, 4, 1",
        "amg, body, CSR, 3, 1", "p-multigrid, squares, CSR, 3, 2", "p-multigrid, squares, MATRIX_FREE_FACTORED, 2, 2",
        "p-multigrid, bent, CSR, 2, 2", "p-multigrid, thick, CSR, 3, 2"})
    void preconditionersAreThoseOfOneRank(String name, String title, Storage storage, int ranks, int apart)
            throws Exception {
        Case problem = named(title);
        FormOptions options = FormOptions.of(storage,
                FormOptions.formulation(storage, problem.space().element(), problem.form().fields()), Precision.F64);
        Solution one = aloneWith(name, problem, options);
        double most = Arrays.stream(one.nodes()).map(Math::abs).max().orElseThrow();
        for (Solution solution : ThreadRanks.run(ranks, on -> rankedWith(name, problem, options, on))) {
            assertArrayEquals(one.nodes(), solution.nodes(), 1e-8 * most);
            assertEquals(one.iterations(), solution.iterations(), apart, name);
        }
    }

    @Test
    void preconditionersThatRanksHaveNotAreRefused() {
        Case problem = named("squares");
        FormOptions options = FormOptions.of(Storage.LOCAL_MATRICES, Formulation.GLOBAL_REUSE, Precision.F64);
        ThreadRanks.run(2, ranks -> {
            int[] rankOfCell = RankSystem.divide(ranks, problem.mesh(), null, 1);
            try (RankBackend backend = new RankBackend(ranks, backend());
                    RankSystem system = new RankSystem(problem.form(), problem.constraints().apply(problem.space()),
                            List.of(), options, backend, ranks, rankOfCell)) {
                system.assemble();
                assertTrue(system.preconditioner("none", backend).isEmpty());
                assertTrue(system.matrix().isEmpty());
                String order = assertThrows(IllegalArgumentException.class,
                        () -> system.preconditioner("ssor", backend)).getMessage();
                assertTrue(order.contains("ssor") && order.contains("chebyshev, amg"), order);
                String rows = assertThrows(IllegalArgumentException.class,
                        () -> system.preconditioner("amg", backend)).getMessage();
                assertTrue(rows.contains("expected storage csr"), rows);
            }
            return null;
        });
    }

    @Test
    void singlePrecisionTravelsToo() {
        Case problem = named("squares");
        FormOptions options = FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F32);
        FunctionSpace space = problem.space();
        double[] expected;
        try (Backend backend = backend();
                FormSystem system = FormSystem.of(problem.form(), problem.constraints().apply(space), List.of(),
                        options, backend)) {
            system.assemble();
            HostVector x = system.rightHandSide(problem.load());
            HostVector y = HostVector.zeros(Precision.F32, x.length());
            system.operator().apply(x, y);
            expected = system.unknowns().expand(y.toDoubleArray());
        }
        ThreadRanks.run(3, ranks -> {
            int[] rankOfCell = RankSystem.divide(ranks, problem.mesh(), null, 1);
            try (RankBackend backend = new RankBackend(ranks, backend());
                    RankSystem system = new RankSystem(problem.form(), problem.constraints().apply(space), List.of(),
                            options, backend, ranks, rankOfCell)) {
                system.assemble();
                HostVector x = system.rightHandSide(problem.load());
                HostVector y = HostVector.zeros(Precision.F32, x.length());
                system.operator().apply(x, y);
                assertArrayEquals(expected, system.gather(y), 1e-4);
            }
            return null;
        });
    }

    @Test
    void whatCannotBeDividedIsRefused() {
        Case problem = named("squares");
        assertTrue(refusal(problem, Storage.CSR, DirichletMethod.ROWS, new int[49]).contains("constraints eliminated"));
        assertTrue(refusal(problem, Storage.CSR, DirichletMethod.ELIMINATE, new int[49])
                .contains("rank 1 of 2 owns none of 400 free unknowns"));
        assertTrue(refusal(problem, Storage.CSR, DirichletMethod.ELIMINATE, new int[48]).contains("ranks of cells"));
    }

    private static String refusal(Case problem, Storage storage, DirichletMethod method, int... rankOfCell) {
        FormOptions options =
                FormOptions.of(storage, Formulation.GLOBAL_REUSE, Precision.F64).withDirichlet(method);
        FunctionSpace space = problem.space();
        return ThreadRanks.run(2, ranks -> {
            try (RankBackend backend = new RankBackend(ranks, backend())) {
                return assertThrows(IllegalArgumentException.class, () -> new RankSystem(problem.form(),
                        problem.constraints().apply(space), List.of(), options, backend, ranks, rankOfCell).close())
                        .getMessage();
            }
        }).getFirst();
    }
}
