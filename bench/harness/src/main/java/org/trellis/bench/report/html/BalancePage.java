package org.trellis.bench.report.html;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.BalanceChart;
import org.trellis.bench.text.Markup;
import org.trellis.distributed.balance.BalanceModel;
import org.trellis.distributed.balance.Balancer;

/**
 * What balancing a mesh over devices has measured, and what its model predicts, over the balance of the first device
 * with the others, for a browser; as figure 6.5 (I. Z. Reguly, PhD thesis, 2014). It needs no network.
 */
public final class BalancePage {
    private final List<Balancer.Round> rounds;
    private final BalanceModel model;
    private final Markup out;

    private BalancePage(List<Balancer.Round> rounds, BalanceModel model, Markup out) {
        this.rounds = rounds;
        this.model = model;
        this.out = out;
    }

    /**
     * Writes what was measured as HTML.
     *
     * @param rounds  what was measured, at least one round
     * @param model   the last model
     * @param devices the names of the devices, one for each share
     * @param verdict what balancing has found, as text
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(List<Balancer.Round> rounds, BalanceModel model, List<String> devices, String verdict) {
        return HtmlPage.of("Balance of " + String.join(", ", devices),
                out -> new BalancePage(rounds, model, out).body(devices, verdict));
    }

    private void body(List<String> devices, String verdict) {
        out.open("header").element("h1", "One mesh on " + String.join(" and ", devices)).close("header").line();
        out.open("main").open("section").element("h2", "Time of an iteration over the balance");
        BalanceChart.of(rounds, model, devices.getFirst()).writeTo(out);
        out.element("p", "The last model predicts for others that keep their shares among each other. "
                + "What is higher than the chart is at its top. "
                + "Everything on one device is a point of its own at the edge.", "class", "note");
        table();
        out.element("pre", verdict).close("section").close("main").line();
    }

    private void table() {
        Table table = new Table(Column.of("", Format.NUMBER), Column.of("shares", Format.WRITTEN),
                Column.of("measured", Format.SECONDS), Column.of("predicted", Format.SECONDS),
                Column.of("best predicted", Format.SECONDS));
        for (int r = 0; r < rounds.size(); r++) {
            Balancer.Round round = rounds.get(r);
            table.row(r + 1,
                    Arrays.stream(round.shares()).mapToObj(Numbers::percent).collect(Collectors.joining(" : ")),
                    round.measured(), round.modelled(), round.predicted());
        }
        PageTable.plain(table, out);
    }
}
