package org.trellis.bench.report.html;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.TuningReport;
import org.trellis.bench.report.chart.TuningChart;
import org.trellis.bench.text.Markup;
import org.trellis.bench.tune.HeatMap;
import org.trellis.bench.tune.SearchedMatrix;
import org.trellis.bench.tune.TuningEvaluation;
import org.trellis.bench.tune.TuningOutcome;
import org.trellis.common.Precision;
import org.trellis.tuner.profile.TuningResult;

/** The report of searches and of run-time tuning for a browser. It needs no network and stores nothing. */
public final class TuningPage {
    private static final int FIRST_PRODUCTS = 5;
    private static final int SEVERAL = 10;
    private static final int MOST_OPEN = 6;
    private static final Column MATRIX = Column.words("matrix").means("Name of the matrix.");
    private static final Column TYPE =
            Column.words("type").means("Precision of values, x and y: f64 is double, f32 is single.");
    private static final String PLOT_NOTE = "The mean over the matrices of the variant that was taken for best after "
            + "each product, and the variant of each matrix.";

    private final TuningReport report;
    private final Markup out;

    TuningPage(TuningReport report, Markup out) {
        this.report = report;
        this.out = out;
    }

    /**
     * Writes a run as HTML.
     *
     * @param report the run
     * @return the document, which is well-formed XML after its first line
     */
    public static String of(TuningReport report) {
        return HtmlPage.of("Tuning, " + report.provenance().date(), out -> new TuningPage(report, out).body());
    }

    private void body() {
        out.open("header").element("h1", report.outcomes().isEmpty() ? "Search for parameters" : "Run-time tuning");
        out.element("p", report.device() + " · " + HtmlPage.origin(report.provenance()));
        out.open("div", "class", "cards");
        cards();
        out.close("div").close("header").line().open("main");
        sections();
        where();
        out.close("main").line();
    }

    /** What was measured, without where. */
    void sections() {
        for (Precision precision : Precision.values()) {
            List<TuningOutcome> some = TuningEvaluation.of(report.outcomes(), precision);
            if (!some.isEmpty()) {
                convergence(precision, some);
            }
        }
        if (!report.outcomes().isEmpty()) {
            outcomes();
        } else {
            searches();
        }
        maps();
        results();
    }

    void cards() {
        HtmlPage.card(out, String.valueOf(report.searches().size()), "searches");
        if (report.outcomes().isEmpty()) {
            card(report.searches(), "rule, of the best", search -> search.share(search.rule()));
            card(report.searches(), "first guess, of the best", search -> search.share(search.start()));
        } else {
            card(report.outcomes(), "rule, of the best", outcome -> outcome.share(outcome.rule()));
            card(report.outcomes(), "first guess", outcome -> outcome.share(outcome.start()));
            card(report.outcomes(), "after 5 products", outcome -> outcome.shareAfter(FIRST_PRODUCTS));
            card(report.outcomes(), "after 10 products", outcome -> outcome.shareAfter(SEVERAL));
        }
    }

    private <T> void card(List<T> all, String name, ToDoubleFunction<T> share) {
        all.stream().mapToDouble(share).filter(Double::isFinite).average()
                .ifPresent(mean -> HtmlPage.card(out, Numbers.percent(mean), name));
    }

    private void convergence(Precision precision, List<TuningOutcome> some) {
        out.open("section").element("h2", "Share of the best speed over the products, " + precision.label());
        int products = some.stream().mapToInt(outcome -> outcome.believed().size()).max().orElseThrow();
        TuningChart.convergence(some, products, report.device().toString()).writeTo(out);
        out.element("p", PLOT_NOTE, "class", "note").close("section").line();
    }

