package org.trellis.bench.report.html;

import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.TimelineTable;
import org.trellis.bench.report.chart.TimelineChart;
import org.trellis.bench.text.Markup;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.TimelineReport;

/** What ranks were at, for a browser, with a picture of one iteration. The page needs no network and stores nothing. */
public final class TimelinePage {
    private final TimelineReport report;
    private final Provenance provenance;
    private final Markup out;

    private TimelinePage(TimelineReport report, Provenance provenance, Markup out) {
        this.report = report;
        this.provenance = provenance;
        this.out = out;
    }

    /**
     * Writes a report as HTML.
     *
     * @param report     what ranks were at
     * @param provenance where it comes from
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(TimelineReport report, Provenance provenance) {
        return HtmlPage.of("What ranks were at", out -> new TimelinePage(report, provenance, out).body());
    }

    private void body() {
        TimelineReport.Iteration iteration = report.iteration();
        out.open("header").element("h1", "What ranks were at");
        out.element("p", HtmlPage.origin(provenance));
        out.open("div", "class", "cards");
        HtmlPage.card(out, String.valueOf(report.ranks().size()), "ranks");
        HtmlPage.card(out, Numbers.seconds(iteration.length()), "the iteration shown");
        HtmlPage.card(out, Numbers.percent(report.balance()), "load balance");
        HtmlPage.card(out, Numbers.percent(share(RankPhase.WAIT) + share(RankPhase.REDUCE)), "waiting and reducing");
        out.close("div").close("header").line().open("main");
        out.open("section").element("h2", "One iteration");
        out.element("p", iteration.length() == 0
                ? "No iteration was recorded."
                : "A line for each rank, from when the first begins the iteration to when the last ends it; what is "
                        + "blank is spent elsewhere. Where rows are computed while messages travel, waiting is "
                        + "short. A bar says more when the mouse rests on it.",
                "class", "note");
        if (iteration.length() > 0) {
            TimelineChart.of(report, iteration).writeTo(out);
        }
        out.close("section").line();
        activities();
        where();
        out.close("main").line();
    }

    /** The share of a phase in the time of all ranks. */
    private double share(RankPhase phase) {
        double all = report.ranks().stream().mapToDouble(TimelineReport.Rank::seconds).sum();
        return all == 0 ? 0 : report.ranks().stream().mapToDouble(rank -> rank.seconds(phase)).sum() / all;
    }

    private void activities() {
        out.open("section").element("h2", "Ranks and activities");
        out.element("p", "Load balance is the mean of the ranks' interior and boundary over the most of a rank.",
                "class", "note");
        Table table = TimelineTable.of(report);
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private void where() {
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, provenance);
        HtmlPage.processor(out, provenance.machine());
        HtmlPage.system(out, provenance.machine());
        out.close("dl").close("section").line();
    }
}
