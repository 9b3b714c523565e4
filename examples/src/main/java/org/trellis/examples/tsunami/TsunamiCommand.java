package org.trellis.examples.tsunami;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
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
import org.trellis.bench.loop.OwnersFile;
import org.trellis.bench.loop.SetOrder;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.FrameOptions;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.ranks.RankJob;
import org.trellis.common.Checks;
import org.trellis.distributed.balance.Balancer;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshRanks;
import org.trellis.tuner.loop.MeshSearch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code trellis example tsunami}. */
@Command(name = "tsunami", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "The shallow-water equations by finite volumes on triangles, with the loops of Volna: waves, dam breaks, floods.",
    "Prints the volume of the water, its lowest and highest level and its speed."})
public final class TsunamiCommand extends ConsoleCommand {
    private static final int DEFAULT_ITERATIONS = 100;
    private static final int DEFAULT_WARM_UP = 10;

    private final RankJob job;

    @Parameters(paramLabel = "MESH", description = {
        "A mesh in Gmsh's or ADCIRC's format, perhaps with .gz, or a built-in case:",
        "channel:nx=,ny=,length=,width=,depth=,ends=wall|open|sea;", "basin:n=,size=,depth=;",
        "dambreak:nx=,ny=,length=,width=,left=,right=;", "lake:n=,size=,depth=,height=;",
        "drop:n=,size=,depth=,height=,radius=."})
    private String input;

    @Option(names = "--iterations", paramLabel = "N",
            description = "The most steps. Default: " + DEFAULT_ITERATIONS + ", or without end if there is a --time.")
    private Integer iterations;

    @Option(names = "--time", paramLabel = "T", description = "The time to simulate, in s.")
    private Double time;

    @Option(names = "--every", paramLabel = "T",
            description = "List and write the water each time T seconds have passed, besides at the beginning and end.")
    private Double every;

    @Mixin
    private SeaOptions sea;

    @Mixin
    private SeaAdaptOptions adaptive;

    @Mixin
    private FrameOptions animation;

    @Mixin
    private final MeshRunOptions runtime =
            new MeshRunOptions(TsunamiApplication.USUAL_PRECISION, TsunamiApplication.USUAL_BLOCK);

    @Mixin
    private OptionalLoopTuning tuning;

    @Option(names = "--warm-up", paramLabel = "N", defaultValue = "" + DEFAULT_WARM_UP,
            description = "First steps that are not among the times. Default: " + DEFAULT_WARM_UP + ".")
    private int warmUp;

    @Option(names = "--report", paramLabel = "FILE", arity = "0..1", fallbackValue = LoopText.PRINTED,
            description = "Write times, bandwidth and plan of each loop as text. Without FILE: print it.")
    private Path report;

    @Mixin
    private JsonOption json;

    @Option(names = "--vtu", paramLabel = "PREFIX", description = {
        "Write level, depth, velocity and bed at the beginning, the end and with --every in between, as",
        "PREFIX-0000.vtu and so on, and PREFIX.pvd, which lists them."})
    private Path vtu;

    @Option(names = "--pieces", description = {
        "With --vtu on several ranks, each writes its own cells, as PREFIX-0000-RANK.vtu, and PREFIX-0000.pvtu lists",
        "them."})
    private boolean pieces;

