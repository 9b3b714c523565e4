package org.trellis.examples;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A text {@code name:key=value,key=value}, as options have it. Asking for a key makes it known. */
public final class TextSpec {
    private final String what;
    private final String name;
    private final Map<String, String> given = new LinkedHashMap<>();
    private final Set<String> known = new TreeSet<>();

    private TextSpec(String what, String name) {
        this.what = what;
        this.name = name;
    }

    /**
     * Takes a text apart.
     *
     * @param what for messages, for example {@code --bed}
     * @param text the text
     * @return its parts
     * @throws IllegalArgumentException if it has another form
     */
    public static TextSpec parse(String what, String text) {
        int colon = text.indexOf(':');
        TextSpec spec = new TextSpec(what, colon < 0 ? text : text.substring(0, colon));
        if (colon >= 0 && colon < text.length() - 1) {
            for (String part : text.substring(colon + 1).split(",", -1)) {
                int equals = part.indexOf('=');
                if (equals < 1 || equals == part.length() - 1) {
                    throw new IllegalArgumentException(
                            what + " " + text + ": '" + part + "', expected parameter=value");
                }
                if (spec.given.put(part.substring(0, equals), part.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException(what + " " + text + ": " + part.substring(0, equals)
                            + " is given twice, expected once");
                }
            }
        }
        return spec;
    }

    /**
     * Returns what stands before the colon.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    private IllegalArgumentException wrong(String key, String value, String expected) {
        return new IllegalArgumentException(
                what + " " + name + ": " + key + " is '" + value + "', expected " + expected);
    }

    /**
     * Returns a value as it was written.
     *
     * @param key       the parameter
     * @param byDefault what counts where it was not given
     * @return the text
     */
    public String text(String key, String byDefault) {
        known.add(key);
        return given.getOrDefault(key, byDefault);
    }

    /**
     * Returns a number.
     *
     * @param key       the parameter
     * @param byDefault what counts where it was not given
     * @return a finite number, or the default
     * @throws IllegalArgumentException if it is something else
     */
    public double number(String key, double byDefault) {
        String value = text(key, null);
        if (value == null) {
            return byDefault;
        }
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw (IllegalArgumentException) wrong(key, value, "a number").initCause(e);
        }
        throw wrong(key, value, "a finite number");
    }

    /**
     * Returns a number above zero.
     *
     * @param key       the parameter
     * @param byDefault what counts where it was not given
     * @return the number
     * @throws IllegalArgumentException if it is something else
     */
    public double positive(String key, double byDefault) {
        double number = number(key, byDefault);
        if (!(number > 0)) {
            throw wrong(key, Double.toString(number), "a number above 0");
        }
        return number;
    }

    /**
     * Returns a whole number.
     *
     * @param key       the parameter
     * @param byDefault what counts where it was not given
     * @param least     the least that is allowed
     * @param most      the greatest that is allowed
     * @return the number
     * @throws IllegalArgumentException if it is something else
     */
    public int whole(String key, int byDefault, int least, int most) {
        double number = number(key, byDefault);
        if (number != Math.rint(number) || number < least || number > most) {
            throw wrong(key, text(key, Integer.toString(byDefault)),
                    String.format(Locale.ROOT, "a whole number from %d to %d", least, most));
        }
        return (int) number;
    }

    /**
     * Ends the reading.
     *
     * @throws IllegalArgumentException if a key was given that was not read
     */
    public void finish() {
        for (String key : given.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(what + " " + name + ": parameter '" + key + "' is unknown, expected "
                        + (known.isEmpty() ? "none" : "one of " + String.join(", ", known)));
            }
        }
    }
}
