package org.trellis.solve.eigen;

import java.util.Arrays;
import org.trellis.mesh.Dat;

/**
 * The search for eigenvalues in a Krylov space that is extended and contracted in turn. Ritz pairs whose residual is
 * rounding are locked: nothing couples to them any more. A subclass decomposes the projected matrix.
 *
 * <p>A Krylov space holds one vector of each eigenspace. So once all requested pairs have converged, they are locked,
 * and the method goes on from a random vector that is orthogonal to them. If an eigenvalue comes up that belongs to the
 * requested ones, it is taken in, and the search goes on; if the largest of the others is about known and does not
 * belong to them, the search ends.
 */
abstract class RestartedKrylov {
    /** Of the distance to the requested ones: the residual with which another eigenvalue is known well enough. */
    private static final double KNOWN = 0.1;
    /** Of the products before: what may be spent on looking for further ones. */
    private static final double FURTHER = 0.5;
    /** How many times a cycle ends early, where products are dear. */
    private static final int LOOKS = 4;

    private final Decomposition decomposition;
    private final CountedProduct operator;
    private final double roundoff;
    private final Search search;
    private final int wanted;
    private int restarts;
    private int kept;
    /** Whether all requested ones have converged before, and others are looked for. */
    private boolean further;
    /** Products when that began. */
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

    /**
     * What is looked for.
     *
     * @param count      how many
     * @param dimension  of the basis
     * @param tolerance  of a residual over the eigenvalue
     * @param maximum    products
     * @param complete   whether the dimension is that of all vectors there are
     * @param exhaustive whether the search for further eigenvectors ends with certainty only
     * @param dear       whether products cost much more than vectors; residuals are to be small even if they are
     *                   rounding of the operator's norm
     */
    record Search(int count, int dimension, double tolerance, int maximum, boolean complete, boolean exhaustive,
            boolean dear) {}

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
        }
        int stride = search.dear() || further ? Math.max(2, dimension / LOOKS / 2) : dimension;
        int to = Math.min(dimension, Math.max(decomposition.filled() + stride, Math.min(dimension, wanted + 1)));
        decomposition.extend(kept, to);
        int filled = decomposition.filled();
        q = decompose(Arrays.stream(decomposition.projected(), 0, filled).map(row -> Arrays.copyOf(row, filled))
                .toArray(double[][]::new));
        for (int k = 0; k < filled; k++) {
            decomposition.see(magnitude(k));
        }
    }

    /**
     * Says whether the search goes on although everything has converged; then contracts, and begins with another
     * vector.
     */
    private boolean goesFurther() {
        int filled = decomposition.filled();
        int whole = found();
        if (whole == decomposition.dimension()) {
            return false; // these are all that there are
        }
        if (!further || last < rank(whole - 1) - 2 * limit(whole - 1)) {
            further = true;
            before = operator.count();
            last = rank(whole - 1);
            contract(whole);
            decomposition.beginAnew();
            return true;
        }
        if (filled == whole) {
            return true;
        }
        double residual = residual(couplings(), whole);
        boolean known = residual <= limit(whole) || (!search.exhaustive()
                && (residual <= KNOWN * (last - rank(whole)) || operator.count() - before > FURTHER * before));
        return !known;
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
        int whole = whole(wanted + Math.min(room / 2, room / 3 + leading()));
        return whole < dimension ? whole : whole(wanted) < dimension ? whole(wanted) : dimension - 2;
    }

    /** Returns how many of the requested ones have converged, one after the other. */
    private int leading() {
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
        kept = count;
        restarts++;
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
