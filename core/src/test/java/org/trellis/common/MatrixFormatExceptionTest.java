package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class MatrixFormatExceptionTest {
    @Test
    void saysWhereAndWhat() {
        MatrixFormatException place = new MatrixFormatException("a.mtx", 3, 5, "'x' is no number", "a column index");
        assertEquals("a.mtx:3:5: 'x' is no number; expected a column index", place.getMessage());
        assertEquals("a.mtx", place.file());
        assertEquals(3, place.line());
        assertEquals(5, place.column());
        assertEquals("a column index", place.expected());
        assertEquals("a.mtx:3: p; expected e", new MatrixFormatException("a.mtx", 3, 0, "p", "e").getMessage());
        assertEquals("a.mtx: p; expected e", new MatrixFormatException("a.mtx", 0, 0, "p", "e").getMessage());
    }

    @Test
    void neverLetsAFileSpeakToTheTerminal() {
        MatrixFormatException failure = new MatrixFormatException("a\u001B[0m.mtx", 1, 1, "found '\u001B]0;x\u0007'",
                "y".repeat(5000));
        assertEquals("a\u001B[0m.mtx", failure.file());
        assertEquals("a\\x1B[0m.mtx:1:1: found '\\x1B]0;x\\x07'; expected " + "y".repeat(237) + "...",
                failure.getMessage());
        assertEquals(240, failure.expected().length());
    }
}
