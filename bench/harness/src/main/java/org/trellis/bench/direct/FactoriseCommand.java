package org.trellis.bench.direct;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.solve.direct.LuAnalysis;
import org.trellis.solve.direct.LuOptions;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares direct solvers on many matrices. */
@Command(name = "factorise", sortOptions = false, description = {
    "Factorises matrices by Trellis (LU, and Cholesky where they are symmetric positive definite) and by other "
            + "libraries, phase by phase and in turns.",
    "Shown are medians, and ratios: fill to the least of the peers, times to KLU's, the backward error after "
            + "refinement to n units of roundoff."})
public final class FactoriseCommand extends ConsoleCommand {
    private static final int SEED = 1;

    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "The matrices.")
    private List<String> matrices = new ArrayList<>();

    @Option(names = "--peer", paramLabel = "NAME", split = ",",
            description = "Other libraries: klu, umfpack, superlu, cholmod, ejml, ejml-cholesky. Default: none.")
    private List<String> peers = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
            description = "How often each phase is timed after rounds that do not count. Default: 3.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "30",
            description = "A library whose first round takes longer has no others. Default: 30.")
    private double seconds;

    @Option(names = "--shuffled", description = "Factorise each matrix also with its rows in another, random order.")
    private boolean shuffled;

    @Option(names = "--without-lu",
            description = "Leave out LU factorisations by Trellis where the matrix is symmetric positive definite.")
    private boolean withoutLu;

    @Option(names = "--processor-time",
            description = "Measure the processor time of all threads that take part instead of the time on the wall, "
                    + "on a machine that other programs use.")
    private boolean processorTime;

    @Option(names = "--option", paramLabel = "NAME=VALUE",
            description = "How Trellis factorises, as for solve --method direct; may be repeated.")
    private Map<String, String> options = new TreeMap<>();

    @Mixin
    private JsonOption json;

    @Mixin
    private HtmlOption html;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    private final TablesPage page = new TablesPage("Direct solvers");

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public FactoriseCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        LuOptions own = checked(() -> DirectSolve.options(options, Double.POSITIVE_INFINITY));
        List<DirectPeer> others = checked(() -> peers.stream().map(DirectPeer::named).toList());
        checkUsage(() -> {
            json.check();
            html.check();
        });
        checkUsage(this::requireRounds);
        List<MatrixSource> sources = new ArrayList<>();
        for (String matrix : matrices) {
            sources.addAll(sourceOptions.locator().locate(matrix));
        }
        DirectComparison comparison = new DirectComparison(console(), own, others, rounds,
                new DirectComparison.Settings(seconds, processorTime, withoutLu));
        try (ConsoleProgress progress = progressOptions.open(console())) {
            for (MatrixSource source : sources) {
                CsrMatrix matrix = source.load(progress).toPrecision(Precision.F64);
                if (matrix.rows() != matrix.columns() || LuAnalysis.structuralRank(matrix) < matrix.rows()) {
                    String words = source.name() + ": " + matrix
                            + ", left out: it is not square or structurally singular";
                    console().print("%s", words);
                    page.trouble(words);
                    continue;
                }
                comparison.add(source.name(), matrix, progress);
                if (shuffled) {
                    int[] order = Permutation.random(matrix.rows(), new SplittableRandom(SEED)).toArray();
                    comparison.add(source.name() + " shuffled", matrix.selectRows(order), progress);
                }
            }
        }
        comparison.print();
        json.write(() -> comparison.toJson(provenance()));
        comparison.addTo(page);
        html.write(console(), () -> page.of(provenance()));
        return comparison.hasFailures() ? ExitCode.FAILED : ExitCode.OK;
    }

    private void requireRounds() {
        if (rounds < 1 || !(seconds > 0)) {
            throw new IllegalArgumentException("--rounds is " + rounds + " and --seconds " + seconds
                    + ", expected at least 1 and more than 0");
        }
    }
}
