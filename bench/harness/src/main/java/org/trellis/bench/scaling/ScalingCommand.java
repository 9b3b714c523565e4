package org.trellis.bench.scaling;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.model.ModelRun;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.DurationConverter;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.PrecisionOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.powers.PowersSettings;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.html.ScalingPage;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Checks;
import org.trellis.matrices.generate.MatrixSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures strong and weak scaling. */
@Command(name = "scaling", sortOptions = false, description = {
    "Runs products, smoothers and solvers on more and more ranks: what more ranks gain, from which size of a matrix "
            + "on, and how far the model of rings is off.",
    "Ranks are threads of this process or its GPUs. Matrices of one generator are sizes of the same: for them the "
            + "size is found below which more ranks are slower."})
public final class ScalingCommand extends ConsoleCommand {
    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "The matrices, square.")
    private List<String> inputs;

    @Option(names = "--ranks", paramLabel = "N", split = ",", defaultValue = "1,2",
            description = "Numbers of ranks; the fewest are what others are compared with. Default: 1,2.")
    private int[] ranks;

    @Option(names = "--transport", paramLabel = "threads|gpus", defaultValue = "threads",
            description = "What ranks are. Default: threads.")
    private RankJob.Transport transport;

    @Option(names = "--backend", paramLabel = "NAME", split = ",", description = {
        "The backend of rank 0, of rank 1 and so on, round the list. Default: cuda for GPUs; else products by rows in "
                + "the order of global columns, and threads with one thread for solvers."})
    private List<String> backends = List.of();

    @Option(names = "--programs", paramLabel = "NAME", split = ",", defaultValue = "products,jacobi", description = {
        "What is run: products, jacobi, chebyshev (steps in a row), cg, pipelined-cg, s-step (iterations), amg-cg "
                + "(set-up and solution). Default: products,jacobi."})
    private String[] programs;

    @Option(names = "--rings", paramLabel = "K|auto", split = ",", defaultValue = "1,2,4,auto", description = {
        "Numbers of rings of steps, 1 to 64 each; auto for the number that a model proposes and the times of steps "
                + "confirm, which also has the model predict. Default: 1,2,4,auto."})
    private String[] rings;

    @Option(names = "--max-rings", paramLabel = "K", defaultValue = "5",
            description = "The most rings that auto may choose. Default: 5.")
    private int maxRings;

    @Option(names = "--steps", paramLabel = "M", defaultValue = "80", description = "Steps in a row. Default: 80.")
    private int steps;

    @Option(names = "--degree", paramLabel = "N", defaultValue = "4",
            description = "Sweeps of one polynomial of Chebyshev's method. Default: 4.")
    private int degree;

    @Option(names = "--iterations", paramLabel = "N", defaultValue = "100",
            description = "Iterations that are timed, and the most of a solution. Default: 100.")
    private int iterations;

    @Option(names = "--tolerance", paramLabel = "T", defaultValue = "1e-8",
            description = "Of solutions, relative to the right-hand side, which is one everywhere. Default: 1e-8.")
    private double tolerance;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
            description = "How often solvers run, after once to warm up. Default: 3.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "0.5",
            description = "Measured time for each number of rings; at least five passes. Default: 0.5.")
    private double seconds;

    @Option(names = "--weak", description = {
        "Let the matrices, of generators, grow with the ranks: MATRIX is that of one rank."})
    private boolean weak;

    @Option(names = "--partitioner", paramLabel = "NAME", defaultValue = RankJob.DEFAULT_PARTITIONER,
            description = "How rows are divided: blocks, multilevel, or metis or scotch where installed. "
                    + "Default: multilevel.")
    private String partitioner;

    @Mixin
    private PrecisionOption precisionOption;

    @Option(names = "--latency", paramLabel = "TIME", converter = DurationConverter.class,
            description = "Emulate a slower network: messages arrive this much later, such as 100us. Default: they do "
                    + "not.")
    private Duration latency;

    @Option(names = "--transports", description = {
        "Also measure every transport between ranks for the same exchange: latency and bandwidth of "
                + "kernel writes, peer copies, NCCL and staging through the host on GPUs, and of the ranks' own "
                + "channels."})
    private boolean transports;

    @Mixin
    private JsonOption json;

    @Mixin
    private HtmlOption html;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public ScalingCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        ScalingSettings settings = checked(this::settings);
        RankJob job = checked(this::job);
        List<MatrixSpec> specs = weak ? checked(this::growing) : List.of();
        List<MatrixSource> sources = new ArrayList<>();
        for (String input : weak ? List.<String>of() : inputs) {
            sources.addAll(sourceOptions.locator().locate(input));
        }
        List<Case> cases = new ArrayList<>();
        List<ScalingReport.Transports> measured = new ArrayList<>();
        try (ConsoleProgress progress = progressOptions.open(console())) {
            ScalingRun run = new ScalingRun(settings, job, progress);
            measured.addAll(run.transports(transports));
            for (MatrixSpec one : specs) {
                cases.addAll(run.weak(one));
            }
            for (MatrixSource source : sources) {
                cases.addAll(run.strong(source));
            }
            progress.clear();
        }
        ScalingReport report = new ScalingReport(
                new ScalingReport.Setup(partitioner, precisionOption.precision().label(), steps, degree, weak), cases,
                measured);
        new ScalingText(console(), report).print();
        write(report);
        if (cases.stream().anyMatch(each -> each.refusal() != null)) {
            return ExitCode.FAILED;
        }
        return cases.stream().anyMatch(each -> each.failure() != null) ? ExitCode.NOT_CONVERGED : ExitCode.OK;
    }

    private ScalingSettings settings() {
        Checks.positive("number of steps", steps);
        Checks.positive("degree", degree);
        Checks.positive("number of iterations", iterations);
        Checks.positive("number of rounds", rounds);
        if (!(seconds >= 0 && tolerance > 0)) {
            throw new IllegalArgumentException("--seconds is " + seconds + " and --tolerance " + tolerance
                    + ", expected 0 or more and more than 0");
        }
        json.check();
        html.check();
        TreeSet<Integer> counts = new TreeSet<>();
        for (int count : ranks) {
            counts.add(RankJob.checkThreads(count));
        }
        return new ScalingSettings(Arrays.stream(programs).map(ScalingProgram::of).distinct().toList(),
                List.copyOf(counts), PowersSettings.rings(rings), PowersSettings.rings(maxRings), steps, degree,
                iterations, tolerance, rounds, seconds, precisionOption.precision());
    }

    private RankJob job() {
        if (transport == RankJob.Transport.MPI) {
            throw new IllegalArgumentException(
                    "--transport mpi of scaling, expected threads or gpus: a launcher starts "
                            + "one number of processes; run powers and solve under it, for each number");
        }
        List<String> names =
                backends.isEmpty() && transport == RankJob.Transport.GPUS ? List.of(RankJob.GPU) : backends;
        RankJob job = new RankJob(transport, 1, 0, partitioner, names).delayedBy(latency);
        job.requireDivision();
        return job;
    }

    private List<MatrixSpec> growing() {
        List<MatrixSpec> specs = inputs.stream().map(MatrixSpec::parse).toList();
        specs.forEach(one -> ModelRun.grown(one, 1));
        return specs;
    }

    private void write(ScalingReport report) throws IOException {
        Provenance provenance = provenance();
        json.write(console(), () -> ScalingDocument.of(report, provenance));
        html.write(console(), () -> ScalingPage.of(report, provenance));
    }
}
