package org.trellis.bench.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.model.ModelReport.Check;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.PrecisionOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.prediction.KernelClock;
import org.trellis.bench.prediction.Network;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.html.ModelPage;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Predicts what steps take on more ranks than there are here. */
@Command(name = "model", sortOptions = false, description = {
    "Predicts what products, sweeps of Jacobi's method and iterations of conjugate gradients take on many ranks and a "
            + "network, for halos of one ring and more.",
    "The matrix is divided and its halos are analysed here, part after part; kernels are measured here at the size of "
            + "the largest part; the network is as you say."})
public final class ModelCommand extends ConsoleCommand {
    private static final int MOST_RINGS = 64;
    private static final int MOST_RANKS = 1 << 20;
    private static final int FACTOR = 4;
    private static final String HOST = "processors";

    @Parameters(paramLabel = "MATRIX", description = "The matrix, square.")
    private String input;

    @Option(names = "--ranks", paramLabel = "N", split = ",", required = true, description = {
        "Numbers of ranks; a single one stands for 1, 4, 16, ... up to it."})
    private int[] ranks;

    @Option(names = "--network", paramLabel = "NETWORK", required = true, description = {
        "What is between ranks: latency=2us,bandwidth=25GB/s, and perhaps injection=BYTES/s (all messages of a node at "
                + "a time; default: the bandwidth; none for no limit), overhead=TIME (of a processor for a message; "
                + "default: 500ns), and at the end node=RANKS:latency=TIME,bandwidth=BYTES/s for ranks that share a "
                + "node."})
    private String network;

    @Option(names = "--rings", paramLabel = "K", defaultValue = "1..5",
            description = "Numbers of rings, such as 1..5 or 1,2,4. Default: 1..5.")
    private String rings;

    @Option(names = "--weak", description = {
        "Let the matrix, of a generator, grow with the ranks, too: MATRIX is that of one rank."})
    private boolean weak;

    @Option(names = "--weak-matrix", paramLabel = "MATRIX",
            description = "The same, with another generator's matrix for one rank.")
    private String weakMatrix;

    @Option(names = "--levels", paramLabel = "COARSENING", description = {
        "Predict sweeps on the levels of a multigrid hierarchy on the most ranks: smoothed-aggregation, aggregation or "
                + "classical."})
    private String levels;

    @Option(names = "--solvers", paramLabel = "NAME", split = ",", description = {
        "Replay iterations of these solvers, too: cg, pipelined-cg, s-step (conjugate gradients with jacobi each), "
                + "amg-cg (conjugate gradients with V-cycles of amg)."})
    private Set<String> solvers = Set.of();

    @Option(names = "--steps", paramLabel = "S", defaultValue = "4",
            description = "Iterations of s-step for one reduction. Default: 4.")
    private int steps;

    @Option(names = "--degree", paramLabel = "D", defaultValue = "2",
            description = "Degree of Chebyshev's method, the smoother of amg-cg. Default: 2.")
    private int degree;

    @Option(names = "--rows-per-rank", paramLabel = "N", defaultValue = "32",
            description = "Levels are on fewer ranks rather than with fewer rows a rank. Default: 32.")
    private int leastRows;

    @Option(names = "--check", paramLabel = "N", split = ",", description = {
        "Measure, too, on so many ranks that are threads of this process, with messages delayed by latency and "
                + "bandwidth, and state how far predictions are off."})
    private int[] check = {};

    @Option(names = "--partitioner", paramLabel = "NAME", defaultValue = RankJob.DEFAULT_PARTITIONER,
            description = "How rows are divided: blocks, multilevel, or metis or scotch where installed. "
                    + "Default: multilevel.")
    private String partitioner;

    @Mixin
    private PrecisionOption precisionOption;

    @Option(names = "--copies", paramLabel = "N", description = {
        "How many ranks compute at the same time while kernels are measured, as ranks of a node do that share its "
                + "memory. Default: one for each processor here."})
    private Integer copies;

    @Option(names = "--backend", paramLabel = "NAME", description = {
        "Where kernels are measured: cuda for a GPU of this machine, which each rank has to itself; the network is "
                + "then that between GPUs, its latency that of a whole exchange. Default: this machine's processors."})
    private String backend;

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
    public ModelCommand(Console console) {
        super(console);
    }

    /** What was asked for, checked. */
    private record Asked(Network network, List<Integer> rings, int[] ranks, Partitioner partitioner,
            MatrixSpec weak, Coarsening coarsening, ModelSolvers.Wanted solvers) {}

