package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.trellis.mesh.Dat;
import org.trellis.sparse.LinearOperator;

/**
 * Eigenvalues at an end of the spectrum of a symmetric operator by the Lanczos method with full re-orthogonalisation
 * and thick restarts (K. Wu, H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM J.
 * Matrix Anal. Appl. 22, 2000). Ritz pairs whose residual is rounding are locked: nothing couples to them any more.
 *
 * <p>A Krylov space holds one vector of each eigenspace. So once all wanted pairs have converged, they are locked, and
 * the method goes on from a random vector that is orthogonal to them. If an eigenvalue comes up that belongs to the
 * wanted ones, it is taken in, and the search goes on; if the largest of the others is about known and does not belong
 * to them, the search ends.
 */
final class ThickRestartLanczos {
    /** Of the distance to the wanted ones: the residual with which another eigenvalue is known well enough. */
    private static final double KNOWN = 0.1;
    /** Of the products before: what may be spent on looking for further ones. */
    private static final double FURTHER = 0.5;
    /** How many times a cycle ends early, where products are dear. */
    private static final int LOOKS = 4;

    private final KrylovDecomposition decomposition;
    private final CountedProduct operator;
    private final double roundoff;
    private final Search search;
    private final int wanted;
    private final int most;
    private int restarts;
    private int kept;
    /** Whether all wanted ones have converged before, and others are looked for. */
    private boolean further;
    /** Products when that began. */
    private int before;
    /** The least wanted of those that had converged then. */
    private double last;

    /** Eigenvalues of the projected matrix, the most wanted first, and their vectors as columns. */
    private double[] values;
    private double[][] q;

    /**
     * Prepares a search.
     *
     * @param checked  whether an operator that shows not to be symmetric is refused
     * @param inner    of the inner product, or null
     * @param deflated vectors that nothing is looked for in, orthonormal
     * @param search   what is looked for
     */
    ThickRestartLanczos(VectorSet vectors, CountedProduct operator, boolean checked, LinearOperator inner,
            Dat[] deflated, Search search) {
        this.operator = operator;
        this.roundoff = vectors.roundoff();
        this.search = search;
        this.wanted = search.count();
        this.most = Math.max(search.count(), search.dimension() - 1);
        this.decomposition = new KrylovDecomposition(vectors, operator, true, checked, inner, deflated,
                search.dimension(), most);
    }

    /**
     * What is looked for.
     *
     * @param which      which eigenvalues of the operator
     * @param count      how many
     * @param dimension  of the basis
     * @param tolerance  of a residual over the eigenvalue
     * @param maximum    products
     * @param exhaustive whether the search for further eigenvectors ends with certainty only
     * @param dear       whether products cost much more than vectors; residuals are to be small even if they are
     *                   rounding of the operator's norm
     */
    record Search(Which which, int count, int dimension, double tolerance, int maximum, boolean exhaustive,
            boolean dear) {}

    /**
     * Searches.
     *
     * @param start what to begin with, or null
     * @return vectors, the most wanted first
     */
    Dat[] run(double[] start) {
        decomposition.begin(start);
        while (true) {
            extend();
            boolean over = operator.count() >= search.maximum();
            if (over || (converged() == wanted && !goesFurther())) {
                return decomposition.combine(q, wanted);
            }
        }
    }

    /** Extends the basis until it is full or everything has converged, and contracts it if it has not. */
    private void extend() {
        int dimension = decomposition.dimension();
        if (decomposition.filled() == dimension) {
            contract(kept());
        }
        int stride = search.dear() || further ? Math.max(2, dimension / LOOKS / 2) : dimension;
        int to = Math.min(dimension, Math.max(decomposition.filled() + stride, wanted));
        decomposition.extend(kept, to);
        diagonalise();
    }

    /**
     * Says whether the search goes on although everything has converged; then contracts, and begins with another
     * vector.
     */
    private boolean goesFurther() {
        int filled = decomposition.filled();
        if (filled == wanted && decomposition.dimension() == wanted) {
            return false; // these are all that there are
        }
        if (!further || last < search.which().rank(values[wanted - 1]) - margin()) {
            further = true;
            before = operator.count();
            last = search.which().rank(values[wanted - 1]);
            contract(wanted);
            decomposition.beginAnew();
            return true;
        }
        if (filled == wanted) {
            return true;
        }
        double residual = Math.abs(decomposition.product(q, wanted));
        double distance = last - search.which().rank(values[wanted]);
        boolean known = residual <= limit(values[wanted]) || (!search.exhaustive() && (residual <= KNOWN * distance
                || operator.count() - before > FURTHER * before));
        return !known;
    }

    private double margin() {
        return 2 * limit(values[wanted - 1]);
    }

    private void diagonalise() {
        int filled = decomposition.filled();
        SymmetricEigen small = new SymmetricEigen(Arrays.stream(decomposition.projected(), 0, filled)
                .map(row -> Arrays.copyOf(row, filled)).toArray(double[][]::new));
        int[] order = IntStream.range(0, filled).boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> -search.which().rank(small.value(k))))
                .mapToInt(Integer::intValue).toArray();
        values = new double[filled];
        q = new double[filled][filled];
        for (int k = 0; k < filled; k++) {
            values[k] = small.value(order[k]);
            decomposition.see(Math.abs(values[k]));
            for (int i = 0; i < filled; i++) {
                q[i][k] = small.vector(i, order[k]);
            }
        }
    }

    /** How many vectors to keep: the wanted ones, and half of the others as ones that will come next. */
    private int kept() {
        int dimension = decomposition.dimension();
        return Math.min(most, Math.min(dimension - 1, wanted + (dimension - wanted) / 2));
    }

    private void contract(int count) {
        double[][] quotient = new double[count][count];
        for (int k = 0; k < count; k++) {
            quotient[k][k] = values[k];
        }
        decomposition.contract(q, count, quotient);
        double[] coupling = decomposition.coupling();
        for (int k = 0; k < count; k++) {
            if (Math.abs(coupling[k]) <= roundoff * decomposition.scale()) {
                coupling[k] = 0;
            }
        }
        kept = count;
        restarts++;
    }

    private int converged() {
        int converged = 0;
        while (converged < Math.min(wanted, values.length)
                && Math.abs(decomposition.product(q, converged)) <= limit(values[converged])) {
            converged++;
        }
        return converged;
    }

    private double limit(double value) {
        return Math.max(search.tolerance() * Math.abs(value), search.dear() ? 0 : roundoff * decomposition.scale());
    }

    /** Returns the norm of the operator as it is scaled, as far as it has been seen. */
    double scale() {
        return decomposition.scale();
    }

    int restarts() {
        return restarts;
    }
}
