package org.trellis.matrices.support;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A cursor over the bytes of whole lines that reads blanks, indices and numbers.
 *
 * <p>Numbers are converted eight digits at a time ({@link Digits}) and rounded correctly ({@link DecimalRounding}).
 * The text must be followed by a line feed, which ends every token, and by {@link #PADDING} readable bytes, so that
 * no read needs a check of its own. Wrong text is a {@link SyntaxFailure}.
 *
 * <p>Not thread-safe: one scanner per thread.
 */
public final class TextScanner {

    /** Bytes that must be readable behind the text: the line feed that ends it and one word of digits. */
    public static final int PADDING = 1 + Digits.WORD_BYTES;

    /** Decimal digits that always fit an unsigned 64-bit significand. */
    private static final int SIGNIFICAND_DIGITS = 19;
    /** Far outside the range of doubles, even next to a fraction that fills a whole line. */
    private static final int EXPONENT_CEILING = 1_000_000;
    private static final int LOWER_CASE = 0x20;

    private byte[] text;
    private int position;
    private long significand;

    /** Makes a scanner without a text. */
    public TextScanner() {}

    /**
     * Moves to a position of a text.
     *
     * @param newText     the text, with a line feed and padding behind it
     * @param newPosition index of the next byte
     */
    public void attach(byte[] newText, int newPosition) {
        text = newText;
        position = newPosition;
    }

    /**
     * Returns where the scanner is.
     *
     * @return index of the next byte
     */
    public int position() {
        return position;
    }

    /**
     * Looks ahead.
     *
     * @return the next byte, which is not consumed
     */
    public byte peek() {
        return text[position];
    }

    /** Skips spaces and tabs, if any. */
    public void skipBlanks() {
        int at = position;
        while (isBlank(text[at])) {
            at++;
        }
        position = at;
    }

    /**
     * Skips the blanks between two tokens; there must be one.
     *
     * @param expected what comes next, for the message
     * @throws SyntaxFailure if there is none
     */
    public void separator(String expected) {
        if (!isBlank(text[position])) {
            throw new SyntaxFailure(position, expected);
        }
        position++;
        if (text[position] <= ' ') {
            skipBlanks();
        }
    }

    /** Moves behind the next line feed, whatever comes before it. */
    public void skipLine() {
        int at = position;
        while (text[at] != '\n') {
            at++;
        }
        position = at + 1;
    }

    /**
     * Moves behind the end of this line; only blanks may come before it.
     *
     * @param expected what should have been there, for the message
     * @throws SyntaxFailure if something else comes before the end of the line
     */
    public void endOfLine(String expected) {
        if (text[position] != '\n') {
            skipBlanks();
            if (text[position] == '\r' && text[position + 1] == '\n') {
                position++;
            } else if (text[position] != '\n') {
                throw new SyntaxFailure(position, expected);
            }
        }
        position++;
    }

    /**
     * Reads an index.
     *
     * @param limit the largest legal index of the text, which counts from one
     * @param what  the index, for the message
     * @return the index counted from zero
     * @throws SyntaxFailure if there is none, or one out of range
     */
    public int index(int limit, String what) {
        int at = position;
        long word = Digits.word(text, at);
        int count = Digits.count(word);
        if (count == 0 || count == Digits.WORD_BYTES) {
            return longIndex(limit, what);
        }
        long value = Digits.value(word, count);
        if (value < 1 || value > limit) {
            throw outOfRange(at, limit, what);
        }
        position = after(at, count);
        return (int) value - 1;
    }

    /**
     * The position {@code count} bytes on. For the usual lengths of an index it depends on a branch, which the
     * processor guesses, and not on the digits just read, which it would have to wait for: a tenth of the whole time
     * of parsing.
     */
    private static int after(int at, int count) {
        return switch (count) {
            case 7 -> at + 7;
            case 6 -> at + 6;
            case 5 -> at + 5;
            case 4 -> at + 4;
            default -> at + count;
        };
    }

    private int longIndex(int limit, String what) {
        int start = position;
        significand = 0;
        int end = digits(start);
        int first = skipZeros(start, end);
        if (end == start || end - first > SIGNIFICAND_DIGITS - 1 || significand < 1 || significand > limit) {
            throw outOfRange(start, limit, what);
        }
        position = end;
        return (int) significand - 1;
    }

    private static SyntaxFailure outOfRange(int at, int limit, String what) {
        return new SyntaxFailure(at, limit == 0 ? "no entry, for there is no " + what : what + " from 1 to " + limit);
    }

    /**
     * Reads a real number; {@code inf}, {@code infinity} and {@code nan} count as such in any letter case.
     *
     * @return the nearest double
     * @throws SyntaxFailure if there is none
     */
    public double real() {
        int start = position;
        byte sign = text[start];
        int firstDigit = sign == '-' || sign == '+' ? start + 1 : start;
        significand = 0;
        int at = digits(firstDigit);
        int digits = at - firstDigit;
        int fraction = 0;
        if (text[at] == '.') {
            int firstDecimal = at + 1;
            at = digits(firstDecimal);
            fraction = at - firstDecimal;
            digits += fraction;
        }
        if (digits == 0) {
            return word(start, firstDigit);
        }
        position = at;
        int exponent = exponent();
        double magnitude = digits <= SIGNIFICAND_DIGITS
                ? DecimalRounding.nearest(significand, exponent - fraction)
                : manyDigits(firstDigit, at, exponent);
        return sign == '-' ? -magnitude : magnitude;
    }

    /**
     * Reads an integer of any length; beyond 2^53 it is rounded to the nearest double.
     *
     * @return the integer
     * @throws SyntaxFailure if there is none, or one out of range
     */
    public double integer() {
        int start = position;
        byte sign = text[start];
        int firstDigit = sign == '-' || sign == '+' ? start + 1 : start;
        significand = 0;
        int at = digits(firstDigit);
        if (at == firstDigit || !endsToken(text[at])) {
            throw new SyntaxFailure(start, "an integer");
        }
        position = at;
        double magnitude = at - firstDigit <= SIGNIFICAND_DIGITS
                ? DecimalRounding.nearest(significand, 0)
                : manyDigits(firstDigit, at, 0);
        return sign == '-' ? -magnitude : magnitude;
    }

    /**
     * Reads an integer with or without sign.
     *
     * @param low  the least legal value
     * @param high the greatest legal value
     * @param what the number, for the message
     * @return its value
     * @throws SyntaxFailure if there is none, or one out of range
     */
    public int integer(int low, int high, String what) {
        int start = position;
        byte sign = text[start];
        int firstDigit = sign == '-' || sign == '+' ? start + 1 : start;
        significand = 0;
        int end = digits(firstDigit);
        boolean fits = end > firstDigit && end - skipZeros(firstDigit, end) < SIGNIFICAND_DIGITS;
        long value = sign == '-' ? -significand : significand;
        if (!fits || value < low || value > high) {
            throw new SyntaxFailure(start, what + " from " + low + " to " + high);
        }
        position = end;
        return (int) value;
    }

    /** Appends the digits from a position to the significand, which may wrap, and returns where they end. */
    private int digits(int from) {
        int at = from;
        long word = Digits.word(text, at);
        int count = Digits.count(word);
        while (count == Digits.WORD_BYTES) {
            significand = significand * 100_000_000L + Digits.value(word, Digits.WORD_BYTES);
            at += Digits.WORD_BYTES;
            word = Digits.word(text, at);
            count = Digits.count(word);
        }
        if (count > 0) {
            significand = significand * Digits.powerOfTen(count) + Digits.value(word, count);
        }
        return at + count;
    }

    /** Reads the exponent, if there is one: E or, as Fortran writes it, D. */
    private int exponent() {
        int letter = text[position] | LOWER_CASE;
        if (letter != 'e' && letter != 'd') {
            return 0;
        }
        int at = position + 1;
        byte sign = text[at];
        if (sign == '-' || sign == '+') {
            at++;
        }
        int firstDigit = at;
        int exponent = 0;
        while (Digits.isDigit(text[at])) {
            exponent = Math.min(EXPONENT_CEILING, exponent * 10 + (text[at] - '0'));
            at++;
        }
        if (at == firstDigit) {
            throw new SyntaxFailure(at, "the digits of an exponent");
        }
        position = at;
        return sign == '-' ? -exponent : exponent;
    }

    /**
     * Numbers of 20 digits and more: if the leading 19 and their successor round to the same double, so does
     * everything in between; otherwise the JDK decides.
     */
    private double manyDigits(int from, int to, int exponent) {
        long leading = 0;
        int kept = 0;
        int scale = exponent;
        boolean fraction = false;
        boolean exact = true;
        for (int at = from; at < to; at++) {
            int digit = text[at] - '0';
            if (text[at] == '.') {
                fraction = true;
            } else if (kept < SIGNIFICAND_DIGITS) {
                leading = leading * 10 + digit;
                kept += kept > 0 || digit > 0 ? 1 : 0;
                scale -= fraction ? 1 : 0;
            } else {
                exact &= digit == 0;
                scale += fraction ? 0 : 1;
            }
        }
        double below = DecimalRounding.nearest(leading, scale);
        if (exact || below == DecimalRounding.nearest(leading + 1, scale)) {
            return below;
        }
        return Double.parseDouble(string(from, to) + "E" + exponent);
    }

    /**
     * Distinguishes numbers from words.
     *
     * @param start where the token that was read last starts
     * @return whether it has a digit, so that it is no word
     */
    public boolean hasDigit(int start) {
        for (int at = start; at < position; at++) {
            if (Digits.isDigit(text[at])) {
                return true;
            }
        }
        return false;
    }

    private double word(int start, int firstLetter) {
        int end = firstLetter;
        while (isLetter(text[end])) {
            end++;
        }
        double magnitude = switch (string(firstLetter, end).toLowerCase(Locale.ROOT)) {
            case "inf", "infinity" -> Double.POSITIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> throw new SyntaxFailure(start, "a number");
        };
        position = end;
        return text[start] == '-' && magnitude > 0 ? -magnitude : magnitude;
    }

    private int skipZeros(int from, int to) {
        int at = from;
        while (at < to && text[at] == '0') {
            at++;
        }
        return at;
    }

    private String string(int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static boolean isBlank(byte character) {
        return character == ' ' || character == '\t';
    }

    private static boolean endsToken(byte character) {
        return isBlank(character) || character == '\n' || character == '\r';
    }

    private static boolean isLetter(byte character) {
        int lower = character | LOWER_CASE;
        return lower >= 'a' && lower <= 'z';
    }
}
