package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pages of commands that show tables: each is whole, says what was measured, and sorts. */
class TablesPageTest {
    private static final String SMALL = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 3\n";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments);
    }

    private Document page(Path html) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(
                new InputSource(new StringReader(Files.readString(html).replaceFirst("<!DOCTYPE html>", ""))));
    }

    private static List<String> texts(Document page, String element) {
        NodeList nodes = page.getElementsByTagName(element);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "spgemm poisson2d:nx=6 --seconds 0              | Products of sparse matrices       | poisson2d:nx=6 | 2",
        "eigen poisson2d:nx=6 --count 3                 | Eigenvalues and singular values   | poisson2d:nx=6 | 3",
        "factorise poisson2d:nx=6 --rounds 1            | Direct solvers                    | poisson2d:nx=6 | 2",
        "powers poisson2d:nx=6 --rings 1,2 --seconds 0  | Products in a row over ranks      | poisson2d:nx=6 | 2",
        "read FILE --threads 1 --seconds 0              | Reading of matrix files           | FILE           | 1"
    })
    void hasARowForEachThingMeasured(String command, String title, String section, int rows) throws Exception {
        Path file = folder.resolve("small.mtx");
        Files.writeString(file, SMALL);
        Path html = folder.resolve("page.html");
        String[] arguments = Stream.concat(Stream.of(command.replace("FILE", file.toString()).split(" ")),
                Stream.of("-q", "--html", html.toString())).toArray(String[]::new);
        assertEquals(0, run(arguments), err::toString);
        Document page = page(html);
        assertEquals(List.of(title), texts(page, "h1"));
        assertEquals(List.of(section.replace("FILE", file.toString()), "Where"), texts(page, "h2"));
        assertEquals(rows + 1, page.getElementsByTagName("tr").getLength(), () -> texts(page, "tr").toString());
        assertTrue(texts(page, "h3").contains("What the columns mean"));
        assertTrue(out.toString().contains("HTML"), out::toString);
    }

    @Test
    void showsFirstProductsAsCurves() throws Exception {
        Path html = folder.resolve("page.html");
        assertEquals(0,
                run("warm-up", "poisson2d:nx=6", "--backend", "reference", "--products", "1,10", "--rounds", "1",
                        "-q", "--html", html.toString()),
                err::toString);
        Document page = page(html);
        assertEquals(List.of("First products"), texts(page, "h1"));
        assertEquals(2, page.getElementsByTagName("svg").getLength(), "a wide chart and one for phones");
        assertTrue(texts(page, "title").stream().anyMatch(text -> text.startsWith("reference, 10 products: ")),
                () -> texts(page, "title").toString());
    }

    @ParameterizedTest
    @CsvSource({"spgemm", "eigen", "read"})
    void saysWhatWentWrongWithoutAnEmptyTable(String command) throws Exception {
        Path html = folder.resolve("page.html");
        Path file = folder.resolve("broken.mtx");
        Files.writeString(file, SMALL.replace("2 2 2", "2 2 3"));
        assertEquals(1, run(command, file.toString(), "-q", "--html", html.toString()), err::toString);
        Document page = page(html);
        assertEquals(List.of("What went wrong", "Where"), texts(page, "h2"));
        assertTrue(texts(page, "li").getFirst().contains("broken.mtx"), () -> texts(page, "li").toString());
        assertEquals(0, page.getElementsByTagName("table").getLength());
    }

    @Test
    void refusesAPlaceThatCannotBeWrittenBeforeAnythingIsMeasured() {
        String missing = folder.resolve("none").resolve("page.html").toString();
        for (String command : List.of("spgemm", "eigen", "factorise", "powers", "warm-up")) {
            assertEquals(2, run(command, "poisson2d:nx=6", "--html", missing), command);
            assertTrue(err.toString().contains("page.html"), err::toString);
        }
        assertFalse(out.toString().contains("poisson2d"), out::toString);
    }
}
