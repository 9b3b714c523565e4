package org.trellis.bench.product;

import java.util.List;
import org.trellis.bench.console.Console;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.DeviceBandwidth;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.Outcome;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.ContenderNames;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.MeasurementTable;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Table;
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
        show(MeasurementTable.of(outcome.measurements(),
                measurement -> measurement.minimumGBs() / triad(measurement.threads())));
        printDeviceTimes(outcome);
    }

    private void show(Table table) {
        if (!table.isEmpty()) {
            console.printText(table.text());
        }
    }

    /** Kernels by the device's own clock, beside what the calls above take beyond that. */
    private void printDeviceTimes(Outcome outcome) {
        Table table = new Table(Column.words("on the device"), Column.words("parameters"), Column.words("type"),
                Column.of("median", Format.SECONDS), Column.of("minimum", Format.SECONDS),
                Column.of("overhead", Format.SECONDS), Column.of("", Format.REAL).in("GFLOP/s"),
                Column.of("minimum", Format.REAL).in("GB/s"), Column.of("of copy", Format.PERCENT));
        for (Measurement measurement : outcome.measurements()) {
            measurement.deviceStatistics().ifPresent(times -> {
                double rate = measurement.traffic().minimumBytes() * 1e-9 / times.median();
                table.row(measurement.backend(), ContenderNames.parameters(measurement.parameters()),
                        measurement.precision().label(), times.median(), times.minimum(),
                        measurement.statistics().median() - times.median(),
                        measurement.traffic().flops() * 1e-9 / times.median(), rate,
                        devices.isEmpty() ? null : rate / devices.getFirst().copyGBs());
            });
        }
        show(table);
    }

    private double triad(int threads) {
        return bandwidths.stream().filter(bandwidth -> bandwidth.threads() == threads).findFirst()
                .orElse(bandwidths.getFirst()).triadGBs();
    }
}
