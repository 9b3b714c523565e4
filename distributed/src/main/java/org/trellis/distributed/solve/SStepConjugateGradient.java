package org.trellis.distributed.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.PolynomialSmoother;
import org.trellis.distributed.multigrid.VisitTuner;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.BasisKind;
import org.trellis.distributed.powers.BasisVectors;
import org.trellis.distributed.powers.KrylovBasis;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingUpdates;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.TimeLimit;

/**
 * Conjugate gradients that do s iterations for one reduction, and for one exchange if the halo has s rings (A. T.
 * Chronopoulos, C. W. Gear, s-step iterative methods for symmetric linear systems, J. Comput. Appl. Math. 25, 1989; in
 * the form of E. Carson, N. Knight, J. Demmel, Avoiding communication in nonsymmetric Lanczos-based Krylov subspace
 * methods, SIAM J. Sci. Comput. 35, 2013). An outer step spans a space by polynomials in A of the direction and of the
 * residual, {@code 2s + 1} vectors by {@code 2s − 1} products, reduces the matrix of their products, and then iterates
 * on coordinates, of which every rank has the same.
 *
 * <p>In exact arithmetic these are the iterates of conjugate gradients. Rounding is held back threefold: bases that
 * stay independent ({@link BasisKind}); residuals that are computed anew from x once the bound on what rounding has
 * done to the recurrence exceeds the square root of the unit roundoff (H. A. van der Vorst, Q. Ye, Residual replacement
 * strategies for Krylov subspace iterative methods, SIAM J. Sci. Comput. 22, 2000); and a smaller s once a basis has
 * lost its independence, which shows in a product that must be positive and is not, in the square of a residual that
 * is no larger than what rounding may have done to the products that it is made of, or in a residual whose norm is not
 * what its coordinates say. In the last case the method begins anew in the direction of the residual. Where Ritz values
 * of the first iterations, which cost nothing, lie far below the upper bound of the spectrum, bases are made for the
 * interval up to the largest of them (Z. Bai, D. Hu, L. Reichel, A Newton basis GMRES implementation, IMA J. Numer.
 * Anal. 14, 1994, takes the points themselves from Ritz values).
 *
 * <p>A polynomial in the matrix preconditions as that of one rank does ({@link #preconditionedBy}): vectors of the
 * bases have images under it, {@code Y = q(A) U}, products are those of vectors with images, and bases are of the
 * matrix times the polynomial, so that an outer step takes the polynomial's degree times as many products, and rings.
 * Where the polynomial commutes with the matrix, as it does where the diagonal is constant, these are the iterates of
 * preconditioned conjugate gradients.
 *
 * <p>Otherwise unpreconditioned; a matrix that is scaled symmetrically by its diagonal makes the iterates of Jacobi's
 * preconditioner, and {@link #measuredBy} measures its residuals as those of the matrix that was scaled, by a second
 * matrix of products in the same reduction. All methods are collective.
 */
public final class SStepConjugateGradient {
    /** How far the norm of a residual may be from what its coordinates say. */
    private static final double DISAGREEMENT = 0.1;
    /** A Ritz value above this share of the bound leaves the bound as it is. */
    private static final double LOOSE = 0.9;
    /** Iterations after which the first outer step ends if its bases are made for an interval that is too long. */
    private static final int FIRST_ITERATIONS = 6;
    /** Outer steps whose Ritz values count: more of them add little. */
    private static final int TIGHTENINGS = 4;
    /** A replaced residual counts as another one once the bound has grown by this (van der Vorst and Ye). */
    private static final double GROWTH = 1.1;

    private final HaloPlan plan;
    private final RingProduct product;
    private final BasisKind kind;
    private final double high;
    private final int most;
    private final RingVector[] directions;
    private final RingVector[] residuals;
    private final RingVector work;
    private final BasisVectors vectors;
    private final RingUpdates updates;
    private int steps;
    private Run run;
    /** Chooses how many rings bases exchange, or null. */
    private VisitTuner tuner;
    /** Weights of the squares in norms of residuals, or null for ones. */
    private DenseVector weights;
    /** Images under a polynomial, or null without one. */
    private PolynomialImages images;
    /** Bounds of the spectrum that bases are made for. */
    private double basisLow;
    private double basisHigh;

