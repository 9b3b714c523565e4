package org.trellis.solve.smooth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;

/**
 * Options of a smoother as text: refuses unknown ones and values out of range, and says what there is. Every smoother
 * reads its options here, on one rank and over several, so that names, ranges and defaults are the same
 * ({@link Preconditioners} lists them).
 */
public final class SmootherOptions {
    private static final String COLOURED = "coloured";
    private static final int MAX_COUNT = 1_000_000;
    private static final double MAX_NUMBER = 1e300;
    private static final int CHEBYSHEV_DEGREE = 3;
    private static final double CHEBYSHEV_RATIO = 30;
    private static final int NEUMANN_DEGREE = 2;

    private final String name;
    private final Map<String, String> given;
    private final List<String> known;

    /**
     * Checks names.
     *
     * @param name  the smoother
     * @param given options and their values
     * @param known the options it has
     * @throws IllegalArgumentException if it has not one of those that are given; says which it has
     */
    public SmootherOptions(String name, Map<String, String> given, List<String> known) {
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

    /** One of the constants of a type, by its name in lower case with hyphens. */
    <E extends Enum<E>> E constant(String option, E otherwise) {
        E[] all = otherwise.getDeclaringClass().getEnumConstants();
        String[] allowed = Arrays.stream(all).map(SmootherOptions::word).toArray(String[]::new);
        String value = text(option, word(otherwise), allowed);
        return all[Arrays.asList(allowed).indexOf(value)];
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean has(String option) {
        return given.containsKey(option);
    }

    /**
     * Returns how many sweeps an application has.
     *
     * @return {@code sweeps}, 1 unless given
     * @throws IllegalArgumentException if it is no whole number of at least 1
     */
    public int sweeps() {
        return whole("sweeps", 1, 1, MAX_COUNT);
    }

    /**
     * Returns the damping.
     *
     * @param otherwise what it is unless given
     * @return {@code omega}
     * @throws IllegalArgumentException if it is not between 0 and 2
     */
    public double omega(double otherwise) {
        return real("omega", otherwise, 0, 2);
    }

    /**
     * Says whether relaxation goes by colours.
     *
     * @return {@code order}: true unless it is natural
     * @throws IllegalArgumentException if it is neither coloured nor natural
     */
    public boolean coloured() {
        return text("order", COLOURED, COLOURED, "natural").equals(COLOURED);
    }

    /**
     * Returns in which order unknowns are visited.
     *
     * @return {@code direction}, symmetric unless given
     * @throws IllegalArgumentException if it is not symmetric, forward or backward
     */
    public SweepDirection direction() {
        return switch (text("direction", "symmetric", "symmetric", "forward", "backward")) {
            case "forward" -> SweepDirection.FORWARD;
            case "backward" -> SweepDirection.BACKWARD;
            default -> SweepDirection.SYMMETRIC;
        };
    }

    /**
     * Says whether Chebyshev polynomials are those of the fourth kind.
     *
     * @return {@code kind}: false unless it is 4
     * @throws IllegalArgumentException if it is neither 1 nor 4
     */
    public boolean fourthKind() {
        return text("kind", "1", "1", "4").equals("4");
    }

    /**
     * Returns the degree of a Chebyshev polynomial.
     *
     * @return {@code degree}, 3 unless given
     * @throws IllegalArgumentException if it is no whole number of at least 1
     */
    public int chebyshevDegree() {
        return whole("degree", CHEBYSHEV_DEGREE, 1, MAX_COUNT);
    }

    /**
     * Returns the degree of a truncated Neumann series.
     *
     * @return {@code degree}, 2 unless given
     * @throws IllegalArgumentException if it is no whole number of at least 0
     */
    public int neumannDegree() {
        return whole("degree", NEUMANN_DEGREE, 0, MAX_COUNT);
    }

    /**
     * Returns the upper end of the interval of a Chebyshev polynomial.
     *
     * @param estimate makes one where {@code lambda-max} is not given
     * @return the end
     * @throws IllegalArgumentException if it is given and not positive
     */
    public double largest(DoubleSupplier estimate) {
        return has("lambda-max") ? real("lambda-max", 1, 0, MAX_NUMBER) : estimate.getAsDouble();
    }

    /**
     * Returns the lower end of the interval of a Chebyshev polynomial.
     *
     * @param largest the upper end
     * @return {@code lambda-min}, or the upper end over {@code ratio}, which is 30 unless given
     * @throws IllegalArgumentException if it is not positive or above the upper end
     */
    public double smallest(double largest) {
        return has("lambda-min")
                ? real("lambda-min", 1, 0, Math.nextUp(largest))
                : largest / real("ratio", CHEBYSHEV_RATIO, 1, MAX_NUMBER);
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

    /**
     * Makes what is thrown for a value.
     *
     * @param option   the option
     * @param value    what was given
     * @param expected what it should have been
     * @return an exception that states it, with all options
     */
    public IllegalArgumentException refused(String option, String value, String expected) {
        return new IllegalArgumentException("preconditioner '" + name + "': option " + option + " is '" + value
                + "', expected " + expected + "; options are " + known);
    }
}
