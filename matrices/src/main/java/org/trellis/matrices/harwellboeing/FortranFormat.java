package org.trellis.matrices.harwellboeing;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Fortran edit descriptor such as {@code (16I5)} or {@code (1P3D24.15)}: so many fields of so many characters a
 * line.
 *
 * @param repeat  fields a line
 * @param letter  I for integers; E, D, F or G for reals
 * @param width   characters a field
 * @param decimals digits after the decimal point of a number that has none
 * @param scale   the factor {@code kP}: numbers without an exponent are divided by {@code 10^k} (Fortran 77, 13.5.7)
 */
record FortranFormat(int repeat, char letter, int width, int decimals, int scale) {
    private static final Pattern FORM = Pattern.compile(
            "\\((?:([+-]?\\d{1,3})P,?)?(\\d{0,4})([IEDFG])(\\d{1,4})(?:\\.(\\d{1,3}))?(?:E\\d{1,2})?\\)");

    /** Reads a descriptor; null if it is none. */
    static FortranFormat parse(String text) {
        Matcher match = FORM.matcher(text.replace(" ", "").toUpperCase(Locale.ROOT));
        if (!match.matches()) {
            return null;
        }
        FortranFormat format = new FortranFormat(number(match.group(2), 1), match.group(3).charAt(0),
                number(match.group(4), 0), number(match.group(5), 0), number(match.group(1), 0));
        return format.repeat > 0 && format.width > 0 ? format : null;
    }

    private static int number(String digits, int otherwise) {
        return digits == null || digits.isEmpty() ? otherwise : Integer.parseInt(digits);
    }

    boolean integers() {
        return letter == 'I';
    }
}
