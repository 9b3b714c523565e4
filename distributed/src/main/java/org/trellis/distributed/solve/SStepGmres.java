package org.trellis.distributed.solve;

import java.util.List;
import java.util.Locale;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.VisitTuner;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.BasisKind;
import org.trellis.distributed.powers.BasisVectors;
import org.trellis.distributed.powers.KrylovBasis;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingUpdates;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.solve.SolveFacts;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;

/**
 * GMRES(m) whose basis vectors come in blocks of s: one exchange a block if the halo has s rings, and two reductions,
 * where the method without blocks has one exchange and two reductions or three for each vector (M. Mohiyuddin, M.
 * Hoemmen, J. Demmel, K. Yelick, Minimizing communication in sparse matrix solvers, SC 2009). A block is spanned by
 * polynomials in A of the last basis vector ({@link BasisKind}), made orthonormal by {@link BlockGramSchmidt}, and its
 * columns of the Hessenberg matrix follow on every rank from numbers that all have.
 *
 * <p>In exact arithmetic these are the iterates of GMRES(m), and each iteration's residual is known, so that iterations
 * are those of the plain method. A block whose vectors are not independent enough is cut to those that are, and the
 * method goes on with blocks of that size; with one vector it is the plain method. Verdicts are those of
 * {@link ResidualHistory}: what counts are residuals computed anew from x.
 *
 * <p>Memory: {@code m + 2} vectors with their rings. Work beyond the plain method's: what s rings repeat of other
 * ranks. All methods are collective.
 */
public final class SStepGmres {
    /** An interval that is narrower than this share of its greater end is widened. */
    private static final double NARROW_INTERVAL = 1e-3;

    private final HaloPlan plan;
    private final RingProduct product;
    private final BasisKind kind;
    private final double low;
    private final double high;
    private final int most;
    private final int restart;
    private final RingVector[] basis;
    private final RingVector work;
    private final BasisVectors vectors;
    private final RingUpdates updates;
    private final BlockGramSchmidt gramSchmidt;
    private final HessenbergColumns columns;
    /** M, with a vector for what it makes of another, or null for none. */
    private Preconditioner preconditioner;
    private RingVector image;
    private RingVector combination;
    /** Whether shifts of the basis are eigenvalues that the first iterations have found; these once they are known. */
    private boolean ritz;
    private RitzValues found;
    private int steps;
    private int shrunk;
    /** Chooses how many rings bases exchange, or null. */
    private VisitTuner tuner;
    /** The norm of the true residual that the next cycle begins with. */
    private double length;
    private String reason = "";

    /** How a block has ended. */
    private enum Next {
        BLOCK, CYCLE, BROKEN
    }

    /**
     * Prepares the method.
     *
     * @param plan    the halo of the matrix; with s rings a block exchanges once
     * @param steps   s, at least 1
     * @param restart m, the length of a cycle, at least 1; no more than there are rows
     * @param kind    the basis
     * @param low     a lower bound of the real parts of the spectrum
     * @param high    an upper bound of them
     * @throws IllegalArgumentException if s or m is below 1 or a bound is not finite
     */
    public SStepGmres(HaloPlan plan, int steps, int restart, BasisKind kind, double low, double high) {
        this.plan = plan;
        this.product = new RingProduct(plan);
        this.kind = kind;
        if (!(low <= high) || !Double.isFinite(high - low)) {
            throw new IllegalArgumentException("the spectrum is said to be in [" + low + ", " + high
                    + "], expected the lower end first and both finite");
        }
        double size = Math.max(Math.abs(low), Math.abs(high));
        double room = size == 0 ? 1 : high - low < NARROW_INTERVAL * size ? size / 2 : 0;
        this.low = low - room;
        this.high = high + room;
        this.restart = (int) Math.max(1, Math.min(Checks.positive("iterations of a cycle", restart),
                plan.matrix().globalRows()));
        this.most = Math.min(Checks.positive("number of steps", steps), this.restart);
        this.basis = new RingVector[this.restart + 1];
        for (int v = 0; v < basis.length; v++) {
            basis[v] = plan.vector();
        }
        this.work = plan.vector();
        this.vectors = BasisVectors.of(plan, basis);
        this.updates = new RingUpdates(plan);
        this.gramSchmidt = new BlockGramSchmidt(vectors, plan.communicator(), plan.precision().unitRoundoff());
        this.columns = new HessenbergColumns(this.restart);
    }

