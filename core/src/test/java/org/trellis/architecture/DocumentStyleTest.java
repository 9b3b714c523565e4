package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trellis.testing.PlainWords;

/** Words and links of documents, and words of messages, as the page on style asks. */
class DocumentStyleTest {
    private static final Path ROOT = Path.of("..");
    /** Literals and text blocks; comments are matched so that quotes within them are not. */
    private static final Pattern TEXT_IN_SOURCES = Pattern.compile("\"\"\"(?<block>.*?)\"\"\""
            + "|\"(?<literal>(?:[^\"\\\\\n]|\\\\.)*+)\"|//[^\n]*+|/\\*.*?\\*/|'(?:[^'\\\\\n]|\\\\.)*+'",
            Pattern.DOTALL);
    private static final Pattern API_TEXT = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]*`", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    /** An option of a command, and in sources also the name of a parameter, from which an option is made. */
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--([a-z][a-z0-9-]*[a-z0-9])");
    private static final Pattern PARAMETER = Pattern.compile("\"([a-z][a-z0-9-]*)\"");
    /** Pages with commands of other programs. */
    private static final Set<String> OTHER_PROGRAMS =
            Set.of("cuda.md", "gpu-container.md", "slurm-job.md", "building.md", "installing.md");
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
            found.addAll(PlainWords.missing(page.toString(), text));
        }
        assertTrue(pages.size() > 30, pages + " are not all documents");
        assertEquals(List.of(), found, "see docs/contributing/style.md");
    }

    /** Messages of errors and of reports. Those of commands are checked as they are printed, by {@code bench}. */
    @Test
    void messagesHaveTheSameWords() throws IOException {
        List<String> found = new ArrayList<>();
        int literals = 0;
        for (Path source : sources()) {
            Matcher text = TEXT_IN_SOURCES.matcher(Files.readString(source));
            while (text.find()) {
                String literal = text.group("block") != null ? text.group("block") : text.group("literal");
                if (literal != null && literal.indexOf(' ') >= 0) {
                    found.addAll(PlainWords.missing(source.toString(), literal));
                    literals++;
                }
            }
        }
        assertTrue(literals > 5000, literals + " literals are not all messages");
        assertEquals(List.of(), found, "see docs/contributing/style.md");
    }

    /** API pages of the types that programs may name, as the page on the public API lists them. */
    @Test
    void apiPagesHaveTheSameWords() throws IOException {
        Set<String> types = new HashSet<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/reference/api.md"))) {
            String[] cells = line.split("\\|");
            if (cells.length > 3 && cells[1].startsWith(" `org.trellis.")) {
                String folder = cells[1].replaceAll("[` ]", "").replace('.', '/');
                NAME.matcher(cells[3]).results().forEach(type -> types.add(folder + "/" + type.group(1) + ".java"));
            }
        }
        assertTrue(types.size() > 200, types.size() + " types are not all");
        List<String> found = new ArrayList<>();
        int pages = 0;
        for (Path source : sources()) {
            String name = source.toString().replace('\\', '/').replaceFirst(".*/src/main/java/", "");
            if (types.contains(name)) {
                pages++;
                API_TEXT.matcher(Files.readString(source)).results()
                        .map(text -> text.group().replaceAll("@param +\\w+|\\{@code [^}]*\\}|\\s+\\*? *", " "))
                        .forEach(text -> found.addAll(PlainWords.missing(source.toString(), text)));
            }
        }
        assertEquals(types.size(), pages, "sources of the types that are listed");
        assertEquals(List.of(), found, "see docs/contributing/style.md");
    }

    /** An option that was renamed would stay in a guide for long. */
    @Test
    void optionsAreThoseOfCommands() throws IOException {
        Set<String> known = new HashSet<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            OPTION.matcher(text).results().forEach(option -> known.add(option.group(1)));
            PARAMETER.matcher(text).results().forEach(parameter -> known.add(parameter.group(1)));
        }
        List<String> unknown = new ArrayList<>();
        int found = 0;
        for (Path page : pages("README.md", "docs")) {
            if (!page.startsWith(ROOT.resolve("docs").resolve("adr"))
                    && !OTHER_PROGRAMS.contains(page.getFileName().toString())) {
                List<String> options =
                        OPTION.matcher(Files.readString(page)).results().map(option -> option.group(1)).toList();
                found += options.size();
                options.stream().filter(option -> !known.contains(option))
                        .forEach(option -> unknown.add(page + ": --" + option));
            }
        }
        assertTrue(found > 500, found + " options are not all");
        assertEquals(List.of(), unknown);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.find(ROOT, 30, (file, facts) -> file.toString().endsWith(".java")
                && file.toString().replace('\\', '/').contains("/src/main/java/"))) {
            return files.toList();
        }
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
