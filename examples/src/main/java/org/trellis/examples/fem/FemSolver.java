package org.trellis.examples.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.fem.ColouredSsor;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.FunctionErrors;
import org.trellis.fem.GeometricMultigrid;
import org.trellis.fem.PointFunction;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;

/** Makes, solves and measures one system. */
final class FemSolver implements AutoCloseable {
    private static final int TIMED = 3;
    private static final double LONG = 2;

    private final FemOptions how;
    private final FemTuning.Chosen chosen;
    private final FormOptions options;
    private final DegreeMultigrid.Problem problem;
    private final FunctionSpace space;
    private final Backend backend;
    private final MeshHierarchy meshes;
    private final FormSystem system;
    private final long begun = System.nanoTime();
    private DegreeMultigrid degrees;
    private GeometricMultigrid geometric;
    private double[] solution;

    @SuppressWarnings("MustBeClosed") // closed with this
    FemSolver(FemOptions how, FemTuning.Chosen chosen, DegreeMultigrid.Problem problem, FunctionSpace space,
            MeshHierarchy meshes, Backend backend) {
        this.meshes = meshes;
        this.how = how;
        this.chosen = chosen;
        this.problem = problem;
        this.space = space;
        this.backend = backend;
        this.options = chosen.options();
        this.system = FormSystem.of(problem.form(), problem.constraints().apply(space), problem.conditions(), options,
                backend, how.meshOptions());
    }

    /**
     * Solves.
     *
     * @param load     the right-hand side
     * @param exact    the solution, or null
     * @param gradient its derivatives
     * @return what came out
     */
    FemRun solve(PointFunction load, PointFunction exact, PointFunction gradient) {
        double setup = seconds(begun);
        double assembly = assemble();
        long start = System.nanoTime();
        int fields = problem.form().fields();
        HostVector right = system.rightHandSide(load);
        SolveReport report;
        String words;
        double preparation;
        try (Preconditioner preconditioner = preconditioner();
                ConjugateGradient method = new ConjugateGradient(system.operator(), preconditioner, backend)) {
            preparation = seconds(start);
            report = how.checkpointed().isPresent()
                    ? solve(method, right, how.checkpointed().get())
                    : solve(method, right);
            words = words();
        }
        double rounding = FemRun.rounding(system.operator(), right, report.rightHandSideNorm(), s -> s, g -> g);
        double[] u = new double[system.unknowns().free()];
        for (int k = 0; k < u.length; k++) {
            u[k] = right.get(k);
        }
        solution = system.unknowns().expand(u);
        FunctionErrors errors = exact == null ? null : FunctionErrors.of(space, solution, fields, exact, gradient);
        return new FemRun(space.mesh().cells(), system.unknowns().free(), chosen, words, setup + preparation, assembly,
                report, errors, system.storedBytes(), system.modelBytes(), rounding);
    }

    /** Solves from zero, and puts the solution into the place of the right-hand side. */
    private SolveReport solve(ConjugateGradient method, HostVector right) {
        try (DenseVector b = backend.vector(right.precision(), right.length());
                DenseVector x = backend.vector(right.precision(), right.length())) {
            b.copyFrom(right);
            x.copyFrom(HostVector.zeros(right.precision(), right.length()));
            SolveReport report = method.solve(b, x, how.criteria(system.unknowns().free(), space.mesh().dimension()));
            x.copyTo(right);
            return report;
        }
    }

    /**
     * The same with vectors of a mesh that has checkpoints. A program that starts again makes the system anew, and must
     * have come to the same right-hand side with the same options.
     */
    private SolveReport solve(ConjugateGradient method, HostVector right, MeshOptions saving) {
        double[] values = new double[right.length()];
        Arrays.setAll(values, right::get);
        try (Mesh mesh = Mesh.on(backend, saving)) {
            MeshSet unknowns = mesh.set("unknowns of " + options, values.length);
            Dat b = mesh.dat("right-hand side", unknowns, 1, right.precision(), values);
            Dat x = mesh.dat("solution", unknowns, 1, right.precision());
            SolveReport report = method.solve(b.vector(), x.vector(),
                    how.criteria(system.unknowns().free(), space.mesh().dimension()));
            x.vector().copyTo(right);
            return report;
        }
    }

    private String words() {
        List<String> levels =
                degrees != null ? degrees.levels() : geometric != null ? geometric.levels() : List.of();
        return how.preconditioner() + (levels.isEmpty() ? "" : " (" + String.join("; ", levels) + ")");
    }

    private static double seconds(long since) {
        return 1e-9 * (System.nanoTime() - since);
    }

    /** Computes the values up to three times, as long as that does not take long, and returns the best. */
    private double assemble() {
        double best = Double.POSITIVE_INFINITY;
        double all = 0;
        for (int k = 0; k < TIMED && all < LONG; k++) {
            long start = System.nanoTime();
            system.assemble();
            backend.optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
            double taken = seconds(start);
            all += taken;
            best = Math.min(best, taken);
        }
        return best;
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned, or closed with this
    private Preconditioner preconditioner() {
        String name = how.preconditioner();
        boolean lowest = space.element().degree() == 1;
        return switch (name) {
            case "none" -> null;
            case "jacobi" -> FormPreconditioners.jacobi(system.operator(), backend);
            case "chebyshev" -> FormPreconditioners.chebyshev(system.operator(), Map.of(), backend);
            case FemOptions.P_MULTIGRID -> {
                if (lowest) {
                    yield named("amg");
                }
                degrees = new DegreeMultigrid(problem, space, system, options, backend);
                yield degrees.preconditioner();
            }
            case FemOptions.GEOMETRIC -> {
                geometric = new GeometricMultigrid(problem, meshes, system, space, options, backend);
                yield geometric.preconditioner();
            }
            case "block-jacobi" -> FormPreconditioners.blockJacobi(system, Map.of(), backend);
            case "ssor" -> options.storage().hasRows() ? named(name) : ColouredSsor.of(system, backend);
            default -> named(name);
        };
    }

    @SuppressWarnings("MustBeClosed") // the caller closes it
    private Preconditioner named(String name) {
        CsrMatrix matrix = system.matrix().orElseThrow();
        if (name.equals(NamedPreconditioners.AMG)) {
            return NamedPreconditioners.multigrid(matrix, Map.of(), system.nearNullSpace().orElse(null), backend,
                    backend.kernels(SparseKernels.class)::prepare);
        }
        return NamedPreconditioners.of(name, matrix, system.operator(), backend, Map.of()).orElse(null);
    }

    /** Returns the last solution at all nodes, fields side by side. */
    double[] solution() {
        return solution;
    }

    /** Returns the lines of a report of loops. */
    List<String> loops() {
        return system.mesh().report().toString().lines().toList();
    }

    @Override
    public void close() {
        if (degrees != null) {
            degrees.close();
        }
        if (geometric != null) {
            geometric.close();
        }
        system.close();
    }
}
