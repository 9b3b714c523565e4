package org.trellis.bench.product;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.trellis.bench.console.Console;
import org.trellis.bench.measure.DeviceBandwidth;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.Outcome;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.report.ContenderNames;
import org.trellis.bench.report.Numbers;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;

/**
 * What an exhaustive search found: the best parameters, what the rule loses against them, and the best of the peers.
 */
final class SearchTable {
    private final Console console;
    private final Set<String> peers;
    private final List<DeviceBandwidth> devices;
    private final List<Line> lines = new ArrayList<>();

    private record Line(Precision precision, double rule, double best, double peer) {}

    /**
     * Creates a table.
     *
     * @param console where to print
     * @param peers   the names of the peers
     * @param devices the devices' memories
     */
    SearchTable(Console console, Set<String> peers, List<DeviceBandwidth> devices) {
        this.console = console;
        this.peers = peers;
        this.devices = devices;
        devices.forEach(device -> console.print("Memory of %s (%s): copy %.0f GB/s", device.device(),
                device.backend(), device.copyGBs()));
    }

    /**
     * Prints a line for each precision.
     *
     * @param name    the matrix's name
     * @param matrix  the matrix
     * @param outcome the measurements; of each precision and backend the first one is the rule's
     */
    void print(String name, CsrMatrix matrix, Outcome outcome) {
        for (Precision precision : Precision.values()) {
            List<Measurement> own = outcome.measurements().stream()
                    .filter(m -> m.precision() == precision && !peers.contains(m.backend())).toList();
            if (own.isEmpty()) {
                continue;
            }
            Measurement best = own.stream().min(Comparator.comparingDouble(SearchTable::seconds)).orElseThrow();
            Optional<Measurement> peer = outcome.measurements().stream()
                    .filter(m -> m.precision() == precision && peers.contains(m.backend()))
                    .min(Comparator.comparingDouble(SearchTable::seconds));
            print(name, matrix, own.getFirst(), best, peer);
        }
    }

    private void print(String name, CsrMatrix matrix, Measurement rule, Measurement best, Optional<Measurement> peer) {
        double peerSeconds = peer.map(SearchTable::seconds).orElse(Double.NaN);
        lines.add(new Line(best.precision(), seconds(rule), seconds(best), peerSeconds));
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
                "%s %s, %s non-zeros: best %s (%s%s), rule %s = %.0f %% of it (%s)",
                name, best.precision().label(), Numbers.count(matrix.nonZeros()), Numbers.seconds(seconds(best)),
                ContenderNames.parameters(best.parameters()), shareOfCopy(best), Numbers.seconds(seconds(rule)),
                100 * seconds(best) / seconds(rule), ContenderNames.parameters(rule.parameters())));
        rule.deviceStatistics().ifPresent(times -> text.append(", a call takes ")
                .append(Numbers.seconds(rule.statistics().median() - times.median())).append(" more"));
        peer.ifPresent(other -> text.append(String.format(Locale.ROOT, ", %s %s (%s): best x %.2f, rule x %.2f",
                other.backend(), Numbers.seconds(peerSeconds), ContenderNames.parameters(other.parameters()),
                peerSeconds / seconds(best), peerSeconds / seconds(rule))));
        console.print("%s", text);
    }

    private String shareOfCopy(Measurement measurement) {
        if (devices.isEmpty()) {
            return "";
        }
        double rate = measurement.traffic().minimumBytes() * 1e-9 / seconds(measurement);
        return "; " + Numbers.percent(rate / devices.getFirst().copyGBs()) + " of copy";
    }

    /** Prints means over all matrices. */
    void printMeans() {
        for (Precision precision : Precision.values()) {
            List<Line> all = lines.stream().filter(line -> line.precision == precision).toList();
            if (all.isEmpty()) {
                continue;
            }
            console.print("%n%s, %d matrices: rule is %.1f %% of best on average, %.0f %% at least", precision.label(),
                    all.size(), 100 * all.stream().mapToDouble(line -> line.best / line.rule).average().orElseThrow(),
                    100 * all.stream().mapToDouble(line -> line.best / line.rule).min().orElseThrow());
            List<Line> compared = all.stream().filter(line -> !Double.isNaN(line.peer)).toList();
            if (!compared.isEmpty()) {
                console.print("best over peer %s; rule over peer %s",
                        mean(compared.stream().mapToDouble(line -> line.peer / line.best).toArray()),
                        mean(compared.stream().mapToDouble(line -> line.peer / line.rule).toArray()));
            }
        }
    }

    private static String mean(double... ratios) {
        SampleStatistics statistics = SampleStatistics.of(ratios);
        double sum = 0;
        for (double ratio : ratios) {
            sum += Math.log(ratio);
        }
        return String.format(Locale.ROOT, "%.3f (geometric mean; %.2f to %.2f)", Math.exp(sum / ratios.length),
                statistics.minimum(), statistics.maximum());
    }

    /** The time on the device's own clock, where there is one. */
    private static double seconds(Measurement measurement) {
        return measurement.deviceStatistics().orElseGet(measurement::statistics).median();
    }
}
