package org.trellis.examples.airfoil;

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
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.BandwidthProbe;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.ranks.RankJob;
import org.trellis.distributed.balance.Balancer;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.MeshReport;
import org.trellis.tuner.loop.MeshSearch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code trellis example airfoil}. */
@Command(name = "airfoil", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "The Airfoil benchmark of OP2: the two-dimensional Euler equations about a NACA 0012, five loops an iteration.",
    "Prints the residual of iterations 1, 2, 3, 5, 10, 20, 50, 100, 200, ..., and of the last."})
public final class AirfoilCommand extends ConsoleCommand {
    private static final int DEFAULT_ITERATIONS = 100;
    private static final int DEFAULT_ROUND = 10;
    private static final MeshPicture.Window NEAR_FIELD = new MeshPicture.Window(-0.7, 1.7, -0.9, 0.9);

    private final RankJob job;

    @Parameters(paramLabel = "MESH", description = {"A mesh in OP2's new_grid.dat format, or with .gz;",
        "or c-mesh:i=400,j=600 to generate one of 3 I J cells."})
    private String input;

    @Option(names = "--parallel-read",
            description = {"On several ranks, let each read its share of the file, so that no rank",
                "has the whole mesh. Not for compressed files."})
    private boolean shares;

    @Option(names = "--iterations", paramLabel = "N", description = "Default: " + DEFAULT_ITERATIONS + ".")
    private int iterations = DEFAULT_ITERATIONS;

    @Mixin
    private final MeshRunOptions runtime =
            new MeshRunOptions(AirfoilApplication.USUAL_PRECISION, AirfoilApplication.USUAL_BLOCK);

    @Mixin
    private OptionalLoopTuning tuning;

    @Option(names = "--round", paramLabel = "N",
            description = "Iterations that are timed together; times are medians of rounds. Default: " + DEFAULT_ROUND
                    + ".")
    private int round = DEFAULT_ROUND;

    @Option(names = "--plain-c", description = {
        "Also compile the loops as plain C (-O3 -march=native, one thread) and run them in turns with ours;",
        "needs a C compiler."})
    private boolean plainC;

    @Option(names = "--report", paramLabel = "FILE", arity = "0..1", fallbackValue = LoopText.PRINTED,
            description = "Write times, bandwidth and plan of each loop as text. Without FILE: print it.")
    private Path report;

