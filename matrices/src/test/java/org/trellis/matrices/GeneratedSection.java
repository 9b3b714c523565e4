package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a page of {@code docs} that follows from the code: what stands between {@code <!-- generated: NAME -->} and
 * {@code <!-- end -->}. With {@code -Dtrellis.test.update=true} it is written anew instead of compared.
 */
public final class GeneratedSection {
    private GeneratedSection() {}

    /**
     * Compares a part with what the code says.
     *
     * @param page     name of the page
     * @param name     name of the part
     * @param expected its text
     * @throws IOException if the page cannot be read
     */
    public static void check(String page, String name, String expected) throws IOException {
        Path path = Path.of("..", "docs", "reference", page);
        String text = Files.readString(path, StandardCharsets.UTF_8);
        String mark = "<!-- generated: " + name + " -->\n";
        int start = text.indexOf(mark) + mark.length();
        assertTrue(start >= mark.length(), page + " has no part " + name);
        int end = text.indexOf("<!-- end -->", start);
        if (Boolean.getBoolean("trellis.test.update")) {
            Files.writeString(path, text.substring(0, start) + expected + text.substring(end), StandardCharsets.UTF_8);
        } else {
            assertEquals(expected, text.substring(start, end), page + ", part " + name);
        }
    }
}
