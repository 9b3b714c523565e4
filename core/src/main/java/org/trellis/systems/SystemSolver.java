package org.trellis.systems;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Solves systems with one matrix. Made by {@link Solvers}; the methods that choose something return this object, so
 * that calls can be written one after the other. The first solution prepares backend, product and preconditioner or
 * factors; later ones reuse them.
 *
 * <pre>{@code
 * SystemSolver solver = Solvers.cg(a).multigrid().tolerance(1e-10);
 * double[] x = solver.solve(b).x();
 * double[] next = solver.update(newValues).solve(b).x();
 * }</pre>
 *
 * <p>Close it where it holds a device; on the host there is nothing to be closed. One object serves one thread at a
 * time; objects of their own, also of one matrix, run side by side.
 */
public final class SystemSolver implements AutoCloseable {
    private final SystemMatrix system;
    /** The matrix itself where it is on this rank, else null. */
    private CsrMatrix matrix;
    private SolverConfig stack;
    private boolean direct;
    private Optional<String> backend = Optional.empty();
    private Optional<NearNullSpace> space = Optional.empty();
    private Optional<MatrixKind> known = Optional.empty();
    private IterationObserver observer = IterationObserver.NONE;
    private SystemMatrix.Prepared prepared;

    SystemSolver(SystemMatrix system, CsrMatrix matrix, SolverConfig stack) {
        this.system = system;
        this.matrix = matrix;
        this.stack = stack;
    }

    SystemSolver direct() {
        direct = true;
        return this;
    }

    /**
     * Sets the tolerance.
     *
     * @param relative the residual's share of the norm of the right-hand side at which a solution has converged, at
     *                 least 0; {@linkplain StoppingCriteria#defaults by default} 1e-8, in single precision 1e-5
     * @return this
     * @throws IllegalArgumentException if the number is negative or not finite
     */
    public SystemSolver tolerance(double relative) {
        StoppingCriteria now = stack.criteria();
        return criteria(new StoppingCriteria(relative, now.absoluteTolerance(), now.maximumIterations(),
                now.divergenceLimit(), now.toFirstResidual(), now.maximumSeconds(), now.stagnationWindow()));
    }

    /**
     * Limits iterations.
     *
     * @param most iterations, at least 0; 10,000 unless set
     * @return this
     * @throws IllegalArgumentException if the number is negative
     */
    public SystemSolver maximumIterations(int most) {
        return criteria(stack.criteria().atMost(most));
    }

    /**
     * Limits time, also that of factorisations of an automatic choice.
     *
     * @param seconds more than 0
     * @return this
     * @throws IllegalArgumentException if the number is not more than 0
     */
    public SystemSolver maximumSeconds(double seconds) {
        return criteria(stack.criteria().within(seconds));
    }

    /**
     * Sets all that says when to stop.
     *
     * @param criteria the criteria
     * @return this
     */
    public SystemSolver criteria(StoppingCriteria criteria) {
        stack = stack.with(criteria);
        return this;
    }

    /**
     * Sets the preconditioner.
     *
     * @param chosen the preconditioner
     * @return this
     * @throws IllegalArgumentException if the method takes none, or not this one; says what would do
     */
    public SystemSolver preconditioner(Preconditioning chosen) {
        return preconditioner(chosen.name(), chosen.options());
    }

    /**
     * Takes algebraic multigrid with its defaults as preconditioner.
     *
     * @return this
     * @throws IllegalArgumentException if the method takes none
     */
    public SystemSolver multigrid() {
        return multigrid(UnaryOperator.identity());
    }

    /**
     * Takes algebraic multigrid as preconditioner.
     *
     * @param settings makes the settings of the defaults, for example {@code m -> m.smoother(chebyshev(3))}
     * @return this
     * @throws IllegalArgumentException if the method takes none, or not with this cycle; says what would do
     */
    public SystemSolver multigrid(UnaryOperator<MultigridSettings> settings) {
        return preconditioner(NamedPreconditioners.AMG, settings.apply(MultigridSettings.defaults()).options());
    }

    private SystemSolver preconditioner(String name, Map<String, String> options) {
        refuseWhereChosen("preconditioner " + name);
        return take(new SolverConfig(stack.method(), stack.methodOptions(), name, options, stack.criteria(),
                stack.mixedPrecision(), stack.nullSpaceOfConstants()));
    }

    /**
     * Sets an option of the method by name, such as {@code restart} of GMRES.
     *
     * @param option its name
     * @param value  its value
     * @return this
     * @throws IllegalArgumentException if the method has no such option; says which it has
     */
    public SystemSolver option(String option, Object value) {
        refuseWhereChosen("option " + option);
        Map<String, String> options = new HashMap<>(stack.methodOptions());
        options.put(option, value.toString());
        return take(new SolverConfig(stack.method(), options, stack.preconditioner(), stack.preconditionerOptions(),
                stack.criteria(), stack.mixedPrecision(), stack.nullSpaceOfConstants()));
    }

