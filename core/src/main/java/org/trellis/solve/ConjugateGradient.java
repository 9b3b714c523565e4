package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.SolverCheckpointScope;
import org.trellis.mesh.StepData;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/**
 * The preconditioned conjugate gradient method for symmetric positive definite systems (Saad, Iterative Methods for
 * Sparse Linear Systems, algorithm 9.1). Work vectors are allocated once and reused by every {@link #solve}.
 *
 * <p>The residual of the recurrence drifts away from {@code b − A x}. So once it meets the criterion, the true residual
 * is recomputed, and only that decides; if it is too large, the recurrence begins anew from it (residual replacement,
 * H. A. van der Vorst and Q. Ye, SIAM J. Sci. Comput. 22(3), 2000, in its simplest form). When three restarts in
 * succession have not halved the true residual, the precision of the vectors allows no more:
 * {@link SolveStatus#STAGNATED}.
 *
 * <p>Systems of unusual size are scaled by powers of two, which rounds nothing: entries and right-hand sides may be as
 * small or as large as the precision allows, if the solution is so, too.
 *
 * <p>An iteration is a sequence of steps on a mesh of the solver's own, so that a GPU is given all its work at once:
 * coefficients stay on the device, and the host asks for the norm of the residual after each iteration or, if
 * {@link #checkInterval} is set, after several.
 *
 * <p>Memory traffic of an iteration beyond the product (which sums pᵀ A p on the way) and the preconditioner, in
 * vectors of n values: r −= αq and ‖r‖ read 2 and write 1, x += αp and p = z + βp read 3 and write 2: 8 in all. With a
 * diagonal preconditioner, z = D⁻¹r is computed where it is needed, and the diagonal is read twice: 10. With any other
 * preconditioner, rᵀ z reads 2: 10 as well. A diagonal that is a multiple of the identity is left out. A
 * preconditioner that can be {@linkplain Preconditioner#split split} is applied together with the matrix by Eisenstat's
 * product: 14 vectors and the matrix once in all. Iterates and residual
 * norms are the same but for rounding: the norm is that of {@code b − A x}, not of what the recurrence runs on. Each
 * look at the true residual costs a product, a copy and a norm, and each solution two copies of x.
 */
public final class ConjugateGradient implements LinearSolver {
    /** Iterations of a round that a device repeats: the more, the more of them may be for nothing at the end. */
    private static final int ITERATIONS_OF_ROUND = 4;
    /**
     * Time of an iteration with a preconditioner of its own up to which it is better that a device repeats rounds: it
     * saves about 13 µs an iteration (H200), and at the end half an iteration is for nothing.
     */
    private static final double SHORT_SECONDS = 250e-6;
    /** What the norm of the recurrence's residual may differ from that of the true one where both are taken as one. */
    private static final double DRIFT = 0.01;

    private final LinearOperator matrix;
    private final Preconditioner preconditioner;
    /** What iterations apply: nothing for a diagonal whose elements are all the same, which changes no iterate. */
    private final Preconditioner applied;
    private final boolean diagonal;
    private final Backend backend;
    private final VectorArithmetic arithmetic;
    private final double largestEntry;
    private SystemScale scale = SystemScale.NONE;
    private final CollectiveClock clock;
    private final DoubleResidual inDouble;
    /** The norm of the residual as it is scaled. */
    private double residualNorm;
    /** The same after the last iteration, as the recurrence has it, and {@code rᵀ M⁻¹ r}; NaN where it has not. */
    private double lastNorm;
    private double lastRho;
    private int every = 1;
    private final double setupSeconds;
    private long firstTouch;
    private SplitProduct split;
    private CgRecurrence iterations;
    private IterationMode way = IterationMode.AUTOMATIC;
    private final PersistentRuns resident;
    private final DeviceRounds rounds = new DeviceRounds();
    private final LanczosCoefficients lanczos = new LanczosCoefficients();
    private boolean resides;
    /** What is reported of the solution that is under way, or null. */
    private SolverCheckpointScope steps;

