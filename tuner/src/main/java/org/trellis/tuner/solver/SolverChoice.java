package org.trellis.tuner.solver;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.trellis.common.Precision;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;

/**
 * A way to solve systems with a matrix, as a value: a stack of method and preconditioner, a factorisation, or the
 * choice by rules; and what becomes of the preconditioner when the matrix takes other values. When a solution ends is
 * no part of it.
 *
 * <p>As text: {@code auto}, {@code direct}, or a stack as {@link SolverConfig#parse} reads it; {@code , kept} at its
 * end for {@link Renewal#GROWN}.
 *
 * @param stack   method, preconditioner and their options, with default criteria; empty for a factorisation
 * @param renewal when the preconditioner is made anew
 */
public record SolverChoice(Optional<SolverConfig> stack, Renewal renewal) {
    private static final String DIRECT_NAME = "direct";
    private static final String KEPT = ", kept";
    private static final String METHOD = "method";
    private static final String PRECONDITIONER = "preconditioner";
    private static final String MIXED = "mixedPrecision";
    private static final String RENEWAL = "renewal";
    private static final StoppingCriteria USUAL = StoppingCriteria.defaults(Precision.F64);

    /** A factorisation of the whole matrix. */
    public static final SolverChoice DIRECT = new SolverChoice(Optional.empty(), Renewal.ALWAYS);

    /** The choice by rules, which falls back where what it chose breaks down. */
    public static final SolverChoice AUTO = of(SolverConfig.of(SolverConfig.AUTO, SolverConfig.AUTO));

    /** When a preconditioner is made anew after the matrix has taken other values. */
    public enum Renewal {
        /** Before the next solution; multigrid and factorisations reuse what they know of the structure. */
        ALWAYS,
        /** Once solutions with the old one take half as many iterations more than with a new one. */
        GROWN
    }

    /**
     * Normalises the criteria.
     *
     * @throws IllegalArgumentException if a factorisation, or the choice by rules, is to be kept: they follow the
     *                                  values
     */
    public SolverChoice {
        stack = stack.map(given -> new SolverConfig(given.method(), given.methodOptions(), given.preconditioner(),
                given.preconditionerOptions(), USUAL, given.mixedPrecision(), false));
        if (renewal == Renewal.GROWN && stack.map(SolverConfig::isAutomatic).orElse(true)) {
            throw new IllegalArgumentException((stack.isPresent() ? SolverConfig.AUTO : DIRECT_NAME)
                    + " is to keep its preconditioner, expected a method that has one, such as cg with direct");
        }
    }

    /**
     * Chooses a stack whose preconditioner is made anew for other values.
     *
     * @param stack method, preconditioner and their options
     * @return the choice
     */
    public static SolverChoice of(SolverConfig stack) {
        return new SolverChoice(Optional.of(stack), Renewal.ALWAYS);
    }

    /**
     * Chooses the same stack with another renewal.
     *
     * @param other when the preconditioner is made anew
     * @return another choice
     * @throws IllegalArgumentException if this has no preconditioner that can be kept
     */
    public SolverChoice with(Renewal other) {
        return new SolverChoice(stack, other);
    }

    /**
     * Says whether this is a factorisation alone.
     *
     * @return true for {@link #DIRECT}
     */
    public boolean isDirect() {
        return stack.isEmpty();
    }

    /**
     * Says whether rules choose.
     *
     * @return true for {@link #AUTO}
     */
    public boolean isAutomatic() {
        return stack.map(SolverConfig::isAutomatic).orElse(false);
    }

    /**
     * Names the kind of preparation: choices of one family prepare about the same.
     *
     * @return the preconditioner's name, {@code direct} for a factorisation
     */
    public String family() {
        return stack.map(SolverConfig::preconditioner).orElse(DIRECT_NAME);
    }

    /**
     * Reads a text.
     *
     * @param text as {@link #toString} writes it
     * @return the choice
     * @throws IllegalArgumentException if it is none; says what was expected
     */
    public static SolverChoice parse(String text) {
        boolean kept = text.endsWith(KEPT);
        String stack = kept ? text.substring(0, text.length() - KEPT.length()) : text;
        return new SolverChoice(stack.equals(DIRECT_NAME) ? Optional.empty() : Optional.of(SolverConfig.parse(stack)),
                kept ? Renewal.GROWN : Renewal.ALWAYS);
    }

