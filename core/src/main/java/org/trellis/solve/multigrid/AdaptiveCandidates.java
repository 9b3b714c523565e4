package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;

/**
 * Finds the vectors of a near null space that nothing is known of: adaptive smoothed aggregation (M. Brezina, R.
 * Falgout, S. MacLachlan, T. Manteuffel, S. McCormick, J. Ruge, SIAM Review 47(2), 2005). The first vector is what
 * sweeps on {@code A x = 0} leave of a random one on each level of a hierarchy that is made of it on the way (section
 * 3, the initial set-up), the next ones are what cycles with the vectors so far leave of a random one (section 4, the
 * general set-up; there the coarse levels of a new vector are developed one by one, here the whole hierarchy is made
 * again).
 */
final class AdaptiveCandidates {
    /** Symmetric sweeps on each level, on the way down and on the way up. */
    private static final int SWEEPS = 5;
    /** Cycles that a vector goes through. */
    private static final int CYCLES = 15;
    /** A cycle that leaves less than this share of a vector needs no further one. */
    private static final double FAST = 0.1;
    private static final long SEED = 0x5DEECE66DL;

    private final CsrMatrix matrix;
    private final int blockSize;
    private final MultigridOptions options;
    private final Backend backend;
    private final SplittableRandom random = new SplittableRandom(SEED);

    AdaptiveCandidates(CsrMatrix matrix, int blockSize, MultigridOptions options, Backend backend) {
        this.matrix = matrix;
        this.blockSize = blockSize;
        this.options = options;
        this.backend = backend;
    }

    /**
     * Finds vectors beside others.
     *
     * @param known the vectors that are known, perhaps none
     * @param more  how many to find at most
     * @return the known ones and those that were found
     */
    double[][] beside(double[][] known, int more) {
        double[][] found = known;
        for (int k = 0; k < more; k++) {
            double[] next = found.length == 0 ? first() : next(found);
            if (next.length == 0) {
                return found;
            }
            found = Arrays.copyOf(found, found.length + 1);
            found[found.length - 1] = next;
        }
        return found;
    }

    /** Goes down and up the levels that a vector makes. */
    private double[] first() {
        double[] start = random.doubles(matrix.rows(), 0, 1).toArray();
        CoarseningOptions given = options.coarsening();
        CoarseningOptions improving = given.smoothing(
                new CoarseningOptions.Smoothing(given.smoothing().damping(), SWEEPS));
        HierarchySetup.Developed made = HierarchySetup.develop(improving, matrix,
                new NearNullSpace(matrix.rows(), blockSize, new double[][]{start}));
        int last = made.hierarchy().size() - 1;
        double[] x = made.space().vector(0);
        sweep(made.hierarchy().level(last).matrix(), x);
        for (int level = last - 1; level >= 0; level--) {
            HierarchyLevel above = made.hierarchy().level(level);
            x = above.prolongation().orElseThrow().multiply(x);
            sweep(above.matrix(), x);
        }
        return normalised(x);
    }

    private static void sweep(CsrMatrix a, double[] x) {
        if (!CandidateSweeps.sweep(a, CandidateSweeps.diagonal(a), x, SWEEPS)) {
            throw notFinite(a, "sweeps");
        }
    }

    private static IllegalArgumentException notFinite(CsrMatrix a, String what) {
        return new IllegalArgumentException("adaptive near null space of " + a + ": a vector is not finite after "
                + what + ", expected a matrix for which these converge, as symmetric positive definite ones");
    }

    /** Returns what cycles leave of a random vector, or nothing if that is too little. */
    private double[] next(double[][] found) {
        double[] x = random.doubles(matrix.rows(), -1, 1).toArray();
        NearNullSpace space = new NearNullSpace(matrix.rows(), blockSize, found);
        double share = 1;
        try (Multigrid cycles = Multigrid.of(matrix, space, options, backend);
                DenseVector iterate = backend.vector(matrix.precision(), x.length);
                DenseVector zero = backend.vector(matrix.precision(), x.length)) {
            zero.copyFrom(HostVector.zeros(matrix.precision(), x.length));
            for (int cycle = 0; cycle < CYCLES; cycle++) {
                iterate.copyFrom(HostVector.of(normalised(x)).convert(matrix.precision()));
                cycles.sweep(zero, iterate, SweepDirection.FORWARD);
                HostVector left = HostVector.zeros(matrix.precision(), x.length);
                iterate.copyTo(left);
                x = left.toDoubleArray();
                share = norm(x);
            }
        }
        if (!Double.isFinite(share)) {
            throw notFinite(matrix, "cycles");
        }
        return share < FAST ? new double[0] : normalised(x);
    }

    private static double norm(double[] x) {
        double sum = 0;
        for (double element : x) {
            sum += element * element;
        }
        return Math.sqrt(sum);
    }

    /** Returns a vector of length 1; one of zeros as it is. */
    private static double[] normalised(double[] x) {
        double norm = norm(x);
        return norm == 0 ? x : Arrays.stream(x).map(element -> element / norm).toArray();
    }
}
