package org.trellis.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void alignsWordsLeftAndNumbersRight() {
        TextTable table = new TextTable("<name", "n").row("a", "1").row("long name", "23456");
        assertEquals(List.of(
                "name           n",
                "─────────  ─────",
                "a              1",
                "long name  23456"), table.render().lines().toList());
    }

    @Test
    void rejectsARowOfAnotherLength() {
        TextTable table = new TextTable("a", "b");
        assertThrows(IllegalArgumentException.class, () -> table.row("1"));
    }

    @Test
    void writesNumbersForPeople() {
        assertEquals("1.50 ms", Numbers.seconds(0.0015));
        assertEquals("15.0 µs", Numbers.seconds(15e-6));
        assertEquals("2.00 s", Numbers.seconds(2));
        assertEquals("999 B", Numbers.bytes(999));
        assertEquals("1.5 MB", Numbers.bytes(1_500_000));
        assertEquals("?", Numbers.bytes(-1));
        assertEquals("12.3", Numbers.real(12.34));
        assertEquals("1.00e-05", Numbers.real(1e-5));
        assertEquals("0", Numbers.real(0));
    }
}
