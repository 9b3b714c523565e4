package org.trellis.examples.fem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.Usage;
import org.trellis.bench.ranks.RankJob;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.file.AtomicFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code trellis example poisson}. */
@Command(name = "poisson", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Poisson's equation by finite elements of any degree, with the matrix stored in one of several ways or not at all.",
    "Prints errors against the known solution, elements assembled and iterations a second."})
public final class PoissonCommand implements Callable<Integer> {
    private static final int MOST_STUDIES = 10;

    private final Console console;
    private final RankJob job;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MESH", arity = "0..1", defaultValue = "quads:n=32", description = {
        "A mesh file of triangles, quadrilaterals, tetrahedra or hexahedra, perhaps with .gz, or the unit square or",
        "cube: " + FemInput.GENERATED + ". Default: quads:n=32."})
    private String input;

    @Option(names = "--form", paramLabel = "F", defaultValue = "sine", description = {
        "sine (the thesis's: kappa 1), variable (kappa a function) or tensor (an oblique tensor, and a reaction).",
        "Default: sine."})
    private String form;

    @Option(names = "--distort", description = "Move the vertices of a mesh that is generated.")
    private boolean distort;

    @Option(names = "--study", paramLabel = "N", defaultValue = "0",
            description = "Solve on N more meshes, each twice as fine, and give rates. Default: 0.")
    private int study;

    @Option(names = "--ranks", paramLabel = "N", description = {
        "Ranks, which are threads with a part of the mesh each; the same as trellis run --ranks N example poisson.",
        "Default: those of the job, or 1."})
    private Integer ranks;

    @Mixin
    private FemOptions how;

    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    /**
     * Creates the command.
     *
     * @param console where it prints
     * @param job     the ranks that it runs on
     */
    public PoissonCommand(Console console, RankJob job) {
        this.console = console;
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        PoissonProblems problem = Usage.get(spec, () -> PoissonProblems.of(form));
        Usage.check(spec, how::check);
        FemInput mesh = read();
        RankJob wanted = Usage.get(spec, () -> FemRanks.ranks(job, ranks));
        List<FemRun> runs = new ArrayList<>();
        if (wanted.isDistributed()) {
            Usage.check(spec, () -> FemRanks.check(how));
            int degree = 0;
            for (int finer = 0; finer <= study; finer++) {
                degree = solve(problem, mesh, finer, wanted, runs);
            }
            return finish(new FemResults(problem.text(), input, "ranks", degree, FemRanks.facts(wanted), runs), wanted);
        }
        try (ConsoleProgress progress = new ConsoleProgress(console, quiet); Backend backend = how.open(spec)) {
            int degree = 0;
            for (int finer = 0; finer <= study; finer++) {
                progress.progress("mesh " + input, finer, study + 1);
                degree = solve(problem, mesh, finer, backend, runs, progress);
            }
            progress.clear();
            how.printCheckpoints(console, "poisson " + input);
            return finish(new FemResults(problem.text(), input, backend.name(), degree, Optional.empty(), runs),
                    wanted);
        }
    }

    private int finish(FemResults results, RankJob on) throws IOException {
        if (!on.isSilent()) {
            console.printText(results.table());
            console.printText(results.remarks());
            if (how.json() != null) {
                AtomicFile.writeText(how.json(), results.json(Usage.commandLine(spec)));
            }
        }
        return results.runs().stream().allMatch(run -> run.report().converged())
                ? ExitCode.OK
                : ExitCode.NOT_CONVERGED;
    }

    private int solve(PoissonProblems problem, FemInput input, int finer, RankJob on, List<FemRun> runs)
            throws IOException {
        UnaryOperator<double[]> move = distort ? StructuredMeshes::distorted : x -> x;
        CellMesh mesh = Usage.get(spec, () -> how.meshes(input, finer, move)).finest();
        FunctionSpace space = Usage.get(spec, () -> FunctionSpace.of(mesh, how.element(mesh.shape())));
        FormOptions options = Usage.get(spec, () -> how.form(space.element(), 1));
        FemRanks ranked = new FemRanks(how, on, options, problem.problem(mesh.dimension()), space);
        FemRanks.Result result = on.run(communicator -> ranked.solve(communicator,
                new FemRanks.Known(problem::load, problem::value, problem::gradient)));
        runs.add(result.run());
        if (!on.isSilent()) {
            console.print("%s", FemResults.heading(input, space, on.ranks() + " ranks", options.precision().label()));
            console.print("%s", FemRanks.division(result, mesh.cells()));
            if (finer == study) {
                FemOutput.write(how, space, result.nodes(), List::of, 1, input.toString(), console);
            }
        }
        return space.element().degree();
    }

    private FemInput read() throws IOException {
        FemInput mesh;
        try {
            mesh = FemInput.of(input);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Usage.check(spec, () -> {
            if (study < 0 || study > MOST_STUDIES) {
                throw new IllegalArgumentException("--study is " + study + ", expected 0 to " + MOST_STUDIES);
            }
            if (how.checkpointed().isPresent() && study > 0) {
                throw new IllegalArgumentException("--study with --checkpoint, --restart or --dry-run, expected one or "
                        + "the other: there is a state for one mesh");
            }
            if (!mesh.isGenerated() && (study > 0 || distort)) {
                throw new IllegalArgumentException("--study and --distort with the mesh " + mesh
                        + ", expected one that is generated: " + FemInput.GENERATED);
            }
        });
        return mesh;
    }

    private int solve(PoissonProblems problem, FemInput input, int finer, Backend backend, List<FemRun> runs,
            ConsoleProgress progress) throws IOException {
        UnaryOperator<double[]> move = distort ? StructuredMeshes::distorted : x -> x;
        MeshHierarchy meshes = Usage.get(spec, () -> how.meshes(input, finer, move));
        CellMesh mesh = meshes.finest();
        FunctionSpace space = Usage.get(spec, () -> FunctionSpace.of(mesh, how.element(mesh.shape())));
        progress.clear();
        DegreeMultigrid.Problem system = problem.problem(mesh.dimension());
        Usage.check(spec, () -> how.form(space.element(), 1));
        FemTuning.Chosen chosen = how.tuning().choose(how, system, space, backend, console);
        try (FemSolver solver = Usage.get(spec, () -> solver(chosen, system, space, meshes, backend))) {
            console.print("%s", FemResults.heading(input, space, backend.name(),
                    chosen.options().precision().label()));
            runs.add(solver.solve(problem::load, problem::value, problem::gradient));
            if (finer == study) {
                FemOutput.write(how, space, solver.solution(), solver::loops, 1, input.toString(), console);
            }
        }
        return space.element().degree();
    }

    @SuppressWarnings("MustBeClosed") // the caller closes it
    private FemSolver solver(FemTuning.Chosen chosen, DegreeMultigrid.Problem problem, FunctionSpace space,
            MeshHierarchy meshes, Backend backend) {
        try {
            return new FemSolver(how, chosen, problem, space, meshes, backend);
        } catch (UnsupportedKernelException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
