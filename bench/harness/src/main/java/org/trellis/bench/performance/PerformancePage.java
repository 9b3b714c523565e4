package org.trellis.bench.performance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the page of performance, and the table of it that another page quotes. */
final class PerformancePage {
    /** The table after this heading is a quotation. */
    static final String QUOTE_HEADING = "## Three figures";

    private static final Pattern QUOTED =
            Pattern.compile("(?<=\n" + QUOTE_HEADING + "\n\n)(?:\\|[^\n]*\n)+");
    private static final String START = """
            # Performance

            This page is made by `trellis report --performance` from [a list of figures](LIST)
            and the documents of measurements that it names; `trellis report --help` says how. A *speed ratio* is the
            peer's time over that of Trellis, a *time ratio* the time of Trellis over the peer's; means of ratios are
            geometric. Where a row names data, its figure is computed from them: the fastest variant of the peer counts,
            and medians of contenders that took turns in one run; *apart* is the distance of the quartiles, or of the
            rounds of a solution, over the median. All machines were shared and noisy. The [diaries](DIARIES)
            have whole tables and what did not help.
            """;

    private final PerformanceDocument document;
    private final Path folder;
    private final StringBuilder out = new StringBuilder();
    private final List<String> commands = new ArrayList<>();

    private PerformancePage(PerformanceDocument document, Path page) {
        this.document = document;
        this.folder = page.toAbsolutePath().normalize().getParent();
    }

    /**
     * Writes the page.
     *
     * @param document the figures
     * @param page     where it will be, for links
     */
    static String of(PerformanceDocument document, Path page) {
        return new PerformancePage(document, page).text();
    }

    /**
     * Puts the rows to be quoted into another page, in place of the table below {@value #QUOTE_HEADING}.
     *
     * @param document the figures
     * @param text     the other page
     * @param name     its name, for messages
     * @throws IOException if it has no such table
     */
    static String quoted(PerformanceDocument document, String text, String name) throws IOException {
        StringBuilder table = new StringBuilder("| | peer | ratio | worst case |\n| --- | --- | --- | --- |\n");
        for (PerformanceDocument.Section section : document.sections()) {
            section.rows().stream().filter(row -> !row.quote().isEmpty())
                    .forEach(row -> cells(table, row.quote(), row.peer(), row.figure().withKind(),
                            row.figure().worst()));
        }
        Matcher place = QUOTED.matcher(text);
        if (!place.find()) {
            throw new IOException(name + " has no table below the heading '" + QUOTE_HEADING + "', expected one");
        }
        return place.replaceFirst(Matcher.quoteReplacement(table.toString()));
    }

    private static void cells(StringBuilder out, String... cells) {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private String text() {
        out.append(START.replace("LIST", link(document.file())).replace("DIARIES",
                link(document.file().resolveSibling("README.md"))));
        document.sections().forEach(this::section);
        out.append("\n## Machines\n\n| name | what it is |\n| --- | --- |\n");
        document.machines().forEach((name, words) -> cells(out, name, words));
        out.append("\n## Commands\n\n");
        for (int i = 0; i < commands.size(); i++) {
            out.append(i + 1).append(".\n    ```\n    ").append(commands.get(i).replace("\n", "\n    "))
                    .append("\n    ```\n");
        }
        return out.toString();
    }

    private void section(PerformanceDocument.Section section) {
        out.append("\n## ").append(section.title()).append("\n\n").append(section.words()).append("\n\n");
        cells(out, "what", "peer or bound", "figure", "spread", "worst case", "machine", "date", "from");
        cells(out, "---", "---", "---", "---", "---", "---", "---", "---");
        for (PerformanceRow row : section.rows()) {
            cells(out, row.what(), row.peer(), row.figure().withKind(), row.figure().spread(), row.figure().worst(),
                    row.machine(), row.date(), origin(row));
        }
        if (!section.remarks().isEmpty()) {
            out.append('\n').append(section.remarks()).append('\n');
        }
    }

    private String origin(PerformanceRow row) {
        Set<String> origins = new LinkedHashSet<>();
        if (!commands.contains(row.command())) {
            commands.add(row.command());
        }
        origins.add("[command " + (commands.indexOf(row.command()) + 1) + "](#commands)");
        String[] details = row.details().split("#", 2);
        Path page = document.file().toAbsolutePath().resolveSibling(details[0]);
        origins.add("[table](" + link(page) + (details.length > 1 ? '#' + details[1] : "") + ')');
        if (!row.data().isEmpty()) {
            List<String> links = new ArrayList<>();
            for (int i = 0; i < row.data().size(); i++) {
                links.add("[" + (i == 0 ? "data" : String.valueOf(i + 1)) + "](" + link(row.data().get(i)) + ')');
            }
            origins.add(String.join(" ", links));
        }
        return String.join(", ", origins);
    }

    private String link(Path file) {
        return folder.relativize(file.toAbsolutePath().normalize()).toString().replace('\\', '/');
    }
}
