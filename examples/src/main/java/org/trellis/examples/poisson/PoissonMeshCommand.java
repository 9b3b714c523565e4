package org.trellis.examples.poisson;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.loop.CheckpointOptions;
import org.trellis.bench.loop.MeshChainOptions;
import org.trellis.bench.loop.MeshJob;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.chart.ResidualChart;
import org.trellis.common.Precision;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code trellis example poisson-mesh}. */
@Command(name = "poisson-mesh", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Poisson's equation on an unstructured mesh of triangles, by finite volumes: without a matrix, with one,",
    "and by multigrid over refined meshes. Prints iterations, times, and the error against the exact solution.",
    "On several ranks (run --ranks N) it is the same program."})
public final class PoissonMeshCommand extends ConsoleCommand {
    private static final int DEFAULT_REFINEMENTS = 3;
    private static final int MOST_REFINEMENTS = 12;
    private static final int USUAL_BLOCK = 1024;

    private final RankJob job;

    @Parameters(paramLabel = "MESH", arity = "0..1", defaultValue = PlaneInput.USUAL, description = {
        "A mesh file of triangles or quadrilaterals in the plane, perhaps with .gz, or one to generate:",
        "disc:rings=R (6 R^2 triangles), square:n=N,shake=S (2 N^2; S up to 0.3). Default: " + PlaneInput.USUAL + "."})
    private String input;

    @Option(names = "--refine", paramLabel = "N", defaultValue = "" + DEFAULT_REFINEMENTS, description = {
        "Cut each triangle into four, N times; the meshes in between are multigrid's. Default: "
                + DEFAULT_REFINEMENTS + "."})
    private int refinements;

    @Option(names = "--study", description = "Solve after each refinement, from the first on, not only after the last.")
    private boolean study;

    @Mixin
    private PoissonOptions how;

    @Mixin
    private final MeshChainOptions runtime = new MeshChainOptions(Precision.F64, USUAL_BLOCK);

    @Option(names = "--levels", description = "Also list the levels of multigrid, with their times.")
    private boolean levels;

    @Mixin
    private JsonOption json;

    @Option(names = "--vtu", paramLabel = "FILE",
            description = "Write the last solution, its error and the coefficient for ParaView.")
    private Path vtu;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the last solution, as PNG. Without FILE: " + OutputFile.DEFAULT_PICTURE + ".")
    private Path picture;

    @Option(names = "--aggregates", paramLabel = "FILE",
            description = "Draw which nodes of the finest mesh multigrid puts together around an independent set, "
                    + "as PNG.")
    private Path aggregates;

    @Option(names = "--plot", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PLOT,
            description = "Draw residuals over iterations, as PNG. Without FILE: " + OutputFile.DEFAULT_PLOT + ".")
    private Path plot;

