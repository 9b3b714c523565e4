package org.trellis.bench.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.trellis.bench.text.Printable;

/** A table of aligned columns: text to the left, numbers to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<String> headings;
    private final boolean[] leftAligned;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Starts a table.
     *
     * @param headings names of the columns; one that starts with {@code <} is aligned to the left
     */
    public TextTable(String... headings) {
        this.leftAligned = new boolean[headings.length];
        List<String> plain = new ArrayList<>();
        for (int i = 0; i < headings.length; i++) {
            leftAligned[i] = headings[i].startsWith("<");
            plain.add(Printable.line(leftAligned[i] ? headings[i].substring(1) : headings[i]));
        }
        this.headings = plain;
    }

    /**
     * Adds a row.
     *
     * @param cells one text for each column
     * @return this
     * @throws IllegalArgumentException if there are more or fewer cells than columns
     */
    public TextTable row(String... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException(
                    "table row has " + cells.length + " cells, expected " + headings.size());
        }
        rows.add(Stream.of(cells).map(Printable::line).toList());
        return this;
    }

    /**
     * Says whether there are rows.
     *
     * @return true if there are none
     */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * Lays the table out.
     *
     * @return its lines, each with a line break
     */
    public String render() {
        int[] widths = new int[headings.size()];
        Arrays.setAll(widths, i -> width(headings.get(i)));
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        StringBuilder text = new StringBuilder();
        line(text, headings, widths);
        for (int i = 0; i < widths.length; i++) {
            text.append(i == 0 ? "" : GAP).append("─".repeat(widths[i]));
        }
        text.append(System.lineSeparator());
        rows.forEach(row -> line(text, row, widths));
        return text.toString();
    }

    private void line(StringBuilder text, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - width(cells.get(i)));
            line.append(i == 0 ? "" : GAP)
                    .append(leftAligned[i] ? cells.get(i) + padding : padding + cells.get(i));
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
