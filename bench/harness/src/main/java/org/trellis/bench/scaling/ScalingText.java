package org.trellis.bench.scaling;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.ranks.TransportText;
import org.trellis.bench.report.Numbers;
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
        TextTable table = new TextTable("<matrix", "rows", "non-zeros", "ranks", "1 ring", "best", "rings", "chosen",
                "rings", "speed-up", "efficiency", "predicted", "error");
        cases.forEach(each -> row(table, each));
        console.print("%s", title);
        console.printText(table.render());
    }

    private void row(TextTable table, Case each) {
        Optional<Variant> best = each.best();
        if (best.isEmpty()) {
            return;
        }
        Variant fastest = best.get();
        Optional<Variant> chosen = each.chosen();
        table.row(each.matrix(), Numbers.count(each.rows()), Numbers.count(each.nonZeros()),
                String.valueOf(each.ranks()), Numbers.seconds(each.plain().orElseThrow().seconds()),
                Numbers.seconds(fastest.seconds()), String.valueOf(fastest.rings()),
                chosen.map(variant -> Numbers.seconds(variant.seconds())).orElse(NOTHING),
                chosen.map(variant -> String.valueOf(variant.rings())).orElse(NOTHING),
                Numbers.real(report.speedUp(each, fastest)), Numbers.percent(report.efficiency(each, fastest)),
                Double.isNaN(fastest.predicted()) ? NOTHING : Numbers.seconds(fastest.predicted()),
                Double.isNaN(fastest.predicted()) ? NOTHING : error(fastest));
    }

    /** The error of a prediction, with its sign. */
    static String error(Variant variant) {
        return String.format(Locale.ROOT, "%+.0f %%", 100 * variant.error());
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