    /**
     * Returns the parameters by name, for files: {@code method}, {@code preconditioner}, options after the name of what
     * they belong to and a dot, {@code mixedPrecision}, {@code renewal}.
     *
     * @return a new map; what is as by default is left out
     */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        if (stack.isEmpty()) {
            map.put(METHOD, DIRECT_NAME);
            return map;
        }
        SolverConfig chosen = stack.get();
        map.put(METHOD, chosen.method());
        chosen.methodOptions().forEach((name, value) -> map.put(METHOD + '.' + name, value));
        map.put(PRECONDITIONER, chosen.preconditioner());
        chosen.preconditionerOptions().forEach((name, value) -> map.put(PRECONDITIONER + '.' + name, value));
        if (chosen.mixedPrecision()) {
            map.put(MIXED, true);
        }
        if (renewal == Renewal.GROWN) {
            map.put(RENEWAL, "grown");
        }
        return map;
    }

    /**
     * Reads parameters by name; the inverse of {@link #toMap}.
     *
     * @param map names and values
     * @return the choice
     * @throws IllegalArgumentException if a name or value is unknown, or things do not go together; says what would
     */
    public static SolverChoice fromMap(Map<String, ?> map) {
        if (DIRECT_NAME.equals(map.get(METHOD)) && map.size() == 1) {
            return DIRECT;
        }
        Map<String, String> ofMethod = new TreeMap<>();
        Map<String, String> ofPreconditioner = new TreeMap<>();
        map.forEach((name, value) -> {
            if (name.startsWith(METHOD + '.')) {
                ofMethod.put(name.substring(METHOD.length() + 1), value.toString());
            } else if (name.startsWith(PRECONDITIONER + '.')) {
                ofPreconditioner.put(name.substring(PRECONDITIONER.length() + 1), value.toString());
            } else if (!Set.of(METHOD, PRECONDITIONER, MIXED, RENEWAL).contains(name)) {
                throw new IllegalArgumentException("parameter '" + name + "' of a solver, expected " + METHOD + ", "
                        + PRECONDITIONER + ", options of them after a dot, " + MIXED + " or " + RENEWAL);
            }
        });
        boolean grown = map.containsKey(RENEWAL);
        if (grown && !"grown".equals(map.get(RENEWAL))) {
            throw new IllegalArgumentException(RENEWAL + " of a solver is '" + map.get(RENEWAL)
                    + "', expected grown, or nothing");
        }
        return new SolverChoice(Optional.of(new SolverConfig(text(map, METHOD), ofMethod, text(map, PRECONDITIONER),
                ofPreconditioner, USUAL, Boolean.TRUE.equals(map.get(MIXED)), false)),
                grown ? Renewal.GROWN : Renewal.ALWAYS);
    }

    private static String text(Map<String, ?> map, String name) {
        if (map.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + " of a solver is " + map.get(name) + ", expected a name");
    }

    /** Says whether two choices may differ in so few parameters, by a look at their names. */
    boolean isNear(SolverChoice other, int most) {
        String mine = stack.map(SolverConfig::method).orElse(DIRECT_NAME);
        String theirs = other.stack.map(SolverConfig::method).orElse(DIRECT_NAME);
        return (mine.equals(theirs) ? 0 : 1) + (family().equals(other.family()) ? 0 : 1) <= most;
    }

    /**
     * Counts the parameters in which two choices differ.
     *
     * @param other another choice
     * @return 0 for the same; a preconditioner with another name counts once, its options not
     */
    public int distance(SolverChoice other) {
        Map<String, Object> mine = toMap();
        Map<String, Object> theirs = other.toMap();
        Set<String> names = new TreeSet<>(mine.keySet());
        names.addAll(theirs.keySet());
        boolean sameFamily = family().equals(other.family());
        boolean sameMethod = mine.get(METHOD).equals(theirs.get(METHOD));
        return (int) names.stream().filter(name -> sameFamily || !name.startsWith(PRECONDITIONER + '.'))
                .filter(name -> sameMethod || !name.startsWith(METHOD + '.'))
                .filter(name -> !Optional.ofNullable(mine.get(name)).equals(Optional.ofNullable(theirs.get(name))))
                .count();
    }

    @Override
    public String toString() {
        return stack.map(SolverConfig::toString).orElse(DIRECT_NAME) + (renewal == Renewal.GROWN ? KEPT : "");
    }
}
