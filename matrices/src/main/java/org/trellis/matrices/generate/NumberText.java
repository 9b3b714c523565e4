package org.trellis.matrices.generate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as people write them: {@code 1000000}, {@code 1_000_000}, {@code 1e6}, {@code 2^20}. */
final class NumberText {
    private static final Pattern POWER = Pattern.compile("([0-9]{1,9})\\^([0-9]{1,3})");
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?([0-9]+(_[0-9]+)*)?(\\.[0-9]*)?([eE][+-]?[0-9]{1,3})?");

    private NumberText() {}

    /** Returns the whole number, or nothing if the text is none or does not fit 64 bits. */
    static Optional<Long> wholeNumber(String text) {
        Matcher power = POWER.matcher(text);
        BigDecimal value;
        if (power.matches()) {
            value = new BigDecimal(new BigInteger(power.group(1)).pow(Integer.parseInt(power.group(2))));
        } else if (isDecimal(text)) {
            value = new BigDecimal(text.replace("_", ""));
        } else {
            return Optional.empty();
        }
        boolean whole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
        boolean fits = value.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        return whole && fits ? Optional.of(value.longValueExact()) : Optional.empty();
    }

    /** Returns the finite number, or nothing if the text is none. */
    static Optional<Double> number(String text) {
        if (POWER.matcher(text).matches()) {
            return wholeNumber(text).map(Long::doubleValue);
        }
        return isDecimal(text)
                ? Optional.of(Double.parseDouble(text.replace("_", ""))).filter(Double::isFinite)
                : Optional.empty();
    }

    private static boolean isDecimal(String text) {
        return DECIMAL.matcher(text).matches() && text.chars().takeWhile(c -> c != 'e' && c != 'E')
                .anyMatch(c -> c >= '0' && c <= '9');
    }
}
