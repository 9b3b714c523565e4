package org.trellis.matrices.market;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Matrix Market once more, as simple as can be: line by line, by regular expressions and {@link Double#parseDouble},
 * into a sorted map. It shares nothing with the reader that it judges but the description of the format.
 */
final class SimpleMarketReader {
    private static final Pattern REAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eEdD][+-]?\\d+)?");
    private static final Pattern WORD = Pattern.compile("[+-]?(?i)(inf|infinity|nan)");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");
    private static final long UNCONDITIONAL = 1 << 24;

    private final String[] lines;
    private final boolean endsOpen;
    private final boolean imaginary;
    private final Map<Long, Double> entries = new TreeMap<>();
    private int at;
    private boolean vector;
    private boolean array;
    private String field;
    private String symmetry;
    private long rows;
    private long columns;
    private long expected;
    private long found;
    private boolean below;
    private boolean above;
    private long arrayRow;
    private long arrayColumn;

    /** The first line that is wrong. */
    static final class WrongLine extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int line;

        WrongLine(int line) {
            super("line " + line, null, false, false);
            this.line = line;
        }

        int line() {
            return line;
        }
    }

    private SimpleMarketReader(String text, boolean imaginary) {
        this.endsOpen = !text.endsWith("\n");
        this.lines = text.split("\n", -1);
        this.imaginary = imaginary;
    }

    /**
     * Reads a text.
     *
     * @param imaginary whether imaginary parts are kept, and not real ones
     * @return rows, columns and entries in words; equal texts for equal matrices
     * @throws WrongLine if the text is refused
     */
    static String read(String text, boolean imaginary) {
        return new SimpleMarketReader(text, imaginary).read();
    }

    /** The same words for a matrix. */
    static String words(long rows, long columns, Map<Long, Double> entries) {
        StringBuilder words = new StringBuilder(rows + " x " + columns + ":");
        entries.forEach((key, value) -> words.append(' ').append(key).append('=').append(value + 0.0));
        return words.toString();
    }

    /** Row and column as one number. */
    static long key(long row, long column) {
        return row << 32 | column;
    }

    private int count() {
        return endsOpen ? lines.length : lines.length - 1;
    }

    private WrongLine wrong() {
        return new WrongLine(at);
    }

    private void require(boolean condition) {
        if (!condition) {
            throw wrong();
        }
    }

    private static List<String> words(String line) {
        String trimmed = line.replace('\t', ' ');
        return Arrays.stream(trimmed.split(" ", -1)).filter(word -> !word.isEmpty()).toList();
    }

    private String headerLine() {
        String line = lines[at++];
        // The carriage return of a line end, also where the file ends behind it.
        String bare = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        require(bare.indexOf('\r') < 0);
        return bare;
    }

    private String read() {
        banner(words(headerLine()));
        List<String> sizes;
        do {
            if (at >= count()) {
                throw new WrongLine(endsOpen ? at : at + 1);
            }
            sizes = words(headerLine());
        } while (sizes.isEmpty() || sizes.getFirst().startsWith("%"));
        int sizeLine = at;
        sizes(sizes);
        while (at < count()) {
            String line = lines[at++];
            List<String> words = words(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
            if (!words.isEmpty() && !words.getFirst().startsWith("%")) {
                entry(words);
            }
        }
        if (found < expected) {
            throw new WrongLine(count() + 1);
        }
        if (rows > UNCONDITIONAL || (array && rows * columns > UNCONDITIONAL)) {
            throw new WrongLine(sizeLine);
        }
        return words(rows, columns, entries);
    }

    private void banner(List<String> words) {
        require(words.size() == 5 && words.getFirst().equalsIgnoreCase("%%MatrixMarket"));
        List<String> lower = words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
        vector = lower.get(1).equals("vector");
        array = lower.get(2).equals("array");
        field = lower.get(3);
        symmetry = lower.get(4);
        require(vector || lower.get(1).equals("matrix"));
        require(array || lower.get(2).equals("coordinate"));
        require(List.of("real", "integer", "complex", "pattern").contains(field));
        require(List.of("general", "symmetric", "skew-symmetric", "hermitian").contains(symmetry));
        boolean pattern = field.equals("pattern");
        require(!(pattern && array) && !(pattern && !List.of("general", "symmetric").contains(symmetry)));
        require(!vector || symmetry.equals("general"));
    }

    private void sizes(List<String> words) {
        require(words.size() == (vector ? 1 : 2) + (array ? 0 : 1));
        rows = size(words.getFirst(), Integer.MAX_VALUE);
        columns = vector ? 1 : size(words.get(1), Integer.MAX_VALUE);
        require(symmetry.equals("general") || rows == columns);
        long half = symmetry.equals("skew-symmetric") ? rows * (rows - 1) / 2 : rows * (rows + 1) / 2;
        expected = !array
                ? size(words.getLast(), Long.MAX_VALUE)
                : symmetry.equals("general") ? rows * columns : half;
    }

    private long size(String word, long most) {
        require(word.matches("[0-9]+"));
        BigInteger value = new BigInteger(word);
        require(value.compareTo(BigInteger.valueOf(most)) <= 0);
        return value.longValueExact();
    }

    private void entry(List<String> words) {
        boolean complex = field.equals("complex");
        int indices = array ? 0 : vector ? 1 : 2;
        int values = field.equals("pattern") ? 0 : complex ? 2 : 1;
        require(words.size() == indices + values);
        long row = array ? arrayRow : index(words.getFirst(), rows);
        long column = array ? arrayColumn : vector ? 0 : index(words.get(1), columns);
        double real = values == 0 ? 1 : value(words.get(indices));
        double other = complex ? value(words.get(indices + 1)) : 0;
        boolean mirrored = !symmetry.equals("general");
        boolean skew = symmetry.equals("skew-symmetric");
        if (mirrored && !array) {
            require(!(skew && row == column));
            below |= row > column;
            above |= row < column;
            require(!(below && above));
        }
        boolean conjugated = symmetry.equals("hermitian") && complex;
        require(!(conjugated && row == column && other != 0));
        found++;
        require(found <= expected);
        if (array) {
            // Of skew matrices the diagonal is left out.
            row += skew ? 1 : 0;
            advance(skew);
        }
        double value = complex && imaginary ? other : real;
        put(row, column, value);
        if (mirrored && row != column) {
            put(column, row, skew || (conjugated && imaginary) ? -value : value);
        }
    }

    private void advance(boolean skew) {
        arrayRow++;
        if (arrayRow >= rows - (skew ? 1 : 0)) {
            arrayColumn++;
            arrayRow = symmetry.equals("general") ? 0 : arrayColumn;
        }
    }

    private void put(long row, long column, double value) {
        if (!(array && value == 0)) {
            entries.merge(key(row, column), value, Double::sum);
        }
    }

    private long index(String word, long most) {
        require(word.matches("[0-9]+"));
        BigInteger value = new BigInteger(word);
        require(value.signum() > 0 && value.compareTo(BigInteger.valueOf(most)) <= 0);
        return value.longValueExact() - 1;
    }

    private double value(String word) {
        if (field.equals("integer")) {
            require(INTEGER.matcher(word).matches());
            double integer = new BigDecimal(word).doubleValue();
            require(!Double.isInfinite(integer));
            return integer;
        }
        if (WORD.matcher(word).matches()) {
            String lower = word.toLowerCase(Locale.ROOT);
            return lower.endsWith("nan")
                    ? Double.NaN
                    : lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        require(REAL.matcher(word).matches());
        double value = Double.parseDouble(word.replaceAll("[dD]", "e"));
        require(!Double.isInfinite(value));
        return value;
    }
}
