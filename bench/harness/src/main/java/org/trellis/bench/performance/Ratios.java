package org.trellis.bench.performance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.tune.ResultsNode;

/** Ratios of Trellis to its peer on several cases, from documents of measurements. */
final class Ratios {
    /** What was measured in turns: the case, the ratio, and how far the quartiles of either lie apart. */
    private record Ratio(String name, double value, double quartiles) {}

    private final List<Ratio> all = new ArrayList<>();
    private final String commands;
    private final String date;

    private Ratios(String commands, String date) {
        this.commands = commands;
        this.date = date;
    }

    /**
     * Speed ratios of products: the median time of the fastest variant of any peer over that of Trellis's fastest.
     * Times of a device are by its own clock.
     *
     * @param documents results of {@code trellis spmv --json}
     * @param backend   what of Trellis takes part
     * @param peers     the other libraries, of which the fastest counts
     * @param precision {@code f64} or {@code f32}
     */
    static Ratios ofProducts(List<ResultsNode> documents, String backend, List<String> peers, String precision)
            throws IOException {
        Ratios ratios = start(documents, "trellis-spmv-results");
        for (ResultsNode document : documents) {
            List<ResultsNode> records = new ArrayList<>();
            for (ResultsNode entry : document.get("records").items()) {
                if (entry.get("precision").text().equals(precision)) {
                    records.add(entry);
                }
            }
            for (ResultsNode matrix : document.get("matrices").items()) {
                String name = matrix.get("name").text();
                ResultsNode own = fastest(records, name, List.of(backend));
                ResultsNode other = fastest(records, name, peers);
                if (own != null && other != null) {
                    ratios.all.add(new Ratio(name, median(other) / median(own),
                            Math.max(quartiles(own), quartiles(other))));
                }
            }
        }
        return ratios.checked(documents, backend + " and one of " + peers + " in " + precision + " on the same matrix");
    }

    /**
     * Time ratios of solutions: the median of Trellis over that of the fastest peer, without the first round.
     *
     * @param documents  reports of {@code trellis solve --json}, a system each
     * @param peers      the other libraries
     * @param iterations whether times of an iteration are compared; otherwise set-up and solution together
     */
    static Ratios ofSolutions(List<ResultsNode> documents, List<String> peers, boolean iterations)
            throws IOException {
        Ratios ratios = start(documents, "trellis-solve-report");
        for (ResultsNode document : documents) {
            double own = Double.NaN;
            double best = Double.POSITIVE_INFINITY;
            double spread = 0;
            for (ResultsNode contender : document.get("contenders").items()) {
                String peer = contender.has("peer") ? contender.get("peer").text() : "";
                double seconds = solution(contender, iterations);
                if (peer.isEmpty()) {
                    own = seconds;
                    spread = Math.max(spread, rounds(contender));
                } else if (peers.contains(peer) && seconds < best) {
                    best = seconds;
                    spread = Math.max(spread, rounds(contender));
                }
            }
            if (own > 0 && best < Double.POSITIVE_INFINITY) {
                ratios.all.add(new Ratio(document.get("matrix").text(), own / best, spread));
            }
        }
        return ratios.checked(documents, "Trellis and one of " + peers);
    }

    /**
     * Ratios that a table of measurements has.
     *
     * @param numbers the ratio of each case
     * @param command what made them
     * @param date    when
     */
    static Ratios of(List<Map.Entry<String, Double>> numbers, String command, String date) {
        Ratios ratios = new Ratios(command, date);
        numbers.forEach(one -> ratios.all.add(new Ratio(one.getKey(), one.getValue(), Double.NaN)));
        return ratios;
    }

    private static Ratios start(List<ResultsNode> documents, String format) throws IOException {
        List<String> commands = new ArrayList<>();
        String date = "";
        for (ResultsNode document : documents) {
            if (!document.get("format").text().equals(format)) {
                throw document.get("format").problem(format);
            }
            commands.add(document.get("command").text());
            String day = document.get("date").text().substring(0, 10);
            date = day.compareTo(date) > 0 ? day : date;
        }
        return new Ratios(String.join("\n", commands), date);
    }

    private Ratios checked(List<ResultsNode> documents, String what) throws IOException {
        if (all.isEmpty()) {
            throw new IOException(
                    documents.stream().map(ResultsNode::file).toList() + " hold nothing that compares " + what);
        }
        return this;
    }

    private static ResultsNode fastest(List<ResultsNode> records, String matrix, List<String> backends)
            throws IOException {
        ResultsNode fastest = null;
        for (ResultsNode entry : records) {
            boolean matches = entry.get("matrix").text().equals(matrix)
                    && backends.contains(entry.get("backend").text());
            if (matches && (fastest == null || median(entry) < median(fastest))) {
                fastest = entry;
            }
        }
        return fastest;
    }

    private static ResultsNode times(ResultsNode entry) throws IOException {
        return entry.has("deviceTime") ? entry.get("deviceTime") : entry;
    }

    private static double median(ResultsNode entry) throws IOException {
        return times(entry).get("medianSeconds").number();
    }

    private static double quartiles(ResultsNode entry) throws IOException {
        ResultsNode times = times(entry);
        return (times.get("upperQuartileSeconds").number() - times.get("lowerQuartileSeconds").number())
                / times.get("medianSeconds").number();
    }

    private static double solution(ResultsNode contender, boolean iterations) throws IOException {
        double seconds = contender.get("solveSeconds").number();
        return iterations
                ? seconds / contender.get("iterations").number()
                : seconds + contender.get("setupSeconds").number();
    }

    /** How far the solutions of all rounds but the first lie apart, over their median. */
    private static double rounds(ResultsNode contender) throws IOException {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        List<ResultsNode> rounds = contender.get("allSolveSeconds").items();
        for (ResultsNode round : rounds.subList(Math.min(1, rounds.size() - 1), rounds.size())) {
            least = Math.min(least, round.number());
            most = Math.max(most, round.number());
        }
        return (most - least) / contender.get("solveSeconds").number();
    }

    /** The commands of the documents, a line each. */
    String commands() {
        return commands;
    }

    /** The day of the last document. */
    String date() {
        return date;
    }

    /**
     * Sums the cases up: geometric mean, range, how noisy the times were, and the case that is worst.
     *
     * @param kind speed ratios, which are better the greater they are, or time ratios
     */
    Figure figure(Figure.Kind kind) {
        double mean = Math.exp(all.stream().mapToDouble(ratio -> Math.log(ratio.value())).average().orElseThrow());
        Comparator<Ratio> order = Comparator.comparingDouble(Ratio::value);
        Ratio least = all.stream().min(order).orElseThrow();
        Ratio most = all.stream().max(order).orElseThrow();
        Ratio worst = kind == Figure.Kind.TIME_RATIO ? most : least;
        double[] apart = all.stream().mapToDouble(Ratio::quartiles).sorted().toArray();
        String noise = Double.isNaN(apart[0])
                ? ""
                : String.format(Locale.ROOT, ", times %s apart%s", Numbers.percent(apart[apart.length / 2]),
                        all.size() == 1 ? "" : " (median)");
        String range =
                String.format(Locale.ROOT, "%.2f to %.2f on %d", least.value(), most.value(), all.size());
        String spread = all.size() == 1 ? noise.replaceFirst("^, ", "") : range + noise;
        String value = String.format(Locale.ROOT, "%.2f", mean);
        return new Figure(kind, value, spread, String.format(Locale.ROOT, "%.2f (`%s`)", worst.value(), worst.name()));
    }
}