    private void refuseWhereChosen(String what) {
        if (direct || stack.isAutomatic()) {
            throw new IllegalArgumentException(what + " for " + (direct ? "a factorisation" : "an automatic choice")
                    + ", expected a method that takes one, such as Solvers.cg(a) or Solvers.gmres(a)");
        }
    }

    /**
     * Iterates in single precision within refinement in double precision.
     *
     * @return this
     */
    public SystemSolver mixedPrecision() {
        return take(new SolverConfig(stack.method(), stack.methodOptions(), stack.preconditioner(),
                stack.preconditionerOptions(), stack.criteria(), true, stack.nullSpaceOfConstants()));
    }

    /**
     * Says that the matrix takes constants to zero, as that of a Neumann problem does: right-hand sides are made
     * consistent, and the solution has the mean 0.
     *
     * @return this
     */
    public SystemSolver nullSpaceOfConstants() {
        return take(new SolverConfig(stack.method(), stack.methodOptions(), stack.preconditioner(),
                stack.preconditionerOptions(), stack.criteria(), stack.mixedPrecision(), true));
    }

    /**
     * Names the backend, which is that of the host unless it is named or configured ({@code trellis.backend}).
     *
     * @param name such as {@code cuda}, or {@code best} for the available one of highest priority
     * @return this
     */
    public SystemSolver backend(String name) {
        release();
        backend = Optional.of(name);
        return this;
    }

    /**
     * Gives what coarse levels of multigrid have to represent, such as {@link NearNullSpace#rigidBody}.
     *
     * @param vectors the near null space
     * @return this
     */
    public SystemSolver nearNullSpace(NearNullSpace vectors) {
        release();
        space = Optional.of(vectors);
        return this;
    }

    /**
     * Says what is known of the matrix, so that an automatic choice need not find out. Not checked.
     *
     * @param kind what it is
     * @return this
     */
    public SystemSolver knownAs(MatrixKind kind) {
        release();
        known = Optional.of(kind);
        return this;
    }

    /**
     * Sets who hears of each iteration.
     *
     * @param heard the observer
     * @return this
     */
    public SystemSolver observer(IterationObserver heard) {
        observer = heard;
        return this;
    }

    private SystemSolver take(SolverConfig other) {
        release();
        stack = other;
        return this;
    }

    /**
     * Solves from a first guess of zeros. Over ranks called by all of them.
     *
     * @param b the right-hand side; over ranks, of the owned rows
     * @return the solution, also if it did not converge: see {@link Solution#converged} and {@link Solution#orThrow}
     * @throws IllegalArgumentException            if a length does not fit, an element is not finite, or the solver
     *                                             does not suit the matrix; says what would
     * @throws org.trellis.common.TrellisException if a preconditioner or factors cannot be made; names the row
     */
    public Solution solve(double[] b) {
        return solve(HostVector.of(b).convert(system.precision()));
    }

    /**
     * Solves from a first guess of zeros.
     *
     * @param b the right-hand side; over ranks, of the owned rows
     * @return the solution
     * @throws IllegalArgumentException            as {@link #solve(double[])}
     * @throws org.trellis.common.TrellisException as {@link #solve(double[])}
     */
    public Solution solve(HostVector b) {
        return solve(b, HostVector.zeros(system.precision(), columns()));
    }

    /**
     * Solves from a first guess.
     *
     * @param b     the right-hand side
     * @param guess the first guess, unchanged
     * @return the solution
     * @throws IllegalArgumentException            as {@link #solve(double[])}
     * @throws org.trellis.common.TrellisException as {@link #solve(double[])}
     */
    public Solution solve(double[] b, double[] guess) {
        return solve(HostVector.of(b).convert(system.precision()), HostVector.of(guess).convert(system.precision()));
    }

    /**
     * Solves for several right-hand sides, one after the other, with what was prepared once.
     *
     * @param several right-hand sides
     * @return their solutions, in this order
     * @throws IllegalArgumentException            as {@link #solve(double[])}
     * @throws org.trellis.common.TrellisException as {@link #solve(double[])}
     */
    public Solution[] solveAll(double[]... several) {
        Solution[] solutions = new Solution[several.length];
        for (int i = 0; i < several.length; i++) {
            solutions[i] = solve(several[i]);
        }
        return solutions;
    }

    private Solution solve(HostVector b, HostVector guess) {
        Checks.length("length of b", b.length(), system.ownedRows());
        Checks.length("length of the first guess", guess.length(), columns());
        HostVector x = guess.convert(system.precision()).copy();
        SolveReport report = prepared().solve(b.convert(system.precision()), x, stack.criteria(), observer);
        return new Solution(x, report);
    }

    private int columns() {
        return matrix == null ? system.ownedRows() : matrix.columns();
    }

