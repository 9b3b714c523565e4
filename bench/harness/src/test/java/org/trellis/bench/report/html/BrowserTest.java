package org.trellis.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.chart.CountChart;

/**
 * A report as a browser lays it out, at the width of a desk and of a phone. Skipped where there is no Chromium. The
 * pictures stay in {@code target/screenshots}.
 */
final class BrowserTest {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int LIMIT_SECONDS = 100;
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 2600;
    /** The part of a page that is compared, and the side of the squares it is made of. */
    private static final int LOOK_HEIGHT = 780;
    private static final int SQUARE = 20;
    /** Another font changes the colours of a hundredth of the squares by more than this, lost colours those of four. */
    private static final int FONT = 5;
    private static final double MOST_APART = 0.03;

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

    /** Pages of tables: what fits is all that is asked of them here. */
    @Test
    @Tag("nightly")
    void pagesOfTablesFitDesksAndPhones() throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), () -> "none of " + NAMES + " is on the PATH");
        List<Path> reports = List.of(report("spgemm", "-q", "poisson2d:nx=20", "--seconds", "0.01"),
                report("eigen", "-q", "poisson2d:nx=20"), report("factorise", "-q", "poisson2d:nx=20"),
                report("powers", "-q", "poisson2d:nx=20", "--seconds", "0.01"),
                report("warm-up", "-q", "poisson2d:nx=20", "--rounds", "1", "--products", "1,10"));
        for (Path report : reports) {
            String name = report.getFileName().toString().replace(".html", "");
            for (int width : new int[]{390, 1280}) {
                Shown shown = shown(browser.get(), report, name, width);
                assertTrue(shown.headings() >= 3, () -> name + ": " + shown);
            }
        }
    }

    /**
     * Compares a page of a chart and a table with a picture of it, both made of squares of so many pixels, since fonts
     * differ from machine to machine. To renew the picture, copy {@code target/screenshots/look.png} after a look at
     * it.
     */
    @Test
    void chartsAndTablesLookAsTheyDid() throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), () -> "none of " + NAMES + " is on the PATH");
        String page = lookPage();
        int[] now = squares(picture(browser.get(), "look", page));
        int[] expected;
        try (InputStream in = BrowserTest.class.getResourceAsStream("look.png")) {
            expected = pixels(ImageIO.read(in));
        }
        assertTrue(apart(now, expected) < MOST_APART, () -> "squares that look otherwise: " + apart(now, expected));
        int[] colourless = squares(picture(browser.get(), "look-colourless",
                page.replace("</style>", "svg { filter: grayscale(1) }</style>")));
        assertTrue(apart(colourless, expected) > MOST_APART, "curves without colours are seen");
    }

    private static String lookPage() {
        Map<String, SortedMap<Integer, Double>> curves = new LinkedHashMap<>();
        curves.put("threads", new TreeMap<>(Map.of(1, 0.04, 10, 0.05, 100, 0.06, 1000, 0.12)));
        curves.put("simd", new TreeMap<>(Map.of(1, 0.11, 10, 0.17, 100, 0.34, 1000, 0.5)));
        Table table = new Table(Column.words("backend").means("Who multiplies."),
                Column.of("median", Format.SECONDS).means("Of all JVMs."));
        table.row("threads", 0.12).row("simd", 0.5);
        return HtmlPage.of("First products", out -> {
            out.open("main").open("section").element("h2", "poisson2d:nx=100");
            CountChart.of("poisson2d:nx=100", "products", curves).writeTo(out);
            PageTable.sortable(table, out);
            out.close("section").close("main");
        });
    }

    private BufferedImage picture(Path browser, String name, String page) throws IOException, InterruptedException {
        Path file = folder.resolve(name + ".html");
        Files.writeString(file, page);
        Path picture = Files.createDirectories(Path.of("target/screenshots")).resolve(name + "-page.png")
                .toAbsolutePath();
        run(browser, "--screenshot=" + picture, file.toUri().toString());
        return ImageIO.read(picture.toFile());
    }

    /** The mean colours of squares of the upper part of a picture, which are kept as a picture, too. */
    private static int[] squares(BufferedImage image) throws IOException {
        BufferedImage small = new BufferedImage(WIDTH / SQUARE, LOOK_HEIGHT / SQUARE, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < small.getHeight(); y++) {
            for (int x = 0; x < small.getWidth(); x++) {
                small.setRGB(x, y, mean(image.getRGB(x * SQUARE, y * SQUARE, SQUARE, SQUARE, null, 0, SQUARE)));
            }
        }
        Path kept = Path.of("target/screenshots/look.png");
        if (!Files.exists(kept)) {
            ImageIO.write(small, "png", kept.toFile());
        }
        return pixels(small);
    }

    private static int mean(int... colours) {
        int mean = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            int byteOfColour = shift;
            mean |= (int) Math.round(Arrays.stream(colours).map(colour -> colour >> byteOfColour & 0xff).average()
                    .orElseThrow()) << shift;
        }
        return mean;
    }

    private static int[] pixels(BufferedImage image) {
        return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    }

    /** The share of squares whose colours differ by more than text in another font makes. */
    private static double apart(int[] one, int... other) {
        assertEquals(one.length, other.length);
        return IntStream.range(0, one.length).filter(i -> {
            int apart = 0;
            for (int shift = 0; shift <= 16; shift += 8) {
                apart = Math.max(apart, Math.abs((one[i] >> shift & 0xff) - (other[i] >> shift & 0xff)));
            }
            return apart > FONT;
        }).count() / (double) one.length;
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
