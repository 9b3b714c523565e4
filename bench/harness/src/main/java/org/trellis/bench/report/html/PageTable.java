package org.trellis.bench.report.html;

import java.util.List;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Column.Medium;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.Palette;
import org.trellis.bench.text.Markup;

/** Writes tables into pages: those whose columns sort by a click on their head, and plain ones. */
final class PageTable {
    private PageTable() {}

    /** Writes a table that sorts. */
    static void sortable(Table table, Markup out) {
        out.element("p", "A click on a heading sorts. Narrow screens leave columns out: turn a phone to see more.",
                "class", "note");
        out.open("div", "class", "scroll").open("table", "class", "sortable").open("thead").open("tr");
        for (Column column : shown(table)) {
            out.open("th", "scope", "col", "title", column.meaning(), "class", column.minor() ? "minor" : "major")
                    .element("button", column.title(), "type", "button")
                    .close("th");
        }
        out.close("tr").close("thead").line().open("tbody").line();
        rows(table, out);
        out.close("tbody").close("table").close("div").line();
    }

    /** Writes a table whose rows stay in their order. */
    static void plain(Table table, Markup out) {
        out.open("table").open("thead").open("tr");
        shown(table).forEach(column -> out.element("th", column.title()));
        out.close("tr").close("thead").open("tbody").line();
        for (List<Object> row : table.rows()) {
            out.open("tr");
            for (int i = 0; i < row.size(); i++) {
                Column column = table.columns().get(i);
                if (column.isShown(Medium.PAGE)) {
                    out.element("td", Table.text(column, row.get(i)));
                }
            }
            out.close("tr").line();
        }
        out.close("tbody").close("table").line();
    }

    private static List<Column> shown(Table table) {
        return table.columns().stream().filter(column -> column.isShown(Medium.PAGE)).toList();
    }

    /** What the columns of a table mean, but for those that go without saying. */
    static void meanings(Table table, Markup out) {
        out.element("h3", "What the columns mean").open("dl");
        shown(table).stream().filter(column -> !column.meaning().isEmpty())
                .forEach(column -> out.element("dt", column.title()).element("dd", column.meaning()));
        out.close("dl").line();
    }

    private static void rows(Table table, Markup out) {
        for (List<Object> row : table.rows()) {
            out.open("tr");
            for (int i = 0; i < row.size(); i++) {
                if (table.columns().get(i).isShown(Medium.PAGE)) {
                    cell(table.columns().get(i), row.get(i), out);
                }
            }
            out.close("tr").line();
        }
    }

    private static void cell(Column column, Object value, Markup out) {
        String minor = column.minor() ? " minor" : "";
        String text = Table.text(column, value);
        if (column.format() == Format.CONTENDER) {
            out.open("td", "class", "name" + minor)
                    .element("span", "", "class", "key " + Palette.inkOf(text).variable())
                    .text(text).close("td");
        } else if (column.format().isWords() || value instanceof String) {
            out.open("td", "class", "words" + minor).breakable(text).close("td");
        } else {
            Object number = value instanceof Table.Shown shown ? shown.value() : value;
            out.element("td", text, "class", "number" + minor, "data-value",
                    Figures.exact(number instanceof Number some ? some.doubleValue() : Double.NaN));
        }
    }
}
