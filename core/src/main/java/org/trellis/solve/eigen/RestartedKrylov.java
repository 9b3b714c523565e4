package org.trellis.solve.eigen;

import java.util.Arrays;
import org.trellis.mesh.Dat;

/**
 * The search for eigenvalues in a Krylov space that is extended and contracted in turn. Ritz pairs whose residual is
 * rounding are locked: nothing couples to them any more. A subclass decomposes the projected matrix.
 *
 * <p>A Krylov space holds one vector of each eigenspace. So once all requested pairs of a symmetric operator have
 * converged, a few steps of Lanczos from a random vector search the complement of all Ritz vectors that are known well
 * enough ({@link UnseenEigenvalue}). If something shows there, or if the search is to be exhaustive, the requested
 * pairs are locked, and the method goes on from a random vector that is orthogonal to them. If an eigenvalue comes up
 * that belongs to the requested ones, it is taken in, and the search goes on; if the largest of the others is about
 * known and does not belong to them, the search ends.
 *
 * <p>Locking perturbs an operator by the residuals. Where eigenvectors are far from orthogonal, that moves eigenvalues
 * by much more, and what comes up need not be one of the operator; so searches of operators that are not symmetric end
 * with the first space unless they are to be exhaustive.
 */
abstract class RestartedKrylov {
    /** Of the distance to the requested ones: the residual with which another eigenvalue is known well enough. */
    private static final double KNOWN = 0.1;
    /** Of the products before: what may be spent on looking for further ones. */
    private static final double FURTHER = 0.5;
    /** How many times a cycle ends early, where products are dear. */
    private static final int LOOKS = 4;
    /** Of the square of an unseen eigenvector: what may lie in the span of the Ritz vectors beside the requested. */
    private static final double INSIDE = 0.04;
    /** Of the limits of residuals: what an unseen eigenvalue exceeds the last requested one by. */
    private static final double BEYOND = 4;
    /** The probability with which an unseen eigenvalue stays so. */
    private static final double MISSED = 1e-3;
    /** Vectors that steps in the complement of a basis need. */
    private static final int BESIDE = 2;

    private final Decomposition decomposition;
    private final CountedProduct operator;
    private final double roundoff;
    private final Search search;
    private final int wanted;
    private int restarts;
    private int kept;
    /** How many of the requested ones have converged, one after the other; −1 if that is not known. */
    private int leading = -1;
    /** Whether all requested ones have converged before, and others are looked for from another vector. */
    private boolean further;
    /** Products when all requested ones had converged first, or when the search from another vector began. */
    private int before;
    /** The least requested of those that had converged then. */
    private double last;

    /** Orthonormal columns, the first of which span what is requested most. */
    private double[][] q;

    /**
     * Prepares a search.
     *
     * @param decomposition what is extended and contracted
     * @param operator      its operator
     * @param roundoff      of the vectors
     * @param search        what is looked for
     */
    RestartedKrylov(Decomposition decomposition, CountedProduct operator, double roundoff, Search search) {
        this.operator = operator;
        this.roundoff = roundoff;
        this.search = search;
        this.wanted = search.count();
        this.decomposition = decomposition;
    }

    /** Returns the most vectors that are ever kept. */
    static int most(Search search) {
        return Math.max(Math.min(search.count() + 1, search.dimension()), search.dimension() - 1);
    }

    /**
     * Decomposes a projected matrix.
     *
     * @param projected a matrix, overwritten
     * @return orthonormal columns, the first of which span what is requested most
     */
    abstract double[][] decompose(double[][] projected);

    /** Returns what is the larger, the sooner the k-th eigenvalue is requested. */
    abstract double rank(int k);

    /** Returns the magnitude of the k-th eigenvalue. */
    abstract double magnitude(int k);

    /**
     * Returns the residual of the k-th eigenvector.
     *
     * @param coupling what the next vector has to do with each column
     */
    abstract double residual(double[] coupling, int k);

    /** Returns how many columns belong together with so many. */
    abstract int whole(int count);

    /** Returns the projected matrix in the first columns. */
    abstract double[][] quotient(int count);

    /** Returns which eigenvalues of the steps in a complement are requested, or null if there are no such steps. */
    abstract Which beside();

