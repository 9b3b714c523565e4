package org.trellis.solve.smooth;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Options of a smoother as text: refuses unknown ones and values out of range, and says what there is. */
final class SmootherOptions {
    private final String name;
    private final Map<String, String> given;
    private final List<String> known;

    /**
     * Checks names.
     *
     * @param name  the smoother
     * @param given options and their values
     * @param known the options it has
     */
    SmootherOptions(String name, Map<String, String> given, List<String> known) {
        this.name = name;
        this.given = given;
        this.known = known;
        for (String option : new TreeSet<>(given.keySet())) {
            if (!known.contains(option)) {
                throw new IllegalArgumentException("preconditioner '" + name + "' has no option '" + option + "'"
                        + (known.isEmpty() ? ", it has none" : ", expected one of " + known));
            }
        }
    }

    String text(String option, String otherwise, String... allowed) {
        String value = given.getOrDefault(option, otherwise);
        if (!Arrays.asList(allowed).contains(value)) {
            throw refused(option, value, "one of " + Arrays.toString(allowed));
        }
        return value;
    }

    boolean has(String option) {
        return given.containsKey(option);
    }

    int whole(String option, int otherwise, int least, int most) {
        String value = given.getOrDefault(option, Integer.toString(otherwise));
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(option, value, "a whole number");
        }
        throw refused(option, value, "a whole number from " + least + " to " + most);
    }

    /** A number above a limit and below another. */
    double real(String option, double otherwise, double above, double below) {
        String value = given.getOrDefault(option, Double.toString(otherwise));
        try {
            double number = Double.parseDouble(value);
            if (number > above && number < below) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(option, value, "a number");
        }
        throw refused(option, value, "a number above " + above + " and below " + below);
    }

    /** A number of at least a limit and below another. */
    double realFrom(String option, double otherwise, double least, double below) {
        String value = given.getOrDefault(option, Double.toString(otherwise));
        try {
            double number = Double.parseDouble(value);
            if (number >= least && number < below) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(option, value, "a number");
        }
        throw refused(option, value, "a number of at least " + least + " and below " + below);
    }

    /** Whole numbers separated by commas. */
    int[] list(String option) {
        String value = given.getOrDefault(option, "");
        try {
            return Arrays.stream(value.split(",")).map(String::strip).mapToInt(Integer::parseInt).toArray();
        } catch (NumberFormatException e) {
            throw refused(option, value, "whole numbers separated by commas");
        }
    }

    IllegalArgumentException refused(String option, String value, String expected) {
        return new IllegalArgumentException("preconditioner '" + name + "': option " + option + " is '" + value
                + "', expected " + expected + "; options are " + known);
    }
}
