package org.trellis.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.trellis.bench.report.Column.Medium;

class TableTest {
    private static Table table() {
        return new Table(Column.words("name").key("name"), Column.of("n", Format.COUNT).key("entries"),
                Column.of("", Format.scaled(1e3, "%.1f")).in("ms").key("seconds"), Column.data("kind"),
                Column.of("of best", Format.PERCENT).only(Medium.PAGE), Column.of("good", Format.YES_NO).key("good"));
    }

    @Test
    void alignsWordsLeftAndNumbersRight() {
        Table table = table().row("a", 1, 0.25, "x", 0.5, true).row("long name", 23456L, 0.0005, "y", 1.0, false);
        assertEquals(List.of(
                "name            n     ms  good",
                "─────────  ──────  ─────  ────",
                "a               1  250.0  yes",
                "long name  23,456    0.5  no"), table.text().lines().toList());
    }

    @Test
    void whatIsNotThereIsADash() {
        Table table = table().row(null, OptionalLong.empty(), Double.NaN, Optional.empty(), null, null);
        assertEquals("–     –   –  –", table.text().lines().skip(2).findFirst().orElseThrow());
        ArrayNode array = new ObjectMapper().createArrayNode();
        table.putInto(array);
        assertEquals("[{}]", array.toString());
    }

    @Test
    void documentsHaveTheValuesThemselves() {
        ArrayNode array = new ObjectMapper().createArrayNode();
        table().row("a", new Table.Shown(3, "3 *"), 0.25, "x", 0.5, true)
                .row("b", "failed", Double.POSITIVE_INFINITY, "y", 0.5, false).putInto(array);
        JsonNode first = array.get(0);
        assertEquals("{\"name\":\"a\",\"entries\":3,\"seconds\":0.25,\"kind\":\"x\",\"good\":true}", first.toString());
        assertEquals("{\"name\":\"b\",\"entries\":\"failed\",\"kind\":\"y\",\"good\":false}", array.get(1).toString(),
                "JSON has no infinity");
        assertTrue(table().row("a", new Table.Shown(3, "3 *"), 1.0, "x", 1.0, true).text().contains("3 *"));
    }

    @Test
    void formatsAreThoseOfTheirKind() {
        assertEquals("1,234,567", text(Format.COUNT, 1234567));
        assertEquals("1234567", text(Format.NUMBER, 1234567L));
        assertEquals("1.50 ms", text(Format.SECONDS, 0.0015));
        assertEquals("2.00 MB", text(Format.BYTES, 2e6));
        assertEquals("25 %", text(Format.PERCENT, 0.25));
        assertEquals("-25 %", text(Format.ERROR, -0.25));
        assertEquals("+50 %", text(Format.ERROR, 0.5));
        assertEquals("1.3e-05", text(Format.of("%.1e"), 1.25e-5 + 1e-9));
        assertEquals("no", text(Format.YES_NO, false));
    }

    private static String text(Format format, Object value) {
        return Table.text(Column.of("x", format), value);
    }

    @Test
    void rejectsARowOfAnotherLengthAndWhatHasNoLabel() {
        assertThrows(IllegalArgumentException.class, () -> table().row("1"));
        Table one = new Table(Column.words("x"));
        assertThrows(IllegalArgumentException.class, () -> one.row(Medium.ALL));
    }
}