    /** Returns the rank of an eigenvalue of the steps in a complement, of the rank that {@link #rank} gives. */
    double rankBeside(double rank) {
        return rank;
    }

    /** Returns the residual of the k-th Ritz vector as one of the steps in a complement. */
    double residualBeside(double residual, int k) {
        return residual;
    }

    /**
     * What is looked for.
     *
     * @param count      how many
     * @param dimension  of the basis
     * @param tolerance  of a residual over the eigenvalue
     * @param maximum    products
     * @param space      the dimension of the space that the vectors are in
     * @param exhaustive whether the search for further eigenvectors ends with certainty only
     * @param dear       whether products cost much more than vectors; residuals are to be small even if they are
     *                   rounding of the operator's norm
     */
    record Search(int count, int dimension, long space, double tolerance, int maximum, boolean exhaustive,
            boolean dear) {
        /** Whether the basis has room for all vectors that there are. */
        boolean complete() {
            return dimension == space;
        }
    }

    /**
     * Searches.
     *
     * @param start what to begin with, or null
     * @return vectors that span what was found, the most requested first
     */
    final Dat[] run(double[] start) {
        decomposition.begin(start);
        while (true) {
            extend();
            boolean over = operator.count() >= search.maximum()
                    || (search.complete() && decomposition.filled() == decomposition.dimension());
            if (over || (converged() && !goesFurther())) {
                return decomposition.combine(q, found());
            }
        }
    }

    /** Returns how many vectors there are: as many as are requested, and one more that belongs to the last of them. */
    final int found() {
        return whole(wanted);
    }

    /** Extends the basis until it is full or everything has converged, and contracts it if it has not. */
    private void extend() {
        int dimension = decomposition.dimension();
        if (decomposition.filled() == dimension) {
            contract(kept());
            restarts++;
        }
        int stride = search.dear() || before > 0 ? Math.max(2, dimension / LOOKS / 2) : dimension;
        int to = Math.min(dimension, Math.max(decomposition.filled() + stride, Math.min(dimension, wanted + 1)));
        decomposition.extend(kept, to);
        int filled = decomposition.filled();
        leading = -1;
        q = decompose(Arrays.stream(decomposition.projected(), 0, filled).map(row -> Arrays.copyOf(row, filled))
                .toArray(double[][]::new));
        for (int k = 0; k < filled; k++) {
            decomposition.see(magnitude(k));
        }
    }

    /** Says whether the search goes on although everything has converged. */
    private boolean goesFurther() {
        int whole = found();
        if (whole == decomposition.dimension()) {
            return false; // these are all that there are
        }
        if (!further || last < rank(whole - 1) - 2 * limit(whole - 1)) {
            return looksAgain(whole);
        }
        if (decomposition.filled() == whole) {
            return true;
        }
        double residual = residual(couplings(), whole);
        boolean known = residual <= limit(whole) || (!search.exhaustive()
                && (residual <= KNOWN * (last - rank(whole)) || operator.count() - before > FURTHER * before));
        return !known;
    }

    /**
     * Searches the complement of what is known; if that leaves it open whether something is missing there, contracts,
     * and begins with another vector.
     *
     * @return whether the search goes on
     */
    private boolean looksAgain(int whole) {
        if (beside() == null && !search.exhaustive()) {
            return false;
        }
        int known = whole;
        if (beside() != null && !search.exhaustive() && whole + BESIDE <= decomposition.dimension()) {
            before = before == 0 ? operator.count() : before;
            double bound = rankBeside(rank(whole - 1) + BEYOND * limit(whole - 1));
            known = countKnown(whole, bound);
            if (known == whole && decomposition.filled() > whole && operator.count() - before <= FURTHER * before) {
                return true; // the next one is not even about known
            }
            if (nothingUnseen(known, bound)) {
                return false;
            }
        }
        further = true;
        before = operator.count();
        last = rank(whole - 1);
        contract(whole);
        restarts++;
        decomposition.beginAnew();
        return true;
    }

