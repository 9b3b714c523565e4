package org.trellis.bench.report.html;

/** A table whose columns sort by a click on their head. */
final class SortableTable {
    private final Markup out;

    /**
     * Starts a table.
     *
     * @param headings the heads; each with what it means, shown when the mouse rests on it
     */
    SortableTable(Markup out, String[]... headings) {
        this.out = out;
        out.open("div", "class", "scroll").open("table", "class", "sortable").open("thead").open("tr");
        for (String[] heading : headings) {
            out.open("th", "scope", "col", "title", heading[1]).element("button", heading[0], "type", "button")
                    .close("th");
        }
        out.close("tr").close("thead").line().open("tbody").line();
    }

    void startRow() {
        out.open("tr");
    }

    void endRow() {
        out.close("tr").line();
    }

    void words(String text) {
        out.element("td", text);
    }

    /** A name with the dot of its colour. */
    void name(String backend) {
        out.open("td").element("span", "", "class", "key " + Palette.classOf(backend)).text(backend).close("td");
    }

    void number(String text, double value) {
        out.element("td", text, "class", "number", "data-value", Figures.exact(value));
    }

    void end() {
        out.close("tbody").close("table").close("div").line();
    }
}
