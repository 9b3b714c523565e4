package org.trellis.solve.krylov;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.SolverCheckpointScope;
import org.trellis.mesh.StepData;
import org.trellis.mesh.WorkStep;
import org.trellis.mesh.loop.Layout;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.DoubleResidual;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.solve.SolveFacts;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.SystemScale;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.Operators;
import org.trellis.sparse.SpmvOperator;

/**
 * What the methods have in common: a mesh of their own whose sets are the rows and columns, the solution and the
 * residual as dats on them, and the way from one true residual to the next. A subclass says how a recurrence begins
 * from the true residual and what an iteration does.
 *
 * <p>The residual of a recurrence only says when to look. Once it meets the criterion, the true one is recomputed, at
 * the cost of a product, a copy and a norm, and only that decides; if it is too large, the recurrence begins anew from
 * it, as {@link ResidualHistory} has it.
 *
 * <p>Systems of unusual size are scaled by powers of two as {@link SystemScale} has it, here and nowhere else: a
 * subclass sees a matrix, a preconditioner, a solution and residuals near 1, and norms of these; {@link #add} gives the
 * history those of the system that was given. Before a scaled solution is called one, it is brought back to its own
 * size and judged as numbers of its precision hold it.
 */
abstract class KrylovSolver implements LinearSolver {
    /** What comes after an iteration. */
    enum Next {
        /** Another one, or what the history says. */
        ITERATION,
        /** The method begins anew from the true residual, by design. */
        CYCLE,
        /** Rounding has spoilt the recurrence, which begins anew from the true residual. */
        RESTART,
        /** The recurrence cannot go on and begins anew from the true residual. */
        BROKEN
    }

    /** The operator as it is scaled. */
    final LinearOperator matrix;
    /** As it is scaled, or null. */
    final Preconditioner preconditioner;
    /** What iterations apply: the preconditioner, or null if they need none. */
    final Preconditioner applied;
    final Mesh mesh;
    final MeshSet rows;
    final MeshSet columns;
    /** One element, for recurrences of scalars. */
    final MeshSet single;
    final Dat solution;
    final Dat residual;
    final Scalars scalars;
    /** The scalars as last fetched. */
    final double[] values;
    final VectorArithmetic arithmetic;
    private final CollectiveClock clock;
    private final String name;
    private final int components;
    private final long created = System.nanoTime();
    private final List<PreparedStep> work = new ArrayList<>();
    private final DenseVector solutionVector;
    private final DenseVector residualVector;
    private Dat diagonal;
    private double setupSeconds;
    private boolean touched;
    private double firstTouchSeconds;
    private double currentNorm;
    private DenseVector rightHandSide;
    private final double largestEntry;
    /** Of the matrix, and of the residual and the solution while a system is solved. */
    private SystemScale scale;
    private final DoubleResidual inDouble;
    /** What is solved for, or null. */
    private ResidualHistory solved;
    /** What listens to the solution that is under way, or null. */
    private SolverCheckpointScope steps;
    private String reason = "";

    /**
     * Makes the mesh.
     *
     * @param name           the method in words, with parameters
     * @param matrix         the operator
     * @param preconditioner an approximate inverse, or null
     * @param backend        where all of it lives
     * @param count          of scalars
     */
    KrylovSolver(String name, LinearOperator matrix, Preconditioner preconditioner, Backend backend, int count) {
        this(name, matrix, preconditioner, preconditioner, backend, count, 1);
    }

    /**
     * Makes the mesh of a method whose vectors have several components on each element, such as real and imaginary
     * parts.
     *
     * @param name           the method in words, with parameters
     * @param matrix         the operator, whose rows and columns are components of the elements, those of an element
     *                       side by side
     * @param preconditioner an approximate inverse, or null
     * @param backend        where all of it lives
     * @param count          of scalars
     * @param components     of an element, of which the number of rows is a multiple
     */
    KrylovSolver(String name, LinearOperator matrix, Preconditioner preconditioner, Backend backend, int count,
            int components) {
        this(name, matrix, preconditioner, preconditioner, backend, count, components);
    }

