package org.trellis.distributed.fem;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.mesh.Division;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.BoundaryCondition;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
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
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;

/** Programs of finite elements that do not know of ranks, and what they solve. */
public final class FormPrograms {
    private static final StoppingCriteria TIGHT = StoppingCriteria.relative(1e-11, 2000);

    private FormPrograms() {}

    /** What is solved. */
    record Case(MeshHierarchy meshes, CellMesh mesh, int degree, BilinearForm form,
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

    record Solution(double[] nodes, int iterations) {}

    static Case named(String name) {
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
                    BilinearForm.elasticity(3, 1, 0.3), FormPrograms::clamped,
                    List.of(BoundaryCondition.neumann(x -> x[0] > 1 - 1e-9, (x, g) -> g[2] = x[1])),
                    (x, f) -> Arrays.fill(f, 0));
            case "nested" -> {
                MeshHierarchy meshes =
                        MeshHierarchy.of(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 2, x -> x), 3);
                yield new Case(meshes, meshes.finest(), 2, BilinearForm.diffusion(Coefficient.constant(1)),
                        space -> Constraints.onBoundary(space, x -> 0), List.of(), wave);
            }
            case "sliding" -> new Case(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 6, x -> x), 2,
                    BilinearForm.elasticity(2, 1, 0.3), FormPrograms::sliding, List.of(),
                    (x, f) -> Arrays.fill(f, x[0]));
            default -> new Case(StructuredMeshes.unit(ElementShape.TETRAHEDRON, 3, StructuredMeshes::distorted), 1,
                    BilinearForm.elasticity(3, 1, 0.3), FormPrograms::clamped,
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

    static FormOptions options(Case problem, Storage storage) {
        return FormOptions.of(storage,
                FormOptions.formulation(storage, problem.space().element(), problem.form().fields()), Precision.F64);
    }

    /**
     * Runs the program on a rank.
     *
     * @param ranks          all of them
     * @param name           of what is solved
     * @param preconditioner of conjugate gradients
     * @return values of nodes
     */
    public static double[] solveOver(Communicator ranks, String name, String preconditioner) {
        try (Backend own = Backends.open("threads",
                Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
                Backend backend = DistributedForms.on(own, ranks, Division.blocks())) {
            return solve(named(name), FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64), "cg",
                    preconditioner, backend).nodes();
        }
    }

    /** The program, which does not know of ranks. */
    static Solution solve(Case problem, FormOptions options, String method, String preconditioner,
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

    private static SolveReport solve(FormSystem system, Preconditioner preconditioner, String method, HostVector right,
            HostVector solution, Backend backend) {
        try (DenseVector b = backend.vector(right.precision(), right.length());
                DenseVector x = backend.vector(right.precision(), right.length());
                LinearSolver solver = method.equals("cg")
                        ? new ConjugateGradient(system.operator(), preconditioner, backend)
                        : KrylovMethod.of(method).prepare(system.operator(), preconditioner, backend, Map.of())) {
            b.copyFrom(right);
            SolveReport report = solver.solve(b, x, TIGHT);
            x.copyTo(solution);
            return report;
        }
    }
}
