package org.trellis.common;

import java.util.Locale;

/**
 * Text of unknown origin made fit for messages and terminals: what would move the cursor, change colours or reorder the
 * line is written as {@code \x1B} or {@code \u202E}, and what is too long is cut.
 */
public final class PrintableText {
    /** The most characters of a file that a message quotes. */
    public static final int LONGEST_QUOTE = 60;

    private static final String CUT = "...";
    private static final int LAST_OF_ONE_BYTE = 0xFF;

    private PrintableText() {}

    /**
     * Writes control characters, marks of direction, other line separators and halves of surrogate pairs as escapes.
     * Everything else, a backslash too, stays as it is, so the result is for reading and not for taking back.
     *
     * @param text any text
     * @return the text on one line; the same object if nothing had to be escaped
     */
    public static String of(String text) {
        int clean = 0;
        while (clean < text.length() && isPlain(text.charAt(clean))) {
            clean++;
        }
        if (clean == text.length()) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length() + 16).append(text, 0, clean);
        for (int at = clean; at < text.length();) {
            int character = text.codePointAt(at);
            append(result, character);
            at += Character.charCount(character);
        }
        return result.toString();
    }

    /**
     * Makes a text printable and no longer than some characters.
     *
     * @param text   any text
     * @param length the most characters of the result, at least 3
     * @return the printable text; if it was cut, it ends in three points
     */
    public static String cut(String text, int length) {
        // An escape is longer than what it stands for, so no more than this can be needed.
        boolean early = text.length() > length;
        String printable = of(early ? text.substring(0, length) : text);
        if (!early && printable.length() <= length) {
            return printable;
        }
        int end = Math.min(printable.length(), length - CUT.length());
        boolean halved = end > 0 && Character.isHighSurrogate(printable.charAt(end - 1));
        return printable.substring(0, halved ? end - 1 : end) + CUT;
    }

    /**
     * Quotes what a file has at some place: printable, of at most {@link #LONGEST_QUOTE} characters, between
     * apostrophes.
     *
     * @param text any text
     * @return the quotation
     */
    public static String quote(String text) {
        return "'" + cut(text, LONGEST_QUOTE) + "'";
    }

    private static boolean isPlain(char character) {
        return character >= ' ' && character < '\u007F';
    }

    private static void append(StringBuilder result, int character) {
        switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                result.append(escape(character));
            default -> result.appendCodePoint(character);
        }
    }

    private static String escape(int character) {
        String digits = Integer.toHexString(character).toUpperCase(Locale.ROOT);
        return character <= LAST_OF_ONE_BYTE
                ? "\\x" + "0".repeat(2 - digits.length()) + digits
                : "\\u" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }
}