    /**
     * Prepares a solver. Costs a pass over the matrix on the host. An operator that is not a prepared matrix is taken
     * for one of ordinary size and not scaled.
     *
     * @param matrix         the product with a square symmetric positive definite matrix; not closed by this object
     * @param preconditioner an approximate inverse, or null for none; not closed by this object
     * @param backend        the backend that prepared both
     * @throws IllegalArgumentException if the matrix is not square or an entry is not finite; names the first
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // arithmetic and iterations are closed with this
    public ConjugateGradient(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        long start = System.nanoTime();
        this.matrix = Objects.requireNonNull(matrix);
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("conjugate gradients with "
                    + (matrix instanceof SpmvOperator prepared ? prepared.matrix() : matrix)
                    + ", expected a square matrix");
        }
        this.largestEntry = matrix instanceof SpmvOperator prepared
                ? FiniteInput.largestEntry("conjugate gradients", prepared.matrix())
                : 1;
        this.clock = CollectiveClock.of("conjugate gradients", matrix, backend);
        this.inDouble = new DoubleResidual(matrix);
        this.preconditioner = preconditioner;
        this.applied = preconditioner != null && preconditioner.isMultipleOfIdentity() ? null : preconditioner;
        this.diagonal = applied != null && applied.inverseDiagonal().isPresent();
        this.backend = backend;
        this.resident = new PersistentRuns(matrix, applied, backend, scaleOfMatrix());
        this.arithmetic = new VectorArithmetic(backend);
        try {
            this.split = applied == null ? null : applied.split(matrix).orElse(null);
            this.iterations = prepare(every);
        } catch (RuntimeException | OutOfMemoryError e) {
            arithmetic.close();
            closeSplit();
            throw e;
        }
        this.setupSeconds = (System.nanoTime() - start) * 1e-9;
    }

    /** Says whether an iteration is not much more than a product. */
    private boolean cheap() {
        return applied == null || split != null || diagonal;
    }

    private double scaleOfMatrix() {
        return SystemScale.of(matrix.precision(), applied != null, largestEntry, 0).matrix();
    }

    private void closeSplit() {
        if (split != null) {
            split.close();
            split = null;
        }
    }

    /** On devices that repeat rounds by themselves, these have a few iterations, to look at the norm less often. */
    @MustBeClosed
    private CgRecurrence prepare(int queued) {
        boolean repeats = backend.optionalKernels(LoopKernels.class).map(LoopKernels::repeats).orElse(false);
        int slots = Math.max(queued + 1, repeats && cheap() ? ITERATIONS_OF_ROUND : 2);
        if (split != null) {
            return new SplitCgIterations(matrix, split, backend, slots);
        }
        return new CgIterations(matrix, applied, backend, scaleOfMatrix(), slots);
    }

    /**
     * Lets the host look at residuals only after several iterations, so that a device need not wait for it after each.
     * The report is the same: it has the norm after every iteration and names the one that met the criterion, whose
     * solution it is, since iterations that are queued after that one change nothing. A solution that diverges may be
     * some iterations further than the report says.
     *
     * @param number how many iterations are queued at a time, at least 1; from the beginning 1
     * @return this solver; as it was if something is thrown
     * @throws IllegalArgumentException if the number is below 1
     */
    public ConjugateGradient checkInterval(int number) {
        Checks.positive("number of iterations between looks", number);
        if (number != every) {
            replace(number);
        }
        return this;
    }

    /**
     * Says how the device gets its work. From the beginning that is {@link IterationMode#AUTOMATIC}: one kernel
     * for all iterations where the backend has it and the system fits, else a graph that the device repeats by itself,
     * else the host looks. An observer makes the host look, since it wants to hear of each iteration, and so do
     * listeners of steps and the first iterations with a solver, which prepare loops. The report's notes say what was
     * done. Iterate and report are those of the iteration that met the criterion, whatever the way.
     *
     * @param wanted how
     * @return this solver
     */
    public ConjugateGradient iterating(IterationMode wanted) {
        this.way = Objects.requireNonNull(wanted);
        return this;
    }

    private void replace(int number) {
        @SuppressWarnings("MustBeClosed") // closed with this
        CgRecurrence next = prepare(number);
        iterations.close();
        iterations = next;
        every = number;
    }

    /** A split product has the values that the matrix had; once these are others it is of no use. */
    private void leaveOldValues() {
        if (split != null && !split.isOf(matrix)) {
            SplitProduct old = split;
            split = null;
            replace(every);
            old.close();
        }
    }

