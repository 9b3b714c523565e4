package org.trellis.bench.report.html;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trellis.bench.report.Numbers;
import org.trellis.distributed.balance.BalanceModel;
import org.trellis.distributed.balance.Balancer;

/**
 * What balancing a mesh over devices has measured, and what its model predicts, over the balance of the first device
 * with the others, for a browser; as figure 6.5 (I. Z. Reguly, PhD thesis, 2014). It needs no network.
 */
public final class BalancePage {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 400;
    private static final int LEFT = 84;
    private static final int RIGHT = WIDTH - 24;
    private static final int TOP = 16;
    private static final int BOTTOM = HEIGHT - 52;
    private static final int POINTS = 200;
    private static final int TICKS = 5;
    /** What is slower than so many times the fastest would leave no room for the rest. */
    private static final double HIGHEST = 4;

    private final List<Balancer.Round> rounds;
    private final BalanceModel model;
    private final double top;
    private final Markup out;

    private BalancePage(List<Balancer.Round> rounds, BalanceModel model, Markup out) {
        this.rounds = rounds;
        this.model = model;
        this.out = out;
        double least = rounds.stream().mapToDouble(Balancer.Round::measured).min().orElseThrow();
        double most = rounds.stream().mapToDouble(Balancer.Round::measured).max().orElseThrow();
        this.top = 1.1 * Math.max(1.2 * least, Math.min(HIGHEST * least, Math.max(most, predicted(least))));
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
        out.open("svg", "viewBox", "0 0 " + WIDTH + ' ' + HEIGHT, "class", "chart", "role", "img", "aria-label",
                "Predicted and measured time of an iteration over the balance").line();
        axes(devices.getFirst());
        curve();
        measured();
        out.close("svg").line();
        out.element("p", "Line: what the last model predicts while the others keep their shares among each other. "
                + "Orange: measured, in the order of the numbers; what is higher than the picture is at its top. "
                + "Everything on one device is a point of its own at the edge.", "class", "note");
        table();
        out.element("pre", verdict).close("section").close("main").line();
    }

    /** Shares in which the first device has a part, and the others what they have among each other now. */
    private double[] shares(double first) {
        double[] now = model.shares();
        double[] given = new double[now.length];
        for (int rank = 0; rank < given.length; rank++) {
            given[rank] = rank == 0 ? first : (1 - first) * now[rank] / (1 - now[0]);
        }
        return given;
    }

    private double predicted(double least) {
        return IntStream.range(1, POINTS).mapToDouble(p -> model.predict(shares((double) p / POINTS)))
                .filter(seconds -> seconds < HIGHEST * least).max().orElse(0);
    }

    private static double x(double share) {
        return LEFT + share * (RIGHT - LEFT);
    }

    private double y(double seconds) {
        return BOTTOM - Math.min(1, seconds / top) * (BOTTOM - TOP);
    }

    private void axes(String first) {
        for (int tick = 0; tick <= TICKS; tick++) {
            double seconds = top * tick / TICKS;
            String y = Figures.coordinate(y(seconds));
            out.empty("line", "class", "grid", "x1", String.valueOf(LEFT), "x2", String.valueOf(RIGHT), "y1", y, "y2",
                    y);
            out.element("text", Numbers.seconds(seconds), "x", String.valueOf(LEFT - 8), "y", y, "dy", "4",
                    "text-anchor", "end");
            out.element("text", 100 * tick / TICKS + " %", "x", Figures.coordinate(x((double) tick / TICKS)), "y",
                    String.valueOf(BOTTOM + 18), "text-anchor", "middle");
        }
        out.element("text", "share of " + first, "x", String.valueOf((LEFT + RIGHT) / 2), "y",
                String.valueOf(HEIGHT - 8), "text-anchor", "middle").line();
    }

    private void curve() {
        String points = IntStream.range(1, POINTS).mapToObj(p -> (double) p / POINTS)
                .filter(share -> model.predict(shares(share)) <= top)
                .map(share -> Figures.coordinate(x(share)) + ',' + Figures.coordinate(y(model.predict(shares(share)))))
                .collect(Collectors.joining(" "));
        out.open("polyline", "class", "curve main c1", "points", points).element("title", "predicted")
                .close("polyline").line();
    }

    private void measured() {
        for (int r = 0; r < rounds.size(); r++) {
            Balancer.Round round = rounds.get(r);
            double share = round.shares()[0] / Arrays.stream(round.shares()).sum();
            String x = Figures.coordinate(x(share));
            String y = Figures.coordinate(y(round.measured()));
            out.open("circle", "class", "c3", "fill", "currentColor", "cx", x, "cy", y, "r", "5")
                    .element("title", Numbers.seconds(round.measured())).close("circle");
            out.element("text", String.valueOf(r + 1), "x", x, "y", y, "dx", "8", "dy", "-6").line();
        }
    }

    private void table() {
        out.open("table").open("thead").open("tr").element("th", "").element("th", "shares")
                .element("th", "measured").element("th", "predicted").element("th", "best predicted").close("tr")
                .close("thead").open("tbody").line();
        for (int r = 0; r < rounds.size(); r++) {
            Balancer.Round round = rounds.get(r);
            out.open("tr").element("td", String.valueOf(r + 1))
                    .element("td", Arrays.stream(round.shares()).mapToObj(Numbers::percent)
                            .collect(Collectors.joining(" : ")))
                    .element("td", Numbers.seconds(round.measured()))
                    .element("td", Numbers.seconds(round.modelled()))
                    .element("td", Numbers.seconds(round.predicted())).close("tr").line();
        }
        out.close("tbody").close("table").line();
    }
}
