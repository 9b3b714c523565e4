package org.trellis.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One document of a small repository as a page. */
class MarkdownReaderTest {
    private static final Path FILE = Path.of("docs/guide.md");

    @TempDir
    private Path root;

    private Documents documents;

    @BeforeEach
    void makeRepository() throws IOException {
        Files.createDirectories(root.resolve("docs/reference"));
        Files.createDirectories(root.resolve("measurements"));
        Files.createDirectories(root.resolve("code"));
        Files.writeString(root.resolve("docs/README.md"), "# All\n");
        Files.writeString(root.resolve("docs/reference/api.md"),
                "| `org.trellis.a` | stable | `Matrix` | `Hidden` |\n| `org.trellis.b` | spi | | `Other` |\n");
        Files.writeString(root.resolve("code/A.java"), "class A {}\n");
        Files.writeString(root.resolve("code/picture.png"), "");
        Files.writeString(root.resolve(FILE), "");
        documents = Documents.of(root);
    }

    private String html(String markdown) throws IOException {
        Files.writeString(root.resolve(FILE), markdown);
        return documents.read(FILE).html().strip();
    }

    @Test
    void linksLeadToPages() throws IOException {
        assertEquals("<p><a href=\"index.html\">all</a> <a href=\"../code/A.java.html\">a</a> "
                + "<a href=\"../code/index.html\">f</a> <a href=\"reference/api.html#x-y\">api</a> "
                + "<img src=\"../code/picture.png\" alt=\"p\" /> <a href=\"https://a.org\">o</a></p>",
                html("[all](README.md) [a](../code/A.java) [f](../code) [api](reference/api.md#x-y) "
                        + "![p](../code/picture.png) [o](https://a.org)"));
        assertEquals(List.of(Path.of("code/A.java"), Path.of("code"), Path.of("code/picture.png")),
                List.of(documents.nextLinked(), documents.nextLinked(), documents.nextLinked()));
        assertEquals(null, documents.nextLinked());
    }

    @Test
    void whatIsNotThereIsNamed() {
        String message = assertThrows(IllegalArgumentException.class, () -> html("[a](gone.md)")).getMessage();
        assertTrue(message.contains("docs/guide.html") && message.contains("docs/gone.md"), message);
        assertThrows(IllegalArgumentException.class, () -> html("[a](../../outside.md)"));
    }

    @Test
    void onlyTypesOfProgramsAreLinked() throws IOException {
        assertEquals("<p><a href=\"../api/org/trellis/a/Matrix.html\"><code>Matrix</code></a> <code>Hidden</code> "
                + "<code>Other</code> <a href=\"https://a.org\"><code>Matrix</code></a></p>",
                html("`Matrix` `Hidden` `Other` [`Matrix`](https://a.org)"));
    }

    @Test
    void headingsHaveTheAnchorsOfForges() throws IOException {
        assertEquals("<h2 id=\"a-b-c-d\">A-b: <code>C</code>, d?</h2>\n<h2 id=\"on-a-gpu\">On a GPU</h2>\n"
                + "<h2 id=\"on-a-gpu-1\">On a GPU</h2>", html("## A-b: `C`, d?\n## On a GPU\n## On a GPU"));
    }

    @Test
    void sectionsHoldTheirWords() throws IOException {
        Files.writeString(root.resolve(FILE),
                "# One\ntext *with* `code`\nand more\n\n- item\n\n## Two\n```\nx = 1\n```\n");
        Document document = documents.read(FILE);
        assertEquals("One", document.title());
        assertEquals(List.of("text with code and more item", "x = 1"),
                document.sections().stream().map(Document.Section::text).toList());
    }

    @Test
    void longNamesMayBreakInTextAndNotInBlocks() throws IOException {
        assertEquals("<p><code>org.<wbr>trellis.<wbr>sparse.<wbr>Csr<wbr>Matrix</code></p>",
                html("`org.trellis.sparse.CsrMatrix`"));
        assertEquals("<pre tabindex=\"0\"><code>org.trellis.sparse\n</code></pre>",
                html("```\norg.trellis.sparse\n```"));
    }
}