    @Mixin
    private JsonOption json;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the Mach number near the aerofoil at the end, as PNG. Without FILE: "
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
    public AirfoilCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        RankJob ranks = checked(() -> devices.job(job));
        check(ranks);
        MeshOptions options = options();
        if (shares) {
            AirfoilInput.requireFile(input);
        }
        try (ConsoleProgress progress = progressOptions.open(console())) {
            AirfoilMesh file = shares ? null : AirfoilInput.read(input, progress);
            progress.clear();
            MeshJob.run(ranks, console(), here -> run(here, options, file));
            checkpoints.print(console(), "airfoil " + input);
        }
        return ExitCode.OK;
    }

    private void run(MeshJob here, MeshOptions options, AirfoilMesh file) throws IOException {
        try (ConsoleProgress progress = progressOptions.open(here.console(), here.isFirst());
                Backend opened = here.open(runtime, devices, spec());
                PlainC peer = plainC ? PlainC.start(file) : null) {
            iterate(here, opened, options, file, peer, progress);
        }
    }

    private void iterate(MeshJob here, Backend opened, MeshOptions options, AirfoilMesh file, PlainC peer,
            ConsoleProgress progress) throws IOException {
        LoopTuningRun tuned = tuning.start(opened, here.console(), progress);
        try (Mesh mesh = here.mesh(opened, tuned.meshOptions(options), devices)) {
            AirfoilSolver solver = file == null
                    ? new AirfoilSolver(mesh, AirfoilInput.read(input, here.communicator().orElseThrow()),
                            runtime.precision())
                    : new AirfoilSolver(mesh, file, runtime.precision());
            double renumbering = runtime.number(mesh, solver.edgeCells());
            solver.sequence().joining(runtime.joins());
            tuned.search(MeshSearch.Part.of(solver.sequence()));
            Balancer balancer = devices.balancer(mesh, solver.sequence(), iterations);
            AirfoilRun run = new AirfoilRun(mesh, solver, peer, round, progress, here.console(),
                    checkpoints::isStartingAgain);
            run.iterate(iterations, tuned, balancer);
            progress.clear();
            devices.print(here.console(), balancer, here.isFirst());
            finish(here, mesh, run, renumbering);
            draw(here, file, solver);
            tuned.finish(MeshSearch.Part.of(solver.sequence()), solver::iterate, commandLine());
        }
    }

    /** Draws what is requested: all ranks bring the values, one draws them. */
    private void draw(MeshJob here, AirfoilMesh file, AirfoilSolver solver) throws IOException {
        if (picture != null) {
            double[] values = solver.machNumbers();
            if (here.isFirst()) {
                MeshPicture.write(file.toMeshData(),
                        new MeshPicture.Field(DataArray.of("Mach number", 1, values), true, 0), NEAR_FIELD, input,
                        picture);
            }
        }
        if (owners != null) {
            OwnersFile.write(here, file.toMeshData(), solver.cells(), input, owners);
        }
    }

    private void checkShares(RankJob ranks) {
        if (shares && (!ranks.isDistributed() || AirfoilInput.isGenerated(input))) {
            throw new ParameterException(spec().commandLine(),
                    "--parallel-read is for several ranks that read a file, expected "
                            + "run --ranks N and a file, found " + (ranks.isDistributed() ? input : "one rank"));
        }
        if (shares
                && (picture != null || owners != null || checkpoints.isAsked() || runtime.order() != SetOrder.FILE)) {
            throw new ParameterException(spec().commandLine(),
                    "--parallel-read is without --picture, --owners, --order and "
                            + "checkpoints, for which a rank needs the whole mesh");
        }
    }

    private void check(RankJob ranks) {
        checkShares(ranks);
        if (ranks.isDistributed()) {
            refuse("--plain-c", plainC);
            refuse("--tune", tuning.isAsked());
        }
        if (checkpoints.isAsked() && (plainC || tuning.isAsked())) {
            throw new ParameterException(spec().commandLine(), "--checkpoint, --restart and --dry-run are without "
                    + "--plain-c and --tune, expected one or the other");
        }
        checkUsage(() -> OwnersFile.check(ranks, owners));
        atLeastOne("--iterations", iterations);
        atLeastOne("--round", round);
        checkUsage(() -> {
            json.check();
            LoopText.check(report);
            OutputFile.checkPicture("--picture", picture);
        });
    }

    private void refuse(String option, boolean given) {
        if (given) {
            throw new ParameterException(spec().commandLine(), option + " is for one rank, expected it without run");
        }
    }

    private void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec().commandLine(), option + " is " + value + ", expected at least 1");
        }
    }

    private MeshOptions options() {
        return checked(() -> {
            MeshOptions options = runtime.meshOptions();
            tuning.check(options);
            return checkpoints.on(options);
        });
    }

    private void finish(MeshJob here, Mesh mesh, AirfoilRun run, double renumbering) throws IOException {
        MeshReport loops = mesh.report();
        if (!here.isFirst()) {
            return;
        }
        Optional<Bandwidth> bandwidth = report != null || json.isGiven()
                ? Optional.of(BandwidthProbe.ofMachine(runtime.threads() == null ? 1 : runtime.threads()))
                : Optional.empty();
        AirfoilResults results = new AirfoilResults(input, runtime.precision(), runtime.order(), renumbering, run,
                loops, here.facts(mesh), bandwidth);
        if (report != null) {
            LoopText.write(console(), report, results.text());
        }
        if (run.rounds() == 0) {
            console().print("no iteration was timed: all rounds of %d began before the checkpoint", round);
        } else if (!LoopText.printed(report)) {
            console().print("%.4f ms an iteration, median of %d rounds of %d", 1e3 * run.medianWall(), run.rounds(),
                    round);
        }
        json.write(() -> results.json(commandLine()));
    }
}
