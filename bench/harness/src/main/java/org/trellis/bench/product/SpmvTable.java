package org.trellis.bench.product;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.DeviceBandwidth;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.Outcome;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.report.Numbers;
import org.trellis.sparse.CsrMatrix;

/** The measurements of a matrix as a table for the terminal. */
final class SpmvTable {
    private final Console console;
    private final List<Bandwidth> bandwidths;
    private final List<DeviceBandwidth> devices;

    SpmvTable(Console console, List<Bandwidth> bandwidths, List<DeviceBandwidth> devices) {
        this.console = console;
        this.bandwidths = bandwidths;
        this.devices = devices;
        Bandwidth bandwidth = bandwidths.getFirst();
        console.print("Memory on %d threads: triad %.1f GB/s, read %.1f GB/s; peak %.1f GFLOP/s",
                bandwidth.threads(), bandwidth.triadGBs(), bandwidth.readGBs(), bandwidth.peakGflops());
        devices.forEach(device -> console.print("Memory of %s (%s): copy %.0f GB/s", device.device(),
                device.backend(), device.copyGBs()));
    }

    void print(String name, CsrMatrix matrix, Outcome outcome) {
        console.print("%n%s: %s x %s, %s non-zeros", name, Numbers.count(matrix.rows()),
                Numbers.count(matrix.columns()), Numbers.count(matrix.nonZeros()));
        TextTable table = new TextTable("<backend", "<parameters", "<type", "threads", "median", "minimum", "spread",
                "GFLOP/s", "useful GB/s", "minimum GB/s", "of triad", "error (u)", "prepare", "memory");
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
        show(table);
        printDeviceTimes(outcome);
    }

    private void show(TextTable table) {
        if (!table.isEmpty()) {
            console.printText(table.render());
        }
    }

    /** Kernels by the device's own clock, beside what the calls above take beyond that. */
    private void printDeviceTimes(Outcome outcome) {
        TextTable table = new TextTable("<on the device", "<parameters", "<type", "median", "minimum", "overhead",
                "GFLOP/s", "minimum GB/s", "of copy");
        for (Measurement measurement : outcome.measurements()) {
            measurement.deviceStatistics().ifPresent(times -> {
                double rate = measurement.traffic().minimumBytes() * 1e-9 / times.median();
                table.row(measurement.backend(), describe(measurement.parameters()), measurement.precision().label(),
                        Numbers.seconds(times.median()), Numbers.seconds(times.minimum()),
                        Numbers.seconds(measurement.statistics().median() - times.median()),
                        Numbers.real(measurement.traffic().flops() * 1e-9 / times.median()), Numbers.real(rate),
                        devices.isEmpty() ? "" : Numbers.percent(rate / devices.getFirst().copyGBs()));
            });
        }
        show(table);
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