    @Option(names = "--crest", description = "Keep the highest level of each cell, for --vtu.")
    private boolean crest;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the level at the end, as PNG; land is grey. Without FILE: "
                    + OutputFile.DEFAULT_PICTURE + ".")
    private Path picture;

    @Option(names = "--owners", paramLabel = "FILE", description = {
        "On several ranks, draw which of them has which cell, as PNG, or write it as field of a .vtu file."})
    private Path owners;

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
    public TsunamiCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        RankJob ranks = checked(() -> devices.job(job));
        TsunamiRun.Limits limits = checked(() -> limits(ranks));
        Settings settings = checked(sea::settings);
        MeshOptions options = checked(() -> {
            MeshOptions chosen = runtime.meshOptions();
            tuning.check(chosen);
            return checkpoints.on(chosen);
        });
        try (ConsoleProgress progress = progressOptions.open(console())) {
            progress.progress("mesh", 0, 1);
            Sea simulated = prepare(settings);
            progress.clear();
            MeshJob.run(ranks, console(), here -> run(here, options, simulated, limits));
            checkpoints.print(console(), "tsunami " + input);
        }
        return ExitCode.OK;
    }

    /**
     * What is simulated.
     *
     * @param following adapts the mesh, or null if that stays
     */
    private record Sea(TsunamiCase prepared, MeshTopology topology, double[] initial, Settings settings,
            SeaAdaptation following) {
        /** The mesh as it is now. */
        MeshTopology mesh() {
            return following == null ? topology : following.topology();
        }
    }

    private Sea prepare(Settings settings) throws IOException {
        TsunamiCase prepared = SeaInput.read(input, sea, settings, spec());
        MeshTopology topology = MeshTopology.of(prepared.mesh());
        SeaAdaptOptions.Plan plan = checked(() -> adaptive.plan(topology.cells()));
        if (!adaptive.isAsked()) {
            return new Sea(prepared, topology, checked(() -> sea.initialState(prepared, topology)), settings, null);
        }
        SeaAdaptation following = new SeaAdaptation(topology, plan, settings);
        double[] initial = checked(() -> following.begin(mesh -> sea.initialState(prepared, mesh)));
        return new Sea(prepared, following.topology(), initial, settings, following);
    }

    private void run(MeshJob here, MeshOptions options, Sea simulated, TsunamiRun.Limits limits) throws IOException {
        try (ConsoleProgress progress = progressOptions.open(here.console(), here.isFirst());
                Backend opened = here.open(runtime, devices, spec())) {
            run(here, opened, options, simulated, limits, progress);
        }
    }

    private void run(MeshJob here, Backend opened, MeshOptions options, Sea simulated, TsunamiRun.Limits limits,
            ConsoleProgress progress) throws IOException {
        TsunamiCase prepared = simulated.prepared();
        MeshTopology topology = simulated.topology();
        LoopTuningRun tuned = tuning.start(opened, here.console(), progress);
        try (Mesh mesh = here.mesh(opened, tuned.meshOptions(options), devices)) {
            TsunamiSolver solver = new TsunamiSolver(mesh, topology, simulated.initial(), simulated.settings(),
                    runtime.precision());
            solver.sequence().joining(runtime.joins());
            double renumbering = number(mesh, solver);
            progress.clear();
            here.console().print("%s: %,d cells, %,d edges (%,d on the boundary), %s", prepared.name(),
                    topology.cells(),
                    topology.edges(), topology.boundaryEdges(), runtime.precision().label());
            tuned.search(MeshSearch.Part.of(solver.sequence()));
            double[] start = solver.state().toArray();
            Balancer balancer = devices.balancer(mesh, solver.sequence(), limits.iterations());
            SeaAnimation frames = new SeaAnimation(animation, here, simulated::mesh, solver, simulated.settings());
            TsunamiRun run = new TsunamiRun(mesh, solver, limits, progress, here.console(),
                    steps -> stepped(steps, mesh, solver, simulated, balancer, frames), tuned);
            run.untimedWhile(checkpoints::isStartingAgain);
            frames.after(0);
            run.run(frames(here, simulated, solver));
            frames.end();
            progress.clear();
            devices.print(here.console(), balancer, here.isFirst());
            double[] end = solver.state().toArray();
            pictures(here, simulated, solver, end);
            finish(here, new TsunamiResults(prepared.name(), simulated.mesh(), runtime.precision(), runtime.order(),
                    renumbering, run, mesh.report(), here.facts(mesh), outcome(simulated, solver, start, end)));
            tuned.finish(MeshSearch.Part.of(solver.sequence()), () -> solver.step(ShallowWater.NOWHERE),
                    commandLine());
        }
    }

    private void stepped(int steps, Mesh mesh, TsunamiSolver solver, Sea simulated, Balancer balancer,
            SeaAnimation frames) throws IOException {
        if (balancer != null && !checkpoints.isStartingAgain()) {
            balancer.iterated();
        }
        if (simulated.following() != null && simulated.following().isDue(steps)) {
            simulated.following().adapt(solver);
            number(mesh, solver);
        }
        frames.after(steps);
    }

    private void pictures(MeshJob here, Sea simulated, TsunamiSolver solver, double[] end) throws IOException {
        String name = simulated.prepared().name();
        if (picture != null && here.isFirst()) {
            SeaFrames.draw(simulated.mesh(), end, solver.time(), simulated.settings(), name, picture);
        }
        if (owners != null) {
            OwnersFile.write(here, SeaFrames.plane(simulated.mesh()), solver.state().set(), name, owners);
        }
    }

    private TsunamiResults.Outcome outcome(Sea simulated, TsunamiSolver solver, double[] start, double[] end) {
        Optional<Double> change = Optional.empty();
        if (sea.atRest(simulated.prepared())) {
            change = Optional.of(simulated.following() == null
                    ? Comparison.largestChange(start, end)
                    : Comparison.fromRest(end, simulated.settings()));
        }
        return new TsunamiResults.Outcome(simulated.prepared().exact()
                .map(exact -> Comparison.with(exact, solver.time(), simulated.mesh(), end)), change,
                Optional.ofNullable(simulated.following()));
    }

    private double number(Mesh mesh, TsunamiSolver solver) {
        double seconds = runtime.number(mesh, solver.edgeCells());
        if (runtime.order() == SetOrder.PARTITION) {
            solver.runPartition();
        }
        return seconds;
    }

    private TsunamiRun.Frames frames(MeshJob here, Sea simulated, TsunamiSolver solver) {
        if (vtu == null) {
            return () -> {};
        }
        SeaFrames frames = new SeaFrames(simulated::mesh, solver, simulated.settings(), vtu);
        if (pieces) {
            MeshRanks ranks = solver.state().set().mesh().ranks().orElseThrow();
            return () -> frames.writePiece(here, ranks, crest);
        }
        return () -> frames.write(here, crest);
    }

    private static void requireAbove0(String option, Double value) {
        if (value != null && !(value > 0)) {
            throw new IllegalArgumentException(option + " is " + value + ", expected more than 0");
        }
    }

    private TsunamiRun.Limits limits(RankJob ranks) {
        requireAbove0("--time", time);
        requireAbove0("--every", every);
        if (iterations != null) {
            Checks.positive("--iterations", iterations);
        }
        Checks.notNegative("--warm-up", warmUp);
        json.check();
        LoopText.check(report);
        OutputFile.check("--vtu", vtu);
        OutputFile.checkPicture("--picture", picture);
        OwnersFile.check(ranks, owners);
        animation.check();
        checkAlone(ranks);
        if (pieces && (vtu == null || !ranks.isDistributed())) {
            throw new IllegalArgumentException("--pieces is for --vtu on several ranks, expected both");
        }
        if (checkpoints.isAsked() && (pieces || tuning.isAsked())) {
            throw new IllegalArgumentException("--checkpoint, --restart and --dry-run are without --pieces and --tune, "
                    + "expected one or the other");
        }
        if (ranks.isDistributed() && tuning.isAsked()) {
            throw new IllegalArgumentException("--tune is for one rank, expected it without run");
        }
        int most = iterations != null ? iterations : time == null ? DEFAULT_ITERATIONS : Integer.MAX_VALUE;
        return new TsunamiRun.Limits(time == null ? Double.POSITIVE_INFINITY : time, most,
                every == null ? Double.POSITIVE_INFINITY : every, Math.min(warmUp, most - 1), crest);
    }

    /** Adaptation works on whole meshes, and loops are other ones afterwards. */
    private void checkAlone(RankJob ranks) {
        if (adaptive.isAsked() && (ranks.isDistributed() || checkpoints.isAsked() || tuning.isAsked())) {
            throw new IllegalArgumentException("--adapt is for one rank without --checkpoint, --restart, --dry-run and "
                    + "--tune, expected one or the other");
        }
    }

    private void finish(MeshJob here, TsunamiResults results) throws IOException {
        if (!here.isFirst()) {
            return;
        }
        console().printText(results.text());
        if (report != null) {
            LoopText.write(console(), report, results.report().toString());
        }
        json.write(() -> results.json(commandLine()));
    }
}
