package org.trellis.bench.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PrintableTest {
    private static final String PAIR = "\ud835\udc00";

    @Test
    void whatCanBeShownStays() {
        String text = "größer ≤ 漢字 " + PAIR + " ┃ \u00a0";
        assertSame(text, Printable.line(text));
        assertSame(text, Printable.text(text));
    }

    @Test
    void controlCharactersBecomeTheirCodes() {
        assertEquals("a\\u001b[2Jb\\u0007\\u007f\\u009b", Printable.line("a\u001b[2Jb\u0007\u007f\u009b"));
        assertEquals("one\\ntwo\\tthree\\r", Printable.line("one\ntwo\tthree\r"));
        assertEquals("one\ntwo\tthree\\r", Printable.text("one\ntwo\tthree\r"));
        assertEquals("x\\u202ey\\u200b\\u2028", Printable.line("x\u202ey\u200b\u2028"), "turned and hidden text");
        assertEquals("\\ud835a\\udc00\\ufffe\\u0000", Printable.text("\ud835a\udc00\ufffe\0"), "no characters");
    }

    @Test
    void writersAndStreamsLetNothingElseThrough() throws IOException {
        StringWriter written = new StringWriter();
        try (PrintWriter writer = new PrintWriter(new PrintableWriter(written))) {
            writer.print("a\u001b[31mä" + PAIR + "\n");
            writer.print('\u0007');
            writer.write(new char[]{'x', '\u009b', 'y'}, 1, 2);
        }
        assertEquals("a\\u001b[31mä" + PAIR + "\n\\u0007\\u009by", written.toString());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream stream = new PrintStream(new PrintableStream(bytes), true, StandardCharsets.UTF_8)) {
            stream.print("a\u001b[31mä §é" + PAIR + "\u009b\u007f\n");
        }
        assertEquals("a\\u001b[31mä §é" + PAIR + "\\u009b\\u007f\n", bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    void sentencesHaveShortNumbers() {
        assertEquals("residual 0.61712 is at most 1.2346e-09.",
                Printable.brief("residual 0.6171153847399535 is at most 1.23456789012345E-9."));
        assertEquals("1.5 of v1.0.123456789012x, 0.25", Printable.brief("1.5 of v1.0.123456789012x, 0.25"));
        assertEquals("random:density=0.12345678901234", Printable.brief("random:density=0.12345678901234"));
    }
}