    @Mixin
    private CheckpointOptions checkpoints;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Creates the command.
     *
     * @param console where it prints
     * @param job     the ranks that it runs on
     */
    public PoissonMeshCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        PoissonSolver.Settings settings = checked(this::settings);
        MeshOptions options = checked(() -> checkpoints.on(runtime.meshOptions()));
        List<PoissonRun> runs = new ArrayList<>();
        PlaneMesh read = PlaneInput.read(input, spec());
        MeshJob.run(job, console(),
                here -> run(here, read, options, settings, here.isFirst() ? runs : new ArrayList<>()));
        checkpoints.print(console(), "poisson-mesh " + input);
        if (plot != null) {
            double threshold = settings.criteria().threshold(runs.getFirst().report().rightHandSideNorm());
            ResidualChart.of(runs.stream().map(PoissonMeshCommand::curve).toList(), false, threshold, input)
                    .write(plot);
        }
        return runs.stream().allMatch(run -> run.report().converged()) ? ExitCode.OK : ExitCode.NOT_CONVERGED;
    }

    private void run(MeshJob here, PlaneMesh read, MeshOptions options, PoissonSolver.Settings settings,
            List<PoissonRun> runs) throws IOException {
        try (ConsoleProgress progress = progressOptions.open(here.console(), here.isFirst());
                Backend backend = here.open(runtime, spec())) {
            PlaneMesh coarsest = ordered(read, backend);
            for (int times = study ? Math.min(1, refinements) : refinements; times <= refinements; times++) {
                solve(here, backend, options, PoissonProblem.Meshes.of(coarsest, times), settings, runs, progress);
            }
            progress.clear();
            if (here.isFirst()) {
                finish(new PoissonResults(input, backend.name(), settings.precision(), runtime.order().label(), runs));
            }
        }
    }

    private PoissonSolver.Settings settings() {
        if (refinements < 0 || refinements > MOST_REFINEMENTS) {
            throw new IllegalArgumentException("--refine is " + refinements + ", expected 0 to " + MOST_REFINEMENTS);
        }
        json.check();
        OutputFile.check("--vtu", vtu);
        OutputFile.checkPicture("--picture", picture);
        OutputFile.checkPicture("--aggregates", aggregates);
        OutputFile.checkPicture("--plot", plot);
        if (job.isDistributed() && (aggregates != null || checkpoints.isAsked())) {
            throw new IllegalArgumentException("--aggregates, --checkpoint, --restart and --dry-run on several ranks, "
                    + "where no rank has all rows of the matrix, and matrices over ranks are not saved; expected one "
                    + "rank");
        }
        if (checkpoints.isAsked() && (study || levels)) {
            throw new IllegalArgumentException("--checkpoint, --restart and --dry-run are without --study, which has a "
                    + "mesh for each refinement, and --levels, which runs cycles beside those of the solver; expected "
                    + "one or the other");
        }
        return how.settings(runtime.precision(), levels || (json.isGiven() && !checkpoints.isAsked()));
    }

    /** Numbers the nodes of the coarsest mesh as the options say; refined ones follow. */
    private PlaneMesh ordered(PlaneMesh plane, Backend backend) {
        try (Mesh mesh = Mesh.on(backend)) {
            MeshSet nodes = mesh.set("nodes", plane.nodes());
            MeshMap ends = mesh.map("ends", mesh.set("edges", plane.edges()), nodes, 2, plane.edgeNodes());
            runtime.number(mesh, ends);
            if (nodes.inUserOrder()) {
                return plane;
            }
            int[] places = new int[plane.nodes()];
            for (int node = 0; node < places.length; node++) {
                places[node] = nodes.current(node);
            }
            return PlaneInput.renumbered(plane, places);
        }
    }

    private void solve(MeshJob here, Backend backend, MeshOptions options, PoissonProblem.Meshes meshes,
            PoissonSolver.Settings settings, List<PoissonRun> runs, ConsoleProgress progress) throws IOException {
        boolean last = meshes.planes().size() - 1 == refinements;
        if (last) {
            PlaneMesh finest = meshes.finest();
            progress.clear();
            here.console().print("%s refined %d times: %,d nodes, %,d of them inside, %,d triangles, %,d edges; %s, %s",
                    input,
                    refinements, finest.nodes(), finest.interiorNodes(), finest.cells(), finest.edges(),
                    backend.name(), settings.precision().label());
        }
        try (Mesh mesh = here.mesh(backend, options);
                PoissonSolver solver = new PoissonSolver(mesh, meshes, settings)) {
            solver.solve(progress, runs::add);
            if (last) {
                progress.clear();
                write(here, solver.problem(), settings);
            }
        }
    }

    private void write(MeshJob here, PoissonProblem problem, PoissonSolver.Settings settings) throws IOException {
        if (vtu != null) {
            PoissonPictures.vtu(here, problem, settings.contrasts().getLast(), vtu);
        }
        if (picture != null) {
            PoissonPictures.draw(here, problem, input, picture);
        }
        if (aggregates != null) {
            PoissonPictures.drawAggregates(problem, input, aggregates);
        }
    }

    private void finish(PoissonResults results) throws IOException {
        console().printText(results.table());
        if (levels) {
            console().printText(results.levels());
        }
        json.write(() -> results.json(commandLine()));
    }

    private static ResidualChart.Curve curve(PoissonRun run) {
        return new ResidualChart.Curve(run.variant(), run.report(), run.iterationSeconds(), run.report().seconds());
    }
}
