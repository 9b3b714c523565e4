package org.trellis.examples.fem;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormRanks;
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

/** Makes, solves and measures one system: on one rank or, with the backend of one of several, on all of them. */
final class FemSolver implements AutoCloseable {
    private static final int TIMED = 3;
    private static final double LONG_SECONDS = 2;

    /**
     * What is known of a problem.
     *
     * @param load     the right-hand side
     * @param exact    the solution, or null
     * @param gradient its derivatives
     */
    record Known(PointFunction load, PointFunction exact, PointFunction gradient) {}

    /**
     * What came out.
     *
     * @param run      the numbers of the whole
     * @param nodes    the solution at all nodes, fields side by side
     * @param loops    lines of a report of loops, over ranks this one's; empty if none is asked for
     * @param division how much of the mesh ranks share; null on one rank
     */
    record Result(FemRun run, double[] nodes, List<String> loops, String division) {}

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
    /** Null on one rank. */
    private final FormRanks ranks;

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
        this.ranks = backend.optionalKernels(FormRanks.class).orElse(null);
        this.system = FormSystem.of(problem.form(), problem.constraints().apply(space), problem.conditions(), options,
                backend, how.meshOptions());
    }

    /**
     * Solves.
     *
     * @param known what is known of the problem
     * @return what came out
     */
    Result solve(Known known) {
        double setup = seconds(begun);
        double assembly = assemble();
        long start = System.nanoTime();
        HostVector right = system.rightHandSide(known.load());
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
        double rounding = FemRun.rounding(system.operator(), right, report.rightHandSideNorm(), this::sum,
                this::greatest);
        double[] nodes = system.unknowns().expand(right.toDoubleArray());
        FunctionErrors errors = known.exact() == null
                ? null
                : FunctionErrors.of(system, nodes, known.exact(), known.gradient());
        FemRun run = new FemRun(space.mesh().cells(), system.unknowns().free(), chosen, words,
                greatest(setup + preparation), greatest(assembly), report, errors,
                (long) sum((double) system.storedBytes()), (long) sum((double) system.modelBytes()), rounding);
        return new Result(run, nodes, how.report() ? system.mesh().report().toString().lines().toList() : List.of(),
                ranks == null ? null : division());
    }

    /** Says how much of the mesh the ranks share. */
    private String division() {
        int cells = space.mesh().cells();
        return String.format(Locale.ROOT, "%.1f %% of the cells run by several ranks, at most %,d by one",
                100.0 * (sum(system.cells()) - cells) / cells, (long) greatest(system.cells()));
    }

    private double sum(double value) {
        double[] all = {value};
        if (ranks != null) {
            ranks.sum(all);
        }
        return all[0];
    }

    private double greatest(double value) {
        double[] all = {value};
        if (ranks != null) {
            ranks.highest(all);
        }
        return all[0];
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
        for (int k = 0; k < TIMED && greatest(all) < LONG_SECONDS; k++) {
            long start = System.nanoTime();
            system.assemble();
            backend.optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
            double taken = seconds(start);
            all += taken;
            best = Math.min(best, taken);
        }
        return best;
    }

    @SuppressWarnings("MustBeClosed") // the caller closes it, or it is closed with this
    private Preconditioner preconditioner() {
        return switch (how.preconditioner()) {
            case FemOptions.P_MULTIGRID -> {
                if (space.element().degree() == 1) {
                    yield named(NamedPreconditioners.AMG);
                }
                degrees = new DegreeMultigrid(problem, space, system, options, backend);
                yield degrees.preconditioner();
            }
            case FemOptions.GEOMETRIC -> {
                geometric = new GeometricMultigrid(problem, meshes, system, space, options, backend);
                yield geometric.preconditioner();
            }
            default -> named(how.preconditioner());
        };
    }

    @SuppressWarnings("MustBeClosed") // the caller closes it
    private Preconditioner named(String name) {
        return FormPreconditioners.of(name, NamedPreconditioners.symmetricOptions(name), system).orElse(null);
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
