package org.trellis.common;

/**
 * A matrix, vector or mesh file that does not follow its format. Carries the place and what was expected there, so that
 * a user can mend the file. Whatever the file contains, the message is one line of moderate length that a terminal can
 * show: see {@link PrintableText}.
 */
public final class MatrixFormatException extends TrellisException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_PHRASE = 240;

    private final String file;
    private final long line;
    private final long column;
    private final String expected;

    /**
     * Creates an exception for a place in a file.
     *
     * @param file     the file as the caller named it
     * @param line     one-based line, or 0 if the error concerns the file as a whole
     * @param column   one-based column in bytes, or 0 if it concerns the whole line
     * @param problem  what was found; control characters are escaped and what exceeds 240 characters is cut. Quote
     *                 parts of a file by {@link PrintableText#quote}
     * @param expected what the format asks for at this place; treated likewise
     */
    public MatrixFormatException(String file, long line, long column, String problem, String expected) {
        super(message(file, line, column, PrintableText.cut(problem, LONGEST_PHRASE),
                PrintableText.cut(expected, LONGEST_PHRASE)));
        this.file = file;
        this.line = line;
        this.column = column;
        this.expected = PrintableText.cut(expected, LONGEST_PHRASE);
    }

    private static String message(String file, long line, long column, String problem, String expected) {
        StringBuilder text = new StringBuilder(PrintableText.of(file));
        if (line > 0) {
            text.append(':').append(line);
            if (column > 0) {
                text.append(':').append(column);
            }
        }
        return text.append(": ").append(problem).append("; expected ").append(expected).toString();
    }

    /**
     * Returns the file as the caller named it.
     *
     * @return the file
     */
    public String file() {
        return file;
    }

    /**
     * Returns the one-based line.
     *
     * @return the line, or 0 if the error concerns the file as a whole
     */
    public long line() {
        return line;
    }

    /**
     * Returns the one-based column, in bytes.
     *
     * @return the column, or 0 if the error concerns the whole line
     */
    public long column() {
        return column;
    }

    /**
     * Returns what the format asks for at this place.
     *
     * @return a phrase that completes "expected ..."
     */
    public String expected() {
        return expected;
    }
}
