package org.trellis.solve.krylov;

import java.util.List;
import java.util.Map;

/** Options by name, as a configuration or a command line has them. */
final class MethodOptions {
    private final String owner;
    private final Map<String, String> values;

    /**
     * Takes the options.
     *
     * @param owner whose they are, for messages
     * @param known the names that there are
     * @throws IllegalArgumentException if there is another name among them
     */
    MethodOptions(String owner, List<String> known, Map<String, String> values) {
        this.owner = owner;
        this.values = Map.copyOf(values);
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("option '" + name + "' of " + owner + ", expected "
                        + (known.isEmpty() ? "none: it has no options" : "one of " + String.join(", ", known)));
            }
        }
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    double number(String name, double byDefault) {
        String text = values.get(name);
        if (text == null) {
            return byDefault;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(refusal(name, text, "a number"), e);
        }
    }

    int positive(String name, int byDefault) {
        String text = values.get(name);
        if (text == null) {
            return byDefault;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(refusal(name, text, "a whole number of at least 1"), e);
        }
        throw new IllegalArgumentException(refusal(name, text, "a whole number of at least 1"));
    }

    /** Returns the value, which is one of those named; the first by default. */
    String choice(String name, String... allowed) {
        String text = values.getOrDefault(name, allowed[0]);
        if (!List.of(allowed).contains(text)) {
            throw new IllegalArgumentException(refusal(name, text, "one of " + String.join(", ", allowed)));
        }
        return text;
    }

    private String refusal(String name, String text, String expected) {
        return "option '" + name + "' of " + owner + " is '" + text + "', expected " + expected;
    }
}