    /** The mesh of the iterations, for those who listen to its steps. */
    Mesh mesh() {
        return iterations.mesh;
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param b        the right-hand side
     * @param x        the first guess, overwritten by the solution; also when it did not converge
     * @param criteria when to stop
     * @param progress hears of the iterations done
     * @return how it went
     * @throws IllegalArgumentException if a length, precision or memory space does not fit, or an element of {@code b}
     *                                  or {@code x} is not finite (names the first), or {@code ‖b‖₂} exceeds the
     *                                  largest number
     */
    @SuppressWarnings("ReferenceEquality") // who is NONE hears nothing
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, ProgressListener progress) {
        if (progress == ProgressListener.NONE) {
            return solve(b, x, criteria, IterationObserver.NONE);
        }
        int most = criteria.maximumIterations();
        return solve(b, x, criteria, (iteration, norm) -> progress.progress("iterate", iteration, most));
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        Checks.length("length of b", b.length(), matrix.rows());
        Checks.length("length of x", x.length(), matrix.rows());
        leaveOldValues();
        try (SolverCheckpointScope told = SolverCheckpointScope.of("cg", true, iterations.mesh, b, x)) {
            steps = told;
            return solve(told.b(), told.x(), criteria, observer, told);
        } finally {
            steps = null;
        }
    }

