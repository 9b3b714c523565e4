package org.trellis.bench.product;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.BandwidthProbe;
import org.trellis.bench.measure.Contender;
import org.trellis.bench.measure.DeviceBandwidth;
import org.trellis.bench.measure.Failure;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.Outcome;
import org.trellis.bench.measure.ProductBenchmark;
import org.trellis.bench.measure.SearchBenchmark;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.ContenderOptions;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SeedOption;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.TransportText;
import org.trellis.bench.report.JobFacts;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.MatrixFacts;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.RunReport;
import org.trellis.bench.report.html.HtmlReport;
import org.trellis.bench.source.MatrixSource;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Times products. */
@Command(name = "spmv", sortOptions = false,
        description = "Times y = A x for each matrix, backend and set of parameters, and for other libraries.")
public final class SpmvCommand extends ConsoleCommand {
    private static final double DEFAULT_SECONDS = 1;
    private static final double DEMO_SECONDS = 0.4;
    private static final List<String> DEMO_GENERATED =
            List.of("poisson2d:nx=1000", "random:rows=200000,lengths=power,exponent=1.5");

    private final RankJob job;

    @Parameters(paramLabel = "MATRIX", arity = "0..*", description = "Matrices to multiply.")
    private List<String> matrices = new ArrayList<>();

    @Mixin
    private ContenderOptions contenderOptions;

    @Option(names = "--seconds", paramLabel = "S",
            description = "Measured time for each contender on each matrix. Default: 1.")
    private Double seconds;

    @Option(names = "--caches", paramLabel = "warm|flushed", defaultValue = "warm",
            description = "What caches hold when a sample starts: what the same contender's last product left, or "
                    + "something else. Default: warm.")
    private MeasureSettings.Caches caches;

    @Mixin
    private SeedOption seedOption;

    @Mixin
    private JsonOption json;

    @Mixin
    private HtmlOption html;

    @Option(names = "--search",
            description = "Measure contenders one after another with a few samples each, and print for each matrix the "
                    + "best parameters, what the rule loses against them, and the best of the peers. For "
                    + "--parameters rule --parameters all.")
    private boolean search;

    @Option(names = "--demo",
            description = "Measure the embedded matrices and two generated ones in under two minutes, and write "
                    + "trellis-report.html unless --html says where.")
    private boolean demo;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    private final List<MatrixFacts> matrixFacts = new ArrayList<>();
    private Outcome outcome = Outcome.none();
    private List<Bandwidth> bandwidths = List.of();
    private List<DeviceBandwidth> devices = List.of();
    /** Null until the memory has been measured. */
    private Tables tables;

