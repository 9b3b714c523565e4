package org.trellis.examples.poisson;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import org.trellis.bench.loop.CheckpointOptions;
import org.trellis.bench.loop.MeshChainOptions;
import org.trellis.bench.picture.ConvergencePicture;
import org.trellis.common.Precision;
import org.trellis.file.AtomicFile;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code trellis example poisson-mesh}. */
@Command(name = "poisson-mesh", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Poisson's equation on an unstructured mesh of triangles, by finite volumes: without a matrix, with one,",
    "and by multigrid over refined meshes. Prints iterations, times, and the error against the exact solution.",
    "Its solvers work on vectors, which a mesh over several devices does not have: --devices is an option of airfoil,",
    "tsunami and rotor."})
public final class PoissonMeshCommand implements Callable<Integer> {
    private static final int DEFAULT_REFINEMENTS = 3;
    private static final int MOST_REFINEMENTS = 12;
    private static final int USUAL_BLOCK = 1024;

    private final Console console;

    @Spec
    private CommandSpec spec;

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

    @Option(names = "--json", paramLabel = "FILE", description = "Write sizes, residuals, errors and times as JSON.")
    private Path json;

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

    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    public PoissonMeshCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        PoissonSolver.Settings settings = Usage.get(spec, this::settings);
        MeshOptions options = Usage.get(spec, () -> checkpoints.on(runtime.meshOptions()));
        List<PoissonRun> runs = new ArrayList<>();
        try (ConsoleProgress progress = new ConsoleProgress(console, quiet)) {
            progress.progress("mesh " + input, 0, 1);
            PlaneMesh read = PlaneInput.read(input, spec);
            try (Backend backend = runtime.open(spec)) {
                PlaneMesh coarsest = ordered(read, backend);
                for (int times = study ? Math.min(1, refinements) : refinements; times <= refinements; times++) {
                    solve(backend, options, PoissonProblem.Meshes.of(coarsest, times), settings, runs, progress);
                }
                progress.clear();
                finish(new PoissonResults(input, backend.name(), settings.precision(), runtime.order().label(), runs));
            }
        }
        if (plot != null) {
            double threshold = settings.criteria().threshold(runs.getFirst().report().rightHandSideNorm());
            ConvergencePicture.draw(runs.stream().map(PoissonMeshCommand::curve).toList(), false, threshold, input,
                    plot);
        }
        return runs.stream().allMatch(run -> run.report().converged()) ? ExitCode.OK : ExitCode.NOT_CONVERGED;
    }

    private PoissonSolver.Settings settings() {
        if (refinements < 0 || refinements > MOST_REFINEMENTS) {
            throw new IllegalArgumentException("--refine is " + refinements + ", expected 0 to " + MOST_REFINEMENTS);
        }
        OutputFile.check("--json", json);
        OutputFile.check("--vtu", vtu);
        OutputFile.checkPicture("--picture", picture);
        OutputFile.checkPicture("--aggregates", aggregates);
        OutputFile.checkPicture("--plot", plot);
        if (checkpoints.isAsked() && (study || levels)) {
            throw new IllegalArgumentException("--checkpoint, --restart and --dry-run are without --study, which has a "
                    + "mesh for each refinement, and --levels, which runs cycles beside those of the solver; expected "
                    + "one or the other");
        }
        return how.settings(runtime.precision(), levels || (json != null && !checkpoints.isAsked()));
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

    private void solve(Backend backend, MeshOptions options, PoissonProblem.Meshes meshes,
            PoissonSolver.Settings settings, List<PoissonRun> runs, ConsoleProgress progress) throws IOException {
        boolean last = meshes.planes().size() - 1 == refinements;
        if (last) {
            PlaneMesh finest = meshes.finest();
            progress.clear();
            console.print("%s refined %d times: %,d nodes, %,d of them inside, %,d triangles, %,d edges; %s, %s", input,
                    refinements, finest.nodes(), finest.interiorNodes(), finest.cells(), finest.edges(),
                    backend.name(), settings.precision().label());
        }
        try (PoissonSolver solver = new PoissonSolver(backend, options, meshes, settings)) {
            solver.solve(progress, runs::add);
            if (last) {
                progress.clear();
                write(solver.problem(), settings);
            }
        }
    }

    private void write(PoissonProblem problem, PoissonSolver.Settings settings) throws IOException {
        if (vtu != null) {
            PoissonPictures.vtu(problem, settings.contrasts().getLast(), vtu);
        }
        if (picture != null) {
            PoissonPictures.draw(problem, input, picture);
        }
        if (aggregates != null) {
            PoissonPictures.drawAggregates(problem, input, aggregates);
        }
    }

    private void finish(PoissonResults results) throws IOException {
        console.printText(results.table());
        if (levels) {
            console.printText(results.levels());
        }
        checkpoints.print(console, "poisson-mesh " + input);
        if (json != null) {
            AtomicFile.writeText(json, results.json(Usage.commandLine(spec)));
        }
    }

    private static ConvergencePicture.Curve curve(PoissonRun run) {
        return new ConvergencePicture.Curve(run.way(), run.report(), run.iterationSeconds());
    }
}
