package org.trellis.solve.krylov;

/**
 * The interval of a Chebyshev iteration, whose lower end comes down where residuals show that it is too high: an
 * adaptive choice in the manner of T. A. Manteuffel (Numer. Math. 31, 1978), for the one end of a real interval that a
 * few Lanczos steps get wrong.
 *
 * <p>After n iterations the component of the residual that belongs to an eigenvalue λ has been multiplied by
 * {@code Tₙ((c − λ) / e) / Tₙ(c / e)}, with the centre c and the half width e. Within the interval the numerator stays
 * between −1 and 1; below it, it is {@code cosh(nφ)} with {@code cosh φ = (c − λ) / e}, and such components are what is
 * left after a while. So what is left of the residual after n iterations times {@code Tₙ(c / e)}, over the most that it
 * ever was in the first n / 2, is taken for {@code cosh(nφ) / cosh(nφ / 2)}, and gives φ and λ. Looks are at powers of
 * two, and cost nothing.
 */
final class ChebyshevInterval {
    /** The first look. */
    private static final int FIRST_LOOK = 16;
    /** How much more must be left of the residual than should be, so that it is no accident; a logarithm. */
    private static final double SLOWER = 0.35;
    /** An end that would come down by less stays. */
    private static final double WORTH_IT = 0.9;
    private static final int BISECTIONS = 60;

    private final double first;
    private final boolean fixed;
    private final double upper;
    private double lower;
    private double theta;
    private int steps;
    private int look;
    /** Logarithms of the residual norm times Tₙ(c / e): the largest one so far, and until half of the next look. */
    private double most;
    private double before;
    private int moves;

    /**
     * Creates an interval.
     *
     * @param lower the lower end
     * @param upper the upper end
     * @param fixed whether the lower end stays where it is
     */
    ChebyshevInterval(double lower, double upper, boolean fixed) {
        if (!(lower > 0) || !(upper >= lower) || upper == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("Chebyshev iteration with eigenvalues from " + lower + " to " + upper
                    + ", expected a finite interval of positive numbers; MINRES and GMRES need none");
        }
        this.first = lower;
        this.lower = lower;
        this.upper = upper;
        this.fixed = fixed;
    }

    double lower() {
        return lower;
    }

    double centre() {
        return (upper + lower) / 2;
    }

    /** Half the width. An interval of one number would be divided by; the rounded one is as good. */
    double width() {
        return Math.max((upper - lower) / 2, 0x1p-40 * upper);
    }

    /** How often the lower end has come down. */
    int moves() {
        return moves;
    }

    /** The lower end at first. */
    double first() {
        return first;
    }

    /** Begins a recurrence from a residual. */
    void begin(double residualNorm) {
        steps = 0;
        look = FIRST_LOOK;
        theta = inverseCosh(centre() / width());
        most = Math.log(residualNorm);
    }

    /**
     * Takes the norm of the residual after an iteration.
     *
     * @return whether the lower end has come down, so that the recurrence has to begin anew
     */
    boolean hasMoved(double residualNorm) {
        steps++;
        double now = Math.log(residualNorm) + logCosh(steps * theta);
        most = Math.max(most, now);
        if (steps == look / 2) {
            before = most;
        }
        if (fixed || steps < look) {
            return false;
        }
        double found = below(now - before);
        before = most;
        look *= 2;
        if (!(found < WORTH_IT * lower)) {
            return false;
        }
        lower = found;
        moves++;
        return true;
    }

    /** The eigenvalue that explains a growth, of which this is the logarithm; the lower end if none need. */
    private double below(double growth) {
        if (!(growth > SLOWER)) {
            return lower;
        }
        double low = 0;
        double high = theta;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (logCosh(steps * middle) - logCosh(steps * middle / 2) < growth) {
                low = middle;
            } else {
                high = middle;
            }
        }
        // Where there is an eigenvalue of 0 there is no interval; the end comes down, but step by step.
        return Math.max(centre() - width() * Math.cosh(low), lower / look);
    }

    private static double logCosh(double x) {
        return x + Math.log1p(Math.exp(-2 * x)) - Math.log(2);
    }

    private static double inverseCosh(double x) {
        return Math.log(x + Math.sqrt((x - 1) * (x + 1)));
    }

    @Override
    public String toString() {
        return lower + " to " + upper;
    }
}
