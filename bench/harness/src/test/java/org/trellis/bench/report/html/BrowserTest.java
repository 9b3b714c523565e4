package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;

/**
 * A report as a browser lays it out, at the width of a desk and of a phone. Skipped where there is no Chromium. The
 * pictures stay in {@code target/screenshots}.
 */
final class BrowserTest {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int LIMIT_SECONDS = 100;
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 2600;

    /**
     * Put at the end of the page: complains of what is cut off, of what needs scrolling, and of words that are broken
     * in headings.
     */
    private static final String MEASURE = """
            <script>
            window.addEventListener("load", function () {
              var found = [], wide = document.documentElement.clientWidth;
              var isShown = function (element) { return element.getClientRects().length > 0; };
              if (document.documentElement.scrollWidth > wide) { found.push("page"); }
              document.querySelectorAll(".scroll").forEach(function (box) {
                if (box.scrollWidth > box.clientWidth + 1) { found.push("box " + box.textContent.slice(0, 40)); }
              });
              document.querySelectorAll("svg text").forEach(function (text) {
                var own = text.getBoundingClientRect(), all = text.ownerSVGElement.getBoundingClientRect();
                var end = all.right, clip = text.closest("[clip-path]");
                if (clip !== null) {
                  // What is beyond the clipped part is cut without leaving the picture.
                  var part = document.getElementById(clip.getAttribute("clip-path").slice(5, -1));
                  var box = part.firstElementChild.getBBox(), scale = text.getScreenCTM();
                  if (scale.b === 0) { end = Math.min(end, scale.a * (box.x + box.width) + scale.e); }
                }
                if (own.left < all.left - 1 || own.right > end + 1 || own.bottom > all.bottom + 1) {
                  found.push("text " + text.textContent);
                }
              });
              document.querySelectorAll("th, h1, h2, h3, td.words").forEach(function (head) {
                if (!isShown(head)) { return; }
                if (head.getBoundingClientRect().right > wide) { found.push("heading " + head.textContent); }
                var texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT), text;
                while ((text = texts.nextNode()) !== null) {
                  for (const word of text.data.matchAll(/[a-z]+/g)) {
                    var range = document.createRange();
                    range.setStart(text, word.index);
                    range.setEnd(text, word.index + word[0].length);
                    if (range.getClientRects().length > 1) { found.push("broken " + word[0]); }
                  }
                }
              });
              var shown = Array.from(document.querySelectorAll("table.sortable th")).filter(isShown).length;
              var charts = Array.from(document.querySelectorAll("svg")).filter(isShown).length;
              parent.document.body.setAttribute("data-found", found.join("; ") + "|" + shown + "|" + charts);
            });
            </script></body>""";

    @TempDir
    private Path folder;

    /** What a browser shows: headings of tables, and charts. */
    private record Shown(int headings, int charts) {}

    @Test
    void solutionsFitDesksAndPhones() throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), () -> "none of " + NAMES + " is on the PATH");
        Path solution = report("solve", "-q", "poisson2d:nx=20", "--preconditioner", "amg");
        assertEquals(new Shown(18, 3), shown(browser.get(), solution, "solve", 1280));
        assertEquals(new Shown(9, 4), shown(browser.get(), solution, "solve", 390));
    }

    @Test
    @Tag("nightly")
    void productsFitDesksAndPhones() throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), () -> "none of " + NAMES + " is on the PATH");
        Path products = report("spmv", "-q", "--seconds", "0.01", "--threads", "2", "--precision", "f64,f32",
                "poisson2d:nx=30", "random:rows=400,mean=7");
        // A roofline, and speeds beside samples of each matrix; on phones below each other.
        assertEquals(new Shown(27, 3), shown(browser.get(), products, "spmv", 1280));
        assertEquals(new Shown(12, 5), shown(browser.get(), products, "spmv", 390));
    }

    /** The other reports, whose tables and charts are of the same kinds. */
    @Test
    @Tag("nightly")
    void moreReportsFitDesksAndPhones() throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), () -> "none of " + NAMES + " is on the PATH");
        List<Path> reports = List.of(
                report("model", "poisson2d:nx=24", "--ranks", "1,16", "--network", "latency=1ms,bandwidth=1GB/s",
                        "--rings", "1,2", "--weak", "--levels", "aggregation", "--copies", "1"),
                report("scaling", "poisson2d:nx=40", "--ranks", "1,2"),
                report("tune", "-q", "--evaluate", "--products", "12", "--backend", "threads", "--threads", "1",
                        "--precision", "f64,f32", "poisson2d:nx=20"));
        for (Path report : reports) {
            String name = report.getFileName().toString().replace(".html", "");
            for (int width : new int[]{390, 1280}) {
                Shown shown = shown(browser.get(), report, name, width);
                assertTrue(shown.headings() > 4 && shown.charts() > 0, () -> name + ": " + shown);
            }
        }
    }

    private Path report(String command, String... arguments) throws IOException {
        Path report = folder.resolve(command + ".html");
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(command, "--html=" + report));
        all.addAll(List.of(arguments));
        assertEquals(0, TrellisCommand.run(
                new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), false),
                all.toArray(String[]::new)), err::toString);
        return report;
    }

    /** Complains of what does not fit. Browsers have no windows as narrow as a phone, but frames. */
    private Shown shown(Path browser, Path report, String name, int width) throws IOException, InterruptedException {
        Path frame = folder.resolve(name + "-" + width + ".html");
        Files.writeString(frame, "<html><body style=\"margin:0\"><iframe style=\"border:0;width:" + width
                + "px;height:" + HEIGHT + "px\" srcdoc=\"" + Files.readString(report).replace("</body>", MEASURE)
                        .replace("&", "&amp;").replace("\"", "&quot;")
                + "\"></iframe></body></html>");
        Path picture = Files.createDirectories(Path.of("target/screenshots")).resolve(name + "-" + width + ".png")
                .toAbsolutePath();
        String page = run(browser, "--dump-dom", "--screenshot=" + picture, frame.toUri().toString());
        assertEquals(WIDTH, ImageIO.read(picture.toFile()).getWidth());
        Matcher found = Pattern.compile("data-found=\"([^|\"]*)\\|(\\d+)\\|(\\d+)\"").matcher(page);
        assertTrue(found.find(),
                () -> "the page was not measured: " + page.substring(Math.max(0, page.length() - 900)));
        assertEquals("", found.group(1), "what does not fit " + width + " pixels");
        return new Shown(Integer.parseInt(found.group(2)), Integer.parseInt(found.group(3)));
    }

    private String run(Path browser, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "browser", ".out");
        List<String> command =
                new ArrayList<>(List.of(browser.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                        "--hide-scrollbars", "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=" + WIDTH + "," + HEIGHT));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        assertTrue(ended, () -> command + " did not end within " + LIMIT_SECONDS + " s");
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    private static Optional<Path> browser() {
        String path = System.getenv("PATH");
        return path == null
                ? Optional.empty()
                : Arrays.stream(path.split(File.pathSeparator))
                        .flatMap(entry -> NAMES.stream().map(name -> Path.of(entry, name)))
                        .filter(Files::isExecutable).findFirst();
    }
}