    /**
     * Returns how many Ritz vectors are known well enough to be left out of a further search. An eigenvector beyond the
     * bound has at most the residual over the distance in common with each, as {@code (λ − θ) qᵀu = rᵀu}.
     */
    private int countKnown(int whole, double bound) {
        double[] couplings = couplings();
        double inside = 0;
        int count = whole;
        while (count < Math.min(decomposition.filled(), decomposition.dimension() - BESIDE)) {
            inside += square(inside(couplings, count, bound));
            if (!(inside <= INSIDE)) {
                break;
            }
            count++;
        }
        return count;
    }

    private double inside(double[] couplings, int k, double bound) {
        double gap = bound - rankBeside(rank(k));
        return gap > 0 ? residualBeside(residual(couplings, k), k) / gap : Double.POSITIVE_INFINITY;
    }

    private static double square(double x) {
        return x * x;
    }

    /**
     * Searches the complement of the first Ritz vectors for an eigenvalue beyond a bound.
     *
     * <p>Let u be its eigenvector, or, if there are several, one in their span that is orthogonal to the requested
     * pairs. What is left of u in the complement has a Rayleigh quotient of at least the bound less
     * {@code Σ r² / (gap (1 − Σ r² / gap²))}, the sums over the Ritz vectors beside the requested.
     *
     * @return whether there is probably none
     */
    private boolean nothingUnseen(int known, double bound) {
        double[] couplings = couplings();
        double inside = 0;
        double loss = 0;
        for (int k = found(); k < known; k++) {
            double part = square(inside(couplings, k, bound));
            inside += part;
            loss += part * (bound - rankBeside(rank(k)));
        }
        contract(known);
        UnseenEigenvalue unseen = new UnseenEigenvalue(beside(), bound - loss / (1 - inside), search.space() - known);
        int most = operator.count() + (int) (FURTHER * before);
        decomposition.beginBeside();
        boolean open = true;
        while (open && operator.count() < Math.min(most, search.maximum())) {
            Decomposition.Step step = decomposition.stepBeside();
            if (!unseen.add(step.diagonal(), step.next())) {
                return false;
            }
            open = step.next() > 0 && unseen.probability() > MISSED;
        }
        return true;
    }

    private double[] couplings() {
        int filled = decomposition.filled();
        double[] all = new double[filled];
        for (int k = 0; k < filled; k++) {
            all[k] = decomposition.product(q, k);
        }
        return all;
    }

    /**
     * How many vectors to keep: the requested ones and a third of the others, as ones that will come next, and one more
     * for each that has converged, as those come in its place; half of the others at most.
     */
    private int kept() {
        int dimension = decomposition.dimension();
        int room = dimension - wanted;
        int whole = whole(Math.min(mostKept(search), wanted + room / 3 + leading()));
        return whole < dimension ? whole : whole(wanted) < dimension ? whole(wanted) : dimension - 2;
    }

    /** Returns how many are kept at a restart at most, beside one that belongs to the last of them. */
    static int mostKept(Search search) {
        return search.count() + (search.dimension() - search.count()) / 2;
    }

    /** Returns how many of the requested ones have converged, one after the other. */
    private int leading() {
        if (leading < 0) {
            leading = countLeading();
        }
        return leading;
    }

    private int countLeading() {
        double[] couplings = couplings();
        int count = 0;
        while (count < Math.min(wanted, couplings.length) && residual(couplings, count) <= limit(count)) {
            count++;
        }
        return count;
    }

    private void contract(int count) {
        decomposition.contract(q, count, quotient(count));
        double[] coupling = decomposition.coupling();
        for (int k = 0; k < count; k++) {
            if (Math.abs(coupling[k]) <= roundoff * decomposition.scale()) {
                coupling[k] = 0;
            }
        }
        q = Decomposition.identity(count);
        leading = -1;
        kept = count;
    }

    private boolean converged() {
        if (decomposition.filled() < Math.min(wanted + 1, decomposition.dimension())) {
            return false;
        }
        return leading() == wanted;
    }

    private double limit(int k) {
        return Math.max(search.tolerance() * magnitude(k), search.dear() ? 0 : roundoff * decomposition.scale());
    }

    /** Returns the norm of the operator as it is scaled, as far as it has been seen. */
    final double scale() {
        return decomposition.scale();
    }

    final int restarts() {
        return restarts;
    }
}
