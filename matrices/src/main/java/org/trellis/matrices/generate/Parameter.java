package org.trellis.matrices.generate;

import java.util.List;
import java.util.Optional;

/**
 * A parameter of a generator as text: its type, range and default.
 *
 * @param name        the name, for example {@code nx}
 * @param type        what its text must be
 * @param defaultText the value when none is given; starts with {@code =} if it is the value of another parameter, which
 *                    the rest names
 * @param minimum     least number allowed; not used for choices
 * @param maximum     greatest number allowed; not used for choices
 * @param choices     the texts allowed; empty for numbers
 * @param description what it means, in a few words
 */
public record Parameter(String name, Type type, String defaultText, double minimum, double maximum,
        List<String> choices, String description) {

    /** The types of parameters. */
    public enum Type {
        /** A 32-bit whole number. */
        INTEGER,
        /** A 64-bit whole number. */
        SEED,
        /** A finite number. */
        REAL,
        /** One of a few words. */
        CHOICE
    }

    private static final long MAX_INTEGER = Integer.MAX_VALUE - 8L;

    static Parameter integer(String name, String defaultText, long minimum, String description) {
        return integer(name, defaultText, minimum, MAX_INTEGER, description);
    }

    static Parameter integer(String name, String defaultText, long minimum, long maximum, String description) {
        return new Parameter(name, Type.INTEGER, defaultText, minimum, maximum, List.of(), description);
    }

    static Parameter real(String name, String defaultText, double minimum, double maximum, String description) {
        return new Parameter(name, Type.REAL, defaultText, minimum, maximum, List.of(), description);
    }

    static Parameter choice(String name, String description, String... choices) {
        return new Parameter(name, Type.CHOICE, choices[0], 0, 0, List.of(choices), description);
    }

    static Parameter seed() {
        return new Parameter("seed", Type.SEED, "1", Long.MIN_VALUE, Long.MAX_VALUE, List.of(),
                "any number; the same seed makes the same matrix");
    }

    /**
     * Says what a value must be.
     *
     * @return a phrase that completes "expected ..."
     */
    public String expected() {
        return switch (type) {
            case INTEGER -> "a whole number from " + (long) minimum + " to " + (long) maximum;
            case SEED -> "a whole number of 64 bits";
            case REAL -> "a number" + realRange();
            case CHOICE -> "one of " + String.join(", ", choices);
        };
    }

    private String realRange() {
        if (Double.isInfinite(minimum) && Double.isInfinite(maximum)) {
            return "";
        }
        if (minimum == Double.MIN_NORMAL) {
            return " above 0";
        }
        return Double.isInfinite(maximum) ? " of at least " + minimum : " from " + minimum + " to " + maximum;
    }

    /** Returns the default in the words of the reference. */
    String shownDefault() {
        return defaultText.startsWith("=") ? defaultText.substring(1) : defaultText;
    }

    /**
     * Returns whether a text is a value of this parameter.
     *
     * @param text what was written
     * @return true if it is
     */
    public boolean accepts(String text) {
        return switch (type) {
            case INTEGER -> inRange(NumberText.wholeNumber(text).map(Long::doubleValue));
            case SEED -> NumberText.wholeNumber(text).isPresent();
            case REAL -> inRange(NumberText.number(text));
            case CHOICE -> choices.contains(text);
        };
    }

    private boolean inRange(Optional<Double> value) {
        return value.isPresent() && value.get() >= minimum && value.get() <= maximum;
    }
}
