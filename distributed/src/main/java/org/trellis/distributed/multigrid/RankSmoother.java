package org.trellis.distributed.multigrid;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.solve.multigrid.SmootherSpec;

/**
 * The smoother of a level: {@link RingSmoother} with what {@link SmootherSpec} says, and with the numbers that it takes
 * on one rank where it does not say all.
 *
 * @param smoother    the smoother
 * @param degree      products of one application and a residual
 * @param description what it is
 */
record RankSmoother(RingSmoother smoother, int degree, String description) {
    private static final double DAMPING = 4.0 / 3;
    private static final double MOST_DAMPING = 1.999;
    private static final double SAFETY = 1.1;
    private static final double RATIO = 30;

    /** The smoothers that there are, and their options. */
    private static final Map<String, List<String>> OPTIONS = Map.of("jacobi", List.of("omega"), "l1-jacobi", List.of(),
            "chebyshev", List.of("kind", "degree", "ratio", "lambda-max", "lambda-min"));

    /**
     * Refuses what there is not over ranks.
     *
     * @throws IllegalArgumentException if there is no such smoother or option; says which there are
     */
    static void refuse(SmootherSpec spec) {
        List<String> known = OPTIONS.get(spec.name());
        if (known == null) {
            throw new IllegalArgumentException("smoother " + spec.name() + " of multigrid over ranks, expected one of "
                    + new TreeSet<>(OPTIONS.keySet()));
        }
        for (String option : new TreeSet<>(spec.options().keySet())) {
            if (!known.contains(option)) {
                throw new IllegalArgumentException("smoother " + spec.name() + " of multigrid over ranks has no option "
                        + option + ", expected " + (known.isEmpty() ? "none" : "one of " + known));
            }
        }
    }

    /** Says how many products a sweep of a smoother makes, which is as many rings as may be of use. */
    static int degree(SmootherSpec spec) {
        return spec.name().equals("chebyshev") ? whole(spec.options().getOrDefault("degree", "3")) : 1;
    }

    private static int whole(String text) {
        if (!text.matches("[1-9][0-9]{0,2}")) {
            throw new IllegalArgumentException("degree of smoother chebyshev is '" + text
                    + "', expected a whole number from 1 to 999");
        }
        return Integer.parseInt(text);
    }

    /** Says whether the largest eigenvalue is to be estimated. */
    static boolean needsRadius(SmootherSpec spec) {
        return (spec.name().equals("jacobi") && !spec.options().containsKey("omega"))
                || (spec.name().equals("chebyshev") && !spec.options().containsKey("lambda-max"));
    }

    /** Returns the options that follow from ρ(D⁻¹A), for a smoother that one rank makes. */
    static Map<String, String> known(SmootherSpec spec, double radius) {
        if (!needsRadius(spec)) {
            return Map.of();
        }
        return spec.name().equals("jacobi")
                ? Map.of("omega", Double.toString(omega(radius)))
                : Map.of("lambda-max", Double.toString(largest(radius)));
    }

    private static double omega(double radius) {
        return radius == 0 ? 1 : Math.min(DAMPING / radius, MOST_DAMPING);
    }

    private static double largest(double radius) {
        return radius == 0 ? 1 : SAFETY * radius;
    }

    /**
     * Makes the smoother of a level. Collective.
     *
     * @param spec   what it is to be
     * @param plan   the halo of the level
     * @param radius ρ(D⁻¹A), where it is needed
     */
    static RankSmoother of(SmootherSpec spec, HaloPlan plan, double radius) {
        Map<String, String> options = spec.options();
        if (spec.name().equals("l1-jacobi")) {
            return new RankSmoother(RingSmoother.l1Jacobi(plan), 1, "l1-jacobi, omega=1.0, sweeps=1");
        }
        if (spec.name().equals("jacobi")) {
            double omega = number(options, "omega", omega(radius));
            return new RankSmoother(RingSmoother.jacobi(plan, omega), 1, "jacobi, omega=" + omega + ", sweeps=1");
        }
        int degree = degree(spec);
        double largest = number(options, "lambda-max", largest(radius));
        String kind = options.getOrDefault("kind", "1");
        if (kind.equals("4")) {
            return new RankSmoother(RingSmoother.chebyshevOfFourthKind(plan, largest), degree, String.format(
                    Locale.ROOT, "chebyshev, kind=4, degree=%d, lambda-max=%.5g, sweeps=1", degree, largest));
        }
        if (!kind.equals("1")) {
            throw new IllegalArgumentException("kind of smoother chebyshev is '" + kind + "', expected 1 or 4");
        }
        double smallest = number(options, "lambda-min", largest / number(options, "ratio", RATIO));
        return new RankSmoother(RingSmoother.chebyshev(plan, smallest, largest), degree, String.format(Locale.ROOT,
                "chebyshev, kind=1, degree=%d, lambda-min=%.5g, lambda-max=%.5g, sweeps=1", degree, smallest,
                largest));
    }

    private static double number(Map<String, String> options, String name, double otherwise) {
        String text = options.get(name);
        try {
            return text == null ? otherwise : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("option " + name + " of a smoother is '" + text
                    + "', expected a number", e);
        }
    }
}