    /**
     * Prepares the method.
     *
     * @param plan  the halo of the matrix, symmetric and positive definite; with s rings an outer step exchanges once
     * @param steps s, at least 1
     * @param kind  the basis
     * @param low   a lower bound of the spectrum, 0 if nothing is known
     * @param high  an upper bound of it
     * @throws IllegalArgumentException if s is below 1 or the bounds do not enclose anything
     */
    public SStepConjugateGradient(HaloPlan plan, int steps, BasisKind kind, double low, double high) {
        this.plan = plan;
        this.product = new RingProduct(plan);
        this.kind = kind;
        this.high = high;
        this.basisLow = low;
        this.basisHigh = high;
        this.most = Checks.positive("number of steps", steps);
        kind.of(1, low, high);
        this.directions = vectors(most + 1);
        this.residuals = vectors(most);
        this.work = plan.vector();
        RingVector[] all = new RingVector[2 * most + 1];
        System.arraycopy(directions, 0, all, 0, most + 1);
        System.arraycopy(residuals, 0, all, most + 1, most);
        this.vectors = BasisVectors.of(plan, all);
        this.updates = new RingUpdates(plan);
    }

    /**
     * Encloses the spectrum of a symmetric matrix by Gershgorin's circles. Collective; costs a pass over the rows and a
     * reduction.
     *
     * @param matrix the matrix
     * @return a lower bound, not below 0 since the method is for positive definite matrices, and an upper bound
     */
    public static double[] gershgorin(PartitionedMatrix matrix) {
        return gershgorin(matrix, false);
    }

    /**
     * Encloses the spectrum of a matrix that is scaled symmetrically by its diagonal: by the circles of D⁻¹A, which has
     * the same one. Collective.
     *
     * @param matrix the matrix before it is scaled, with a positive diagonal
     * @return a lower bound, not below 0, and an upper bound
     */
    public static double[] gershgorinOfScaled(PartitionedMatrix matrix) {
        return gershgorin(matrix, true);
    }

    private static double[] gershgorin(PartitionedMatrix matrix, boolean scaled) {
        double[] ends = Gershgorin.realParts(matrix, scaled);
        return new double[]{Math.max(0, ends[0]), ends[1]};
    }

    /**
     * Measures residuals in another norm: stopping, histories and right-hand sides are meant in it.
     *
     * @param squares the weights of the squares of owned elements, positive; kept. Null for ones
     * @return this method
     * @throws IllegalArgumentException if there is not one for each owned element
     */
    public SStepConjugateGradient measuredBy(HostVector squares) {
        if (squares != null) {
            Checks.length("weights of a norm", squares.length(), plan.matrix().ownedRows());
        }
        weights = squares == null ? null : updates.there(squares);
        return this;
    }

    /**
     * Preconditions by a polynomial. Iterates are those of preconditioned conjugate gradients.
     *
     * @param polynomial sweeps on the same plan, whose matrix has a constant diagonal
     * @return this method
     */
    public SStepConjugateGradient preconditionedBy(PolynomialSmoother polynomial) {
        images = new PolynomialImages(plan, polynomial, 2 * most + 1);
        basisLow = 0;
        basisHigh = polynomial.greatest();
        return this;
    }

    private RingVector[] vectors(int count) {
        RingVector[] made = new RingVector[count];
        for (int v = 0; v < count; v++) {
            made[v] = plan.vector();
        }
        return made;
    }

    /** What one solution is about. */
    private static final class Run {
        private final StoppingCriteria criteria;
        private final IterationObserver observer;
        private final RingVector x;
        private final List<Double> history = new ArrayList<>();
        private final long began = System.nanoTime();
        private double threshold;
        /** The norm of the residual in which it is measured, and its length. */
        private double norm;
        private double length;
        private double rightHandSide;
        private double solution;
        private double bound;
        private double boundAtReplacement;
        /** The upper end of the interval that bases are made for. */
        private double basisHigh;
        /** The largest Ritz value so far. */
        private double ritz;
        private int tightenings;
        /** Whether the direction is the residual, so that both bases are the same vectors. */
        private boolean isFresh;
        private int restarts;
        private int shrunk;
        private TimeLimit time;

        Run(RingVector x, StoppingCriteria criteria, IterationObserver observer) {
            this.x = x;
            this.criteria = criteria;
            this.observer = observer;
        }

        int iterations() {
            return history.size() - 1;
        }

