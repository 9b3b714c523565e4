package org.trellis.bench.powers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.DurationConverter;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.PrecisionOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.RankMatrices;
import org.trellis.bench.ranks.RingProfile;
import org.trellis.bench.ranks.TransportText;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.chart.CountChart;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.device.TransportTimes;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Multiplies on several ranks. */
@Command(name = "powers", sortOptions = false, description = {
    "Times products in a row, A x, A (A x), ..., on several ranks, with halos of one ring and more.",
    "With k rings, ranks exchange messages once for k products, and compute rows of others for that.",
    "Under mpirun the ranks are its processes: mpirun -n 4 ./trellis powers MATRIX."})
public final class PowersCommand extends ConsoleCommand {
    private final RankJob given;

    @Parameters(paramLabel = "MATRIX", description = "The matrix A, square.")
    private String input;

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "2",
            description = "Ranks that are threads, unless trellis run or MPI's launcher decides. Default: 2.")
    private int ranks;

    @Option(names = "--transport", paramLabel = "threads|mpi|gpus",
            description = "How messages travel. Default: mpi if its launcher has started this process, else threads.")
    private RankJob.Transport transport;

    @Option(names = "--rings", paramLabel = "K|auto", split = ",", defaultValue = "1,2,4", description = {
        "Numbers of rings, 1 to 64 each; auto for the number that a model proposes and the times of steps confirm. "
                + "Default: 1,2,4."})
    private String[] rings;

    @Option(names = "--max-rings", paramLabel = "K", defaultValue = "5",
            description = "The most rings that auto may choose. Default: 5.")
    private int maxRings;

    @Option(names = "--program", paramLabel = "products|jacobi|chebyshev", defaultValue = "products",
            description = "What the steps are: products, or sweeps of Jacobi's or Chebyshev's method. "
                    + "Default: products.")
    private PowersSettings.Program program;

    @Option(names = "--degree", paramLabel = "N", defaultValue = "4",
            description = "Sweeps of one polynomial of Chebyshev's method. Default: 4.")
    private int degree;

    @Option(names = "--steps", paramLabel = "M", defaultValue = "20",
            description = "Steps in a row. Default: 20.")
    private int steps;

    @Option(names = "--partitioner", paramLabel = "NAME",
            description = "How rows are divided: blocks, multilevel, or metis or scotch where installed; "
                    + "over MPI ptscotch, parmetis or zoltan, too. Default: what trellis run says, else multilevel.")
    private String partitioner;

    @Mixin
    private PrecisionOption precisionOption;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1",
            description = "Measured time for each number of rings; at least five passes. Default: 1.")
    private double seconds;

    @Option(names = "--latency", paramLabel = "TIME", converter = DurationConverter.class,
            description = "Emulate a slower network: messages arrive this much later, such as 100us. Default: they do "
                    + "not.")
    private Duration latency;

    @Option(names = "--bandwidth", paramLabel = "BYTES",
            description = "With --latency, bytes a second of each channel. Default: 1e10.")
    private Double bandwidth;

    @Option(names = "--tuned", description = {
        "Products: let interior rows be multiplied by a product of the rank's backend that tunes itself, instead of "
                + "one whose bits are those of any number of ranks and rings."})
    private boolean tuned;

    @Option(names = "--transports", description = {
        "Also measure every transport between the ranks for the same exchange: latency and bandwidth of "
                + "kernel writes, peer copies, NCCL and staging through the host on GPUs, and of the ranks' own "
                + "channels."})
    private boolean transports;

    @Option(names = "--profile", paramLabel = "FILE", description = {
        "Take the number of rings that this tuning profile knows for auto, or add what was learnt; made if need be."})
    private Path profile;

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
     * @param given   the ranks, as far as the command line of this command does not say more
     */
    public PowersCommand(Console console, RankJob given) {
        super(console);
        this.given = given;
    }

    @Override
    public Integer call() throws IOException {
        PowersSettings settings = checked(this::settings);
        RankJob job = checked(this::job);
        List<MatrixSource> sources = sourceOptions.locator().locate(input);
        checkUsage(() -> Checks.length("number of matrices that '" + input + "' stands for", sources.size(), 1));
        job.run(communicator -> runAndPrint(settings, job, communicator, sources.getFirst()));
        return ExitCode.OK;
    }

    private PowersSettings settings() {
        Checks.positive("number of steps", steps);
        Checks.positive("degree", degree);
        json.check();
        html.check();
        OutputFile.check("--profile", profile);
        if (latency != null && given.latency() != null) {
            throw new IllegalArgumentException("--latency of powers and of run, expected one of them");
        }
        if (bandwidth != null && latency == null) {
            throw new IllegalArgumentException("--bandwidth without --latency, expected both; --latency 0us is one");
        }
        if (bandwidth != null && !(bandwidth > 0)) {
            throw new IllegalArgumentException("--bandwidth is " + bandwidth + ", expected more than 0");
        }
        if (tuned && program != PowersSettings.Program.PRODUCTS) {
            throw new IllegalArgumentException("--tuned of sweeps, expected products");
        }
        return new PowersSettings(PowersSettings.rings(rings), PowersSettings.rings(maxRings), program, degree, steps,
                seconds, latency,
                bandwidth == null ? RankJob.BANDWIDTH : bandwidth);
    }

    private RankJob job() {
        RankJob job = given;
        if (!given.isDistributed()) {
            RankJob.checkThreads(ranks);
            boolean underMpi = transport == null ? MpiRanks.probe().available() : transport == RankJob.Transport.MPI;
            job = underMpi
                    ? new RankJob(RankJob.Transport.MPI, 1, 0, given.partitioner())
                    : new RankJob(transport == null ? RankJob.Transport.THREADS : transport, ranks, 0,
                            given.partitioner());
            if (transport == RankJob.Transport.GPUS) {
                job = job.on(List.of(RankJob.GPU));
            }
        }
        job = partitioner == null ? job : job.dividedBy(partitioner);
        job.requireDivision();
        return job;
    }

    private Void runAndPrint(PowersSettings settings, RankJob job, Communicator plain, MatrixSource source) {
        Communicator communicator = settings.delayed(plain);
        boolean first = communicator.rank() == 0;
        try (ConsoleProgress progress = progressOptions.open(console(), first);
                Backend backend = job.open(communicator).orElse(null)) {
            CsrMatrix loaded = RankMatrices.load(plain, source, progress);
            CsrMatrix whole = loaded == null ? null : loaded.toPrecision(precisionOption.precision());
            progress.progress("divide and measure", 0, 1);
            RingProfile kept = first && profile != null
                    ? new RingProfile(profile, whole, job, communicator.transport())
                    : null;
            List<Integer> known = kept == null ? List.of() : kept.known(settings.program().label());
            long[] rings = communicator.gatherNumbers(known.isEmpty() ? 0 : known.getFirst());
            PowersReport report = new PowersRun(settings,
                    RankMatrices.divide(communicator, whole, job), job, backend, tuned).run((int) rings[0]);
            TransportTimes times =
                    transports && communicator.size() > 1 ? TransportTimes.measure(communicator, backend) : null;
            progress.clear();
            if (first) {
                print(source.name(), job, settings, report);
                TransportText.print(console(), times);
                write(source.name(), job, settings, report, times);
                if (kept != null && report.choice() != null) {
                    kept.keep(source.name(), settings.program().label(), 0, report.choice().trials());
                    console().print("  profile           %s", kept);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return null;
    }

    private void print(String name, RankJob job, PowersSettings settings, PowersReport report) {
        console().print("%s: %s", name, of(report));
        console().print("  %s", among(job, settings, report));
        TransportText.print(console(), report.transports());
        console().printText(report.table().text());
        if (report.choice() != null) {
            print(report.choice());
        }
    }

    private TablesPage page(String name, RankJob job, PowersSettings settings, PowersReport report) {
        TablesPage page = new TablesPage("Products in a row over ranks");
        SortedMap<Integer, Double> times = new TreeMap<>();
        report.results().forEach(one -> times.put(one.rings(), one.seconds()));
        List<String> words = List.of(of(report), among(job, settings, report));
        if (times.values().stream().anyMatch(seconds -> seconds > 0)) {
            page.add(name, words, CountChart.of("Time of a step", "rings", Map.of(name, times)), report.table());
        } else {
            page.add(name, words, report.table());
        }
        return page;
    }

    private String of(PowersReport report) {
        return Numbers.count(report.rows()) + " rows, " + Numbers.count(report.nonZeros()) + " non-zeros, "
                + precisionOption.precision().label();
    }

    private String among(RankJob job, PowersSettings settings, PowersReport report) {
        return report.ranks() + " ranks over " + report.transport() + ", rows divided by " + job.partitioner() + ", "
                + steps + " " + settings.program().steps() + " in a row";
    }

    private void print(PowersReport.Choice choice) {
        if (choice.model() == null) {
            console().print("  rings             %d, known from the profile", choice.rings());
            return;
        }
        console().print("  model             %d rings: an exchange takes %s and %s a byte, a non-zero %s",
                choice.model().proposal(), Numbers.seconds(choice.model().latency()),
                Numbers.seconds(choice.model().secondsPerByte()),
                Numbers.seconds(choice.model().secondsPerNonZero()));
        console().print("  tried             %s", choice.trials().stream()
                .map(trial -> trial.rings() + ": " + Numbers.seconds(trial.seconds().stream()
                        .mapToDouble(Double::doubleValue).min().orElse(Double.NaN)))
                .collect(Collectors.joining(", ")));
        console().print("  rings             %d, chosen within %s steps", choice.rings(),
                Numbers.count(choice.steps()));
    }

    private void write(String name, RankJob job, PowersSettings settings, PowersReport report, TransportTimes times)
            throws IOException {
        json.write(console(), () -> PowersDocument.of(provenance(), name, precisionOption.precision(),
                job.partitioner(), settings, report, times));
        html.write(console(), () -> page(name, job, settings, report).of(provenance()));
    }
}