    /**
     * Makes the command.
     *
     * @param console where it prints
     * @param job     the ranks
     */
    public SpmvCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        MeasureSettings settings = checkedSettings();
        if (matrices.isEmpty() && !demo) {
            throw new ParameterException(spec().commandLine(), "no matrix is given, expected MATRIX or --demo");
        }
        if (job.isDistributed()) {
            checkUsage(this::requireDistributable);
            return job.run(communicator -> measureOnRanks(settings, communicator));
        }
        try (Contenders contenders = openContenders();
                ConsoleProgress progress = progressOptions.open(console())) {
            return measure(settings, contenders, progress, null);
        }
    }

    private void requireDistributable() {
        List<String> given = contenderOptions.onlyForOneRank();
        if (search) {
            given.add("--search");
        }
        if (demo) {
            given.add("--demo");
        }
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(String.join(", ", given) + " on several ranks, whose products have one "
                    + "way of running; expected none of these");
        }
        job.requireDivision();
    }

    /** Rank 0 measures, the others do what it says; all return the same code. */
    private int measureOnRanks(MeasureSettings settings, Communicator communicator) {
        try (Backend backend = openBackend(communicator)) {
            return measureOnRanks(settings, communicator, new RankedProducts(communicator, job, backend),
                    DeviceTransports.of(backend).orElse(null));
        }
    }

    @MustBeClosed
    private Backend openBackend(Communicator communicator) {
        Optional<Backend> given = job.open(communicator);
        return given.isPresent() ? given.get() : new BackendOptions().openForRank();
    }

    private int measureOnRanks(MeasureSettings settings, Communicator communicator, RankedProducts products,
            DeviceTransports ways) {
        int code = ExitCode.OK;
        if (communicator.rank() > 0) {
            products.follow();
        } else {
            try (Contenders contenders = new Contenders(contenderOptions, communicator.size(),
                    precision -> new RankedContender(products, communicator, job, precision));
                    ConsoleProgress progress = progressOptions.open(console())) {
                progress.alsoTell(products);
                TransportText.print(console(), ways);
                code = measure(settings, contenders, progress,
                        new JobFacts(communicator.size(), job.describe(communicator, Optional.empty()), 1, ways));
                products.end();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return (int) communicator.greatest(code);
    }

    private MeasureSettings checkedSettings() {
        return checked(() -> {
            json.check();
            if (demo) {
                html.orDefault();
            }
            html.check();
            double time = seconds == null ? demo ? DEMO_SECONDS : DEFAULT_SECONDS : seconds;
            return MeasureSettings.of(time).with(caches, seedOption.seed());
        });
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // what the lambda makes is returned
    private Contenders openContenders() {
        return checked(() -> new Contenders(contenderOptions));
    }

    private int measure(MeasureSettings settings, Contenders contenders, ConsoleProgress progress, JobFacts facts)
            throws IOException {
        contenders.leftOut().forEach(console()::complain);
        if (!contenders.separatePeers().isEmpty()) {
            console().print("In a process of their own, timed there: %s.%n",
                    String.join(", ", contenders.separatePeers()));
        }
        Provenance provenance = provenance();
        MatrixArguments arguments =
                new MatrixArguments(console(), progress, sourceOptions.locator());
        List<MatrixSource> sources = arguments.locate(matrixNames(), this::matrixFailed);
        if (sources.isEmpty() && !json.isGiven() && !html.isGiven()) {
            return ExitCode.FAILED;
        }
        arguments.forEachOf(sources, (source, matrix) -> {
            measureMemory(contenders, progress);
            Outcome one = measureMatrix(settings, progress, contenders, source, matrix);
            progress.clear();
            tables.print(source.name(), matrix, one);
            outcome = outcome.plus(one);
        }, this::matrixFailed);
        if (tables != null) {
            tables.end();
        }
        if (json.isGiven() || html.isGiven()) {
            measureMemory(contenders, progress);
        }
        write(new RunReport(provenance, settings, bandwidths, devices, matrixFacts, contenders.peerVersions(), outcome,
                facts));
        return outcome.failures().isEmpty() && contenders.missing() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Once, and not before a matrix has been read: what is wrong with a file is said at once. */
    private void measureMemory(Contenders contenders, ConsoleProgress progress) {
        if (tables == null) {
            bandwidths = probe(contenders.threads(), progress);
            devices = contenders.deviceBandwidths();
            tables = search
                    ? new Tables(null, new SearchTable(console(), contenders.peerVersions().keySet(), devices))
                    : new Tables(new SpmvTable(console(), bandwidths, devices), null);
        }
    }

    private void matrixFailed(String name, String message) {
        outcome = outcome.plus(new Outcome(List.of(), List.of(Failure.ofMatrix(name, message))));
    }

    /** The table that is printed; the other one is null. */
    private record Tables(SpmvTable products, SearchTable search) {
        void print(String name, CsrMatrix matrix, Outcome outcome) {
            if (search == null) {
                products.print(name, matrix, outcome);
            } else {
                search.print(name, matrix, outcome);
            }
        }

        void end() {
            if (search != null) {
                search.printMeans();
            }
        }
    }

    private List<String> matrixNames() throws IOException {
        if (!demo) {
            return matrices;
        }
        List<String> names = new ArrayList<>();
        sourceOptions.locator().embedded().forEach(source -> names.add(source.name()));
        names.addAll(DEMO_GENERATED);
        names.addAll(matrices);
        return names;
    }

    private Outcome measureMatrix(MeasureSettings settings, ConsoleProgress progress, Contenders contenders,
            MatrixSource source, CsrMatrix matrix) {
        List<String> objections = new ArrayList<>();
        List<Contender> all = contenders.of(matrix, objections);
        objections.forEach(console()::complain);
        matrixFacts.add(new MatrixFacts(source.name(), source.origin(), matrix.statistics()));
        Outcome measured = search
                ? new SearchBenchmark(settings, progress).run(source.name(), matrix, all)
                : new ProductBenchmark(settings, progress).run(source.name(), matrix, all);
        if (all.isEmpty()) {
            String message = "there is nothing to measure: no contender takes these parameters and precisions";
            return new Outcome(List.of(), List.of(Failure.ofMatrix(source.name(), message)));
        }
        return measured;
    }

    /** The run's number of threads comes first; one thread is what sequential contenders are compared with. */
    private static List<Bandwidth> probe(int threads, ConsoleProgress progress) {
        List<Bandwidth> all = new ArrayList<>();
        progress.progress("measure the memory's bandwidth", 0, 2);
        all.add(BandwidthProbe.ofMachine(threads));
        if (threads > 1) {
            progress.progress("measure the memory's bandwidth", 1, 2);
            all.add(BandwidthProbe.ofMachine(1));
        }
        progress.clear();
        return all;
    }

    private void write(RunReport report) throws IOException {
        for (Failure failure : report.outcome().failures()) {
            if (!failure.backend().isEmpty()) {
                console().complain(String.format(Locale.ROOT, "%s: %s %s %s failed (%s): %s", failure.matrix(),
                        failure.backend(), failure.parameters(), failure.precision(), failure.stage(),
                        failure.message()));
            }
        }
        json.write(console(), () -> JsonReport.of(report));
        html.write(console(), () -> HtmlReport.of(report));
    }
}