    @Override
    public Integer call() throws IOException {
        Asked asked = checked(this::asked);
        List<MatrixSource> sources = sourceOptions.locator().locate(input);
        checkUsage(() -> Checks.length("number of matrices that '" + input + "' stands for", sources.size(), 1));
        int together = copies == null ? Runtime.getRuntime().availableProcessors() : copies;
        ModelReport report;
        try (ConsoleProgress progress = progressOptions.open(console())) {
            CsrMatrix matrix = sources.getFirst().load(progress).toPrecision(precisionOption.precision());
            Checks.length("columns of a matrix to partition", matrix.columns(), matrix.rows());
            if (matrix.nonZeros() == 0) {
                throw new IllegalArgumentException(matrix + " has no entries, expected one or more to be timed");
            }
            // Ranks elsewhere have a processor each.
            ModelSolvers replayed = asked.solvers == null
                    ? null
                    : new ModelSolvers(asked.solvers, asked.rings, together, Integer.MAX_VALUE);
            ModelRun run =
                    new ModelRun(asked.network, asked.rings, asked.partitioner, clock(together), replayed, progress);
            int most = IntStream.of(asked.ranks).max().orElseThrow();
            report = new ModelReport(sources.getFirst().name(), asked.network,
                    new ModelReport.Setup(network, asked.rings, partitioner, precisionOption.precision().label(),
                            onDevice() ? 1 : together, onDevice() ? backend : HOST),
                    run.strong(matrix, asked.ranks),
                    asked.weak == null ? List.of() : run.weak(asked.weak, asked.ranks, precisionOption.precision()),
                    asked.coarsening == null ? List.of() : run.levels(matrix, asked.coarsening, most, leastRows),
                    checks(asked, matrix, progress));
            progress.clear();
        }
        new ModelText(console(), report).print();
        write(report);
        return ExitCode.OK;
    }

    private boolean onDevice() {
        return backend != null;
    }

    @SuppressWarnings("MustBeClosed") // closed by the clock
    private ModelRun.Clock clock(int together) {
        return onDevice()
                ? (block, count) -> KernelClock.measure(block, () -> Backends.open(backend, Configuration.load()))
                : (block, count) -> KernelClock.measure(block, Math.min(together, count));
    }

    private List<Check> checks(Asked asked, CsrMatrix matrix, ConsoleProgress progress) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < check.length; i++) {
            progress.progress("measure " + check[i] + " ranks", i, check.length);
            checks.addAll(new ModelCheck(matrix, asked.network, asked.rings, asked.partitioner, asked.solvers)
                    .run(check[i]));
        }
        return checks;
    }

    private Asked asked() {
        json.check();
        html.check();
        Checks.positive("rows of a rank", leastRows);
        Checks.positive("number of copies", copies == null ? 1 : copies);
        for (int count : check) {
            Checks.positive("number of ranks to check", count);
        }
        requireDevice();
        RankJob division = new RankJob(RankJob.Transport.THREADS, 1, 0, partitioner);
        String growing = weakMatrix == null && weak ? input : weakMatrix;
        MatrixSpec grown = growing == null ? null : MatrixSpec.parse(growing);
        if (grown != null) {
            ModelRun.grown(grown, 1);
        }
        return new Asked(Network.parse(network), numbers(rings), ranks(ranks), division.division(), grown,
                levels == null ? null : overRanks(Coarsening.of(levels)),
                solvers.isEmpty() ? null : new ModelSolvers.Wanted(solvers, steps, degree));
    }

    private static Coarsening overRanks(Coarsening coarsening) {
        if (coarsening == Coarsening.AIR) {
            throw new IllegalArgumentException("--levels is 'air', which there is on one rank only, expected "
                    + "smoothed-aggregation, aggregation or classical");
        }
        return coarsening;
    }

    /** A backend's kernels are those of ranks on a device; on processors each rank has its own of this module. */
    private void requireDevice() {
        if (!onDevice()) {
            return;
        }
        if (check.length > 0 || copies != null || !solvers.isEmpty()) {
            String option = copies != null ? "--copies" : check.length > 0 ? "--check" : "--solvers";
            throw new IllegalArgumentException(option + " is for ranks on processors, expected none with --backend "
                    + backend);
        }
        try (Backend own = Backends.open(backend, Configuration.load())) {
            if (own.optionalKernels(HaloKernels.class).isEmpty()) {
                throw new IllegalArgumentException("--backend is '" + backend + "', which has no messages between "
                        + "devices, expected cuda, or none for processors");
            }
        }
    }

    /** Sorted; a single number stands for its quarter, and so on, down to 1. */
    static int[] ranks(int... given) {
        TreeSet<Integer> all = new TreeSet<>();
        for (int count : given) {
            if (count < 1 || count > MOST_RANKS) {
                throw new IllegalArgumentException("number of ranks is " + count + ", expected 1 to " + MOST_RANKS);
            }
            all.add(count);
        }
        for (int count = 1; given.length == 1 && count < given[0]; count *= FACTOR) {
            all.add(count);
        }
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Reads {@code 1..5} or {@code 1,2,4}. */
    static List<Integer> numbers(String text) {
        TreeSet<Integer> all = new TreeSet<>();
        for (String word : text.split(",", -1)) {
            if (!word.matches("\\d{1,3}(\\.\\.\\d{1,3})?")) {
                throw new IllegalArgumentException("numbers of rings are '" + text
                        + "', expected a range such as 1..5 or a list such as 1,2,4");
            }
            String[] ends = word.split("\\.\\.", -1);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int k = Integer.parseInt(ends[0]); k <= last; k++) {
                all.add(k);
            }
        }
        if (all.isEmpty() || all.getFirst() < 1 || all.getLast() > MOST_RINGS) {
            throw new IllegalArgumentException("numbers of rings are '" + text + "', expected 1 to " + MOST_RINGS);
        }
        return List.copyOf(all);
    }

    private void write(ModelReport report) throws IOException {
        Provenance provenance = provenance();
        json.write(console(), () -> ModelDocument.of(report, provenance));
        html.write(console(), () -> ModelPage.of(report, provenance));
    }
}
