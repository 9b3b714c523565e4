package org.trellis.bench.direct;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.source.VectorFiles;
import org.trellis.common.Precision;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.QrOptions;
import org.trellis.solve.direct.SparseQr;
import org.trellis.sparse.CsrMatrix;

/** Solves least squares of any shape by QR factors, beside other libraries if that is asked for. */
public final class QrSolve {
    private static final List<String> OPTIONS = List.of("order", "tolerance", "solution", "memory");
    private static final double GOOD = 1e-11;

    private final Console console;
    private final Settings settings;
    private final List<DirectPeer> peers;
    private final int rounds;

    /** Which solution is requested where there are several. */
    public enum Solution {
        /** The one of least norm of wide matrices, a basic one of others. */
        AUTOMATIC,
        /** Zero in dependent columns. */
        BASIC,
        /** Of least norm. */
        MINIMUM_NORM
    }

    /**
     * What the command line says.
     *
     * @param options  how Trellis factorises
     * @param solution which solution is requested
     */
    public record Settings(QrOptions options, Solution solution) {
        boolean leastNorm(CsrMatrix matrix) {
            return solution == Solution.MINIMUM_NORM
                    || (solution == Solution.AUTOMATIC && matrix.rows() < matrix.columns());
        }
    }

    /**
     * Prepares.
     *
     * @param console  where it prints
     * @param settings how Trellis solves
     * @param peers    other libraries
     * @param rounds   how often each phase is timed, at least 1
     */
    public QrSolve(Console console, Settings settings, List<DirectPeer> peers, int rounds) {
        this.console = console;
        this.settings = settings;
        this.peers = List.copyOf(peers);
        this.rounds = rounds;
    }

