package org.trellis.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The site as a browser shows it from the file system, at the widths of a phone and of a desk. Skipped where there is
 * no Chromium. Pictures stay in {@code target/screenshots}, to be looked at.
 */
class BrowserTest {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int LIMIT_SECONDS = 120;
    private static final Path SITE = Path.of("target/site").toAbsolutePath();
    private static final Pattern FOUND = Pattern.compile("data-found=\"([^\"]*)\"");

    /** Loads each page in a frame and complains of what needs scrolling, is cut off, or has too little contrast. */
    private static final String MEASURE =
            """
                    <script>
                    var pages = [PAGES], found = [], frame = document.querySelector("iframe"), at = 0;
                    function luminance(colour) {
                      var parts = colour.match(/[\\d.]+/g).map(function (part) {
                        var c = part / 255;
                        return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
                      });
                      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
                    }
                    function background(element) {
                      for (; element !== null; element = element.parentElement) {
                        var colour = getComputedStyle(element).backgroundColor;
                        if (!/, 0\\)/.test(colour)) { return luminance(colour); }
                      }
                      return 1;
                    }
                    function measure(page) {
                      var inside = frame.contentDocument, wide = inside.documentElement.clientWidth;
                      var needed = inside.documentElement.scrollWidth;
              if (needed > wide) { found.push(page + ": scrolls to " + needed); }
                      inside.querySelectorAll("h1, h2, h3, p, li, header > *, nav a").forEach(function (element) {
                        var box = element.getBoundingClientRect();
                        if (element.className !== "skip" && box.width > 0 && (box.right > wide + 1 || box.left < -1)) {
                          found.push(page + ": cut off: " + element.textContent.slice(0, 40));
                        }
                      });
                      var texts = "main p, main code, main th, nav a, .version";
              inside.querySelectorAll(texts).forEach(function (element, number) {
                        if (number % 9 !== 0) { return; }
                        var one = luminance(getComputedStyle(element).color), other = background(element);
                        var contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
                        if (contrast < 4.5) { found.push(page + ": " + contrast + " " + element.outerHTML); }
                      });
                      inside.querySelectorAll("img").forEach(function (image) {
                        if (image.naturalWidth === 0) { found.push(page + ": no picture " + image.src); }
                      });
                    }
                    frame.addEventListener("load", function () {
                      if (at > 0) { measure(pages[at - 1]); }
                      if (at < pages.length) { frame.src = pages[at++]; return; }
                      document.body.setAttribute("data-found", pages.length + " pages: " + found.join("; "));
                    });
                    frame.src = pages[at++];
                    </script>""";

    /** Searches as a reader does and says what comes first, then switches the colours. */
    private static final String SEARCH =
            """
                    <script>
                    var frame = document.querySelector("iframe"), words = [WORDS], found = [];
                    function next() {
                      var inside = frame.contentDocument, field = inside.getElementById("search");
                      if (words.length === 0) {
                        var before = frame.contentWindow.getComputedStyle(inside.body).backgroundColor;
                        inside.getElementById("theme").click();
                        var after = frame.contentWindow.getComputedStyle(inside.body).backgroundColor;
                        found.push(before === after ? "same colours" : "other colours");
                document.body.setAttribute("data-found", found.join("; "));
                        return;
                      }
                      field.value = words.shift();
                      field.dispatchEvent(new Event("input"));
                      var wait = setInterval(function () {
                        if (inside.querySelector("#results > *") === null) { return; }
                        clearInterval(wait);
                        var link = inside.querySelector("#results a");
                        var box = inside.getElementById("results");
                found.push(link === null ? box.textContent : link.getAttribute("href"));
                        box.replaceChildren();
                        next();
                      }, 20);
                    }
                    frame.addEventListener("load", next);
                    frame.src = "docs/index.html";
                    </script>""";

    @TempDir
    private Path folder;

    private Path browser;

    private void findBrowser() {
        String path = System.getenv("PATH");
        Optional<Path> found = Arrays.stream((path == null ? "" : path).split(File.pathSeparator))
                .flatMap(entry -> NAMES.stream().map(name -> Path.of(entry, name))).filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), () -> "none of " + NAMES + " is on the PATH");
        browser = found.get();
    }

    @Test
    void pagesFitPhonesAndDesks() throws IOException, InterruptedException {
        findBrowser();
        List<String> pages;
        try (Stream<Path> files = Files.walk(SITE)) {
            pages = files.filter(file -> file.toString().endsWith(".html") && !file.startsWith(SITE.resolve("api")))
                    .map(file -> '"' + SITE.relativize(file).toString() + '"').sorted().toList();
        }
        assertTrue(pages.size() > 80, pages + " are not all pages");
        for (int width : List.of(390, 1280)) {
            assertEquals(pages.size() + " pages: ", inFrame(width, MEASURE.replace("PAGES", String.join(",", pages))),
                    "what does not fit " + width + " pixels");
            for (String page : List.of("index", "docs/reference/api", "docs/performance", "docs/how-to/cuda")) {
                picture(page, width);
            }
        }
    }

    @Test
    void searchFindsDocumentsAndTypes() throws IOException, InterruptedException {
        findBrowser();
        assertEquals("../docs/explanation/multigrid.html; ../api/org/trellis/sparse/CsrMatrix.html; Nothing found.; "
                + "other colours", inFrame(1280, SEARCH.replace("WORDS", "\"multigrid\", \"csrmatrix\", \"zyxwvutsr\"")));
    }

    /** Runs a script beside a frame of some width, with the site as its folder, and gives what it found. */
    private String inFrame(int width, String script) throws IOException, InterruptedException {
        Path page = folder.resolve("driver.html");
        Files.writeString(page,
                "<html><head><base href=\"" + SITE.toUri() + "/\"></head><body><iframe style=\"border:0;width:"
                        + width + "px;height:800px\"></iframe>" + script + "</body></html>");
        String shown = run("--dump-dom", page.toUri().toString());
        Matcher found = FOUND.matcher(shown);
        assertTrue(found.find(), () -> "nothing was measured: " + shown.substring(Math.max(0, shown.length() - 900)));
        return Html.unescaped(found.group(1));
    }

    /** Browsers have no windows as narrow as a phone, but frames. */
    private void picture(String name, int width) throws IOException, InterruptedException {
        Path page = folder.resolve("picture.html");
        Files.writeString(page,
                "<body style=\"margin:0\"><iframe style=\"border:0;width:" + width + "px;height:1200px\" src=\""
                        + SITE.resolve(name + ".html").toUri() + "\"></iframe>");
        Path picture = Files.createDirectories(Path.of("target/screenshots").toAbsolutePath())
                .resolve(name.replace('/', '-') + '-' + width + ".png");
        run("--window-size=1280,1200", "--screenshot=" + picture, page.toUri().toString());
        assertTrue(Files.size(picture) > 10_000, () -> picture + " is empty");
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "browser", ".out");
        List<String> command =
                new ArrayList<>(List.of(browser.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                        "--hide-scrollbars", "--allow-file-access-from-files", "--virtual-time-budget=100000",
                        "--user-data-dir=" + folder.resolve("profile")));
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
}
