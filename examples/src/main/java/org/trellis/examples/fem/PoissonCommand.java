package org.trellis.examples.fem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.JobFacts;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormSystem;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.fem.space.StructuredMeshes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code trellis example poisson}. */
@Command(name = "poisson", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Poisson's equation by finite elements of any degree, with the matrix in one of several formats or not stored.",
    "Prints errors against the known solution, elements assembled and iterations a second."})
public final class PoissonCommand extends ConsoleCommand {
    private static final int MOST_STUDIES = 10;

    private final RankJob job;

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

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Creates the command.
     *
     * @param console where it prints
     * @param job     the ranks that it runs on
     */
    public PoissonCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        PoissonProblems problem = checked(() -> PoissonProblems.of(form));
        checkUsage(how::check);
        FemInput mesh = read();
        RankJob wanted = checked(() -> FemRanks.ranks(job, ranks));
        List<FemRun> runs = new ArrayList<>();
        if (wanted.isDistributed()) {
            checkUsage(() -> FemRanks.check(how));
            return study(problem, mesh, wanted, null, runs, "ranks", FemRanks.facts(wanted));
        }
        try (Backend backend = how.open(spec())) {
            return study(problem, mesh, wanted, backend, runs, backend.name(), Optional.empty());
        }
    }

    /** Solves on one mesh after the other; the backend is null where each rank has its own. */
    @SuppressWarnings("TooManyParameters")
    private int study(PoissonProblems problem, FemInput mesh, RankJob on, Backend backend, List<FemRun> runs,
            String name, Optional<JobFacts> facts) throws IOException {
        int degree = 0;
        try (ConsoleProgress progress = progressOptions.open(console(), !on.isSilent())) {
            for (int finer = 0; finer <= study; finer++) {
                progress.progress("mesh " + input, finer, study + 1);
                degree = solve(problem, mesh, finer, on, backend, runs, progress);
            }
            progress.clear();
            how.printCheckpoints(console(), "poisson " + input);
        }
        return finish(new FemResults(problem.text(), input, name, degree, facts, runs), on);
    }

    private int finish(FemResults results, RankJob on) throws IOException {
        if (!on.isSilent()) {
            console().printText(results.table());
            console().printText(results.remarks());
            how.json().write(() -> results.json(commandLine()));
        }
        return results.runs().stream().allMatch(run -> run.report().converged())
                ? ExitCode.OK
                : ExitCode.NOT_CONVERGED;
    }

    private FemInput read() throws IOException {
        FemInput mesh;
        try {
            mesh = FemInput.of(input);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), e.getMessage(), e);
        }
        checkUsage(() -> {
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

    private int solve(PoissonProblems problem, FemInput input, int finer, RankJob on, Backend backend,
            List<FemRun> runs, ConsoleProgress progress) throws IOException {
        UnaryOperator<double[]> move = distort ? StructuredMeshes::distorted : x -> x;
        MeshHierarchy meshes = checked(() -> how.meshes(input, finer, move));
        CellMesh mesh = meshes.finest();
        DegreeMultigrid.Problem system = problem.problem(mesh.dimension());
        LagrangeElement element = checked(() -> how.element(mesh.shape()));
        if (backend != null) {
            FormSystem.compileAhead(system.form(), mesh, element, checked(() -> how.form(element, 1)), backend);
        }
        FunctionSpace space = checked(() -> FunctionSpace.of(mesh, element));
        progress.clear();
        FemSolver.Known known = new FemSolver.Known(problem::load, problem::value, problem::gradient);
        FemSolver.Result result =
                how.solve(spec(), new FemOptions.Setting(system, space, meshes, known), on, backend, console());
        runs.add(result.run());
        if (!on.isSilent()) {
            console().print("%s", FemResults.heading(input, space,
                    backend == null ? on.ranks() + " ranks" : backend.name(),
                    result.run().options().precision().label()));
            if (result.division() != null) {
                console().print("%s", result.division());
            }
            if (finer == study) {
                FemOutput.write(how, space, result.nodes(), result.loops(), 1, input.toString(), console());
            }
        }
        return space.element().degree();
    }
}