    /**
     * Takes the shifts of Newton's basis from the method itself: its first iterations, two blocks' worth, make one
     * vector at a time, and the eigenvalues of their Hessenberg matrix, complex pairs included, are the shifts from
     * then on. Bounds of the spectrum and the kind of basis then do not matter.
     *
     * @return this method
     */
    public SStepGmres withRitzShifts() {
        ritz = true;
        return this;
    }

    /**
     * Preconditions from the right: vectors of a basis are multiplied by {@code A M⁻¹}, each with an exchange of the
     * product and whatever M takes, and reductions are one block's. Shifts are then found by the method, since nothing
     * is known of the spectrum.
     *
     * @param m the same linear operator each time, on owned elements; not closed by this method
     * @return this method
     * @throws IllegalArgumentException if it may be another operator at each call
     */
    public SStepGmres preconditionedBy(Preconditioner m) {
        if (m.variable()) {
            throw new IllegalArgumentException("s-step gmres with " + m + ", which is another operator each time, "
                    + "expected one that stays the same: vectors of a block are of one Krylov space");
        }
        preconditioner = m;
        image = plan.vector();
        combination = plan.vector();
        return withRitzShifts();
    }

    /**
     * Encloses the real parts of a spectrum by Gershgorin's circles. Collective; costs a pass over the rows and two
     * reductions.
     *
     * @param matrix the matrix
     * @param scaled whether the spectrum is that of D⁻¹A, which A D⁻¹ has, too; no element of the diagonal is 0 then
     * @return a lower and an upper bound
     */
    public static double[] bounds(PartitionedMatrix matrix, boolean scaled) {
        return Gershgorin.realParts(matrix, scaled);
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param b        the owned elements of the right-hand side, where the plan's vectors are
     * @param x        the first guess, overwritten by the solution
     * @param criteria when to stop; relative tolerances are of ‖b‖₂
     * @param observer hears of each iteration on this rank
     * @return how it went, the same on all ranks but for the time; the notes say with which s it ended
     * @throws IllegalArgumentException if a vector does not fit
     */
    public SolveReport solve(DenseVector b, RingVector x, StoppingCriteria criteria, IterationObserver observer) {
        Checks.length("right-hand side", b.length(), plan.matrix().ownedRows());
        if (x.plan() != plan) {
            throw new IllegalArgumentException(x + " belongs to another plan than the method, expected " + plan);
        }
        steps = most;
        shrunk = 0;
        found = null;
        updates.copy(b, work.within(0));
        work.changed();
        ResidualHistory history = new ResidualHistory(criteria, norm(work), plan.precision(),
                RankBackend.clock(plan.communicator()));
        history.begin(residual(x));
        while (history.goesOn()) {
            cycle(x, history, observer);
        }
        if (!history.knowsTrueResidual()) {
            history.finish(residual(x));
        }
        long bytes = (long) (basis.length + 1) * plan.localElements() * plan.precision().bytes();
        String text = preconditioner == null ? "none" : preconditioner.toString();
        return history.report(new SolveFacts(this.toString(), text, 0, 0, bytes, shrunk == 0
                ? List.of()
                : List.of("blocks of " + steps + " vectors (" + most
                        + " at first), of which some were not independent")));
    }

    /** Computes {@code b − A x} into the first basis vector, and returns its norm. */
    private double residual(RingVector x) {
        x.changed();
        product.combine(-1, x, 0, work, 1, basis[0]);
        length = norm(basis[0]);
        return length;
    }

    private double norm(RingVector vector) {
        double[] square = new double[1];
        BasisVectors.of(plan, vector).products(0, 1, square);
        plan.communicator().allReduce(Reduction.SUM, square);
        return Math.sqrt(square[0]);
    }

    /** Runs from one true residual, which is the first basis vector, to the next. */
    private void cycle(RingVector x, ResidualHistory history, IterationObserver observer) {
        vectors.subtract(0, 1, new double[][]{{length}});
        basis[0].changed();
        columns.begin(length);
        Next next = Next.BLOCK;
        while (next == Next.BLOCK && history.goesOn() && !history.wantsTrueResidual()) {
            next = block(history, observer);
        }
        addSolution(x);
        if (history.goesOn()) {
            boolean wanted = history.wantsTrueResidual();
            double norm = residual(x);
            if (next == Next.BROKEN) {
                history.replaceAfter(norm, reason);
            } else if (next == Next.CYCLE && !wanted) {
                history.cycle(norm, "a cycle of " + restart + " iterations");
            } else {
                history.replace(norm);
            }
        }
    }

    private void addSolution(RingVector x) {
        if (preconditioner == null) {
            vectors.add(columns.count(), columns.solution(), x.elements());
            return;
        }
        updates.zero(combination);
        vectors.add(columns.count(), columns.solution(), combination.elements());
        preconditioner.apply(combination.within(0), image.within(0));
        updates.add(1, image.within(0), x.within(0));
    }

    /**
     * Lets the number of rings be chosen by the times of the blocks that follow, those of s vectors.
     *
     * @param chooser chooses it, or null for all rings of the plan
     * @return this method
     */
    SStepGmres tunedBy(VisitTuner chooser) {
        tuner = chooser;
        return this;
    }

    /** Computes the next vector of a block, {@code a A M⁻¹ v + b v + c w}, from number {@code current}. */
    private void next(KrylovBasis recurrence, int step, int current) {
        double b = recurrence.b()[step];
        double c = recurrence.c()[step];
        RingVector v = basis[current];
        RingVector before = step == 0 ? v : basis[current - 1];
        RingVector into = basis[current + 1];
        if (preconditioner == null) {
            product.combine(recurrence.a()[step], v, b, before, c, into);
            return;
        }
        preconditioner.apply(v.within(0), image.within(0));
        image.changed();
        product.combine(recurrence.a()[step], image, 0, image, 0, into);
        updates.add(b, v.within(0), into.within(0));
        if (c != 0) {
            updates.add(c, before.within(0), into.within(0));
        }
        into.changed();
    }

    /** Does up to s iterations. */
    private Next block(ResidualHistory history, IterationObserver observer) {
        int known = columns.count() + 1;
        boolean learning = ritz && found == null;
        int fresh = Math.min(learning ? 1 : steps, restart + 1 - known);
        KrylovBasis recurrence = recurrence(fresh);
        long began = tuner == null ? 0 : tuner.now();
        for (int j = 0; j < fresh; j++) {
            next(recurrence, j, known - 1 + j);
        }
        if (tuner != null) {
            tuner.spent(began);
            tuner.endVisit(fresh == most);
        }
        BlockGramSchmidt.Block made = gramSchmidt.orthonormalise(known, fresh);
        for (int j = 0; j < fresh; j++) {
            basis[known + j].changed();
        }
        if (made.count() < fresh) {
            steps = Math.max(1, made.count());
            shrunk++;
            if (made.count() == 0) {
                return Next.BLOCK;
            }
        }
        columns.add(known, made.coefficients(), recurrence);
        for (int j = 0; j < made.count(); j++) {
            double norm = columns.rotate();
            boolean singular = Double.isNaN(norm);
            history.add(singular ? columns.norm() : norm);
            observer.iterated(history.iterations(), history.last());
            if (singular) {
                reason = "the Hessenberg matrix is singular in column " + columns.count() + ": so is the matrix";
                return Next.BROKEN;
            }
            if (history.wantsTrueResidual() || !history.goesOn()) {
                return Next.BLOCK;
            }
        }
        if (learning && columns.count() >= Math.min(restart, 2 * most)) {
            found = RitzValues.of(columns.square());
        }
        if (made.invariant()) {
            reason = "the Krylov space holds no more vectors";
            return Next.BROKEN;
        }
        return columns.count() == restart ? Next.CYCLE : Next.BLOCK;
    }

    private KrylovBasis recurrence(int count) {
        if (ritz) {
            if (found == null) {
                return KrylovBasis.monomial(count);
            }
            RitzValues shifts = found.shifts(count);
            return KrylovBasis.newton(found.scale(), shifts.real(), shifts.imaginary());
        }
        // Powers are divided by what no eigenvalue's real part exceeds in size, also where that is the lower end.
        return kind == BasisKind.MONOMIAL
                ? KrylovBasis.newton(Math.max(Math.abs(low), Math.abs(high)), new double[count])
                : kind.of(count, low, high);
    }

    @Override
    public String toString() {
        return "s-step gmres(" + restart + "), s = " + most + ", " + kind.name().toLowerCase(Locale.ROOT) + " basis";
    }
}