    private SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer,
            SolverCheckpointScope told) {
        matrix.range().check("conjugate gradients", "b", b);
        matrix.domain().check("conjugate gradients", "x", x);
        rounds.reset();
        lanczos.clear();
        lastNorm = Double.NaN;
        lastRho = Double.NaN;
        resides = split == null && !told.isSeen() && observer.equals(IterationObserver.NONE) && resident.prepare(way);
        firstTouch = firstTouch == 0 ? -1 : 0;
        double normOfB = measure(b, x);
        ResidualHistory history = new ResidualHistory(criteria, normOfB, b.precision(), clock);
        scale = scaleFor(normOfB);
        DenseVector own = iterations.solution().vector();
        told.run("first guess, preconditioner " + SolverCheckpointScope.name(preconditioner),
                () -> {
                    if (history.isZeroTheAnswer()) {
                        arithmetic.clear(x, own);
                    } else {
                        arithmetic.copy(x, own);
                    }
                }, told.ofSolution(Access.READ),
                new StepData(iterations.solution(), Access.WRITE));
        RuntimeException failure = null;
        try {
            history.begin(trueResidual(b, history));
            iterate(b, history, observer, criteria.maximumIterations());
            if (!history.knowsTrueResidual()) {
                history.finish(trueResidual(b, history));
            }
            if (!history.hasConverged()) {
                requireRepresentable(history, b);
            }
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        } finally {
            told.lastly(failure, () -> {
                iterations.settle();
                told.run("solution", () -> arithmetic.copy(own, x), new StepData(iterations.solution(), Access.READ),
                        told.ofSolution(Access.WRITE));
            });
        }
        double touch = Math.max(0, firstTouch) * 1e-9;
        firstTouch = 1;
        return history.report(new SolveFacts("cg", preconditioner == null ? "none" : preconditioner.toString(),
                setupSeconds, touch, iterations.bytes(), notes(),
                errorEstimate(history.trueResidual() / normOfB, b)));
    }

    /** Says that it is the solution's size, where that is why there is none. */
    private void requireRepresentable(ResidualHistory history, DenseVector b) {
        double norm = steps.number("norm of the solution",
                () -> arithmetic.norm(iterations.solution().vector()),
                new StepData(iterations.solution(), Access.READ));
        double least = (b.precision() == Precision.F32 ? Float.MIN_NORMAL : Double.MIN_NORMAL)
                / b.precision().unitRoundoff();
        if (history.wasReduced() && (!Double.isFinite(norm) || norm < least)) {
            history.unrepresentable(history.trueResidual(), "the solution has elements that are no normal numbers in "
                    + b.precision().label() + ", its norm is " + norm + "; scale the system");
        }
    }

    /** Bounds the error by what is known of the spectrum, in the norm in which the residual says how large it is. */
    private ErrorEstimate errorEstimate(double relative, DenseVector b) {
        double least = lanczos.least();
        double condition = lanczos.largest() / least;
        if (!(condition >= 1) || Double.isNaN(relative)) {
            return ErrorEstimate.UNKNOWN;
        }
        double rounding = condition * b.precision().unitRoundoff();
        if (applied == null) {
            return new ErrorEstimate(condition, Math.max(condition * relative, rounding),
                    "in the Euclidean norm, from below, by Lanczos' coefficients");
        }
        double energy = steps.number("energy of the solution",
                () -> arithmetic.dot(iterations.solution().vector(), b),
                new StepData(iterations.solution(), Access.READ), steps.ofRight(Access.READ));
        double error = scale.residualNorm(Math.sqrt(preconditionedSquare() / least));
        return ErrorEstimate.ofEnergy(condition, error, energy, rounding);
    }

    /**
     * Returns {@code rᵀ M⁻¹ r} of the true residual, as that is scaled. The recurrence has it unless its residual is
     * another one by now; then the preconditioner is applied once more.
     */
    private double preconditionedSquare() {
        double ratio = residualNorm / lastNorm;
        if (Math.abs(ratio - 1) <= DRIFT && !Double.isNaN(lastRho)) {
            return ratio * ratio * lastRho;
        }
        iterations.begin(residualNorm, 0, scale.step(1));
        return iterations.rhoOf(0);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(iterations.notes());
        if (applied == null && preconditioner != null) {
            notes.add("all elements of the preconditioner's diagonal are the same, so that iterates are those without "
                    + "it, and it is not applied");
        }
        if (rounds.any()) {
            notes.add("the device stopped by itself, " + rounds + " of "
                    + (resides ? resident.toString() : "a graph that repeats them"));
        }
        if (way == IterationMode.RESIDENT && !resides) {
            notes.add("iterations were not one kernel: "
                    + (split == null ? resident.objection() : "matrix and preconditioner are applied together"));
        } else if (way == IterationMode.REPEATING && !rounds.any()) {
            notes.add("the device did not repeat iterations by itself: the host checked each, or few were needed, or "
                    + "the backend cannot do that");
        }
        return notes;
    }

    private double measure(DenseVector b, DenseVector x) {
        double normOfB = steps.number("norm of b", () -> FiniteInput.rightHandSide(b, arithmetic),
                steps.ofRight(Access.READ));
        steps.number("norm of x", () -> FiniteInput.norm("first guess", x, arithmetic),
                steps.ofSolution(Access.READ));
        return normOfB;
    }

    private void iterate(DenseVector b, ResidualHistory history, IterationObserver observer, int most) {
        boolean anew = true;
        int slot = 0;
        while (history.goesOn()) {
            if (resides) {
                anew = reside(b, history, anew);
                continue;
            }
            if (anew) {
                slot = 0;
                iterations.begin(residualNorm, scale.residual() * history.limit(), scale.step(1));
            }
            if (slot == 0 && repeats(observer, most - history.iterations())) {
                anew = repeat(b, history);
                continue;
            }
            int queued = Math.min(every, most - history.iterations());
            int last = slot;
            long start = System.nanoTime();
            for (int i = 0; i < queued; i++) {
                iterations.run(last);
                last = iterations.next(last);
            }
            iterations.fetch();
            long took = System.nanoTime() - start;
            rounds.looked(queued, took);
            if (firstTouch < 0) {
                firstTouch = took;
            }
            do {
                int before = history.iterations();
                anew = take(b, slot, history);
                slot = iterations.next(slot);
                if (history.iterations() > before) {
                    observer.iterated(history.iterations(), history.last());
                }
            } while (history.goesOn() && !anew && slot != last);
        }
    }

    private boolean repeats(IterationObserver observer, int left) {
        boolean wanted = way == IterationMode.REPEATING
                || (way == IterationMode.AUTOMATIC && (cheap() || rounds.secondsLooking() < SHORT_SECONDS));
        return wanted && left >= iterations.slots && observer.equals(IterationObserver.NONE) && iterations.repeats();
    }

    /** Has the device repeat rounds, and looks back at them; says whether the next one begins anew. */
    private boolean repeat(DenseVector b, ResidualHistory history) {
        long start = System.nanoTime();
        int done = iterations.repeat(Math.max(1, rounds.most(history) / iterations.slots));
        rounds.add(done * iterations.slots, System.nanoTime() - start);
        for (int round = 0; round < done; round++) {
            iterations.look(round);
            for (int slot = 0; slot < iterations.slots; slot++) {
                boolean anew = take(b, slot, history);
                if (anew || !history.goesOn()) {
                    return anew;
                }
            }
        }
        return false;
    }

    /** Has one kernel do iterations, and looks back at them; says whether the next one begins anew. */
    private boolean reside(DenseVector b, ResidualHistory history, boolean anew) {
        long start = System.nanoTime();
        int done = resident.run(new PersistentKernels.Bounds(rounds.most(history),
                iterations.square(scale.residual() * history.limit()), scale.step(1)), anew, iterations);
        rounds.add(done, System.nanoTime() - start);
        resides = done > 0;
        for (int i = 0; i < done; i++) {
            if (brokeDown(history, resident.rho(i), resident.sigma(i))) {
                return false;
            }
            boolean again = add(b, resident.norm(i), i + 1 < done ? resident.rho(i + 1) : Double.NaN, history);
            if (again || !history.goesOn()) {
                return again;
            }
        }
        // Nothing done: the residual is at the limit but for rounding, and the host decides.
        return !resides;
    }

    /** Looks at the iteration of a slot; says whether the next one begins anew. */
    private boolean take(DenseVector b, int slot, ResidualHistory history) {
        return !brokeDown(history, iterations.rhoOf(slot), iterations.sigmaOf(slot))
                && add(b, iterations.normOf(slot), iterations.rhoAfter(slot), history);
    }

    private boolean add(DenseVector b, double norm, double rho, ResidualHistory history) {
        residualNorm = norm;
        lastNorm = norm;
        lastRho = rho;
        history.add(scale.residualNorm(residualNorm));
        if (history.wantsTrueResidual()) {
            history.replace(trueResidual(b, history));
            lanczos.restart();
            return true;
        }
        return false;
    }

    private boolean brokeDown(ResidualHistory history, double rho, double sigma) {
        if (brokeDown(history, rho, "r^T M^-1 r", "preconditioner")
                || brokeDown(history, sigma, "p^T A p", "matrix")) {
            return true;
        }
        lanczos.add(rho, sigma);
        return false;
    }

    private static boolean brokeDown(ResidualHistory history, double square, String what, String which) {
        if (square > 0) {
            return false;
        }
        history.breakDown(what + " is " + square + ": the " + which + " is not positive definite");
        return true;
    }

    private SystemScale scaleFor(double norm) {
        return SystemScale.of(matrix.precision(), applied != null, largestEntry, norm);
    }

    /** Computes {@code τ (b − A x)}, with a τ that suits it, and returns {@code ‖b − A x‖₂}. */
    private double trueResidual(DenseVector b, ResidualHistory history) {
        iterations.settle();
        double norm = computeResidual(b);
        SystemScale better = scaleFor(norm);
        if (norm != 0 && !scale.fits(better)) {
            scale = better;
            norm = computeResidual(b);
        }
        if (inDouble.isNeeded(norm, history.threshold())) {
            DenseVector residual = iterations.residual().vector();
            steps.run("true residual in double precision",
                    () -> inDouble.compute(b, iterations.solution().vector(), scale.residual(), scale.residual(),
                            residual),
                    steps.ofRight(Access.READ), new StepData(iterations.solution(), Access.READ),
                    new StepData(iterations.residual(), Access.READ_WRITE));
            norm = normOfResidual();
        }
        return norm;
    }

    private double computeResidual(DenseVector b) {
        DenseVector residual = iterations.residual().vector();
        double factor = scale.residual();
        steps.run("true residual", () -> {
            arithmetic.copy(b, residual);
            matrix.apply(-factor, iterations.solution().vector(), factor, residual);
        }, steps.ofRight(Access.READ), new StepData(iterations.solution(), Access.READ),
                new StepData(iterations.residual(), Access.WRITE));
        return normOfResidual();
    }

    private double normOfResidual() {
        residualNorm = steps.number("norm of the residual",
                () -> arithmetic.norm(iterations.residual().vector()),
                new StepData(iterations.residual(), Access.READ));
        return scale.residualNorm(residualNorm);
    }

    /** Releases vectors, loops and bound products. Idempotent. */
    @Override
    public void close() {
        resident.close();
        arithmetic.close();
        iterations.close();
        closeSplit();
    }
}
