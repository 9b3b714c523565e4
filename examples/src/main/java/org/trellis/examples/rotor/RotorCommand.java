package org.trellis.examples.rotor;

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
import org.trellis.bench.loop.DeviceOptions;
import org.trellis.bench.loop.LoopText;
import org.trellis.bench.loop.LoopTuningRun;
import org.trellis.bench.loop.MeshJob;
import org.trellis.bench.loop.MeshRunOptions;
import org.trellis.bench.loop.OptionalLoopTuning;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.chart.ResidualChart;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.balance.Balancer;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSolver;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.tuner.loop.MeshSearch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code trellis example rotor}. */
@Command(name = "rotor", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Compressible flow by multigrid on hybrid meshes in space: Euler, laminar, Spalart-Allmaras; turning frames,",
    "periodic sectors. Prints residuals and what the case is about."})
public final class RotorCommand extends ConsoleCommand {
    private static final int DEFAULT_CYCLES = 200;
    private static final int USUAL_BLOCK = 1024;

    private final RankJob job;

    @Parameters(paramLabel = "MESH", arity = "0..1", description = {
        "box:n=,sides=far|wall; channel:nx=,ny=,nz=,height=,width=,shape=arc|sine,ends=far|given;",
        "plate:nx=,ny=,nz=,height=,growth=; cylinder:nx=,ny=,nz=,far=,growth=,width=;",
        "annulus:nx=,ny=,nz=,blades=,hub=,tip=,length=;",
        "blade: as annulus, thickness=,turn=,twist=. All: mix=hex|prism|tet|mixed, distort=, coarse=nested|joined,",
        "numbers=lines|bricks|refined.",
        "Sizes are those of the finest level. Or a file, such as Gmsh's .msh, with named groups on the boundary:",
        "slip, symmetry, wall, no-slip, inlet, outlet, far. Default: the case's."})
    private String input;

    @Mixin
    private FlowOptions flows;

    @Option(names = "--cycles", paramLabel = "N", defaultValue = "" + DEFAULT_CYCLES,
            description = "Multigrid cycles at most. Default: " + DEFAULT_CYCLES + ".")
    private int cycles;

    @Option(names = "--nested", paramLabel = "N", defaultValue = "0", description = {
        "Begin on the coarsest level, with N cycles on each before the next finer one (full multigrid); --orders",
        "count from the residual before. Default: 0, begin on the finest."})
    private int nested;

    @Option(names = "--orders", paramLabel = "N", defaultValue = "6",
            description = "Stop when the residual has fallen by so many orders of magnitude. Default: 6.")
    private double orders;

    @Mixin
    private final MeshRunOptions runtime = new MeshRunOptions(Precision.F64, USUAL_BLOCK);

    @Mixin
    private OptionalLoopTuning tuning;

    @Option(names = "--report", paramLabel = "FILE", arity = "0..1", fallbackValue = LoopText.PRINTED,
            description = "Write times, bandwidth and plan of each loop as text. Without FILE: print it.")
    private Path report;

    @Mixin
    private JsonOption json;

