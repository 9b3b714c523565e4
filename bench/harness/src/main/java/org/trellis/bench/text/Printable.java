package org.trellis.bench.text;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Shows what a terminal or a reader of XML must not get as it is: names, titles and messages may come from files, and a
 * file may hold sequences that move the cursor, change colours or hide text. Such a character is shown as its code, for
 * example {@code \\u001b}.
 */
public final class Printable {
    private static final Pattern LONG_NUMBER = Pattern.compile("(?<![\\w.])\\d+\\.\\d{9,}(E-?\\d{1,3})?(?![\\w.]\\w)");

    private Printable() {}

    /**
     * Makes a text fit for a part of one line.
     *
     * @param text the text
     * @return the text, with codes in the place of line breaks, tabs and all that cannot be shown
     */
    public static String line(String text) {
        return shown(text, false);
    }

    /**
     * Makes a text fit to be shown that may have several lines.
     *
     * @param text the text
     * @return the text, with codes in the place of all that cannot be shown; tabs and line feeds stay
     */
    public static String text(String text) {
        return shown(text, true);
    }

    private static String shown(String text, boolean lines) {
        int plain = 0;
        while (plain < text.length() && isPlain(text, plain, lines)) {
            plain++;
        }
        if (plain == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, plain);
        for (int i = plain; i < text.length(); i++) {
            if (isPlain(text, i, lines)) {
                shown.append(text.charAt(i));
            } else {
                appendCode(text.charAt(i), shown);
            }
        }
        return shown.toString();
    }

    private static boolean isPlain(String text, int at, boolean lines) {
        char c = text.charAt(at);
        if (c == '\n' || c == '\t') {
            return lines;
        }
        if (Character.isHighSurrogate(c)) {
            return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
        }
        return isShown(c);
    }

    /**
     * Returns whether a character shows as itself, and changes nothing else.
     *
     * @param c the character; halves of a pair count as shown
     * @return false for control characters, those that turn the direction of text or take no room, and no characters
     */
    static boolean isShown(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> c != '\ufffe' && c != '\uffff';
        };
    }

    static void appendCode(char c, StringBuilder to) {
        switch (c) {
            case '\n' -> to.append("\\n");
            case '\r' -> to.append("\\r");
            case '\t' -> to.append("\\t");
            default -> to.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
        }
    }

    /**
     * Shortens numbers with so many digits that are not read them, as {@code Double.toString} writes them, where they
     * stand in a sentence; names, which have no blanks, stay as they are.
     *
     * @param sentence a sentence or a name
     * @return the sentence with at most five digits of each such number
     */
    public static String brief(String sentence) {
        return sentence.indexOf(' ') < 0
                ? sentence
                : LONG_NUMBER.matcher(sentence)
                        .replaceAll(found -> String.format(Locale.ROOT, "%.5g", Double.parseDouble(found.group())));
    }
}
