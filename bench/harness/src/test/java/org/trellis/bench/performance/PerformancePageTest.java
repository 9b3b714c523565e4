package org.trellis.bench.performance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;

/** The page of performance agrees with its list and with the measurements, and figures are computed as it says. */
class PerformancePageTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path LIST = ROOT.resolve("measurements/performance.json");
    private static final String README = "# x\n\n## Three figures\n\n| old |\n| --- |\n| 1 |\n\nMore.\n";

    @TempDir
    private Path folder;

    private String table = "";

    private static String text(Path file) throws IOException {
        return Files.readString(file).replace("\r\n", "\n");
    }

    @Test
    void pageAndReadmeShowWhatTheListSays() throws IOException {
        PerformanceDocument document = PerformanceDocument.read(LIST);
        Path page = ROOT.resolve("docs/performance.md");
        assertEquals(PerformancePage.of(document, page), text(page), "run ./trellis report --performance");
        String readme = text(ROOT.resolve("README.md"));
        assertEquals(PerformancePage.quoted(document, readme, "README.md"), readme,
                "run ./trellis report --performance");
    }

    /** Speeds of 8 and 2 on two matrices: 4 in the geometric mean; the peer's slower variant does not count. */
    @Test
    void ratiosOfProductsAreOfTheFastestVariants() throws IOException {
        String records = product("a", "simd", 1, "") + ',' + product("a", "simd", 3, "") + ','
                + product("a", "mkl", 8, "") + ',' + product("a", "mkl", 9, "") + ',' + product("b", "simd", 9,
                        ", \"deviceTime\": {\"medianSeconds\": 2, \"lowerQuartileSeconds\": 1.5, "
                                + "\"upperQuartileSeconds\": 2.5}")
                + ',' + product("b", "mkl", 4, "") + ',' + product("c", "mkl", 4, "");
        Files.writeString(folder.resolve("p.json"), filled("""
                {"format": "trellis-spmv-results", "command": "trellis spmv a b", "date": "2026-11-20T20:56:42Z",
                 "matrices": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "records": [%s]}""", records));
        String page = made("speed ratio", "\"products\": {\"files\": [\"p.json\"], \"backend\": \"simd\", "
                + "\"peers\": [\"mkl\"], \"precision\": \"f64\"}");
        assertTrue(page.contains("| w | speed ratio 4.00 | 2.00 to 8.00 on 2, times 50 % apart (median) | 2.00 (`b`) |"
                + " m | 2026-11-20 | [command 1](#commands), [table](d.md#t), [data](p.json) |"), page);
        assertTrue(page.contains("1.\n    ```\n    trellis spmv a b\n    ```\n"), page);
        assertEquals("""
                # x

                ## Three figures

                | | peer | ratio | worst case |
                | --- | --- | --- | --- |
                | short | w | speed ratio 4.00 | 2.00 (`b`) |

                More.
                """, text(folder.resolve("README.md")));
    }

    private static String product(String matrix, String backend, double median, String more) {
        return "{\"matrix\": \"" + matrix + "\", \"backend\": \"" + backend + "\", \"precision\": \"f64\", "
                + "\"medianSeconds\": " + median + ", \"lowerQuartileSeconds\": " + 0.9 * median
                + ", \"upperQuartileSeconds\": " + 1.1 * median + more + '}';
    }

    /** Set-up and solution of 1 + 2 beside 2 + 4 and 5 + 5: half of the faster peer's time. */
    @Test
    void ratiosOfSolutionsAreOfTheFasterPeer() throws IOException {
        Files.writeString(folder.resolve("s.json"), """
                {"format": "trellis-solve-report", "command": "trellis solve a", "date": "2026-11-21T20:56:42Z",
                 "matrix": "a", "contenders": [
                 {"setupSeconds": 1, "solveSeconds": 2, "iterations": 10, "allSolveSeconds": [9, 2, 2.5]},
                 {"peer": "hypre", "setupSeconds": 2, "solveSeconds": 4, "iterations": 5, "allSolveSeconds": [4, 4]},
                 {"peer": "petsc", "setupSeconds": 5, "solveSeconds": 5, "iterations": 9, "allSolveSeconds": [5]}]}""");
        String source = "\"solutions\": {\"files\": [\"s.json\"], \"peers\": [\"hypre\", \"petsc\"], \"time\": \"%s\"}";
        String page = made("time ratio", filled(source, "set-up and solution"));
        assertTrue(page.contains("| time ratio 0.50 | times 25 % apart | 0.50 (`a`) |"), page);
        // 0.2 an iteration beside 0.8 and 0.556.
        page = made("time ratio", filled(source, "iteration"));
        assertTrue(page.contains("| time ratio 0.36 |"), page);
    }

    /** Ratios of 2 and 8 in the second table, by one column and by two; rows of other libraries do not count. */
    @Test
    void ratiosOfTablesAreThoseOfTheirRows() throws IOException {
        table = """
                ## T

                | x | y |
                | --- | --- |
                | 1 | 2 |

                Words.

                | case | by | ours | theirs | ratio |
                | --- | --- | ---: | ---: | ---: |
                | `a` | us | 1.5 s | 3,000 | 2 |
                | | them | 9 | 9 | 9 |
                | b\\_c | us | 2e1 | - | **8** (7) |
                | d | us | - | 1 | - |
                """;
        String source = "\"table\": {\"number\": 2, \"rows\": \"us\", \"column\": \"%s\", %s\"more\": \"m\", "
                + "\"date\": \"2026-11-27\", \"command\": \"c\"}";
        String page = made("time ratio", filled(source, "ratio", ""));
        assertTrue(page.contains("| time ratio 4.00 | 2.00 to 8.00 on 2; m | 8.00 (`b_c`) | m | 2026-11-27 |"), page);
        page = made("speed ratio", filled(source, "theirs", "\"over\": \"3\", "));
        assertTrue(page.contains("| speed ratio 2000.00 |"), page);
        assertEquals("d.md#t has the columns [case, by, ours, theirs, ratio], expected one named speed",
                problem(filled(source, "speed", "")));
        assertEquals("d.md#t has no number in the column by of rows with 'us'", problem(filled(source, "by", "")));
        assertEquals("d.md#t has no table 3 behind it, expected one",
                problem(filled(source, "ratio", "").replace(": 2", ": 3")));
    }

    private String problem(String source) throws IOException {
        list("time ratio", source);
        return assertThrows(IOException.class, () -> PerformanceDocument.read(folder.resolve("l.json"))).getMessage();
    }

    @Test
    void mistakesAreNamedWithTheirPlace() throws IOException {
        String stated = "\"stated\": {\"value\": \"1\", \"spread\": \"\", \"worst\": \"\", \"date\": \"%s\", "
                + "\"command\": \"c\"}";
        assertEquals("sections[0].rows[0].kind is \"faster\", expected one of speed ratio, time ratio, "
                + "share of the bound, time, rate", complaint("faster", filled(stated, "2026-11-20")));
        assertEquals("sections[0].rows[0].stated.date is \"soon\", expected a day such as 2026-11-23",
                complaint("time", filled(stated, "soon")));
        assertEquals("sections[0].rows[0].products is null, expected an object",
                complaint("time", "\"products\": null"));
        Files.writeString(folder.resolve("s.json"), "{\"format\": \"other\"}");
        assertEquals("format is \"other\", expected trellis-spmv-results", complaint("speed ratio",
                "\"products\": {\"files\": [\"s.json\"], \"backend\": \"simd\", \"peers\": [], "
                        + "\"precision\": \"f64\"}"));
        assertEquals("README.md has no table below the heading '## Three figures', expected one",
                assertThrows(IOException.class, () -> PerformancePage.quoted(
                        new PerformanceDocument(LIST, Map.of(), List.of()), "# x\n", "README.md")).getMessage());
    }

    /** Puts values in the places of {@code %s}, one after the other. */
    private static String filled(String template, String... values) {
        String text = template;
        for (String value : values) {
            text = text.replaceFirst("%s", Matcher.quoteReplacement(value));
        }
        return text;
    }

    private String complaint(String kind, String source) throws IOException {
        list(kind, source);
        String message = assertThrows(IOException.class,
                () -> PerformanceDocument.read(folder.resolve("l.json"))).getMessage();
        return message.substring(message.indexOf(": ") + 2);
    }

    private void list(String kind, String source) throws IOException {
        Files.writeString(folder.resolve("d.md"), "# d\n" + table);
        Files.writeString(folder.resolve("l.json"), filled("""
                {"format": "trellis-performance", "formatVersion": 1, "machines": {"m": "a machine"},
                 "sections": [{"title": "CPU", "words": "All.", "rows": [
                 {"what": "long", "quote": "short", "peer": "w", "kind": "%s", "machine": "m", "details": "d.md#t",
                  %s}]}]}""", kind, source));
    }

    /** Runs the command. */
    private String made(String kind, String source) throws IOException {
        list(kind, source);
        Files.writeString(folder.resolve("README.md"), README);
        StringWriter err = new StringWriter();
        Console console = new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), false);
        assertEquals(0, TrellisCommand.run(console, "report", "--performance=" + folder.resolve("l.json"),
                "--output=" + folder.resolve("page.md"), "--quote=" + folder.resolve("README.md")), err::toString);
        String page = text(folder.resolve("page.md"));
        assertFalse(page.contains("\\"), page);
        return page;
    }
}
