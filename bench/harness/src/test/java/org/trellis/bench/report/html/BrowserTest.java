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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;

/**
 * A report as a browser lays it out, at the width of a desk and of a phone. Skipped where there is no Chromium. The
 * pictures stay in {@code target/screenshots}, to be looked at.
 */
final class BrowserTest {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int LIMIT_SECONDS = 100;

    /** Put at the end of the page: complains of what is cut off, and of headings beyond the right edge. */
    private static final String MEASURE = """
            <script>
            window.addEventListener("load", function () {
              var found = [], wide = document.documentElement.clientWidth;
              if (document.documentElement.scrollWidth > wide) { found.push("page"); }
              document.querySelectorAll(".scroll").forEach(function (box) {
                if (wide > 760 && box.scrollWidth > box.clientWidth + 1) { found.push("box " + box.scrollWidth); }
              });
              document.querySelectorAll("svg text").forEach(function (text) {
                var own = text.getBoundingClientRect(), all = text.ownerSVGElement.getBoundingClientRect();
                if (own.left < all.left - 1 || own.right > all.right + 1 || own.bottom > all.bottom + 1) {
                  found.push("text " + text.textContent);
                }
              });
              document.querySelectorAll("table.sortable th").forEach(function (head) {
                if (getComputedStyle(head).display !== "none" && head.getBoundingClientRect().right > wide) {
                  found.push("heading " + head.textContent);
                }
              });
              var shown = Array.from(document.querySelectorAll("table.sortable th")).filter(function (head) {
                return getComputedStyle(head).display !== "none";
              }).length;
              document.body.setAttribute("data-found", found.join("; ") + "|" + shown);
            });
            </script></body>""";

    @TempDir
    private Path folder;

    @Test
    void reportsFitDesksAndPhones() throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), () -> "none of " + NAMES + " is on the PATH");
        Path report = folder.resolve("report.html");
        StringWriter err = new StringWriter();
        int code = TrellisCommand.run(new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), false),
                "spmv", "-q", "--seconds", "0.01", "--threads", "2", "--precision", "f64,f32", "--html",
                report.toString(), "poisson2d:nx=30", "random:rows=400,mean=7");
        assertEquals(0, code, err::toString);
        Files.writeString(report, Files.readString(report).replace("</body>", MEASURE));

        assertEquals(27, shownHeadings(browser.get(), report, 1400));
        assertEquals(13, shownHeadings(browser.get(), report, 500));
    }

    /** Complains of what does not fit, and counts the headings that are shown. */
    private int shownHeadings(Path browser, Path report, int width) throws IOException, InterruptedException {
        Path picture = Files.createDirectories(Path.of("target/screenshots")).resolve("spmv-" + width + ".png")
                .toAbsolutePath();
        String page = run(browser, width, "--dump-dom", report.toUri().toString());
        run(browser, width, "--screenshot=" + picture, report.toUri().toString());
        assertEquals(width, ImageIO.read(picture.toFile()).getWidth());
        Matcher found = Pattern.compile("data-found=\"([^|\"]*)\\|(\\d+)\"").matcher(page);
        assertTrue(found.find(),
                () -> "the page was not measured: " + page.substring(Math.max(0, page.length() - 900)));
        assertEquals("", found.group(1), "what does not fit " + width + " pixels");
        return Integer.parseInt(found.group(2));
    }

    private String run(Path browser, int width, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "browser", ".out");
        List<String> command =
                new ArrayList<>(List.of(browser.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                        "--hide-scrollbars", "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=" + width + ",2600"));
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
