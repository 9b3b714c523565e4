package org.trellis.bench.console;

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
}
