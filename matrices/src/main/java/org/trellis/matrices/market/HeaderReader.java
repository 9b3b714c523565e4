package org.trellis.matrices.market;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;

/**
 * Reads the banner, the comments and the size line, one byte at a time and no byte further.
 *
 * <p>Only the first characters of a line are kept, so a comment of any length costs no memory.
 */
final class HeaderReader {

    private static final String BANNER = "%%MatrixMarket";
    private static final String BANNER_FORM =
            "%%MatrixMarket matrix <coordinate|array> <real|integer|complex|pattern> "
                    + "<general|symmetric|skew-symmetric|hermitian>";
    private static final int KEPT_CHARACTERS = 1024;
    private static final int COMMENT_CHARACTERS = 1 << 16;

    private final InputStream input;
    private final String file;
    private final StringBuilder line = new StringBuilder();
    private final List<String> comments = new ArrayList<>();
    private int commentCharacters;
    private long offset;
    private long lines;
    private boolean cut;
    private boolean atEnd;

    private boolean vector;
    private MarketFormat format;
    private MarketField field;
    private MarketSymmetry symmetry;
    private int fieldColumn;

    private HeaderReader(InputStream input, String file) {
        this.input = input;
        this.file = file;
    }

    /**
     * Reads up to the end of the size line.
     *
     * @param input a buffered stream at its beginning; left at the first byte behind the size line
     * @param file  its name, for messages
     * @throws MatrixFormatException if the text is no header
     * @throws IOException if reading fails
     */
    static ParsedHeader read(InputStream input, String file) throws IOException {
        return new HeaderReader(input, file).read();
    }

    private ParsedHeader read() throws IOException {
        readLine();
        parseBanner();
        do {
            if (atEnd) {
                throw failure(line.length() + 1, "the file ends before the size line", "a line with " + sizeForm());
            }
            readLine();
        } while (isCommentOrBlank());
        return parseSizes();
    }

    /** Fills {@link #line} with the next line, without its end. */
    private void readLine() throws IOException {
        long lineOffset = offset;
        line.setLength(0);
        cut = false;
        lines++;
        int previous = -1;
        int next = input.read();
        while (next >= 0 && next != '\n') {
            offset++;
            keep(previous);
            if (previous == '\r') {
                throw new MatrixFormatException(file, lines, offset - lineOffset - 1, "found a carriage return",
                        "lines that end in a line feed, alone or after a carriage return");
            }
            previous = next;
            next = input.read();
        }
        if (previous != '\r') {
            keep(previous);
        }
        atEnd = next < 0;
        offset += atEnd ? 0 : 1;
    }

    private void keep(int character) {
        if (character >= 0 && line.length() < KEPT_CHARACTERS) {
            line.append((char) character);
        } else if (character >= 0) {
            cut = true;
        }
    }

    private boolean isCommentOrBlank() {
        // Blanks are those between entries too; a form feed, say, is none.
        int start = 0;
        while (start < line.length() && (line.charAt(start) == ' ' || line.charAt(start) == '\t')) {
            start++;
        }
        if (start == line.length()) {
            return !cut;
        }
        if (line.charAt(start) != '%') {
            return false;
        }
        if (commentCharacters < COMMENT_CHARACTERS) {
            String text = line.substring(start + 1).stripTrailing();
            commentCharacters += text.length() + 1;
            comments.add(text);
        }
        return true;
    }

    private void parseBanner() {
        List<Token> tokens = tokens();
        if (tokens.isEmpty() || !tokens.get(0).text().equalsIgnoreCase(BANNER)) {
            throw failure(tokens.isEmpty() ? 1 : tokens.get(0).column(), "no Matrix Market banner", BANNER_FORM);
        }
        if (tokens.size() != 5) {
            throw failure(tokens.get(tokens.size() - 1).column(),
                    "the banner has " + tokens.size() + " words instead of 5", BANNER_FORM);
        }
        String object = tokens.get(1).text().toLowerCase(Locale.ROOT);
        vector = object.equals("vector");
        if (!vector && !object.equals("matrix")) {
            throw unknown(tokens.get(1), "matrix");
        }
        format = choose(tokens.get(2), MarketFormat.values(), MarketFormat::word);
        field = choose(tokens.get(3), MarketField.values(), MarketField::word);
        symmetry = choose(tokens.get(4), MarketSymmetry.values(), MarketSymmetry::word);
        fieldColumn = tokens.get(3).column();
        checkCombination(tokens);
    }

