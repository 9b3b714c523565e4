package org.trellis.bench.report.html;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.report.Numbers;
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
    private static final String[][] SEARCHES = {
        {"matrix", "Name of the matrix."},
        {"type", "Precision of values, x and y: f64 is double, f32 is single."},
        {"sets", "Sets of parameters that were measured.", Columns.MINOR},
        {"failed", "Sets whose product failed or was wrong.", Columns.MINOR},
        {"best time", "Median time of one product with the best set."},
        {"best", "The best set."},
        {"rule", "Share of the best speed that the backend's rule reaches."},
        {"first guess", "Share of the best speed that the first guess (by profile, model or rule) reaches.",
            Columns.MINOR}};
    private static final String[][] OUTCOMES = {
        {"matrix", "Name of the matrix."},
        {"type", "Precision of values, x and y: f64 is double, f32 is single."},
        {"best time", "Median time of one product with the best set that was measured."},
        {"rule", "Share of the best speed that the backend's rule reaches."},
        {"first guess", "Share of the best speed that the first guess reaches.", Columns.MINOR},
        {"after 5", "Share of the best speed of the variant that was taken for best after 5 products."},
        {"after 10", "The same after 10 products."},
        {"at the end", "The same after the last product.", Columns.MINOR},
        {"found", "The variant that was taken for best at the end.", Columns.MINOR},
        {"products", "Products after which tuning ended; 0 if it had not.", Columns.MINOR},
        {"slowest", "Time of the slowest variant that a product was run with, over the rule's.", Columns.MINOR},
        {"preparation", "Conversions and compilations while tuning.", Columns.MINOR}};
    private static final String[][] RESULTS = {
        {"matrix", "Name of the matrix."},
        {"type", "Precision of values, x and y: f64 is double, f32 is single."},
        {"parameters", "How the product was run."},
        {"time", "Median time of one product."},
        {"of best", "Share of the best speed."},
        {"prepare", "Time to prepare the product: conversion, compilation, copies.", Columns.MINOR}};
    private static final String PLOT_NOTE = "The mean over the matrices of the variant that was taken for best after "
            + "each product, and the variant of each matrix.";

    private final TuningReport report;
    private final Markup out;

    private TuningPage(TuningReport report, Markup out) {
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
        header();
        out.open("main");
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
        where();
        out.close("main").line();
    }

    private void header() {
        out.open("header").element("h1", report.outcomes().isEmpty() ? "Search for parameters" : "Run-time tuning");
        out.element("p", report.device() + " · " + HtmlPage.origin(report.provenance()));
        out.open("div", "class", "cards");
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
        out.close("div").close("header").line();
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
        SortableTable table = new SortableTable(out, OUTCOMES);
        for (TuningOutcome outcome : report.outcomes()) {
            table.startRow();
            table.words(outcome.matrix());
            table.words(outcome.precision().label());
            table.number(Numbers.seconds(outcome.best()), outcome.best());
            share(table, outcome.share(outcome.rule()));
            share(table, outcome.share(outcome.start()));
            share(table, outcome.shareAfter(FIRST_PRODUCTS));
            share(table, outcome.shareAfter(SEVERAL));
            share(table, outcome.share(outcome.believed().getLast()));
            table.words(outcome.believed().getLast().toString());
            table.number(String.valueOf(outcome.tunedAfter()), outcome.tunedAfter());
            table.number(Numbers.real(outcome.slowestOverRule()), outcome.slowestOverRule());
            table.number(Numbers.seconds(outcome.preparationSeconds()), outcome.preparationSeconds());
            table.endRow();
        }
        table.end();
        HtmlPage.columns(out, OUTCOMES);
        out.close("section").line();
    }

    private static void share(SortableTable table, double share) {
        table.number(Double.isFinite(share) ? Numbers.percent(share) : "–", share);
    }

    private void searches() {
        out.open("section").element("h2", "Each matrix");
        SortableTable table = new SortableTable(out, SEARCHES);
        for (SearchedMatrix search : report.searches()) {
            Optional<TuningResult> best = search.best();
            table.startRow();
            table.words(search.matrix());
            table.words(search.precision().label());
            table.number(String.valueOf(search.results().size()), search.results().size());
            table.number(String.valueOf(search.failures()), (double) search.failures());
            double seconds = best.map(TuningResult::medianSeconds).orElse(Double.NaN);
            table.number(best.isPresent() ? Numbers.seconds(seconds) : "–", seconds);
            table.words(best.map(result -> result.parameters().toString()).orElse("nothing worked"));
            share(table, search.share(search.rule()));
            share(table, search.share(search.start()));
            table.endRow();
        }
        table.end();
        HtmlPage.columns(out, SEARCHES);
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
        SortableTable table = new SortableTable(out, RESULTS);
        for (SearchedMatrix search : report.searches()) {
            for (TuningResult result : search.results()) {
                table.startRow();
                table.words(search.matrix());
                table.words(search.precision().label());
                table.words(result.parameters().toString());
                if (result.isCorrect()) {
                    table.number(Numbers.seconds(result.medianSeconds()), result.medianSeconds());
                } else {
                    table.words(result.invalidity().label());
                }
                share(table, search.share(result.parameters()));
                table.number(Numbers.seconds(result.prepareSeconds()), result.prepareSeconds());
                table.endRow();
            }
        }
        table.end();
        out.close("section").line();
    }

    private void where() {
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, report.provenance());
        HtmlPage.entry(out, "Device", report.device().toString());
        report.device().properties().forEach((name, value) -> HtmlPage.entry(out, name, value));
        HtmlPage.processor(out, report.provenance().machine());
        HtmlPage.system(out, report.provenance().machine());
        out.close("dl").close("section").line();
    }
}
