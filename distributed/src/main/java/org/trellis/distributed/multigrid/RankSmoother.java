package org.trellis.distributed.multigrid;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.solve.multigrid.SmootherSpec;
import org.trellis.solve.smooth.SmootherOptions;

/**
 * The smoother of a level: {@link RingSmoother} with what {@link SmootherSpec} says, and with the numbers that it takes
 * on one rank where it does not say all.
 *
 * @param smoother    the smoother
 * @param degree      products of one application and a residual
 * @param description what it is
 */
record RankSmoother(RingSmoother smoother, int degree, String description) {
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
        options(spec);
    }

    private static SmootherOptions options(SmootherSpec spec) {
        return new SmootherOptions(spec.name(), spec.options(), OPTIONS.get(spec.name()));
    }

    /** Says how many products a sweep of a smoother makes, which is as many rings as may be of use. */
    static int degree(SmootherSpec spec) {
        return spec.name().equals("chebyshev") ? options(spec).chebyshevDegree() : 1;
    }

    /** Says whether a Chebyshev polynomial is one of the fourth kind. */
    static boolean isFourthKind(SmootherSpec spec) {
        return options(spec).fourthKind();
    }

    /** Returns the ends of the interval of a Chebyshev polynomial, lower and upper. */
    static double[] interval(SmootherSpec spec) {
        double largest = options(spec).largest(() -> Double.NaN);
        return new double[]{options(spec).smallest(largest), largest};
    }

    /**
     * Makes the smoother of a level. Collective.
     *
     * @param spec what it is to be, complete
     * @param plan the halo of the level
     */
    static RankSmoother of(SmootherSpec spec, HaloPlan plan) {
        if (spec.name().equals("l1-jacobi")) {
            return new RankSmoother(RingSmoother.l1Jacobi(plan), 1, "l1-jacobi, omega=1.0, sweeps=1");
        }
        SmootherOptions options = options(spec);
        if (spec.name().equals("jacobi")) {
            double omega = options.omega(1);
            return new RankSmoother(RingSmoother.jacobi(plan, omega), 1, "jacobi, omega=" + omega + ", sweeps=1");
        }
        int degree = degree(spec);
        double[] ends = interval(spec);
        if (options.fourthKind()) {
            return new RankSmoother(RingSmoother.chebyshevOfFourthKind(plan, ends[1]), degree, String.format(
                    Locale.ROOT, "chebyshev, kind=4, degree=%d, lambda-max=%.5g, sweeps=1", degree, ends[1]));
        }
        return new RankSmoother(RingSmoother.chebyshev(plan, ends[0], ends[1]), degree, String.format(Locale.ROOT,
                "chebyshev, kind=1, degree=%d, lambda-min=%.5g, lambda-max=%.5g, sweeps=1", degree, ends[0],
                ends[1]));
    }
}
