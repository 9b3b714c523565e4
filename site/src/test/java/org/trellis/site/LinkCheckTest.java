package org.trellis.site;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links that lead nowhere, and those that do not. */
class LinkCheckTest {
    @TempDir
    private Path out;

    @Test
    void brokenLinksAreNamed() throws IOException {
        Files.createDirectories(out.resolve("a"));
        Files.writeString(out.resolve("a/one.html"),
                "<h2 id=\"here\">H</h2><a href=\"#here\">h</a><a href=\"#gone\">g</a>"
                        + "<a href=\"../two.html\">t</a><a href=\"three.html\">3</a><a href=\"https://a.org/x\">o</a>");
        Files.writeString(out.resolve("two.html"), "<a href=\"a/one.html#here\">h</a><img src=\"p.png\">");
        assertEquals(List.of("a/one.html: no anchor #gone", "a/one.html: three.html", "two.html: p.png"),
                LinkCheck.problems(out));
    }
}
