package org.trellis.matrices.harwellboeing;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.support.TextLines;

/**
 * Takes the fields of one section of a file, one after the other. Lines are cut into the fields of the section's
 * format; a line in which a field would hold two numbers, because its writer took liberties with the widths, is cut
 * at its blanks instead.
 */
final class FieldReader {
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern EXPONENT = Pattern.compile("[EeDd] *+([+-]?) *+(\\d++)|([+-])(\\d++)");
    /** Enough for every digit of any double; reading a number takes time in proportion to its length. */
    private static final int LONGEST_NUMBER = 4096;
    /** Far outside the range of doubles, even behind as many digits as a number may have. */
    private static final int EXPONENT_CEILING = 1_000_000;

    private final TextLines lines;
    private final FortranFormat format;
    private final String what;
    private String line = "";
    private int fieldEnd;
    private int fieldsTaken;
    private boolean atBlanks;
    private int tokenStart;
    private String taken = "";

    FieldReader(TextLines lines, FortranFormat format, String what) {
        this.lines = lines;
        this.format = format;
        this.what = what;
    }

    /** Takes an integer from {@code low} to {@code high}. */
    long integer(long low, long high) throws IOException {
        String token = token();
        if (!INTEGER.matcher(token).matches()) {
            throw unexpected(token, what + " from " + low + " to " + high);
        }
        long value = Long.parseLong(token);
        if (value < low || value > high) {
            throw unexpected(token, what + " from " + low + " to " + high);
        }
        return value;
    }

    /** Takes a number in any form that Fortran reads. */
    double real() throws IOException {
        String token = token();
        if (token.length() > LONGEST_NUMBER) {
            throw unexpected(token, what + " of at most " + LONGEST_NUMBER + " characters");
        }
        boolean signed = !token.isEmpty() && (token.charAt(0) == '+' || token.charAt(0) == '-');
        int firstDigit = signed ? 1 : 0;
        int end = digitsEnd(token, firstDigit);
        boolean point = end < token.length() && token.charAt(end) == '.';
        int digits = end - firstDigit;
        if (point) {
            int firstDecimal = end + 1;
            end = digitsEnd(token, firstDecimal);
            digits += end - firstDecimal;
        }
        Matcher exponent = EXPONENT.matcher(token).region(end, token.length());
        boolean hasExponent = end < token.length();
        if (digits == 0 || (hasExponent && !exponent.matches())) {
            throw unexpected(token, what);
        }
        int shift = point || format.integers() ? 0 : -format.decimals();
        int scale = hasExponent ? exponent(exponent) : format.integers() ? 0 : -format.scale();
        double value = Double.parseDouble(token.substring(0, end) + "E" + (shift + scale));
        if (Double.isInfinite(value)) {
            throw unexpected(token, what + " within the range of doubles");
        }
        return value;
    }

    private static int digitsEnd(String token, int from) {
        int end = from;
        while (end < token.length() && token.charAt(end) >= '0' && token.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    private static int exponent(Matcher match) {
        boolean letter = match.group(2) != null;
        String digits = match.group(letter ? 2 : 4);
        int value = 0;
        for (int at = 0; at < digits.length(); at++) {
            value = Math.min(EXPONENT_CEILING, 10 * value + digits.charAt(at) - '0');
        }
        return "-".equals(match.group(letter ? 1 : 3)) ? -value : value;
    }

    /** Ends the section: the rest of its last line must be blank. */
    void end() {
        String rest = line.substring(Math.min(line.length(), fieldEnd));
        if (!rest.isBlank()) {
            int column = fieldEnd + rest.length() - rest.stripLeading().length() + 1;
            throw new MatrixFormatException(lines.file(), lines.number(), column,
                    "found " + PrintableText.quote(rest.strip()),
                    "the end of the line, for there is no further " + what);
        }
    }

    /** The error of a field that was read and turns out not to fit. */
    MatrixFormatException unexpected(String expected) {
        return unexpected(taken, expected);
    }

    private MatrixFormatException unexpected(String token, String expected) {
        return new MatrixFormatException(lines.file(), lines.number(), tokenStart + 1,
                "found " + PrintableText.quote(token), expected);
    }

    private String token() throws IOException {
        while (true) {
            int end = atBlanks ? line.length() : Math.min(line.length(), fieldEnd + format.width());
            int start = fieldEnd;
            while (start < end && line.charAt(start) == ' ') {
                start++;
            }
            if (start < end && (atBlanks || fieldsTaken < format.repeat())) {
                return take(start, end);
            }
            if (start < line.length() && fieldsTaken < format.repeat()) {
                // A blank field between others would be a zero to Fortran; no program writes that on purpose.
                tokenStart = fieldEnd;
                throw unexpected("", what);
            }
            end();
            nextLine();
        }
    }

    private String take(int start, int end) {
        int stop = end;
        if (atBlanks) {
            stop = start;
            while (stop < end && line.charAt(stop) != ' ') {
                stop++;
            }
        }
        tokenStart = start;
        fieldEnd = stop;
        fieldsTaken++;
        taken = line.substring(start, stop).stripTrailing();
        return taken;
    }

    private void nextLine() throws IOException {
        String next = lines.next();
        if (next == null) {
            throw new MatrixFormatException(lines.file(), lines.number() + 1, 1, "the file ends", what);
        }
        line = next.replace('\t', ' ');
        fieldEnd = 0;
        fieldsTaken = 0;
        atBlanks = hasSplitFields();
    }

    /** Whether a field of the format holds two numbers. */
    private boolean hasSplitFields() {
        for (int from = 0; from < line.length(); from += format.width()) {
            String field = line.substring(from, Math.min(line.length(), from + format.width())).strip();
            int blank = field.indexOf(' ');
            if (blank >= 0 && Character.toLowerCase(field.charAt(blank - 1)) != 'e'
                    && Character.toLowerCase(field.charAt(blank - 1)) != 'd') {
                return true;
            }
        }
        return false;
    }
}
