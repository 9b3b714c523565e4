package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            + "|\"(?<literal>(?:[^\"\\\\\n]|\\\\.)*+)\"|(?<comment>//[^\n]*+|/\\*.*?\\*/)|'(?:[^'\\\\\n]|\\\\.)*+'",
            Pattern.DOTALL);
    /** What is no prose in a comment: names of parameters, code, links, and the marks of lines. */
    private static final Pattern MARKS = Pattern.compile("@param +\\w+|\\{@\\w+ [^}]*\\}|\\s+(?:\\*|//)? *");
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]*`", Pattern.DOTALL);
    private static final Pattern FENCED = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?)\\s*$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    /** An option of a command, and in sources also the name of a parameter, from which an option is made. */
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--([a-z][a-z0-9-]*[a-z0-9])");
    private static final Pattern PARAMETER = Pattern.compile("\"([a-z][a-z0-9-]*)\"");
    /** Pages with commands of other programs. */
    private static final Set<String> OTHER_PROGRAMS =
            Set.of("cuda.md", "gpu-container.md", "slurm-job.md", "building.md", "installing.md");
    private static final Path DECISIONS = ROOT.resolve("docs").resolve("adr");
    private static final Pattern TITLE = Pattern.compile("# (\\d{4}): (.+)");
    private static final List<String> DECISION_PARTS =
            List.of("## Context", "## Decision", "## Consequences", "## Considered");
    /** One screen. */
    private static final int DECISION_LINES = 50;
    private static final int DECISION_COLUMNS = 120;
    private static final int DECISION_WORDS = 420;
    /** Made from help texts. */
    private static final Set<String> EXEMPT = Set.of("command-line.md", "configuration.md");

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
        List<Path> pages = pages("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs", "measurements");
        for (Path page : pages) {
            if (EXEMPT.contains(page.getFileName().toString())) {
                continue;
            }
            String text = LINK.matcher(withoutCode(page)).replaceAll("]");
            found.addAll(PlainWords.missing(page.toString(), text));
        }
        assertTrue(pages.size() > 150, pages + " are not all documents");
        assertEquals(List.of(), found, "see docs/contributing/style.md");
    }

    /** Messages of errors and reports, and comments. Help of commands is checked as it is printed, by {@code bench}. */
    @Test
    void sourcesHaveTheSameWords() throws IOException {
        List<String> found = new ArrayList<>();
        int literals = 0;
        int comments = 0;
        for (Path source : sources()) {
            Matcher text = TEXT_IN_SOURCES.matcher(Files.readString(source));
            while (text.find()) {
                String comment = text.group("comment");
                String literal = text.group("block") != null ? text.group("block") : text.group("literal");
                if (comment != null) {
                    found.addAll(PlainWords.missing(source.toString(), MARKS.matcher(comment).replaceAll(" ")));
                    comments++;
                } else if (literal != null && literal.indexOf(' ') >= 0) {
                    found.addAll(PlainWords.missing(source.toString(), literal));
                    literals++;
                }
            }
        }
        assertTrue(literals > 5000, literals + " literals are not all messages");
        assertTrue(comments > 10_000, comments + " comments are not all");
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

    /** What does not fit says how the code works or what was measured, and belongs there. */
    @Test
    void decisionsFitOneScreen() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> decisions = decisions();
        for (Path page : decisions) {
            List<String> lines = Files.readAllLines(page);
            int words = String.join(" ", lines).strip().split("\\s+").length;
            // Rows of tables cannot be broken.
            int columns = lines.stream().filter(line -> !line.startsWith("|")).mapToInt(String::length).max().orElse(0);
            if (lines.size() > DECISION_LINES || words > DECISION_WORDS || columns > DECISION_COLUMNS) {
                found.add(page + " has " + lines.size() + " lines of up to " + columns + " characters, " + words
                        + " words");
            }
        }
        assertTrue(decisions.size() > 75, decisions + " are not all decisions");
        assertEquals(List.of(), found, "expected at most " + DECISION_LINES + " lines, " + DECISION_COLUMNS
                + " characters outside of tables, " + DECISION_WORDS + " words: see docs/contributing/style.md");
    }

    /** Title and status come first, then the same parts in each; and the index has the title. */
    @Test
    void decisionsHaveTheSamePartsAndAreInTheIndex() throws IOException {
        List<String> found = new ArrayList<>();
        List<String> index = Files.readAllLines(DECISIONS.resolve("README.md"));
        for (Path page : decisions()) {
            String name = page.getFileName().toString();
            List<String> lines = Files.readAllLines(page);
            Matcher title = TITLE.matcher(lines.getFirst());
            if (!title.matches() || !name.startsWith(title.group(1))) {
                found.add(page + " begins with '" + lines.getFirst() + "', expected '# " + name.substring(0, 4)
                        + ": title'");
            } else if (!index.contains("| [" + title.group(1) + "](" + name + ") | " + title.group(2) + " |")) {
                found.add("README.md has no row of " + name + " with its title '" + title.group(2) + "'");
            }
            if (lines.stream().limit(3).noneMatch(line -> line.startsWith("Status: "))) {
                found.add(page + " has no status in its third line, such as 'Status: accepted.'");
            }
            List<String> parts = lines.stream().filter(line -> line.startsWith("##")).toList();
            if (!parts.equals(DECISION_PARTS)) {
                found.add(page + " has the headings " + parts + ", expected " + DECISION_PARTS);
            }
        }
        assertEquals(List.of(), found);
    }

    private static List<Path> decisions() throws IOException {
        try (Stream<Path> files = Files.list(DECISIONS)) {
            return files.filter(file -> file.getFileName().toString().matches("\\d{4}-.*\\.md")).sorted().toList();
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.find(ROOT, 30, (file, facts) -> file.toString().endsWith(".java")
                && file.toString().replace('\\', '/').contains("/src/main/java/"))) {
            return files.toList();
        }
    }

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        List<String> missing = new ArrayList<>();
        Map<Path, Set<String>> anchors = new HashMap<>();
        for (Path page : pages("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "measurements")) {
            Matcher link = LINK.matcher(withoutCode(page));
            while (link.find()) {
                if (link.group(1).matches("(https?|mailto):.*")) {
                    continue;
                }
                String[] target = link.group(1).split("#", 2);
                Path file = target[0].isEmpty() ? page : page.resolveSibling(target[0]).normalize();
                if (!Files.exists(file)) {
                    missing.add(page + ": " + link.group(1));
                } else if (target.length > 1
                        && !anchors.computeIfAbsent(file, DocumentStyleTest::anchors).contains(target[1])) {
                    missing.add(page + ": " + link.group(1) + " leads to no heading");
                }
            }
        }
        assertTrue(anchors.size() > 30, anchors.keySet() + " are not all pages that are linked by a heading");
        assertEquals(List.of(), missing);
    }

    /** Anchors of headings as forges and the site make them: of a heading that comes again, the second ends in -1. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new HashSet<>();
        try {
            String text = FENCED.matcher(Files.readString(page)).replaceAll("");
            HEADING.matcher(text).results().forEach(heading -> {
                String name = heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
                String anchor = name;
                for (int again = 1; !anchors.add(anchor); again++) {
                    anchor = name + "-" + again;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return anchors;
    }
}
