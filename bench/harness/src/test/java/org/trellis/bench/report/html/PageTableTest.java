package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Column.Medium;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.bench.text.Markup;

class PageTableTest {
    private static Table table() {
        return new Table(Column.of("backend", Format.CONTENDER).means("Who."),
                Column.of("time", Format.SECONDS).means("How long.").asMinor(),
                Column.words("console").only(Medium.CONSOLE), Column.words("words"))
                .row("threads", 0.002, "hidden", "a < b").row("simd", "failed", "hidden", null);
    }

    @Test
    void cellsSortByTheirValues() {
        Markup out = new Markup();
        PageTable.sortable(table(), out);
        String page = out.toString();
        assertTrue(page.contains("<td class=\"number minor\" data-value=\"0.00200000\">2.00 ms</td>"), page);
        assertTrue(page.contains("<td class=\"words minor\">failed</td>"), page);
        assertTrue(page.contains("title=\"How long.\" class=\"minor\"><button type=\"button\">time</button>"), page);
        assertTrue(page.contains("a &lt; b"), page);
        assertTrue(page.contains("<td class=\"words\">–</td>"), page);
        assertFalse(page.contains("hidden"), page);
        assertEquals(2, page.split("class=\"name\"", -1).length - 1, "a dot for each backend");
    }

    @Test
    void plainTablesAndMeaningsShowTheSameColumns() {
        Markup out = new Markup();
        PageTable.plain(table(), out);
        PageTable.meanings(table(), out);
        String page = out.toString();
        assertTrue(page.contains("<th>backend</th><th>time</th><th>words</th>"), page);
        assertTrue(page.contains("<td>threads</td><td>2.00 ms</td><td>a &lt; b</td>"), page);
        assertTrue(page.contains("<dt>time</dt><dd>How long.</dd>"), page);
        assertFalse(page.contains("console"), page);
    }
}
