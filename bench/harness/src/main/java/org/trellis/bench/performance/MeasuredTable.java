package org.trellis.bench.performance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table in a page of measurements: rows under columns with names. */
final class MeasuredTable {
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?(?:e[+-]?\\d+)?");

    private final String place;
    private final List<String> columns;
    private final List<List<String>> rows;

    private MeasuredTable(String place, List<String> columns, List<List<String>> rows) {
        this.place = place;
        this.columns = columns;
        this.rows = rows;
    }

    /**
     * Reads the table below a heading. An empty first cell stands for that of the row above.
     *
     * @param page   a Markdown file
     * @param anchor the heading, as a link names it; the beginning of the page if empty
     * @param number which of the tables there, from 1
     * @throws IOException if the page cannot be read or has no such heading or table
     */
    static MeasuredTable read(Path page, String anchor, int number) throws IOException {
        List<String> lines = Files.readAllLines(page);
        String place = page.getFileName() + "#" + anchor;
        int at = anchor.isEmpty() ? 0 : heading(lines, anchor, place);
        for (int table = 1; at < lines.size(); at++) {
            int end = at;
            while (end < lines.size() && lines.get(end).startsWith("|")) {
                end++;
            }
            if (end > at + 2 && table++ == number) {
                return new MeasuredTable(place, cells(lines.get(at)), rows(lines.subList(at + 2, end)));
            }
            at = end;
        }
        throw new IOException(place + " has no table " + number + " behind it, expected one");
    }

    private static int heading(List<String> lines, String anchor, String place) throws IOException {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("#") && line.replaceFirst("#+ *", "").toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-').equals(anchor)) {
                return i;
            }
        }
        throw new IOException(place + " leads to no heading");
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.strip().replaceFirst("^\\|", "").replaceFirst("\\|$", "").split("(?<!\\\\)\\|", -1))
                .map(cell -> cell.replaceAll("[`*]|\\\\(?=[_*])", "").strip()).toList();
    }

    private static List<List<String>> rows(List<String> lines) {
        List<List<String>> rows = new ArrayList<>();
        String first = "";
        for (String line : lines) {
            List<String> cells = new ArrayList<>(cells(line));
            first = cells.getFirst().isEmpty() ? first : cells.getFirst();
            cells.set(0, first);
            rows.add(cells);
        }
        return rows;
    }

    /**
     * Returns the numbers of a column, each with the first cell of its row.
     *
     * @param column the name of a column, or its number from 1 where names are not unique
     * @param over   another one by which it is divided, or empty
     * @param which  what the cells of a row have in them, joined by {@code |}
     * @throws IOException if there is no such column, or no row with a number in it
     */
    List<Map.Entry<String, Double>> numbers(String column, String over, Pattern which) throws IOException {
        int numerator = index(column);
        int denominator = over.isEmpty() ? -1 : index(over);
        List<Map.Entry<String, Double>> numbers = new ArrayList<>();
        for (List<String> row : rows) {
            if (which.matcher(String.join("|", row)).find() && row.size() > Math.max(numerator, denominator)) {
                double value = number(row.get(numerator));
                double divided = denominator < 0 ? value : value / number(row.get(denominator));
                if (Double.isFinite(divided)) {
                    numbers.add(Map.entry(row.getFirst(), divided));
                }
            }
        }
        if (numbers.isEmpty()) {
            throw new IOException(place + " has no number in the column " + column + " of rows with '" + which + "'");
        }
        return numbers;
    }

    private int index(String column) throws IOException {
        int index = column.matches("\\d+") ? Integer.parseInt(column) - 1 : columns.indexOf(column);
        if (index < 0 || index >= columns.size()) {
            throw new IOException(place + " has the columns " + columns + ", expected one named " + column);
        }
        return index;
    }

    private static double number(String cell) {
        Matcher number = NUMBER.matcher(cell);
        return number.lookingAt() ? Double.parseDouble(number.group().replace(",", "")) : Double.NaN;
    }
}
