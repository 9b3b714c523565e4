package org.trellis.bench.warmup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;

/** What was measured of one matrix: for each backend and each thing done, the times of all rounds. */
final class WarmUpTimes {
    private final List<String> backends;
    private final List<String> things;
    private final Map<String, List<Double>> samples = new LinkedHashMap<>();

    WarmUpTimes(List<String> backends, List<String> things) {
        this.backends = backends;
        this.things = things;
    }

    void add(String backend, String thing, double seconds) {
        samples.computeIfAbsent(backend + ' ' + thing, key -> new ArrayList<>()).add(seconds);
    }

    /** Returns the median, or NaN if nothing was measured. */
    double median(String backend, String thing) {
        List<Double> sorted = samples.getOrDefault(backend + ' ' + thing, List.of()).stream().sorted().toList();
        return sorted.isEmpty() ? Double.NaN : sorted.get((sorted.size() - 1) / 2);
    }

    /** Returns how many times as long as the fastest backend one took, or NaN. */
    double overBest(String backend, String thing) {
        double best = backends.stream().mapToDouble(b -> median(b, thing)).filter(Double::isFinite).min()
                .orElse(Double.NaN);
        return median(backend, thing) / best;
    }

    Table table() {
        List<Column> columns = new ArrayList<>(List.of(Column.words("backend").means("Who multiplies.")));
        for (String thing : things) {
            boolean first = columns.size() == 1;
            columns.add(Column.of(title(thing), Format.SECONDS)
                    .means(first ? "Median of all JVMs, from the preparation on; likewise those that follow." : ""));
            columns.add(Column.of("over best", Format.REAL)
                    .means(first ? "How many times as long as the fastest backend." : "").asMinor());
        }
        Table table = new Table(columns);
        for (String backend : backends) {
            List<Object> cells = new ArrayList<>(List.of(backend));
            for (String thing : things) {
                cells.add(median(backend, thing));
                cells.add(overBest(backend, thing));
            }
            table.row(cells.toArray());
        }
        return table;
    }

    private static String title(String thing) {
        return thing.equals(WarmUpRun.CG) ? "CG to 1e-8" : thing.equals("1") ? "1 product" : thing;
    }

    /** Returns the median times of products by their number, for each backend that did some. */
    Map<String, SortedMap<Integer, Double>> curves() {
        Map<String, SortedMap<Integer, Double>> curves = new LinkedHashMap<>();
        for (String backend : backends) {
            SortedMap<Integer, Double> times = new TreeMap<>();
            things.stream().filter(thing -> !thing.equals(WarmUpRun.CG) && median(backend, thing) > 0)
                    .forEach(thing -> times.put(Integer.parseInt(thing), median(backend, thing)));
            if (!times.isEmpty()) {
                curves.put(backend, times);
            }
        }
        return curves;
    }
}
