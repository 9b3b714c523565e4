package org.trellis.bench.scaling;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.TransportText;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Table;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;

/** Scaling as tables. */
final class ScalingText {
    private static final String NOTHING = "";

    private final Console console;
    private final ScalingReport report;

    ScalingText(Console console, ScalingReport report) {
        this.console = console;
        this.report = report;
    }

    void print() {
        Map<String, List<Case>> programs = new LinkedHashMap<>();
        report.cases().forEach(each -> programs.computeIfAbsent(each.title(), key -> new ArrayList<>()).add(each));
        programs.forEach(this::program);
        Crossover.of(report).forEach(this::crossover);
        for (ScalingReport.Transports each : report.transports()) {
            console.print("messages between %d ranks over %s", each.ranks(), each.transport());
            TransportText.print(console, each.transports());
            TransportText.print(console, each.all());
        }
        report.cases().forEach(each -> each.trouble().ifPresent(words -> console.print("  %s", words)));
    }

    private void program(String title, List<Case> cases) {
        if (cases.stream().allMatch(each -> each.refusal() != null)) {
            return;
        }
        Table table = new Table(Column.words("matrix"), Column.of("rows", Format.COUNT),
                Column.of("non-zeros", Format.COUNT), Column.of("ranks", Format.NUMBER),
                Column.of("1 ring", Format.SECONDS), Column.of("best", Format.SECONDS),
                Column.of("rings", Format.NUMBER), Column.of("chosen", Format.SECONDS),
                Column.of("rings", Format.NUMBER), Column.of("speed-up", Format.REAL),
                Column.of("efficiency", Format.PERCENT), Column.of("predicted", Format.SECONDS),
                Column.of("error", Format.ERROR));
        cases.forEach(each -> row(table, each));
        console.print("%s", title);
        console.printText(table.text());
    }

    private void row(Table table, Case each) {
        Optional<Variant> best = each.best();
        if (best.isEmpty()) {
            return;
        }
        Variant fastest = best.get();
        Optional<Variant> chosen = each.chosen();
        table.row(each.matrix(), each.rows(), each.nonZeros(), each.ranks(), each.plain().orElseThrow().seconds(),
                fastest.seconds(), fastest.rings(), chosen.map(Variant::seconds), chosen.map(Variant::rings),
                report.speedUp(each, fastest), report.efficiency(each, fastest), fastest.predicted(),
                Double.isNaN(fastest.predicted()) ? null : fastest.error());
    }

    private void crossover(Crossover each) {
        console.print("  %s, %s: %d ranks are faster than %d %s with one ring%s", each.family(), each.title(),
                each.ranks(), each.fewest(), from(each, each.plain()),
                Double.isNaN(each.chosen()) ? NOTHING : ", " + from(each, each.chosen()) + " with the rings chosen");
    }

    /** From how many entries on, in words. */
    static String from(Crossover each, double size) {
        if (size == 0) {
            return "for all of " + Numbers.count(each.smallest()) + " to " + Numbers.count(each.largest())
                    + " non-zeros";
        }
        return Double.isInfinite(size)
                ? "for none of up to " + Numbers.count(each.largest()) + " non-zeros"
                : "from " + Numbers.count(Math.round(size)) + " non-zeros on";
    }
}