    @Option(names = "--vtu", paramLabel = "FILE",
            description = "Write density, velocity, pressure, Mach number and nu tilde, as .vtu for ParaView.")
    private Path vtu;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the pressure on the boundary, as PNG. Without FILE: " + OutputFile.DEFAULT_PICTURE
                    + ".")
    private Path picture;

    @Option(names = "--plot", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PLOT,
            description = "Draw residuals over cycles, as PNG. Without FILE: " + OutputFile.DEFAULT_PLOT + ".")
    private Path plot;

    @Mixin
    private CheckpointOptions checkpoints;

    @Mixin
    private DeviceOptions devices;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Creates the command.
     *
     * @param console where it prints
     * @param job     the ranks that it runs on
     */
    public RotorCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    /** What is computed on which mesh. */
    private record Task(FlowCase flowCase, FlowMesh geometry, double meshSeconds, FlowSettings settings,
            FlowSolver.Problem problem, MeshOptions options) {
        Task on(FlowMesh other) {
            return new Task(flowCase, other, meshSeconds, settings, problem, options);
        }
    }

    @Override
    public Integer call() throws IOException {
        RankJob ranks = checked(() -> devices.job(job));
        checked(() -> {
            Checks.positive("--cycles", cycles);
            json.check();
            OutputFile.check("--vtu", vtu);
            OutputFile.checkPicture("--picture", picture);
            OutputFile.checkPicture("--plot", plot);
            LoopText.check(report);
            flows.keptLimits();
            if (tuning.isAsked() && ranks.isDistributed()) {
                throw new IllegalArgumentException("--tune is for one rank, expected it without run");
            }
            return cycles;
        });
        MeshOptions options = checked(() -> checkpoints.on(runtime.meshOptions()));
        try (ConsoleProgress progress = progressOptions.open(console())) {
            progress.progress("mesh", 0, 1);
            Task task = checked(() -> {
                FlowCase flowCase = flows.chosen(input);
                FlowSettings settings = flows.settings(flowCase);
                long start = System.nanoTime();
                FlowMesh geometry = flows.mesh(flowCase, input);
                return new Task(flowCase, geometry, since(start), settings, flows.problem(flowCase, settings),
                        options);
            });
            progress.clear();
            checked(() -> requireOneMesh(task));
            checked(() -> requireLevels(task));
            MeshJob.run(ranks, console(), here -> run(here, task));
            checkpoints.print(console(), "rotor " + task.flowCase().label());
        }
        return ExitCode.OK;
    }

    private static double since(long nanoTime) {
        return 1e-9 * (System.nanoTime() - nanoTime);
    }

    /** A file of checkpoints is that of one mesh. */
    private Task requireOneMesh(Task task) {
        if (checkpoints.isAsked() && task.flowCase() == FlowCase.MANUFACTURED && task.geometry().levels().size() > 1) {
            throw new IllegalArgumentException("--checkpoint, --restart and --dry-run with case "
                    + task.flowCase().label() + ", which is solved on " + task.geometry().levels().size()
                    + " meshes, expected --levels 1");
        }
        return task;
    }

    /** A flow that begins on coarser levels needs some, and sources there, which made-up flows have on the finest. */
    private Task requireLevels(Task task) {
        boolean madeUp = task.flowCase() == FlowCase.MANUFACTURED;
        int levels = task.geometry().levels().size();
        if (nested < 0 || (nested > 0 && (madeUp || levels == 1))) {
            throw new IllegalArgumentException("--nested is " + nested + " with case " + task.flowCase().label()
                    + " on " + levels + " levels, expected at least 0, and 0 with one level or case manufactured");
        }
        return task;
    }

    /** Solves on the finest mesh; made-up flows on all of them, the finest last. */
    private void run(MeshJob here, Task task) throws IOException {
        List<FlowResults> results = new ArrayList<>();
        int count = task.geometry().levels().size();
        try (ConsoleProgress progress = progressOptions.open(here.console(), here.isFirst());
                Backend opened = here.open(runtime, devices, spec())) {
            for (int finest = task.flowCase() == FlowCase.MANUFACTURED ? count - 1 : 0; finest >= 0; finest--) {
                FlowMesh part = new FlowMesh(task.geometry().name(), task.geometry().levels().subList(finest, count),
                        task.geometry().angle());
                solve(here, opened, task.on(part), results, progress);
            }
        }
        if (here.isFirst()) {
            json.write(() -> FlowResults.json(results, commandLine()));
        }
        if (here.isFirst() && plot != null) {
            FlowPictures.plot(results.stream()
                    .map(one -> new ResidualChart.Curve(
                            one.geometry().levels().getFirst().mesh().nodes() + " nodes", one.run().report(),
                            one.run().seconds(), one.run().report().seconds()))
                    .toList(), orders, task.geometry().name(), plot);
        }
    }

    private void solve(MeshJob here, Backend opened, Task task, List<FlowResults> results, ConsoleProgress progress)
            throws IOException {
        FlowMesh geometry = task.geometry();
        FlowMesh.Level finest = geometry.levels().getFirst();
        LoopTuningRun tuned = tuning.start(opened, here.console(), progress);
        long start = System.nanoTime();
        try (Mesh mesh = here.mesh(opened, tuned.meshOptions(task.options()), devices)) {
            FlowSolver solver = new FlowSolver(mesh, geometry, task.settings(), task.problem(), runtime.precision());
            runtime.number(mesh, solver.edgeNodes());
            solver.sequence().joining(runtime.joins());
            progress.clear();
            here.console().print("%s on %s: %,d nodes, %,d cells, %,d edges, %d levels, %,d loops a cycle",
                    task.flowCase().label(), geometry.name(), finest.mesh().nodes(), finest.mesh().cellCount(),
                    finest.dual().edges().length / 2, geometry.levels().size(), solver.sequence().steps().size());
            progress.progress("plans and code", 0, 1);
            double data = since(start);
            solver.start();
            FlowResults.SetUp setUp = new FlowResults.SetUp(task.meshSeconds(), data, since(start) - data);
            tuned.search(MeshSearch.Part.of(solver.sequence()));
            FlowRun run = new FlowRun(solver, cycles, orders, flows.keptLimits(),
                    checkpoints::isStartingAgain);
            if (nested > 0) {
                run.startNested(nested);
            }
            Balancer balancer = devices.balancer(mesh, solver.sequence(), cycles);
            run.run(progress, tuned, balancer);
            progress.clear();
            devices.print(here.console(), balancer, here.isFirst());
            results.add(new FlowResults(task.flowCase(), geometry, runtime.precision(), run,
                    FlowFigures.of(solver, task.flowCase(), task.problem()), setUp, mesh.report(),
                    here.facts(mesh)));
            double[] state = solver.state().toArray();
            if (here.isFirst()) {
                finish(here, results, state);
            }
            tuned.finish(MeshSearch.Part.of(solver.sequence()), solver::iterate, commandLine());
        }
    }

    private void finish(MeshJob here, List<FlowResults> results, double[] state) throws IOException {
        FlowResults last = results.getLast();
        FlowMesh.Level finest = last.geometry().levels().getFirst();
        here.console().printText(last.text());
        if (last.flowCase() == FlowCase.MANUFACTURED && results.size() > 1) {
            here.console().printText(last.orders(results.get(results.size() - 2)));
        }
        if (report != null) {
            LoopText.write(console(), report, last.report().toString());
        }
        if (vtu != null) {
            FlowPictures.vtu(finest.mesh(), state, vtu);
        }
        if (picture != null) {
            FlowPictures.draw(finest.mesh(), state, last.flowCase().label() + " on " + last.geometry().name(),
                    picture);
        }
    }
}
