package org.trellis.bench.performance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.trellis.bench.tune.ResultsNode;

/**
 * The list of figures of performance. A row names documents of measurements, from which its figure, date and command
 * are computed, or a table of the page that it links to, or states what the diary says.
 *
 * @param file     where it comes from
 * @param machines what each name of a machine stands for
 * @param sections the rows under their headings
 */
record PerformanceDocument(Path file, Map<String, String> machines, List<Section> sections) {
    private static final String FORMAT = "trellis-performance";
    private static final double VERSION = 1;

    /**
     * Rows under a heading.
     *
     * @param title   the heading
     * @param words   what holds for all of them
     * @param rows    the figures
     * @param remarks what is after the table, may be empty
     */
    record Section(String title, String words, List<PerformanceRow> rows, String remarks) {}

    /**
     * Reads a list, and the documents that it names.
     *
     * @param file the list; the paths in it are relative to its folder
     * @throws IOException if it, or a document, cannot be read or lacks something; names the file and the place
     */
    static PerformanceDocument read(Path file) throws IOException {
        ResultsNode root = ResultsNode.read(file, "a list of figures of performance");
        if (!root.get("format").text().equals(FORMAT)) {
            throw root.get("format").problem(FORMAT);
        }
        if (root.get("formatVersion").number() != VERSION) {
            throw root.get("formatVersion").problem(String.valueOf(VERSION));
        }
        Map<String, String> machines = new LinkedHashMap<>();
        for (String name : root.get("machines").members().keySet()) {
            machines.put(name, root.get("machines").get(name).text());
        }
        // Several rows may name the same document.
        Map<Path, ResultsNode> documents = new HashMap<>();
        List<Section> sections = new ArrayList<>();
        for (ResultsNode section : root.get("sections").items()) {
            List<PerformanceRow> rows = new ArrayList<>();
            for (ResultsNode row : section.get("rows").items()) {
                rows.add(row(row, machines, documents));
            }
            sections.add(new Section(section.get("title").text(), section.get("words").text(), rows,
                    optional(section, "remarks")));
        }
        return new PerformanceDocument(file, machines, sections);
    }

    private static String optional(ResultsNode node, String name) throws IOException {
        return node.has(name) ? node.get(name).text() : "";
    }

    private static PerformanceRow row(ResultsNode row, Map<String, String> machines,
            Map<Path, ResultsNode> documents) throws IOException {
        Figure.Kind kind = row.get("kind").parsed(Figure.Kind.all(), Figure.Kind::of);
        String machine = row.get("machine").text();
        if (!machines.containsKey(machine)) {
            throw row.get("machine").problem("one of " + machines.keySet());
        }
        Figure figure;
        String date;
        String command;
        List<Path> data = List.of();
        if (row.has("stated")) {
            ResultsNode stated = row.get("stated");
            figure = new Figure(kind, stated.get("value").text(), stated.get("spread").text(),
                    stated.get("worst").text());
            date = stated.get("date").parsed("a day such as 2026-11-23", LocalDate::parse).toString();
            command = stated.get("command").text();
        } else if (row.has("table")) {
            ResultsNode table = row.get("table");
            date = table.get("date").parsed("a day such as 2026-11-23", LocalDate::parse).toString();
            command = table.get("command").text();
            figure = Ratios.of(numbers(row, table), command, date).figure(kind).with(optional(table, "more"));
        } else {
            data = files(row);
            Ratios ratios = ratios(row, kind, read(data, documents));
            figure = ratios.figure(kind);
            date = ratios.date();
            command = row.has("command") ? row.get("command").text() : ratios.commands();
        }
        String details = row.get("details").text();
        Path page = row.file().toAbsolutePath().resolveSibling(details.replaceFirst("#.*", ""));
        if (!Files.isRegularFile(page)) {
            throw row.get("details").problem("a page; there is no file " + page.normalize());
        }
        return new PerformanceRow(row.get("what").text(), optional(row, "quote"), row.get("peer").text(), figure,
                machine, date, command, details, data);
    }

    /** Reads the ratios from the table that the row links to. */
    private static List<Map.Entry<String, Double>> numbers(ResultsNode row, ResultsNode table) throws IOException {
        String[] details = row.get("details").text().split("#", 2);
        Path page = row.file().toAbsolutePath().resolveSibling(details[0]);
        int number = table.has("number") ? (int) table.get("number").number() : 1;
        return MeasuredTable.read(page, details.length > 1 ? details[1] : "", number)
                .numbers(table.get("column").text(), optional(table, "over"), table.has("rows")
                        ? table.get("rows").parsed("a regular expression", Pattern::compile)
                        : Pattern.compile(""));
    }

    private static List<ResultsNode> read(List<Path> files, Map<Path, ResultsNode> documents) throws IOException {
        List<ResultsNode> read = new ArrayList<>();
        for (Path file : files) {
            if (!documents.containsKey(file)) {
                documents.put(file, ResultsNode.read(file, "results of trellis spmv --json or solve --json"));
            }
            read.add(documents.get(file));
        }
        return read;
    }

    private static List<Path> files(ResultsNode row) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String name : texts(row.get(row.has("products") ? "products" : "solutions").get("files"))) {
            files.add(row.file().toAbsolutePath().resolveSibling(name));
        }
        return files;
    }

    private static List<String> texts(ResultsNode list) throws IOException {
        List<String> texts = new ArrayList<>();
        for (ResultsNode item : list.items()) {
            texts.add(item.text());
        }
        return texts;
    }

    private static Ratios ratios(ResultsNode row, Figure.Kind kind, List<ResultsNode> documents) throws IOException {
        boolean products = row.has("products");
        Figure.Kind expected = products ? Figure.Kind.SPEED_RATIO : Figure.Kind.TIME_RATIO;
        if (kind != expected) {
            throw row.get("kind").problem(expected.words() + ", which is what is computed");
        }
        if (products) {
            ResultsNode from = row.get("products");
            return Ratios.ofProducts(documents, from.get("backend").text(), texts(from.get("peers")),
                    from.get("precision").text());
        }
        ResultsNode from = row.get("solutions");
        String time = from.get("time").text();
        if (!List.of("iteration", "set-up and solution").contains(time)) {
            throw from.get("time").problem("iteration or set-up and solution");
        }
        return Ratios.ofSolutions(documents, texts(from.get("peers")), time.equals("iteration"));
    }
}
