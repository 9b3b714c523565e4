package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Words and links of documents, as the page on style asks. */
class DocumentStyleTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern UNWANTED = Pattern.compile("\\b(ways|told|tells|somebody|nobody|wanted"
            + "|(?:is|are) looked at|falls? short|who does not|thousand million)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]*`", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    /** Made from help texts, and the page that lists the words. */
    private static final Set<String> EXEMPT = Set.of("command-line.md", "configuration.md", "style.md");

    private static List<Path> pages(String... places) throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String place : places) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        return pages;
    }

    private static String withoutCode(Path page) throws IOException {
        return CODE.matcher(Files.readString(page)).replaceAll("");
    }

    @Test
    void wordsAreThoseOfTheField() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> pages = pages("README.md", "CONTRIBUTING.md", "docs");
        for (Path page : pages) {
            if (page.startsWith(ROOT.resolve("docs").resolve("adr"))
                    || EXEMPT.contains(page.getFileName().toString())) {
                continue;
            }
            String text = LINK.matcher(withoutCode(page)).replaceAll("]");
            UNWANTED.matcher(text).results().map(word -> page + ": " + around(text, word.start(), word.end()))
                    .forEach(found::add);
        }
        assertTrue(pages.size() > 30, pages + " are not all documents");
        assertEquals(List.of(), found, "see docs/contributing/style.md");
    }

    private static String around(String text, int start, int end) {
        return text.substring(Math.max(0, start - 30), Math.min(text.length(), end + 30)).replace('\n', ' ');
    }

    @Test
    void linksLeadToFiles() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path page : pages("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "measurements")) {
            Matcher link = LINK.matcher(withoutCode(page));
            while (link.find()) {
                String target = link.group(1).replaceFirst("#.*", "");
                if (!target.isEmpty() && !target.matches("(https?|mailto):.*")
                        && !Files.exists(page.resolveSibling(target))) {
                    missing.add(page + ": " + target);
                }
            }
        }
        assertEquals(List.of(), missing);
    }
}
