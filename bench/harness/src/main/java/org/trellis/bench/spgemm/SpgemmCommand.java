package org.trellis.bench.spgemm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.ContenderOptions;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.bench.peer.process.SeparatePeer;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SpgemmDocument;
import org.trellis.bench.report.SpgemmRow;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Times products of sparse matrices. */
@Command(name = "spgemm", sortOptions = false,
        description = "Times products of sparse matrices, A A or the coarse matrix of multigrid, and other libraries'.")
public final class SpgemmCommand extends ConsoleCommand {
    private static final double LARGEST_ERROR = 1e-3;

    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "Matrices to multiply.")
    private List<String> matrices = new ArrayList<>();

    @Option(names = "--product", paramLabel = "square|galerkin", defaultValue = "SQUARE",
            description = "A A (A times its transpose if it is not square), or R (A P) of smoothed aggregation. "
                    + "Default: square.")
    private Problem.Kind kind;

    @Option(names = "--precision", paramLabel = "P", split = ",", defaultValue = "f64",
            converter = PrecisionConverter.class, description = "Types of the values: f64, f32. Default: f64.")
    private List<Precision> precisions = new ArrayList<>();

    @Option(names = "--peer", paramLabel = "NAME", split = ",",
            description = "Libraries to measure beside Trellis: mkl, ejml, cusparse or all; may be repeated.")
    private List<String> peerNames = new ArrayList<>();

    @Option(names = "--backend", paramLabel = "NAME",
            description = "Multiply in the memory of this backend too, cuda for a GPU.")
    private String backendName;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1",
            description = "Measured time for each contender and matrix; at least five samples. Default: 1.")
    private double seconds;

    @Mixin
    private JsonOption json;

    @Mixin
    private HtmlOption html;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    private final SpgemmDocument document = new SpgemmDocument();
    private final TablesPage page = new TablesPage("Products of sparse matrices");
    private boolean failed;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public SpgemmCommand(Console console) {
        super(console);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed by the statement
    public Integer call() throws IOException {
        List<Peer> peers = checked(() -> {
            json.check();
            html.check();
            return SeparatePeer.apart(peers());
        });
        if (!SeparatePeer.names(peers).isEmpty()) {
            console().print("In a process of their own, timed there: %s.",
                    String.join(", ", SeparatePeer.names(peers)));
        }
        Backend backend = backendName == null
                ? null
                : checked(() -> Backends.open(backendName, Configuration.load()));
        try (backend) {
            measureAll(peers, backend);
        } finally {
            SeparatePeer.closeAll(peers);
        }
        Map<String, String> versions = new LinkedHashMap<>();
        peers.forEach(peer -> versions.put(peer.name(), peer.version()));
        json.write(console(), () -> document.toJson(provenance(), versions));
        html.write(console(), () -> page.of(provenance()));
        return failed ? ExitCode.FAILED : ExitCode.OK;
    }

    private void measureAll(List<Peer> peers, Backend backend) {
        try (ConsoleProgress progress = progressOptions.open(console())) {
            SpgemmBenchmark benchmark = new SpgemmBenchmark(seconds, progress);
            new MatrixArguments(console(), progress, sourceOptions.locator()).forEach(matrices, (source, matrix) -> {
                for (Precision precision : precisions) {
                    measure(source.name(), matrix.toPrecision(precision), peers, backend, benchmark, progress);
                }
            }, (name, message) -> {
                failed = true;
                page.trouble(name + ": " + message);
            });
        }
    }

    private List<Peer> peers() {
        if (peerNames.contains(ContenderOptions.ALL)) {
            List<String> leftOut = new ArrayList<>();
            List<Peer> chosen = new ArrayList<>(ContenderOptions.usable(Peers.all(), leftOut));
            chosen.removeIf(peer -> precisions.stream().noneMatch(peer::multipliesMatrices));
            leftOut.forEach(console()::complain);
            return chosen;
        }
        List<Peer> named = new ArrayList<>();
        for (String name : peerNames.stream().distinct().toList()) {
            Peer peer = Peers.named(name);
            if (precisions.stream().noneMatch(peer::multipliesMatrices)) {
                throw new IllegalArgumentException("peer '" + name + "' does not multiply sparse matrices of "
                        + precisions.stream().map(Precision::label).toList());
            }
            named.add(peer);
        }
        List<String> missing = new ArrayList<>();
        List<Peer> chosen = ContenderOptions.usable(named, missing);
        missing.forEach(console()::complain);
        failed = !missing.isEmpty();
        return chosen;
    }

    private void measure(String name, CsrMatrix matrix, List<Peer> peers, Backend backend, SpgemmBenchmark benchmark,
            ConsoleProgress progress) {
        Problem problem = kind.of(matrix);
        int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
        List<SpgemmBenchmark.Contender> contenders = new ArrayList<>();
        try {
            contenders.add(new SpgemmBenchmark.Contender("trellis", threads, new Multiplier(problem, false)));
            contenders.add(new SpgemmBenchmark.Contender("trellis, known structure", threads,
                    new Multiplier(problem, true)));
            if (backend != null) {
                contenders.add(new SpgemmBenchmark.Contender("trellis, " + backend.name(), 1,
                        new BackendMultiplier(backend, problem, false)));
                contenders.add(new SpgemmBenchmark.Contender("trellis, " + backend.name() + ", known structure", 1,
                        new BackendMultiplier(backend, problem, true)));
            }
            for (Peer peer : peers) {
                if (peer.multipliesMatrices(matrix.precision())) {
                    contenders.add(new SpgemmBenchmark.Contender(peer.name(), threads,
                            peer.prepareMatrixProduct(problem.factors(), threads)));
                }
            }
            List<SpgemmRow> rows = benchmark.run(contenders);
            progress.clear();
            long terms = problem.terms();
            document.add(name, kind.label(), matrix.precision().label(), terms, rows);
            print(name, matrix, terms, rows);
        } finally {
            contenders.forEach(contender -> contender.product().close());
        }
    }

    private void print(String name, CsrMatrix matrix, long terms, List<SpgemmRow> rows) {
        String product = kind.label() + " product of " + matrix + ", " + Numbers.count(terms) + " terms";
        console().print("%n%s: %s", name, product);
        for (SpgemmRow row : rows) {
            if (!(row.largestError() <= LARGEST_ERROR)) {
                failed = true;
                String apart = name + ": " + row.contender() + " has another product, apart by "
                        + row.largestError() + " of its largest element";
                console().complain(apart);
                page.trouble(apart);
            }
        }
        Table table = SpgemmDocument.table(terms, rows);
        console().printText(table.text());
        page.add(name, List.of(product), table);
    }
}