        boolean isDone() {
            return norm <= threshold || iterations() >= criteria.maximumIterations();
        }
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param b        the owned elements of the right-hand side, where the plan's vectors are
     * @param x        the first guess, overwritten by the solution
     * @param criteria when to stop; relative tolerances are of ‖b‖₂. Time is checked after outer steps
     * @return how it went, the same on all ranks but for the time: a restart is a residual that was computed anew from
     *         x because it had not met what its recurrence had; the detail says with which s it ended
     * @throws IllegalArgumentException if a vector does not fit
     */
    public SolveReport solve(DenseVector b, RingVector x, StoppingCriteria criteria) {
        return solve(b, x, criteria, IterationObserver.NONE);
    }

    /**
     * Solves {@code A x = b} with an observer.
     *
     * @param b        the owned elements of the right-hand side, where the plan's vectors are
     * @param x        the first guess, overwritten by the solution
     * @param criteria when to stop; relative tolerances are of the norm of b. Time is checked after outer steps
     * @param observer hears of each iteration on this rank
     * @return how it went, see the other
     * @throws IllegalArgumentException if a vector does not fit
     */
    public SolveReport solve(DenseVector b, RingVector x, StoppingCriteria criteria, IterationObserver observer) {
        Checks.length("right-hand side", b.length(), plan.matrix().ownedRows());
        if (x.plan() != plan) {
            throw new IllegalArgumentException(x + " belongs to another plan than the method, expected " + plan);
        }
        run = new Run(x, criteria, observer);
        run.basisHigh = basisHigh;
        run.time = new TimeLimit(criteria.maximumSeconds(), RankBackend.clock(plan.communicator()));
        steps = most;
        updates.copy(b, work.within(0));
        work.changed();
        double[] right = norms(work);
        run.rightHandSide = right[0];
        run.threshold = criteria.threshold(right[1]);
        run.norm = residual();
        run.history.add(run.norm);
        if (criteria.toFirstResidual()) {
            run.threshold = criteria.threshold(run.norm);
        }
        begin();
        SolveStatus status = iterate();
        double trueNorm = residual();
        return new SolveReport(status, run.iterations(), run.restarts, run.history, right[1], trueNorm,
                (System.nanoTime() - run.began) * 1e-9, detail(status));
    }

    private String detail(SolveStatus status) {
        String basis = kind + " basis of " + steps + " steps"
                + (run.shrunk == 0 ? "" : " (" + most + " at first)");
        return switch (status) {
            case CONVERGED -> basis;
            case BREAKDOWN -> "p'Ap is not positive, so the matrix is not positive definite; " + basis;
            case STAGNATED -> "residuals computed anew from x get no smaller; " + basis;
            case TIME_LIMIT -> "limit of time, " + run.criteria.maximumSeconds() + " s; " + basis;
            default -> "limit of iterations; " + basis;
        };
    }

    /** Computes the residual of x, and returns its norm. */
    private double residual() {
        run.x.changed();
        product.combine(-1, run.x, 0, work, 1, residuals[0]);
        double[] both = norms(residuals[0]);
        run.length = both[0];
        return both[1];
    }

    /** Begins anew in the direction of the residual. */
    private void begin() {
        updates.copy(residuals[0].within(0), directions[0].within(0));
        directions[0].changed();
        run.isFresh = true;
        run.bound = plan.precision().unitRoundoff() * run.rightHandSide;
        run.boundAtReplacement = run.bound;
    }

    private SolveStatus iterate() {
        double before = Double.POSITIVE_INFINITY;
        while (true) {
            while (!run.isDone()) {
                if (!outerStep()) {
                    return SolveStatus.BREAKDOWN;
                }
                if (run.norm > run.threshold && run.time.isOver(run.iterations())) {
                    return SolveStatus.TIME_LIMIT;
                }
            }
            if (run.norm > run.threshold) {
                return SolveStatus.ITERATION_LIMIT;
            }
            double recomputed = residual();
            if (recomputed <= run.threshold) {
                return SolveStatus.CONVERGED;
            }
            if (recomputed > before / 2) {
                return SolveStatus.STAGNATED;
            }
            before = recomputed;
            run.norm = recomputed;
            run.restarts++;
            begin();
        }
    }

    /**
     * Lets the number of rings be chosen by the times of the bases that follow, those of s steps.
     *
     * @param chooser chooses it, or null for all rings of the plan
     * @return this method
     */
    SStepConjugateGradient tunedBy(VisitTuner chooser) {
        tuner = chooser;
        return this;
    }

