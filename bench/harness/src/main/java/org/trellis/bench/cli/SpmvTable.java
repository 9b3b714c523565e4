package org.trellis.bench.cli;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.Outcome;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.sparse.CsrMatrix;

/** The measurements of a matrix as a table for the terminal. */
final class SpmvTable {
    private final Console console;
    private final List<Bandwidth> bandwidths;

    SpmvTable(Console console, List<Bandwidth> bandwidths) {
        this.console = console;
        this.bandwidths = bandwidths;
        Bandwidth bandwidth = bandwidths.getFirst();
        console.print("Memory on %d threads: triad %.1f GB/s, read %.1f GB/s; peak %.1f GFLOP/s",
                bandwidth.threads(), bandwidth.triadGBs(), bandwidth.readGBs(), bandwidth.peakGflops());
    }

    void print(String name, CsrMatrix matrix, Outcome outcome) {
        console.print("%n%s: %s x %s, %s non-zeros", name, Numbers.count(matrix.rows()),
                Numbers.count(matrix.columns()), Numbers.count(matrix.nonZeros()));
        TextTable table = new TextTable("<backend", "<parameters", "<type", "threads", "median", "minimum", "spread",
                "GFLOP/s", "GB/s (4.4)", "GB/s (4.6)", "of triad", "error/u", "prepare", "memory");
        for (Measurement measurement : outcome.measurements()) {
            SampleStatistics times = measurement.statistics();
            table.row(measurement.backend(), describe(measurement.parameters()), measurement.precision().label(),
                    String.valueOf(measurement.threads()), Numbers.seconds(times.median()),
                    Numbers.seconds(times.minimum()), Numbers.percent(times.relativeSpread()),
                    Numbers.real(measurement.gflops()), Numbers.real(measurement.effectiveGBs()),
                    Numbers.real(measurement.minimumGBs()),
                    Numbers.percent(measurement.minimumGBs() / triad(measurement.threads())),
                    Numbers.real(measurement.verdict().inRoundoffs()), Numbers.seconds(measurement.prepareSeconds()),
                    Numbers.bytes(measurement.preparedBytes()));
        }
        if (!table.isEmpty()) {
            console.out().print(table.render());
            console.out().flush();
        }
    }

    private double triad(int threads) {
        return bandwidths.stream().filter(bandwidth -> bandwidth.threads() == threads).findFirst()
                .orElse(bandwidths.getFirst()).triadGBs();
    }

    static String describe(Map<String, Object> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey().equals("family") || entry.getKey().equals("variant")
                        ? entry.getValue().toString()
                        : entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }
}
