package org.trellis.solve.eigen;

/**
 * A bound for the probability that steps of the Lanczos method from a random vector have not seen an eigenvalue of a
 * symmetric operator beyond a bound.
 *
 * <p>Let u be a unit eigenvector with the eigenvalue λ. The Lanczos vectors have the products
 * {@code qᵢᵀ u = pᵢ(λ) q₀ᵀ u} with it, with the polynomials of the three-term recurrence, and as they are orthonormal,
 * {@code (q₀ᵀ u)² Σ pᵢ(λ)² ≤ 1} (G. Golub, C. Van Loan, Matrix Computations, section 10.1, with the recurrence read as
 * one of products with u). Beyond all Ritz values the polynomials grow with the distance, so that their values at the
 * bound suffice: the larger their sum, the less of u can be in the first vector. A random vector of n elements has
 * less than t in common with u with a probability of at most {@code t √(2n/π)}. The ratios of the polynomials are
 * pivots, whose signs count the Ritz values beyond the bound.
 */
final class UnseenEigenvalue {
    private final boolean above;
    private final boolean below;
    private final double bound;
    private final double factor;
    private final End upper = new End();
    private final End lower = new End();
    private double before;

    /** Polynomials at one of the two bounds. */
    private static final class End {
        private double pivot = 1;
        private double value = 1;
        private double sum = 1;

        boolean add(double distance, double before, double next) {
            pivot = distance - before * before / pivot;
            value *= pivot / next;
            sum += value * value;
            return pivot > 0;
        }
    }

    /**
     * Begins with a random vector.
     *
     * @param which which eigenvalues are looked for: those of at least this rank
     * @param rank  the least rank of an eigenvalue that is looked for
     * @param space the dimension of the space that the random vector is drawn from
     */
    UnseenEigenvalue(Which which, double rank, long space) {
        this.above = which != Which.SMALLEST;
        this.below = which != Which.LARGEST;
        this.bound = rank;
        this.factor = Math.sqrt(2 * Math.max(space, 1) / Math.PI);
    }

    /**
     * Adds a step.
     *
     * @param diagonal element of the tridiagonal matrix
     * @param next     element behind it, beside the diagonal
     * @return whether all Ritz values are within the bound
     */
    boolean add(double diagonal, double next) {
        boolean within = !above || upper.add(bound - diagonal, before, next);
        within &= !below || lower.add(bound + diagonal, before, next);
        before = next;
        return within;
    }

    /** Returns a bound for the probability that there is such an eigenvalue. */
    double probability() {
        double sum = Math.min(above ? upper.sum : Double.POSITIVE_INFINITY,
                below ? lower.sum : Double.POSITIVE_INFINITY);
        return Math.min(1, factor / Math.sqrt(sum));
    }
}
