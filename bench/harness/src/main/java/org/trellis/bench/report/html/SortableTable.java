package org.trellis.bench.report.html;

import org.trellis.bench.report.chart.Palette;
import org.trellis.bench.text.Markup;

/** A table whose columns sort by a click on their head. */
final class SortableTable {
    private final Markup out;
    private final String[][] headings;
    private int column;

    /**
     * Starts a table.
     *
     * @param headings the heads; each with what it means, shown when the mouse rests on it, and perhaps
     *                 {@link Columns#MINOR}
     */
    SortableTable(Markup out, String[]... headings) {
        this.out = out;
        this.headings = headings;
        out.element("p", "A click on a heading sorts. Narrow screens leave columns out: turn a phone to see more.",
                "class", "note");
        out.open("div", "class", "scroll").open("table", "class", "sortable").open("thead").open("tr");
        for (String[] heading : headings) {
            out.open("th", "scope", "col", "title", heading[1], "class", heading.length > 2 ? heading[2] : "major")
                    .element("button", heading[0], "type", "button")
                    .close("th");
        }
        out.close("tr").close("thead").line().open("tbody").line();
    }

    /** The class of the next cell of the row. */
    private String next(String style) {
        String[] heading = headings[column++];
        return heading.length > 2 ? style + ' ' + heading[2] : style;
    }

    void startRow() {
        column = 0;
        out.open("tr");
    }

    void endRow() {
        out.close("tr").line();
    }

    void words(String text) {
        out.open("td", "class", next("words")).breakable(text).close("td");
    }

    /** A name with the dot of its colour. */
    void name(String backend) {
        out.open("td", "class", next("name")).element("span", "", "class", "key " + Palette.inkOf(backend).variable())
                .text(backend).close("td");
    }

    void number(String text, double value) {
        out.element("td", text, "class", next("number"), "data-value", Figures.exact(value));
    }

    void end() {
        out.close("tbody").close("table").close("div").line();
    }
}
