package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.bench.chart.Chart;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.bench.text.Markup;

/**
 * What a command measured, for a browser: a section with a table, and perhaps a chart, for each matrix or file. The
 * page needs no network and stores nothing.
 */
public final class TablesPage {
    private final String title;
    private final List<Section> sections = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();

    /** A table with what stands above it. */
    private record Section(String heading, List<String> words, Optional<Chart> chart, Table table) {}

    /**
     * Starts a page.
     *
     * @param title what was measured
     */
    public TablesPage(String title) {
        this.title = title;
    }

    /**
     * Adds a section.
     *
     * @param heading such as the name of a matrix
     * @param words   sentences above the table, each a paragraph; may be empty
     * @param table   with one row or more
     */
    public void add(String heading, List<String> words, Table table) {
        sections.add(new Section(heading, List.copyOf(words), Optional.empty(), table));
    }

    /**
     * Adds a section with a chart.
     *
     * @param heading such as the name of a matrix
     * @param words   sentences above the chart, each a paragraph; may be empty
     * @param chart   above the table
     * @param table   with one row or more
     */
    public void add(String heading, List<String> words, Chart chart, Table table) {
        sections.add(new Section(heading, List.copyOf(words), Optional.of(chart), table));
    }

    /**
     * Adds something that went wrong.
     *
     * @param words what, and where
     */
    public void trouble(String words) {
        troubles.add(words);
    }

    /**
     * Writes the page.
     *
     * @param provenance where the measurements come from
     * @return the document, which is well-formed XML after its first line
     */
    public String of(Provenance provenance) {
        return HtmlPage.of(title, out -> body(out, provenance));
    }

    private void body(Markup out, Provenance provenance) {
        out.open("header").element("h1", title);
        out.element("p", HtmlPage.origin(provenance));
        out.close("header").line().open("main");
        sections.forEach(section -> write(section, out));
        HtmlPage.troubles(out, troubles);
        out.open("section").element("h2", "Where").open("dl");
        HtmlPage.command(out, provenance);
        HtmlPage.processor(out, provenance.machine());
        HtmlPage.system(out, provenance.machine());
        out.close("dl").close("section").line().close("main").line();
    }

    private static void write(Section section, Markup out) {
        out.open("section").element("h2", section.heading());
        section.words().forEach(sentence -> out.element("p", sentence, "class", "note"));
        section.chart().ifPresent(chart -> chart.writeTo(out));
        PageTable.sortable(section.table(), out);
        if (section.table().columns().stream().anyMatch(column -> !column.meaning().isEmpty())) {
            PageTable.meanings(section.table(), out);
        }
        out.close("section").line();
    }
}