    /**
     * Reads options of the command line.
     *
     * @param given   names and values
     * @param seconds the limit of analysis and of factorisation; may be infinite
     * @return how Trellis solves
     * @throws IllegalArgumentException if one is unknown or out of range; says what there is
     */
    public static Settings settings(Map<String, String> given, double seconds) {
        QrOptions options = QrOptions.defaults().with(FactorLimits.ofHeap().within(seconds));
        Solution solution = Solution.AUTOMATIC;
        for (Map.Entry<String, String> one : given.entrySet()) {
            String value = one.getValue();
            try {
                switch (one.getKey()) {
                    case "order" -> options = options.with(DirectSolve.word(QrOptions.Order.class, value));
                    case "tolerance" -> options = options.withTolerance(Double.parseDouble(value));
                    case "solution" -> solution = DirectSolve.word(Solution.class, value);
                    case "memory" -> options = options.with(new FactorLimits(Long.parseLong(value), seconds));
                    default -> throw new IllegalArgumentException("unknown option, expected one of " + OPTIONS);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("--option " + one.getKey() + '=' + value + ": " + e.getMessage(), e);
            }
        }
        return new Settings(options, solution);
    }

    /**
     * Solves.
     *
     * @param name       the matrix, for the report
     * @param given      a matrix of any shape
     * @param right      the right-hand side, or null for A times the vector of ones
     * @param output     where the solution goes, or null
     * @param files      writes it
     * @param json       where the report goes, if anywhere
     * @param provenance of the report
     * @param progress   shows rounds
     * @return the exit code
     * @throws IOException              if a file cannot be written
     * @throws IllegalArgumentException if the right-hand side has another length than the matrix has rows
     * @throws FactorisationException   if a limit is met
     */
    public int solve(String name, CsrMatrix given, HostVector right, Path output, VectorFiles files, JsonOption json,
            Provenance provenance, ConsoleProgress progress) throws IOException {
        CsrMatrix matrix = given.toPrecision(Precision.F64);
        double[] b = right == null ? rowSums(matrix) : right.toDoubleArray();
        if (b.length != matrix.rows()) {
            throw new IllegalArgumentException("right-hand side of " + b.length + " elements for " + matrix
                    + ", expected one for each row");
        }
        console.print("%s: %s rows, %s columns, %s non-zeros, f64", name, Numbers.count(matrix.rows()),
                Numbers.count(matrix.columns()), Numbers.count(matrix.nonZeros()));
        List<DirectFactors> others = new ArrayList<>();
        boolean failed = false;
        try (TrellisQr own = new TrellisQr(matrix, settings)) {
            DirectRun run = new DirectRun(matrix, b, x -> Quality.of(matrix, b, x).error());
            run.add(own);
            failed = open(matrix, others);
            others.forEach(run::add);
            run.run(rounds, progress);
            List<DirectRun.Result> results = run.results();
            if (results.getFirst().failure() != null) {
                throw new FactorisationException(results.getFirst().failure(), -1, Double.NaN);
            }
            double[] x = run.solution(0);
            Quality quality = Quality.of(matrix, b, x);
            print(results, own, quality);
            if (output != null) {
                files.write(output, HostVector.of(x), WriteOptions.DEFAULT);
                console.print("  solution          %s", output);
            }
            json.write(console, () -> toJson(name, matrix, results, own, quality, provenance));
            return failed ? ExitCode.FAILED : quality.error() <= GOOD ? ExitCode.OK : ExitCode.NOT_CONVERGED;
        } finally {
            others.forEach(DirectFactors::close);
        }
    }

    /** Opens the peers that can be used; says whether some cannot. */
    private boolean open(CsrMatrix matrix, List<DirectFactors> others) {
        boolean failed = false;
        for (DirectPeer peer : peers) {
            boolean there = peer.probe().available();
            Optional<DirectFactors> opened = there ? peer.openLeastSquares(matrix) : Optional.empty();
            if (opened.isEmpty()) {
                console.print("  peer %-12s left out: %s", peer.name(), there
                        ? "no sparse QR factorisation for this shape"
                        : peer.probe().reason());
                failed |= !there;
            }
            opened.ifPresent(others::add);
        }
        return failed;
    }

    private static double[] rowSums(CsrMatrix matrix) {
        double[] sums = new double[matrix.rows()];
        matrix.forEachEntry((i, j, value) -> sums[i] += value);
        return sums;
    }

    /**
     * How good a solution of least squares is.
     *
     * @param residualNorm {@code ‖b - A x‖}
     * @param error        the smaller of {@code ‖r‖ / (‖A‖ ‖x‖ + ‖b‖)} and {@code ‖Aᵀ r‖ / (‖A‖ ‖r‖)}: of the order of
     *                     rounding for a solution of the system or of least squares
     */
    record Quality(double residualNorm, double error) {
        static Quality of(CsrMatrix matrix, double[] b, double[] x) {
            double[] r = b.clone();
            double[] gradient = new double[x.length];
            double[] square = new double[1];
            matrix.forEachEntry((i, j, value) -> {
                r[i] -= value * x[j];
                square[0] += value * value;
            });
            matrix.forEachEntry((i, j, value) -> gradient[j] += value * r[i]);
            double norm = Math.sqrt(square[0]);
            double left = norm(r);
            double ofSystem = left / (norm * norm(x) + norm(b));
            double ofSquares = norm(gradient) / (norm * left);
            return new Quality(left, left == 0 || norm == 0 ? 0 : Math.min(ofSystem, ofSquares));
        }

        private static double norm(double[] v) {
            double sum = 0;
            for (double element : v) {
                sum += element * element;
            }
            return Math.sqrt(sum);
        }
    }

    private void print(List<DirectRun.Result> results, TrellisQr own, Quality quality) {
        console.printText(DirectDocument.table(results).text());
        own.remarks().forEach(remark -> console.print("  note              %s", remark));
        results.stream().filter(result -> result.failure() != null)
                .forEach(result -> console.print("  note              %s: %s", result.solver(), result.failure()));
        SparseQr qr = own.factors();
        console.print("  rank              %s, tolerance %s, dropped %s", Numbers.count(qr.rank()),
                DirectDocument.real(qr.tolerance()), DirectDocument.real(qr.dropped()));
        console.print("  diagonal of R     least over greatest %s", DirectDocument.real(qr.diagonalRatio()));
        console.print("  residual          %.6e, error of least squares %s", quality.residualNorm(),
                DirectDocument.real(quality.error()));
    }

    private String toJson(String name, CsrMatrix matrix, List<DirectRun.Result> results, TrellisQr own,
            Quality quality, Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-qr", provenance);
        root.put("matrix", name).put("rows", matrix.rows()).put("columns", matrix.columns())
                .put("nonZeros", matrix.nonZeros()).put("rounds", rounds).put("method", "qr");
        DirectDocument.put(root, results.getFirst());
        root.put("rank", own.factors().rank()).put("tolerance", own.factors().tolerance())
                .put("dropped", own.factors().dropped()).put("diagonalRatio", own.factors().diagonalRatio())
                .put("residualNorm", quality.residualNorm());
        ArrayNode notes = root.putArray("notes");
        own.remarks().forEach(notes::add);
        ArrayNode others = root.putArray("peers");
        results.subList(1, results.size()).forEach(peer -> DirectDocument.put(others.addObject(), peer));
        return JsonReport.finish(root);
    }
}
