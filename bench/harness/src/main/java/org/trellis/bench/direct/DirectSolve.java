package org.trellis.bench.direct;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.source.VectorFiles;
import org.trellis.common.Precision;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;

/** Solves a system by factors, beside other libraries if that is asked for, and prints what came of it. */
public final class DirectSolve {
    private static final List<String> OPTIONS =
            List.of("order", "matching", "blocks", "kernel", "pivot-tolerance", "smallest-pivot", "memory");

    private final Console console;
    private final LuOptions options;
    private final List<DirectPeer> peers;
    private final int rounds;

    /**
     * Prepares.
     *
     * @param console where it prints
     * @param options how Trellis factorises
     * @param peers   other libraries
     * @param rounds  how often each phase is timed, at least 1
     */
    public DirectSolve(Console console, LuOptions options, List<DirectPeer> peers, int rounds) {
        this.console = console;
        this.options = options;
        this.peers = List.copyOf(peers);
        this.rounds = rounds;
    }

    /**
     * Reads options of the command line.
     *
     * @param given   names and values
     * @param seconds the limit of analysis and of factorisation; may be infinite
     * @return how Trellis factorises
     * @throws IllegalArgumentException if one is unknown or out of range; says what there is
     */
    public static LuOptions options(Map<String, String> given, double seconds) {
        LuOptions options = LuOptions.defaults().with(FactorLimits.ofHeap().within(seconds));
        for (Map.Entry<String, String> one : given.entrySet()) {
            String value = one.getValue();
            try {
                options = switch (one.getKey()) {
                    case "order" -> options.with(word(LuOptions.Order.class, value));
                    case "matching" -> options.with(word(LuOptions.Matching.class, value));
                    case "blocks" -> options.withBlocks(truth(value));
                    case "kernel" -> options.with(word(LuOptions.Kernel.class, value));
                    case "pivot-tolerance" -> options.withPivotTolerance(Double.parseDouble(value));
                    case "smallest-pivot" -> options.withSmallestPivot(Double.parseDouble(value));
                    case "memory" -> options.with(new FactorLimits(Long.parseLong(value), seconds));
                    default -> throw new IllegalArgumentException("unknown option, expected one of " + OPTIONS);
                };
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("--option " + one.getKey() + '=' + value + ": " + e.getMessage(), e);
            }
        }
        return options;
    }

    private static boolean truth(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("expected true or false");
        }
        return value.equals("true");
    }

    /** Finds a constant by its name in lower case. */
    static <E extends Enum<E>> E word(Class<E> type, String value) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(value)) {
                return constant;
            }
        }
        List<String> names = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            names.add(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        throw new IllegalArgumentException("expected one of " + names);
    }

    /**
     * Solves.
     *
     * @param name       the matrix, for the report
     * @param given      a matrix
     * @param right      the right-hand side, or null for A times the vector of ones
     * @param output     where the solution goes, or null
     * @param files      writes it
     * @param json       where the report goes, if anywhere
     * @param provenance of the report
     * @param progress   shows rounds
     * @return the exit code
     * @throws IOException              if a file cannot be written
     * @throws IllegalArgumentException if the matrix is not square or the right-hand side has another length
     * @throws org.trellis.solve.direct.FactorisationException if the matrix is singular, or a limit is met
     */
    @SuppressWarnings("MustBeClosed") // closed below
    public int solve(String name, CsrMatrix given, HostVector right, Path output, VectorFiles files, JsonOption json,
            Provenance provenance, ConsoleProgress progress) throws IOException {
        CsrMatrix matrix = given.toPrecision(Precision.F64);
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("method direct for " + matrix + ", expected a square matrix");
        }
        double[] b = right == null ? rowSums(matrix) : right.toDoubleArray();
        if (b.length != matrix.rows()) {
            throw new IllegalArgumentException("right-hand side of " + b.length + " elements for " + matrix
                    + ", expected one for each row");
        }
        console.print("%s: %s rows, %s non-zeros, f64", name, Numbers.count(matrix.rows()),
                Numbers.count(matrix.nonZeros()));
        TrellisFactors own = new TrellisFactors(matrix, options);
        List<DirectFactors> others = new ArrayList<>();
        boolean failed = false;
        try {
            DirectRun run = new DirectRun(matrix, b);
            run.add(own);
            failed = open(matrix, others);
            others.forEach(run::add);
            run.run(rounds, progress);
            List<DirectRun.Result> results = run.results();
            DirectRun.Result mine = results.getFirst();
            if (mine.failure() != null) {
                throw new FactorisationException(mine.failure(), -1, Double.NaN);
            }
            double[] x = new double[b.length];
            DirectDocument document = new DirectDocument(name, matrix, rounds, mine, results.subList(1, results.size()),
                    own.reciprocalCondition(), own.refinedBackwardError(b, x), own.remarks());
            print(document, own, right == null ? x : null);
            if (output != null) {
                files.write(output, HostVector.of(x), WriteOptions.DEFAULT);
                console.print("  solution          %s", output);
            }
            json.write(console, () -> document.toJson(provenance));
            boolean solved = document.refinedError() <= 10.0 * Math.max(1, matrix.rows()) * 0x1p-53;
            return failed ? ExitCode.FAILED : solved ? ExitCode.OK : ExitCode.NOT_CONVERGED;
        } finally {
            others.forEach(DirectFactors::close);
        }
    }

    /** Opens the peers that can be used; says whether some cannot. */
    @SuppressWarnings("MustBeClosed") // in the list
    private boolean open(CsrMatrix matrix, List<DirectFactors> others) {
        boolean symmetric = matrix.closeTo(matrix.transpose(), 0x1p-48, 0);
        boolean failed = false;
        for (DirectPeer peer : peers) {
            String reason = peer.probe().available()
                    ? peer.objection(matrix, symmetric).orElse(null)
                    : peer.probe().reason();
            if (reason != null) {
                console.print("  peer %-12s left out: %s", peer.name(), reason);
                failed |= !peer.probe().available();
                continue;
            }
            others.add(peer.open(matrix));
        }
        return failed;
    }

    private static double[] rowSums(CsrMatrix matrix) {
        double[] sums = new double[matrix.rows()];
        matrix.forEachEntry((i, j, value) -> sums[i] += value);
        return sums;
    }

    private void print(DirectDocument document, TrellisFactors own, double[] ones) {
        console.printText(document.table());
        document.remarks().forEach(remark -> console.print("  note              %s", remark));
        document.peers().stream().filter(peer -> peer.failure() != null)
                .forEach(peer -> console.print("  note              %s: %s", peer.solver(), peer.failure()));
        console.print("  blocks            %s, the largest of %s rows",
                Numbers.count(own.lu().analysis().blocks()), Numbers.count(own.lu().analysis().largestBlock()));
        SparseLu.WeakestPivot weakest = own.lu().weakestPivot();
        console.print("  pivots            %s off the diagonal, growth %.1e, weakest in row %d, column %d (from 0): "
                + "%.1e left by cancellation", Numbers.count(own.lu().offDiagonalPivots()), own.lu().growth(),
                weakest.row(), weakest.column(), weakest.share());
        console.print("  condition         reciprocal about %s", DirectDocument.real(document.reciprocalCondition()));
        console.print("  backward error    %s, refined %s", DirectDocument.real(document.own().backwardError()),
                DirectDocument.real(document.refinedError()));
        if (ones != null) {
            double error = 0;
            for (double element : ones) {
                error = Math.max(error, Math.abs(element - 1));
            }
            console.print("  largest error     %.3e", error);
        }
    }
}