    /**
     * Prepares backend, product and preconditioner or factors, if that is not done yet: what the first solution would
     * do.
     *
     * @return this
     * @throws IllegalArgumentException            if the solver does not suit the matrix; says what would
     * @throws org.trellis.common.TrellisException if a preconditioner or factors cannot be made; names the row
     */
    public SystemSolver prepare() {
        prepared();
        return this;
    }

    @SuppressWarnings("MustBeClosed") // released with this
    private SystemMatrix.Prepared prepared() {
        if (prepared == null) {
            prepared = system.prepare(new SystemSettings(stack, direct, backend, space, known));
        }
        return prepared;
    }

    /**
     * Solves {@code Aᵀ x = b} with the factors of {@link Solvers#direct}, without refinement.
     *
     * @param b the right-hand side, unchanged
     * @return the solution, in double precision
     * @throws IllegalArgumentException            if the length does not fit
     * @throws UnsupportedOperationException       if the method iterates
     * @throws org.trellis.common.TrellisException if factors cannot be made; names the row
     */
    public double[] solveTransposed(double[] b) {
        Checks.length("length of b", b.length, system.ownedRows());
        double[] x = b.clone();
        prepared().solveTransposed(x);
        return x;
    }

    /**
     * Estimates the condition number in the 1-norm from the factors of {@link Solvers#direct}. Costs some ten solutions
     * when it is first called.
     *
     * @return at least 1, infinite for a matrix that is singular but for rounding; NaN for a method that iterates,
     *         whose estimate is part of its {@linkplain Solution#conditionEstimate solutions}
     * @throws org.trellis.common.TrellisException if factors cannot be made; names the row
     */
    public double conditionEstimate() {
        return prepared().conditionEstimate();
    }

    /**
     * Returns the number of rows whose unknowns are here.
     *
     * @return the length of right-hand sides; over ranks, of those that this rank gives
     */
    public int rows() {
        return system.ownedRows();
    }

    /**
     * Takes other values, in the order of the entries of the matrix. Factors keep their order and pivots where they
     * can, multigrid its hierarchy.
     *
     * @param values a value for each entry, row by row, by ascending columns
     * @return this
     * @throws IllegalArgumentException            if there are more or fewer values than entries
     * @throws IllegalStateException               if the matrix is spread over ranks
     * @throws org.trellis.common.TrellisException if factors of these values cannot be made; names the row
     */
    public SystemSolver update(double[] values) {
        requireHere();
        if (values.length != matrix.nonZeros()) {
            throw new IllegalArgumentException(
                    values.length + " values for " + matrix + ", expected one for each entry");
        }
        int[] next = {0};
        return update(matrix.mapValues((row, column, old) -> values[next[0]++]));
    }

    /**
     * Takes a matrix of the same structure.
     *
     * @param values the matrix with its new values
     * @return this
     * @throws IllegalArgumentException            if the matrix has another structure or precision; names the row
     * @throws IllegalStateException               if the matrix is spread over ranks
     * @throws org.trellis.common.TrellisException if factors of these values cannot be made; names the row
     */
    public SystemSolver update(CsrMatrix values) {
        requireHere();
        requireSameStructure(values);
        matrix = values;
        ((HostSystem) system).take(values);
        if (prepared != null && !updated(values)) {
            release();
        }
        return this;
    }

    /** What failed half-way is not used again. */
    private boolean updated(CsrMatrix values) {
        try {
            return prepared.update(values);
        } catch (RuntimeException e) {
            release();
            throw e;
        }
    }

    private void requireSameStructure(CsrMatrix values) {
        if (values.rows() != matrix.rows() || values.columns() != matrix.columns()
                || values.nonZeros() != matrix.nonZeros() || values.precision() != matrix.precision()) {
            throw new IllegalArgumentException("update of a solver for " + matrix + " with " + values
                    + ", expected a matrix of the same structure and precision");
        }
        for (int row = 0; row < matrix.rows(); row++) {
            CsrSegment old = matrix.segmentOf(row);
            CsrSegment now = values.segmentOf(row);
            if (old != now && !Arrays.equals(old.columnIndices(), old.rowStart(row), old.rowEnd(row),
                    now.columnIndices(), now.rowStart(row), now.rowEnd(row))) {
                throw new IllegalArgumentException("update of a solver for " + matrix + " with " + values + ": row "
                        + row + " has entries in other columns, expected a matrix of the same structure");
            }
        }
    }

    private void requireHere() {
        if (matrix == null) {
            throw new IllegalStateException(
                    "new values for a matrix that is spread over ranks, expected another solver "
                            + "for another matrix");
        }
    }

    private void release() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }

    /** Releases backend, product and preconditioner; a later solution prepares them again. Idempotent. */
    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return (direct ? "direct" : stack.toString()) + " for "
                + (matrix == null ? system.toString() : matrix.toString());
    }
}