    /**
     * Makes the mesh of a method that need not apply every preconditioner.
     *
     * @param name           the method in words, with parameters
     * @param matrix         the operator
     * @param preconditioner an approximate inverse, or null; the one that reports name
     * @param applied        the same, or null if iterations are the same without it
     * @param backend        where all of it lives
     * @param count          of scalars
     */
    KrylovSolver(String name, LinearOperator matrix, Preconditioner preconditioner, Preconditioner applied,
            Backend backend, int count) {
        this(name, matrix, preconditioner, applied, backend, count, 1);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private KrylovSolver(String name, LinearOperator matrix, Preconditioner preconditioner, Preconditioner applied,
            Backend backend, int count, int components) {
        this.name = name;
        this.components = components;
        this.largestEntry = matrix instanceof SpmvOperator prepared
                ? FiniteInput.largestEntry(name, prepared.matrix())
                : 1;
        this.scale = SystemScale.of(matrix.precision(), false, largestEntry, 1);
        this.inDouble = new DoubleResidual(matrix);
        boolean scaled = scale.matrixExponent() != 0;
        this.matrix = scaled ? Operators.on(backend).scaled(scale.matrix(), matrix) : matrix;
        this.preconditioner = scaled && preconditioner != null
                ? new ScaledPreconditioner(preconditioner, 1 / scale.matrix(), backend)
                : preconditioner;
        this.applied = applied == null ? null : this.preconditioner;
        this.clock = CollectiveClock.of(name, matrix, backend);
        mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false));
        arithmetic = new VectorArithmetic(backend);
        try {
            rows = mesh.set("rows", matrix.rows() / components);
            columns = matrix.rows() == matrix.columns() ? rows : mesh.set("columns", matrix.columns() / components);
            single = mesh.set("single", 1).replicate();
            solution = mesh.dat("solution", columns, components, matrix.precision());
            residual = mesh.dat("residual", rows, components, matrix.precision());
            solutionVector = solution.vector();
            residualVector = residual.vector();
            scalars = mesh.scalars("scalars", count);
            values = new double[count];
            DenseVector inverse = this.applied == null ? null : this.applied.inverseDiagonal().orElse(null);
            if (inverse != null) {
                diagonal = vector("diagonal");
                arithmetic.copy(inverse, diagonal.vector());
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    /** Runs what a subclass prepares in its constructor; on a failure everything is closed. */
    final void prepare(Runnable all) {
        try {
            all.run();
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
        setupSeconds = (System.nanoTime() - created) * 1e-9;
    }

    /** Begins a recurrence from the residual; returns false with a {@link #broken reason} if that cannot be done. */
    abstract boolean begin(double residualNorm);

    /** Does an iteration and adds its residual norm to the history; or says why it cannot be done. */
    abstract Next iterate(ResidualHistory history);

    /** Brings the solution up to date, where iterations do not. */
    void settle() {}

    /** Makes a vector on the rows. */
    final Dat vector(String vectorName) {
        return mesh.dat(vectorName, rows, components, matrix.precision());
    }

    /** Makes a dat for a recurrence of scalars, always in double precision. */
    final Dat state(int components) {
        return mesh.dat("state", single, components, Precision.F64);
    }

    /** Returns where the preconditioned vector is found: a vector of its own, or without a preconditioner the same. */
    final Dat preconditioned(String vectorName, Dat from) {
        return applied == null ? from : vector(vectorName);
    }

    /** Adds {@code to = M⁻¹ from}, or nothing if that is one vector. */
    final void precondition(LoopSequence.Builder steps, Dat from, Dat to) {
        if (applied == null) {
            return;
        }
        if (diagonal != null) {
            steps.run(mesh.loop(components == 1 ? KrylovUpdatesLoops.MULTIPLY : ComplexUpdatesLoops.MULTIPLY, rows,
                    diagonal, from, to));
            return;
        }
        for (PreparedStep step : applied.bindApplication(from.vector(), to.vector())) {
            work.add(step);
            steps.run(new WorkStep("precondition", step,
                    List.of(new StepData(from, Access.READ), new StepData(to, Access.WRITE))));
        }
    }

    /** Adds {@code to = A from}. */
    final void product(LoopSequence.Builder steps, Dat from, Dat to) {
        multiply(steps, matrix, from, to);
    }

    /** Adds {@code to = operator from}. */
    @SuppressWarnings("MustBeClosed") // closed with this
    final void multiply(LoopSequence.Builder steps, LinearOperator operator, Dat from, Dat to) {
        PreparedStep step = operator.bind(1, from.vector(), 0, to.vector());
        work.add(step);
        steps.run(new WorkStep("product", step,
                List.of(new StepData(from, Access.READ), new StepData(to, Access.WRITE))));
    }

    /** Adds {@code to = A from} and a dot product of the result. */
    @SuppressWarnings("MustBeClosed") // closed with this
    final void productAndDot(LoopSequence.Builder steps, Dat from, Dat to, Dat with, int at) {
        PreparedStep step = matrix.bindMultiplyAndDot(1, from.vector(), 0, to.vector(), with.vector(),
                scalars.vector(), at);
        work.add(step);
        steps.run(new WorkStep("product and dot product", step, List.of(new StepData(from, Access.READ),
                new StepData(with, Access.READ), new StepData(to, Access.WRITE),
                new StepData(scalars.at(at), Access.SUM))));
    }

    /** Waits for what is queued and copies all scalars to the host. */
    final void fetch() {
        scalars.copyTo(values);
    }

    /** Says why a recurrence cannot go on. */
    final Next broken(String why) {
        reason = why;
        return Next.BROKEN;
    }

    @Override
    public final SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria,
            IterationObserver observer) {
        try (SolverCheckpointScope told = SolverCheckpointScope.of(name, isFollowed(), mesh, b, x)) {
            steps = told;
            return solve(told.b(), told.x(), criteria, observer, told);
        } finally {
            steps = null;
        }
    }

    /**
     * Says whether iterations are nothing but sequences of the mesh and looks at its scalars, so that checkpoints can
     * follow them.
     */
    boolean isFollowed() {
        return false;
    }

    private SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer,
            SolverCheckpointScope told) {
        matrix.range().check(name, "b", b);
        matrix.domain().check(name, "x", x);
        double normOfB = told.number("norm of b", () -> FiniteInput.rightHandSide(b, arithmetic),
                told.ofRight(Access.READ));
        double normOfX = told.number("norm of x", () -> FiniteInput.norm("first guess", x, arithmetic),
                told.ofSolution(Access.READ));
        ResidualHistory history = new ResidualHistory(criteria.divergingAt(criteria.divergenceLimit() * leap()),
                normOfB, b.precision(), clock);
        firstTouchSeconds = 0;
        scale = scaleFor(Math.max(normOfB, largestEntry * normOfX));
        boolean trivial = history.isZeroTheAnswer();
        told.run("first guess, preconditioner " + SolverCheckpointScope.name(preconditioner),
                () -> {
                    if (trivial) {
                        arithmetic.clear(x, solutionVector);
                    } else {
                        arithmetic.multiply(-stepExponent(), x, solutionVector);
                    }
                },
                told.ofSolution(Access.READ), new StepData(solution, Access.WRITE));
        RuntimeException failure = null;
        try {
            rightHandSide = b;
            solved = history;
            history.begin(trueResidual());
            while (history.goesOn()) {
                round(history, observer);
            }
            if (!history.knowsTrueResidual()) {
                history.finish(trueResidual());
            }
            if (history.hasConverged() && stepExponent() != 0) {
                requireRepresentable(x, history);
            }
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        } finally {
            rightHandSide = null;
            solved = null;
            told.lastly(failure,
                    () -> told.run("solution", () -> arithmetic.multiply(stepExponent(), solutionVector, x),
                            new StepData(solution, Access.READ), told.ofSolution(Access.WRITE)));
        }
        return history.report(new SolveFacts(name, preconditioner == null ? "none" : preconditioner.toString(),
                setupSeconds, firstTouchSeconds, memoryBytes(), notes()));
    }

    /** The binary logarithm of what the solution of the scaled system is to be multiplied by. */
    private int stepExponent() {
        return scale.matrixExponent() - scale.residualExponent();
    }

    private SystemScale scaleFor(double norm) {
        return SystemScale.of(matrix.precision(), false, largestEntry, norm);
    }

    /** Looks at the solution as numbers of its precision hold it, where that of the scaled system is another. */
    private void requireRepresentable(DenseVector x, ResidualHistory history) {
        double before = steps.number("norm of the solution", () -> arithmetic.norm(solutionVector),
                new StepData(solution, Access.READ));
        steps.run("solution as it is represented", () -> {
            arithmetic.multiply(stepExponent(), solutionVector, x);
            arithmetic.multiply(-stepExponent(), x, solutionVector);
        }, steps.ofSolution(Access.WRITE), new StepData(solution, Access.READ_WRITE));
        double norm = trueResidual();
        if (!history.isMetBy(norm)) {
            double exponent = Math.log10(before) + stepExponent() * Math.log10(2);
            history.unrepresentable(norm, String.format(Locale.ROOT, "the solution, whose norm is about 1e%+.0f, has "
                    + "elements that are no normal numbers in %s; scale the system", exponent,
                    x.precision().label()));
        }
    }

    /** Adds a norm of the scaled residual to the history. */
    final void add(ResidualHistory history, double scaledNorm) {
        history.add(scale.residualNorm(scaledNorm));
    }

    /** The norm of the last true residual as it is scaled. */
    final double scaledResidualNorm() {
        return currentNorm;
    }

    /** What a residual norm is in the system as it is scaled. */
    final double scaled(double norm) {
        return norm * scale.residual();
    }

    /** What the matrix is multiplied by. */
    final double matrixScale() {
        return scale.matrix();
    }

    /** Returns how many times the limit of divergence a residual may exceed, in methods whose residuals leap. */
    double leap() {
        return 1;
    }

    /** Returns sentences for the report. */
    List<String> notes() {
        return List.of();
    }

    /** Runs a recurrence from one true residual to the next. */
    private void round(ResidualHistory history, IterationObserver observer) {
        SystemScale better = scaleFor(scale.residualNorm(currentNorm));
        if (currentNorm != 0 && !scale.fits(better)) {
            rescale(better);
        }
        Next next = begin(currentNorm) ? Next.ITERATION : Next.BROKEN;
        while (next == Next.ITERATION && history.goesOn() && !history.wantsTrueResidual()) {
            int before = history.iterations();
            long start = System.nanoTime();
            next = iterate(history);
            if (!touched) {
                touched = true;
                firstTouchSeconds = (System.nanoTime() - start) * 1e-9;
            }
            for (int i = before + 1; i <= history.iterations(); i++) {
                observer.iterated(i, history.norm(i));
            }
        }
        settle();
        if (history.goesOn()) {
            boolean wanted = history.wantsTrueResidual();
            double norm = trueResidual();
            if (next == Next.BROKEN) {
                history.replaceAfter(norm, reason);
            } else if (next == Next.CYCLE && !wanted) {
                history.cycle(norm, reason);
            } else {
                history.replace(norm);
            }
        }
    }

    /** Brings the residual near 1 again, where it has fallen far. */
    private void rescale(SystemScale better) {
        int exponent = better.residualExponent() - scale.residualExponent();
        scale = better;
        steps.run("solution as it is scaled", () -> arithmetic.multiply(exponent, solutionVector, solutionVector),
                new StepData(solution, Access.READ_WRITE));
        trueResidual();
    }

    /** Computes {@code b − A x}, scaled, into the residual; returns its norm, not scaled. */
    final double trueResidual() {
        double factor = scale.residual();
        steps.run("true residual", () -> {
            arithmetic.update(factor, rightHandSide, 0, residualVector);
            matrix.apply(-1, solutionVector, 1, residualVector);
        }, steps.ofRight(Access.READ), new StepData(solution, Access.READ), new StepData(residual, Access.WRITE));
        currentNorm = normOfResidual();
        if (inDouble.isNeeded(scale.residualNorm(currentNorm), solved.threshold())) {
            steps.run("true residual in double precision",
                    () -> inDouble.compute(rightHandSide, solutionVector, scale.matrix(), factor, residualVector),
                    steps.ofRight(Access.READ), new StepData(solution, Access.READ),
                    new StepData(residual, Access.READ_WRITE));
            currentNorm = normOfResidual();
        }
        return scale.residualNorm(currentNorm);
    }

    private double normOfResidual() {
        return steps.number("norm of the residual", () -> arithmetic.norm(residualVector),
                new StepData(residual, Access.READ));
    }

    /** Ends a cycle that is over by design. */
    final Next cycle(String what) {
        reason = what;
        return Next.CYCLE;
    }

    private long memoryBytes() {
        return mesh.dats().stream().mapToLong(
                dat -> (long) dat.set().size() * dat.components() * dat.precision().bytes()).sum();
    }

    @Override
    public String toString() {
        return name + " with " + matrix + ", preconditioner "
                + (preconditioner == null ? "none" : preconditioner);
    }

    @Override
    public void close() {
        work.forEach(PreparedStep::close);
        work.clear();
        mesh.close();
        arithmetic.close();
    }
}