    private void checkCombination(List<Token> tokens) {
        if (field == MarketField.PATTERN && format == MarketFormat.ARRAY) {
            throw failure(tokens.get(3).column(), "an array has no pattern", "real, integer or complex");
        }
        boolean signed = symmetry == MarketSymmetry.HERMITIAN || symmetry == MarketSymmetry.SKEW_SYMMETRIC;
        if (field == MarketField.PATTERN && signed) {
            throw failure(tokens.get(4).column(), "a pattern cannot be " + symmetry.word(), "general or symmetric");
        }
        if (vector && symmetry != MarketSymmetry.GENERAL) {
            throw failure(tokens.get(4).column(), "a vector cannot be " + symmetry.word(), "general");
        }
    }

    private <E> E choose(Token token, E[] choices, Function<E, String> word) {
        StringBuilder known = new StringBuilder();
        for (E choice : choices) {
            if (word.apply(choice).equalsIgnoreCase(token.text())) {
                return choice;
            }
            known.append(known.isEmpty() ? "" : " | ").append(word.apply(choice));
        }
        throw unknown(token, known.toString());
    }

    private MatrixFormatException unknown(Token token, String expected) {
        return failure(token.column(), "unknown word " + PrintableText.quote(token.text()) + " in the banner",
                expected);
    }

    private ParsedHeader parseSizes() {
        List<Token> tokens = tokens();
        int sizes = (vector ? 1 : 2) + (format == MarketFormat.COORDINATE ? 1 : 0);
        if (tokens.size() != sizes) {
            int column = tokens.size() > sizes ? tokens.get(sizes).column() : line.length() + 1;
            throw failure(column, "the size line has " + tokens.size() + " words", sizeForm());
        }
        int rows = dimension(tokens.get(0), "rows");
        int columns = vector ? 1 : dimension(tokens.get(1), "columns");
        if (symmetry != MarketSymmetry.GENERAL && rows != columns) {
            throw failure(tokens.get(0).column(), rows + " x " + columns + " cannot be " + symmetry.word(),
                    "as many rows as columns");
        }
        Token last = tokens.get(sizes - 1);
        long entries = format == MarketFormat.COORDINATE
                ? size(last, "entries", Long.MAX_VALUE)
                : arrayEntries(rows, columns);
        MarketHeader header =
                new MarketHeader(vector, format, field, symmetry, rows, columns, entries, comments);
        return new ParsedHeader(header, offset, lines, fieldColumn, tokens.get(0).column(), last.column());
    }

    private long arrayEntries(long rows, long columns) {
        return switch (symmetry) {
            case GENERAL -> rows * columns;
            case SYMMETRIC, HERMITIAN -> rows * (rows + 1) / 2;
            case SKEW_SYMMETRIC -> rows * (rows - 1) / 2;
        };
    }

    private int dimension(Token token, String what) {
        return (int) size(token, what, Integer.MAX_VALUE);
    }

    private long size(Token token, String what, long limit) {
        String expected = "a number of " + what + " from 0 to " + limit;
        if (!token.text().chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw failure(token.column(), PrintableText.quote(token.text()) + " is no number of " + what, expected);
        }
        BigInteger value = new BigInteger(token.text());
        if (value.compareTo(BigInteger.valueOf(limit)) > 0) {
            throw failure(token.column(), PrintableText.cut(token.text(), PrintableText.LONGEST_QUOTE) + " " + what
                    + " are more than Trellis can hold", expected);
        }
        return value.longValueExact();
    }

    private String sizeForm() {
        String dimensions = vector ? "length" : "rows columns";
        return "'" + dimensions + (format == MarketFormat.COORDINATE ? " entries'" : "'");
    }

    private MatrixFormatException failure(int column, String problem, String expected) {
        return new MatrixFormatException(file, lines, column, problem, expected);
    }

    private List<Token> tokens() {
        if (cut) {
            throw failure(KEPT_CHARACTERS + 1, "the line is longer than " + KEPT_CHARACTERS + " bytes", "its end");
        }
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            int start = at;
            while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
                at++;
            }
            if (at > start) {
                tokens.add(new Token(line.substring(start, at), start + 1));
            } else {
                at++;
            }
        }
        return tokens;
    }

    /** A word of a line and the column of its first character. */
    private record Token(String text, int column) {}
}
