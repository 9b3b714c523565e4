package org.trellis.bench.warmup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    String table() {
        List<Column> columns = new ArrayList<>(List.of(Column.words("backend")));
        for (String thing : things) {
            columns.add(Column.of(thing.equals(WarmUpRun.CG) ? "CG to 1e-8" : thing.equals("1") ? "1 product" : thing,
                    Format.SECONDS));
            columns.add(Column.of("over best", Format.REAL));
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
        return table.text();
    }
}