    private void outcomes() {
        out.open("section").element("h2", "Each matrix");
        Table table = new Table(MATRIX, TYPE,
                Column.of("best time", Format.SECONDS)
                        .means("Median time of one product with the best set that was measured."),
                Column.of("rule", Format.PERCENT).means("Share of the best speed that the backend's rule reaches."),
                Column.of("first guess", Format.PERCENT)
                        .means("Share of the best speed that the first guess reaches.").asMinor(),
                Column.of("after 5", Format.PERCENT).means(
                        "Share of the best speed of the variant that was taken for best after 5 products."),
                Column.of("after 10", Format.PERCENT).means("The same after 10 products."),
                Column.of("at the end", Format.PERCENT).means("The same after the last product.").asMinor(),
                Column.words("found").means("The variant that was taken for best at the end.").asMinor(),
                Column.of("products", Format.NUMBER)
                        .means("Products after which tuning ended; 0 if it had not.").asMinor(),
                Column.of("slowest", Format.REAL)
                        .means("Time of the slowest variant that a product was run with, over the rule's.").asMinor(),
                Column.of("preparation", Format.SECONDS)
                        .means("Conversions and compilations while tuning.").asMinor());
        for (TuningOutcome outcome : report.outcomes()) {
            table.row(outcome.matrix(), outcome.precision().label(), outcome.best(),
                    finite(outcome.share(outcome.rule())), finite(outcome.share(outcome.start())),
                    finite(outcome.shareAfter(FIRST_PRODUCTS)), finite(outcome.shareAfter(SEVERAL)),
                    finite(outcome.share(outcome.believed().getLast())), outcome.believed().getLast().toString(),
                    outcome.tunedAfter(), outcome.slowestOverRule(), outcome.preparationSeconds());
        }
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private static Double finite(double share) {
        return Double.isFinite(share) ? share : null;
    }

    private void searches() {
        out.open("section").element("h2", "Each matrix");
        Table table = new Table(MATRIX, TYPE,
                Column.of("sets", Format.NUMBER).means("Sets of parameters that were measured.").asMinor(),
                Column.of("failed", Format.NUMBER).means("Sets whose product failed or was wrong.").asMinor(),
                Column.of("best time", Format.SECONDS).means("Median time of one product with the best set."),
                Column.words("best").means("The best set."),
                Column.of("rule", Format.PERCENT).means("Share of the best speed that the backend's rule reaches."),
                Column.of("first guess", Format.PERCENT).means(
                        "Share of the best speed that the first guess (by profile, model or rule) reaches.").asMinor());
        for (SearchedMatrix search : report.searches()) {
            Optional<TuningResult> best = search.best();
            table.row(search.matrix(), search.precision().label(), search.results().size(), search.failures(),
                    best.map(TuningResult::medianSeconds),
                    best.map(result -> result.parameters().toString()).orElse("nothing worked"),
                    finite(search.share(search.rule())), finite(search.share(search.start())));
        }
        PageTable.sortable(table, out);
        PageTable.meanings(table, out);
        out.close("section").line();
    }

    private void maps() {
        List<SearchedMatrix> drawn =
                report.searches().stream().filter(search -> HeatMap.of(search.results()).isPresent()).toList();
        if (drawn.isEmpty()) {
            return;
        }
        out.open("section").element("h2", "Searches");
        for (SearchedMatrix search : drawn) {
            HeatMap map = HeatMap.of(search.results()).orElseThrow();
            if (drawn.size() <= MOST_OPEN) {
                out.open("details", "open", "open");
            } else {
                out.open("details");
            }
            out.open("summary").element("strong", search.matrix()).text(' ' + search.precision().label() + ", "
                    + map.family().label() + ": share of the best speed, best over the other parameters")
                    .close("summary").line();
            TuningChart.search(map, search.matrix()).writeTo(out);
            out.close("details").line();
        }
        out.close("section").line();
    }

    private void results() {
        out.open("section").element("h2", "All measurements");
        HtmlPage.filter(out, "sell-runs f64");
        Table table = new Table(MATRIX, TYPE, Column.words("parameters").means("How the product was run."),
                Column.of("time", Format.SECONDS).means("Median time of one product."),
                Column.of("of best", Format.PERCENT).means("Share of the best speed."),
                Column.of("prepare", Format.SECONDS)
                        .means("Time to prepare the product: conversion, compilation, copies.").asMinor());
        for (SearchedMatrix search : report.searches()) {
            for (TuningResult result : search.results()) {
                table.row(search.matrix(), search.precision().label(), result.parameters().toString(),
                        result.isCorrect() ? Double.valueOf(result.medianSeconds()) : result.invalidity().label(),
                        finite(search.share(result.parameters())), result.prepareSeconds());
            }
        }
        PageTable.sortable(table, out);
        out.close("section").line();
    }

    void where() {
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, report.provenance());
        HtmlPage.entry(out, "Device", report.device().toString());
        report.device().properties().forEach((name, value) -> HtmlPage.entry(out, name, value));
        HtmlPage.processor(out, report.provenance().machine());
        HtmlPage.system(out, report.provenance().machine());
        out.close("dl").close("section").line();
    }
}