    /** Does up to s iterations; says whether the method can go on. */
    private boolean outerStep() {
        long began = tuner == null ? 0 : tuner.now();
        span();
        if (tuner != null) {
            tuner.spent(began);
            tuner.endVisit(steps == most);
        }
        double[][][] gram = gram();
        int last = steps + 1;
        double found = Math.sqrt(gram[1][last][last]);
        if (!(Math.abs(found - run.norm) <= DISAGREEMENT * run.norm) && steps > 1) {
            // What the last basis said was not so, nor is the direction one that belongs to the residual.
            shrink();
            run.norm = residual();
            run.history.set(run.iterations(), run.norm);
            run.restarts++;
            begin();
            return Double.isFinite(run.norm);
        }
        StepCoordinates at = new StepCoordinates(gram, changeOfBasis(), run.isFresh ? 0 : steps + 1);
        int done = 0;
        boolean sound = true;
        while (done < steps && sound && !run.isDone()
                && !(done == FIRST_ITERATIONS && run.tightenings == 0 && isLoose(at))) {
            sound = at.step();
            if (sound) {
                done++;
                run.norm = Math.sqrt(Math.max(0, at.squareOfResidual()));
                run.length = Math.sqrt(Math.max(0, at.squareOfLength()));
                run.history.add(run.norm);
                run.observer.iterated(run.iterations(), run.norm);
            }
        }
        if (done > 0) {
            combine(at.coefficients());
            run.isFresh = false;
            run.x.changed();
            residuals[0].changed();
            directions[0].changed();
            replaceIfNeeded(done);
        }
        if (!sound && done == 0 && steps == 1) {
            return false;
        }
        if (!tighten(at) && !sound) {
            shrink();
        }
        return true;
    }

    /**
     * Makes the next bases for a smaller interval where the largest Ritz value shows that the upper bound is far off:
     * on an interval that is too long the residual's polynomial is large beyond the spectrum, and so are its
     * coordinates, which cancel. A Ritz value that is too small does little harm, and later ones correct it. Says
     * whether the interval has become smaller.
     */
    private boolean tighten(StepCoordinates at) {
        if (kind == BasisKind.MONOMIAL || run.tightenings == TIGHTENINGS) {
            return false;
        }
        double before = run.basisHigh;
        run.basisHigh = isLoose(at) ? run.ritz : basisHigh;
        run.tightenings++;
        return run.basisHigh < LOOSE * before;
    }

    /** Says whether the largest Ritz value is far below what bases are made for. */
    private boolean isLoose(StepCoordinates at) {
        run.ritz = Math.max(run.ritz, at.largestRitzValue());
        return kind != BasisKind.MONOMIAL && run.ritz > basisLow && run.ritz < LOOSE * basisHigh;
    }

    private void shrink() {
        steps = Math.max(1, steps / 2);
        run.shrunk++;
    }

    /** Computes the vectors of both bases, with one exchange if there are rings enough. */
    private void span() {
        HaloExchange exchange = plan.exchange(2).with(0, directions[0]).with(1, residuals[0]);
        exchange.start();
        exchange.finish();
        KrylovBasis basis = kind.of(steps, basisLow, run.basisHigh);
        recur(basis, directions, steps, 0);
        recur(basis, residuals, steps - 1, most + 1);
    }

    private void recur(KrylovBasis basis, RingVector[] into, int count, int firstImage) {
        for (int j = 0; images != null && j <= count; j++) {
            images.image(into[j], firstImage + j);
            if (j < count) {
                images.next(product, new double[]{basis.a()[j], basis.b()[j], basis.c()[j]}, firstImage + j, into[j],
                        j == 0 ? into[0] : into[j - 1], into[j + 1]);
            }
        }
        for (int j = 0; images == null && j < count; j++) {
            product.combine(basis.a()[j], into[j], basis.b()[j], j == 0 ? into[0] : into[j - 1], basis.c()[j],
                    into[j + 1]);
        }
    }

    /** The vectors that count: directions up to degree s, residuals up to degree s − 1. */
    private int[] order() {
        int[] order = new int[2 * steps + 1];
        for (int k = 0; k < order.length; k++) {
            order[k] = k <= steps ? k : most + k - steps;
        }
        return order;
    }

