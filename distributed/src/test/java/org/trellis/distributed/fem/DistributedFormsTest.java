package org.trellis.distributed.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.Division;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.BoundaryCondition;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.DirichletMethod;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.GeometricMultigrid;
import org.trellis.fem.PointFunction;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.MultilevelPartitioner;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;

/** Programs of finite elements on several ranks against the same programs on one. */
class DistributedFormsTest {
    private static final StoppingCriteria TIGHT = StoppingCriteria.relative(1e-11, 2000);

    /** What is solved. */
    private record Case(MeshHierarchy meshes, CellMesh mesh, int degree, BilinearForm form,
            Function<FunctionSpace, Constraints> constraints, List<BoundaryCondition> conditions,
            PointFunction load) {
        Case(CellMesh mesh, int degree, BilinearForm form, Function<FunctionSpace, Constraints> constraints,
                List<BoundaryCondition> conditions, PointFunction load) {
            this(null, mesh, degree, form, constraints, conditions, load);
        }

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
                    BilinearForm.elasticity(3, 1, 0.3), DistributedFormsTest::clamped,
                    List.of(BoundaryCondition.neumann(x -> x[0] > 1 - 1e-9, (x, g) -> g[2] = x[1])),
                    (x, f) -> Arrays.fill(f, 0));
            case "nested" -> {
                MeshHierarchy meshes =
                        MeshHierarchy.of(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 2, x -> x), 3);
                yield new Case(meshes, meshes.finest(), 2, BilinearForm.diffusion(Coefficient.constant(1)),
                        space -> Constraints.onBoundary(space, x -> 0), List.of(), wave);
            }
            case "sliding" -> new Case(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 6, x -> x), 2,
                    BilinearForm.elasticity(2, 1, 0.3), DistributedFormsTest::sliding, List.of(),
                    (x, f) -> Arrays.fill(f, x[0]));
            default -> new Case(StructuredMeshes.unit(ElementShape.TETRAHEDRON, 3, StructuredMeshes::distorted), 1,
                    BilinearForm.elasticity(3, 1, 0.3), DistributedFormsTest::clamped,
                    List.of(BoundaryCondition.neumann(x -> x[0] > 0.5, (x, g) -> g[2] = x[1])),
                    (x, f) -> Arrays.fill(f, 0));
        };
    }

    private static Constraints clamped(FunctionSpace space) {
        int[] nodes = space.boundaryNodes(centre -> centre[0] < 1e-9);
        return Constraints.none(space, 3).fix(nodes, 0, x -> 0).fix(nodes, 1, x -> 0).fix(nodes, 2, x -> 0);
    }

    /** Fixes one field on each of two sides. */
    private static Constraints sliding(FunctionSpace space) {
        return Constraints.none(space, 2).fix(space.boundaryNodes(centre -> centre[0] < 1e-9), 0, x -> 0)
                .fix(space.boundaryNodes(centre -> centre[1] < 1e-9), 1, x -> 0.1);
    }

    private static Backend backend() {
        return Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
    }

    private static FormOptions options(Case problem, Storage storage) {
        return FormOptions.of(storage,
                FormOptions.formulation(storage, problem.space().element(), problem.form().fields()), Precision.F64);
    }

    /** The program, which does not know of ranks. */
    private static Solution solve(Case problem, FormOptions options, String method, String preconditioner,
            Backend backend) {
        FunctionSpace space = problem.space();
        try (FormSystem system = FormSystem.of(problem.form(), problem.constraints().apply(space),
                problem.conditions(), options, backend)) {
            system.assemble();
            HostVector b = system.rightHandSide(problem.load());
            HostVector x = HostVector.zeros(b.precision(), b.length());
            SolveReport report = switch (preconditioner) {
                case "p-multigrid" -> {
                    try (DegreeMultigrid multigrid =
                            new DegreeMultigrid(problem.asProblem(), space, system, options, backend)) {
                        yield solve(system, multigrid.preconditioner(), method, b, x, backend);
                    }
                }
                case "geometric" -> {
                    try (GeometricMultigrid multigrid = new GeometricMultigrid(problem.asProblem(), problem.meshes(),
                            system, space, options, backend)) {
                        yield solve(system, multigrid.preconditioner(), method, b, x, backend);
                    }
                }
                default -> {
                    Map<String, String> set =
                            preconditioner.equals("amg") ? Map.of("aggregates", "mis2") : Map.of();
                    try (Preconditioner made =
                            FormPreconditioners.of(preconditioner, set, system).orElse(null)) {
                        yield solve(system, made, method, b, x, backend);
                    }
                }
            };
            assertTrue(report.converged(), report::toString);
            return new Solution(system.unknowns().expand(x.toDoubleArray()), report.iterations());
        }
    }

    private static SolveReport solve(FormSystem system, Preconditioner preconditioner, String method, HostVector b,
            HostVector x, Backend backend) {
        try (LinearSolver solver = method.equals("cg")
                ? new ConjugateGradient(system.operator(), preconditioner, backend)
                : KrylovMethod.of(method).prepare(system.operator(), preconditioner, backend, Map.of())) {
            return solver.solve(b, x, TIGHT);
        }
    }

    private static Solution alone(Case problem, FormOptions options, String method, String preconditioner) {
        try (Backend backend = backend()) {
            return solve(problem, options, method, preconditioner, backend);
        }
    }

    private static Solution ranked(Case problem, FormOptions options, String method, String preconditioner,
            Communicator ranks) {
        Division division = ranks.size() == 3 ? Division.blocks() : Division.by(new MultilevelPartitioner(), 1.05);
        try (Backend own = backend(); Backend backend = DistributedForms.on(own, ranks, division)) {
            return solve(problem, options, method, preconditioner, backend);
        }
    }

    private static void compare(Case problem, FormOptions options, String method, String preconditioner, int ranks,
            int apart) {
        Solution one = alone(problem, options, method, preconditioner);
        double most = Arrays.stream(one.nodes()).map(Math::abs).max().orElseThrow();
        List<Solution> several = ThreadRanks.run(ranks,
                communicator -> ranked(problem, options, method, preconditioner, communicator));
        for (Solution solution : several) {
            assertArrayEquals(one.nodes(), solution.nodes(), 1e-8 * most);
            assertEquals(one.iterations(), solution.iterations(), apart, preconditioner);
            assertArrayEquals(several.getFirst().nodes(), solution.nodes(), "not the same on all ranks");
        }
    }

    @ParameterizedTest
    @CsvSource({"squares, CSR, GLOBAL_REUSE, 2", "squares, MATRIX_FREE_FACTORED, SUM_FACTORISED, 4",
        "squares, LAZY_ELLPACK, LOCAL_STORAGE, 1", "squares, ELLPACK, GLOBAL_REUSE, 3",
        "squares, CSR_SEARCH, GLOBAL_REUSE, 3", "bent, CSR, GLOBAL_REUSE, 3", "bent, MATRIX_FREE, GLOBAL_REUSE, 2",
        "bent, LAZY_ELLPACK, GLOBAL_REUSE, 2", "body, LOCAL_MATRICES, LOCAL_STORAGE, 4", "body, CSR, GLOBAL_REUSE, 2",
        "sliding, CSR, GLOBAL_REUSE, 3"})
    void severalRanksSolveAsOne(String name, Storage storage, Formulation formulation, int ranks) {
        compare(named(name), FormOptions.of(storage, formulation, Precision.F64), "cg", "jacobi", ranks, 1);
    }

    /** What is apart from one rank's: nothing but rounding, and how algebraic levels below degree 1 are divided. */
    @ParameterizedTest
    @CsvSource({"none, squares, CSR, 2, cg, 1", "jacobi, squares, CSR, 3, gmres, 1", "block-jacobi, body, CSR, 3, cg, 1",
        "block-jacobi, body, LOCAL_MATRICES, 2, cg, 1", "block-jacobi, squares, MATRIX_FREE, 3, gmres, 1",
        "block-jacobi, sliding, CSR, 3, cg, 1", "chebyshev, squares, MATRIX_FREE_FACTORED, 3, cg, 1",
        "chebyshev, body, CSR, 2, cg, 1", "amg, squares, CSR, 4, cg, 1", "amg, body, CSR, 3, cg, 1",
        "p-multigrid, squares, CSR, 3, cg, 2", "p-multigrid, squares, MATRIX_FREE_FACTORED, 2, cg, 2",
        "p-multigrid, bent, CSR, 2, cg, 2", "p-multigrid, thick, CSR, 3, cg, 2",
        "p-multigrid, squares, LOCAL_MATRICES, 4, gmres, 2", "geometric, nested, MATRIX_FREE_FACTORED, 2, cg, 1",
        "geometric, nested, CSR, 3, cg, 1", "geometric, nested, MATRIX_FREE, 4, gmres, 1",
        "l1-jacobi, squares, CSR, 2, cg, 1", "spai0, squares, CSR, 3, cg, 1"})
    void preconditionersAreThoseOfOneRank(String name, String title, Storage storage, int ranks, String method,
            int apart) {
        Case problem = named(title);
        compare(problem, options(problem, storage), method, name, ranks, apart);
    }

    @ParameterizedTest
    @EnumSource(Storage.class)
    void refilledValuesAreThoseOfTheNewCoefficients(Storage storage) {
        double[] factor = {1};
        Case problem = named("squares");
        BilinearForm form = BilinearForm.diffusion(Coefficient.ofLoop(1, (mesh, x, k) -> k.fill(factor[0])));
        ThreadRanks.run(2, ranks -> {
            try (Backend own = backend();
                    Backend backend = DistributedForms.on(own, ranks);
                    FormSystem system = FormSystem.of(form, problem.constraints().apply(problem.space()), List.of(),
                            FormOptions.of(storage, Formulation.GLOBAL_REUSE, Precision.F64), backend)) {
                system.assemble();
                HostVector x = HostVector.of(Precision.F64, system.size(), k -> 1 + k % 7);
                HostVector before = HostVector.zeros(Precision.F64, system.size());
                HostVector after = HostVector.zeros(Precision.F64, system.size());
                system.operator().apply(x, before);
                ranks.barrier();
                factor[0] = 2;
                ranks.barrier();
                system.assemble();
                system.operator().apply(x, after);
                for (int k = 0; k < after.length(); k++) {
                    assertEquals(2 * before.get(k), after.get(k), 1e-12 * (1 + Math.abs(after.get(k))));
                }
                ranks.barrier();
                factor[0] = 1;
            }
            return null;
        });
    }

    @Test
    void singlePrecisionTravelsToo() {
        Case problem = named("squares");
        FormOptions options = FormOptions.of(Storage.MATRIX_FREE, Formulation.GLOBAL_REUSE, Precision.F32);
        double[] expected;
        try (Backend backend = backend()) {
            expected = product(problem, options, backend);
        }
        ThreadRanks.run(3, ranks -> {
            try (Backend own = backend(); Backend backend = DistributedForms.on(own, ranks, Division.blocks())) {
                assertArrayEquals(expected, product(problem, options, backend), 1e-4);
            }
            return null;
        });
    }

    private static double[] product(Case problem, FormOptions options, Backend backend) {
        try (FormSystem system = FormSystem.of(problem.form(), problem.constraints().apply(problem.space()),
                List.of(), options, backend)) {
            system.assemble();
            HostVector x = system.rightHandSide(problem.load());
            HostVector y = HostVector.zeros(x.precision(), x.length());
            system.operator().apply(x, y);
            return system.unknowns().expand(y.toDoubleArray());
        }
    }

    /** More ranks than unknowns: some own nothing, and take part all the same. */
    @Test
    void ranksMayOwnNothing() {
        Case few = new Case(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 2, x -> x), 1,
                BilinearForm.diffusion(Coefficient.constant(1)), space -> Constraints.onBoundary(space, x -> x[0]),
                List.of(), (x, f) -> f[0] = 1);
        for (Storage storage : List.of(Storage.CSR, Storage.MATRIX_FREE, Storage.ELLPACK)) {
            compare(few, options(few, storage), "cg", "jacobi", 3, 0);
        }
        compare(few, options(few, Storage.CSR), "cg", "amg", 4, 0);
        compare(few, options(few, Storage.LOCAL_MATRICES), "cg", "block-jacobi", 2, 0);
    }

    @Test
    void whatRanksHaveNotIsRefused() {
        Case problem = named("squares");
        ThreadRanks.run(2, ranks -> {
            try (Backend own = backend(); Backend backend = DistributedForms.on(own, ranks)) {
                Constraints constraints = problem.constraints().apply(problem.space());
                FormOptions local =
                        FormOptions.of(Storage.LOCAL_MATRICES, Formulation.GLOBAL_REUSE, Precision.F64);
                try (FormSystem system =
                        FormSystem.of(problem.form(), constraints, List.of(), local, backend)) {
                    system.assemble();
                    assertTrue(refusal(system, "ssor").contains("expected storage csr or csr-search"));
                    assertTrue(refusal(system, "amg").contains("expected storage csr or csr-search"));
                }
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> FormSystem.of(problem.form(), constraints, List.of(),
                                local.withStorage(Storage.CSR).withDirichlet(DirichletMethod.ROWS), backend))
                        .getMessage().contains("constraints eliminated"));
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> FormSystem.of(problem.form(), constraints,
                                List.of(BoundaryCondition.neumann(x -> false, (x, g) -> g[0] = 1)), local, backend))
                        .getMessage().contains("holds on no facet"));
            }
            return null;
        });
    }

    private static String refusal(FormSystem system, String name) {
        return assertThrows(IllegalArgumentException.class,
                () -> FormPreconditioners.of(name, Map.of(), system)).getMessage();
    }
}
