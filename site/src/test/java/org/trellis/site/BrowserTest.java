package org.trellis.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
 * no Chromium. Pictures stay in {@code target/screenshots}, for the eye.
 */
class BrowserTest {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    /** Almost 300 pages are loaded one after another, on a machine that may be busy. */
    private static final int LIMIT_SECONDS = 300;
    private static final Path SITE = Path.of("target/site").toAbsolutePath();
    private static final Pattern FOUND = Pattern.compile("data-found=\"([^\"]*)\"");

    /** Loads each page in a frame and complains of what needs scrolling, is cut off, or has too little contrast. */
    private static final String MEASURE = script("measure.js");

    /** Searches as a reader does and says what comes first, then switches the colours. */
    private static final String SEARCH = script("search.js");

    @TempDir
    private Path folder;

    private Path browser;

    private static String script(String name) {
        try (InputStream input = BrowserTest.class.getResourceAsStream(name)) {
            return "<script>\n" + new String(input.readAllBytes(), StandardCharsets.UTF_8) + "</script>";
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

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
                + "other colours",
                inFrame(1280, SEARCH.replace("WORDS", "\"multigrid\", \"csrmatrix\", \"zyxwvutsr\"")));
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