    /**
     * Reduces the products of all pairs, and the length of x with them: the one reduction of an outer step.
     *
     * @return the products that the method iterates with, those in the norm of residuals, and plain ones; some may be
     *         the same
     */
    private double[][][] gram() {
        int count = 2 * steps + 1;
        int pairs = count * (count + 1) / 2;
        double[] plain = new double[pairs];
        double[] weighted = new double[weights == null ? 0 : pairs];
        double[] withImages = new double[images == null ? 0 : pairs];
        double[] square = new double[1];
        vectors.products(count, order(), plain);
        if (weights != null) {
            vectors.products(count, order(), weights, weighted);
        }
        if (images != null) {
            vectors.products(count, order(), images.vectors(), withImages);
        }
        BasisVectors.of(plan, run.x).products(1, new int[1], square);
        double[] all = Arrays.copyOf(plain, pairs + weighted.length + withImages.length + 1);
        System.arraycopy(weighted, 0, all, pairs, weighted.length);
        System.arraycopy(withImages, 0, all, pairs + weighted.length, withImages.length);
        all[all.length - 1] = square[0];
        plan.communicator().allReduce(Reduction.SUM, all);
        run.solution = Math.sqrt(all[all.length - 1]);
        double[][] lengths = square(all, 0, count);
        return new double[][][]{images == null ? lengths : square(all, pairs + weighted.length, count),
            weights == null ? lengths : square(all, pairs, count), lengths};
    }

    /** Adds to x, of images if there are some, and makes the residual and the direction. */
    private void combine(double[][] coefficients) {
        double[][] three = coefficients.clone();
        if (images != null) {
            double[] forX = new double[images.count()];
            int[] order = order();
            for (int k = 0; k < order.length; k++) {
                forX[order[k]] = coefficients[0][k];
            }
            images.vectors().add(forX.length, forX, run.x.elements());
            three[0] = new double[coefficients[0].length];
        }
        vectors.combine(2 * steps + 1, order(), three, run.x.elements(), residuals[0].elements(),
                directions[0].elements());
    }

    /** Makes a symmetric matrix of its upper triangle. */
    private static double[][] square(double[] triangles, int from, int count) {
        double[][] gram = new double[count][count];
        int at = from;
        for (int i = 0; i < count; i++) {
            for (int j = i; j < count; j++) {
                gram[i][j] = triangles[at];
                gram[j][i] = triangles[at++];
            }
        }
        return gram;
    }

    /** The matrix B with {@code A Y = Y B} for all vectors but the last one of each basis. */
    private double[][] changeOfBasis() {
        KrylovBasis basis = kind.of(steps, basisLow, run.basisHigh);
        int count = 2 * steps + 1;
        double[][] change = new double[count][count];
        fill(change, basis, 0, steps);
        fill(change, basis, steps + 1, steps - 1);
        return change;
    }

    private static void fill(double[][] change, KrylovBasis basis, int first, int columns) {
        for (int j = 0; j < columns; j++) {
            change[first + j + 1][first + j] = 1 / basis.a()[j];
            change[first + j][first + j] = -basis.b()[j] / basis.a()[j];
            if (j > 0) {
                change[first + j - 1][first + j] = -basis.c()[j] / basis.a()[j];
            }
        }
    }

    /** Follows the bound on what rounding has done; where it has become too large, the residual is computed from x. */
    private void replaceIfNeeded(int done) {
        double unit = plan.precision().unitRoundoff();
        double size = high * run.solution + run.length;
        double grown = run.bound + unit * done * (2 * steps + 1) * size;
        double limit = Math.sqrt(unit) * run.length;
        if (grown > limit && run.bound <= limit && grown > GROWTH * run.boundAtReplacement) {
            run.norm = residual();
            grown = unit * size;
            run.boundAtReplacement = grown;
        }
        run.bound = grown;
    }

    /** Returns the length of a vector and its norm. */
    private double[] norms(RingVector vector) {
        double[] square = new double[1];
        double[] weighted = new double[1];
        BasisVectors one = BasisVectors.of(plan, vector);
        one.products(1, new int[1], square);
        if (weights != null) {
            one.products(1, new int[1], weights, weighted);
        }
        double[] both = {square[0], weighted[0]};
        plan.communicator().allReduce(Reduction.SUM, both);
        return new double[]{Math.sqrt(both[0]), Math.sqrt(weights == null ? both[0] : both[1])};
    }

    @Override
    public String toString() {
        return "s-step conjugate gradients, s = " + most + ", " + kind + " basis on " + plan;
    }
}
