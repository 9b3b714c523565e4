package org.trellis.matrices.harwellboeing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.support.TextLines;

/** Reads the four header lines. */
final class HeaderParser {
    private static final Pattern WORD = Pattern.compile("\\S++");
    private static final Pattern DESCRIPTOR = Pattern.compile("\\([^()]*+\\)");
    private static final int TITLE_CHARACTERS = 72;
    private static final String TYPE_FORM = "three letters: R, C, I or P; S, U, H, Z or R; A";

    private final TextLines lines;
    private String line;

    /**
     * A header and how to read the data behind it.
     *
     * @param header        what the file says of the matrix
     * @param pointers      format of the column pointers
     * @param indices       format of the row indices
     * @param values        format of the values, null for a pattern
     * @param rightHandSide whether more follows the matrix
     */
    record Parsed(HarwellBoeingHeader header, FortranFormat pointers, FortranFormat indices, FortranFormat values,
            boolean rightHandSide) {}

    private record Word(String text, int column) {}

    HeaderParser(TextLines lines) {
        this.lines = lines;
    }

    Parsed parse() throws IOException {
        nextLine("a title");
        String title = line.substring(0, Math.min(line.length(), TITLE_CHARACTERS)).strip();
        nextLine("the numbers of lines of the sections");
        boolean rightHandSide = parseLineCounts();
        nextLine("the type and the sizes of the matrix");
        HarwellBoeingHeader header = parseSizes(title);
        nextLine("the formats of the sections");
        boolean pattern = header.values() == 'P';
        List<Word> descriptors = words(DESCRIPTOR);
        return new Parsed(header, integers(descriptors, 0, "column pointers"), integers(descriptors, 1, "row indices"),
                pattern ? null : descriptor(descriptors, 2, "values"), rightHandSide);
    }

    private void nextLine(String expected) throws IOException {
        line = lines.next();
        if (line == null) {
            throw new MatrixFormatException(lines.file(), lines.number() + 1, 1, "the file ends",
                    "a line with " + expected);
        }
    }

    /** Checks the counts of lines, of which only that of right-hand sides matters; whether there are any. */
    private boolean parseLineCounts() {
        List<Word> words = words(WORD);
        if (words.size() < 4 || words.size() > 5) {
            throw failure(1, "found " + words.size() + " words", "4 or 5 numbers of lines");
        }
        for (Word word : words) {
            number(word, "a number of lines", 0);
        }
        return words.size() == 5 && number(words.get(4), "a number of lines", 0) > 0;
    }

    private HarwellBoeingHeader parseSizes(String title) {
        List<Word> words = words(WORD);
        if (words.size() < 4) {
            throw failure(1, "found " + words.size() + " words",
                    "a type and the numbers of rows, columns and entries");
        }
        Word type = words.get(0);
        String code = type.text().toUpperCase(Locale.ROOT);
        if (!code.matches("[RCIP][SUHZR][AE]")) {
            throw failure(type.column(), PrintableText.quote(type.text()) + " is no matrix type", TYPE_FORM);
        }
        if (code.charAt(2) == 'E') {
            throw failure(type.column(), PrintableText.quote(type.text()) + " is a matrix of unassembled elements",
                    "an assembled matrix: A as the third letter");
        }
        HarwellBoeingHeader header = new HarwellBoeingHeader(title, code.charAt(0), code.charAt(1),
                number(words.get(1), "a number of rows", 0), number(words.get(2), "a number of columns", 0),
                number(words.get(3), "a number of entries", 0));
        checkCombination(header, type, words.get(1));
        return header;
    }

    private void checkCombination(HarwellBoeingHeader header, Word type, Word rows) {
        if (header.mirrored() && header.rows() != header.columns()) {
            throw failure(rows.column(),
                    header.rows() + " x " + header.columns() + " cannot be of type " + type.text(),
                    "as many rows as columns");
        }
        boolean signed = header.symmetry() == 'H' || header.symmetry() == 'Z';
        if (header.values() == 'P' && signed) {
            throw failure(type.column(), "a pattern cannot be of type " + type.text(),
                    "S, U or R as the second letter");
        }
    }

    private int number(Word word, String what, int least) {
        String expected = what + " from " + least + " to " + Integer.MAX_VALUE;
        if (!word.text().matches("\\d{1,10}") || Long.parseLong(word.text()) > Integer.MAX_VALUE) {
            throw failure(word.column(), "found " + PrintableText.quote(word.text()), expected);
        }
        return Integer.parseInt(word.text());
    }

    private FortranFormat integers(List<Word> descriptors, int place, String what) {
        FortranFormat format = descriptor(descriptors, place, what);
        if (!format.integers()) {
            throw failure(descriptors.get(place).column(),
                    PrintableText.quote(descriptors.get(place).text()) + " is for reals",
                    "a format for the " + what + ", such as (16I5)");
        }
        return format;
    }

    private FortranFormat descriptor(List<Word> descriptors, int place, String what) {
        String expected = "a format for the " + what + ", such as " + (place < 2 ? "(16I5)" : "(4E20.12)");
        if (place >= descriptors.size()) {
            throw failure(line.length() + 1, "found " + descriptors.size() + " formats", expected);
        }
        Word word = descriptors.get(place);
        FortranFormat format = FortranFormat.parse(word.text());
        if (format == null) {
            throw failure(word.column(), "found " + PrintableText.quote(word.text()), expected);
        }
        return format;
    }

    private List<Word> words(Pattern form) {
        List<Word> words = new ArrayList<>();
        Matcher match = form.matcher(line);
        while (match.find()) {
            words.add(new Word(match.group(), match.start() + 1));
        }
        return words;
    }

    private MatrixFormatException failure(int column, String problem, String expected) {
        return new MatrixFormatException(lines.file(), lines.number(), column, problem, expected);
    }
}
