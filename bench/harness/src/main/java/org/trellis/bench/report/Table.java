package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.trellis.bench.report.Column.Medium;
import org.trellis.bench.text.Printable;

/**
 * What was measured as rows of typed values: text for the console ({@link #text}), objects of a document
 * ({@link #putInto}), rows of a page ({@link org.trellis.bench.report.html}). Columns say how values read; a value may
 * bring other words ({@link Shown}), be a string in a column of numbers, which reads as it is, or be absent: null, an
 * empty optional, a number that is none.
 */
public final class Table {
    private static final String GAP = "  ";

    private final List<Column> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    /**
     * A value that reads otherwise than its column says.
     *
     * @param value in JSON, and by which pages sort
     * @param text  what people see
     */
    public record Shown(Object value, String text) {}

    /**
     * Starts a table.
     *
     * @param columns from the left to the right
     */
    public Table(Column... columns) {
        this(List.of(columns));
    }

    /**
     * Starts a table.
     *
     * @param columns from the left to the right
     */
    public Table(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /**
     * Adds a row.
     *
     * @param values one for each column: strings, numbers, truth values, optionals of these, {@link Shown}, or null
     * @return this
     * @throws IllegalArgumentException if there are more or fewer values than columns
     */
    public Table row(Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException("table row has " + values.length + " values, expected "
                    + columns.size());
        }
        List<Object> row = new ArrayList<>();
        for (Object value : values) {
            row.add(unwrap(value));
        }
        rows.add(row);
        return this;
    }

    /** What an optional has, or null; null for a number that is none. */
    private static Object unwrap(Object value) {
        return switch (value) {
            case Optional<?> some -> some.orElse(null);
            case OptionalInt some -> some.isPresent() ? some.getAsInt() : null;
            case OptionalLong some -> some.isPresent() ? some.getAsLong() : null;
            case OptionalDouble some -> some.isPresent() ? some.getAsDouble() : null;
            case Double number when number.isNaN() -> null;
            case Enum<?> constant -> throw new IllegalArgumentException("value " + constant
                    + " of a table, expected its label");
            case null, default -> value;
        };
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
     * Returns the columns.
     *
     * @return from the left to the right
     */
    public List<Column> columns() {
        return columns;
    }

    /**
     * Returns the rows.
     *
     * @return the values of each; null where there is none
     */
    public List<List<Object>> rows() {
        return rows;
    }

    /**
     * Returns what people see of a value.
     *
     * @param column where it is
     * @param value  the value, or null
     * @return its text; a dash if there is none
     */
    public static String text(Column column, Object value) {
        return switch (value) {
            case null -> Format.NOTHING;
            case Shown shown -> shown.text();
            case String words -> words;
            default -> column.format().text(value);
        };
    }

    /**
     * Lays the table out for a console: words to the left, numbers to the right.
     *
     * @return its lines, each with a line break
     */
    public String text() {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isShown(Medium.CONSOLE)) {
                places.add(i);
            }
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(places.stream().map(i -> Printable.line(columns.get(i).title())).toList());
        rows.forEach(row -> lines.add(places.stream()
                .map(i -> Printable.line(text(columns.get(i), row.get(i)))).toList()));
        int[] widths = new int[places.size()];
        for (int i = 0; i < widths.length; i++) {
            int place = i;
            widths[i] = lines.stream().mapToInt(line -> width(line.get(place))).max().orElse(0);
        }
        StringBuilder text = new StringBuilder();
        line(text, places, lines.getFirst(), widths);
        for (int i = 0; i < widths.length; i++) {
            text.append(i == 0 ? "" : GAP).append("─".repeat(widths[i]));
        }
        text.append(System.lineSeparator());
        lines.stream().skip(1).forEach(line -> line(text, places, line, widths));
        return text.toString();
    }

    private void line(StringBuilder text, List<Integer> places, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - width(cells.get(i)));
            line.append(i == 0 ? "" : GAP).append(
                    columns.get(places.get(i)).format().isWords() ? cells.get(i) + padding : padding + cells.get(i));
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    /**
     * Adds an object for each row to an array: the values of all columns that have a key. Absent values and infinities,
     * which JSON does not have, are left out.
     *
     * @param array where to
     * @throws IllegalArgumentException if a value is a constant of an enumeration
     */
    public void putInto(ArrayNode array) {
        for (List<Object> row : rows) {
            ObjectNode node = array.addObject();
            for (int i = 0; i < columns.size(); i++) {
                if (!columns.get(i).key().isEmpty()) {
                    put(node, columns.get(i).key(), row.get(i));
                }
            }
        }
    }

    private static void put(ObjectNode node, String key, Object value) {
        switch (value) {
            case null -> {}
            case Shown shown -> put(node, key, unwrap(shown.value()));
            case Boolean truth -> node.put(key, truth);
            case Integer number -> node.put(key, number);
            case Long number -> node.put(key, number);
            case Number number when Double.isInfinite(number.doubleValue()) -> {}
            case Number number -> node.put(key, number.doubleValue());
            default -> node.put(key, value.toString());
        }
    }
}
