package org.trellis.solve.krylov;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.LinearOperator;

/**
 * Solves singular systems with a symmetric matrix whose null space is known, such as a Neumann problem's constants:
 * what the right-hand side has of the null space is taken away, so that the system is consistent, and the same is done
 * with the solution, which is then the one of least norm if the first guess is zero. The report says how much of the
 * right-hand side that was; residuals and criteria are those of what is left.
 */
public final class NullSpaceSolver implements PreconditionedSolver {
    /** Above this share of the right-hand side the system is not taken for consistent but for rounding. */
    private static final double ROUNDING = 64;

    private final LinearSolver solver;
    private final VectorArithmetic arithmetic;
    private final List<DenseVector> basis = new ArrayList<>();
    private final DenseVector right;

    /**
     * Makes the null space orthonormal and checks that the matrix takes it to zero. Costs a product for each vector.
     *
     * @param matrix    symmetric
     * @param nullSpace vectors that span the null space, in the precision of the matrix; not changed
     * @param solver    a solver for the matrix; closed by this object
     * @param backend   of both
     * @throws IllegalArgumentException if there is no vector, one depends on the others, or the matrix does not take
     *         one to zero
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    public NullSpaceSolver(LinearOperator matrix, List<HostVector> nullSpace, LinearSolver solver, Backend backend) {
        this.solver = solver;
        if (nullSpace.isEmpty()) {
            throw new IllegalArgumentException("null space of " + matrix + " without a vector, expected at least one");
        }
        this.arithmetic = new VectorArithmetic(backend);
        try {
            this.right = backend.vector(matrix.precision(), matrix.rows());
        } catch (RuntimeException | OutOfMemoryError e) {
            arithmetic.close();
            throw e;
        }
        try {
            for (HostVector vector : nullSpace) {
                add(matrix, vector, backend);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            release();
            throw e;
        }
    }

    /**
     * Makes a solver for a matrix that takes constants to zero.
     *
     * @param matrix  symmetric
     * @param solver  a solver for the matrix; closed by the result
     * @param backend of both
     * @return a solver that the caller closes
     * @throws IllegalArgumentException if the matrix does not take constants to zero
     */
    public static NullSpaceSolver ofConstants(LinearOperator matrix, LinearSolver solver, Backend backend) {
        return new NullSpaceSolver(matrix, List.of(HostVector.zeros(matrix.precision(), matrix.rows()).fill(1)), solver,
                backend);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void add(LinearOperator matrix, HostVector vector, Backend backend) {
        DenseVector own = backend.vector(matrix.precision(), matrix.rows());
        int index = basis.size();
        basis.add(own);
        own.copyFrom(vector);
        double before = arithmetic.norm(own);
        project(own, index);
        project(own, index);
        double length = arithmetic.norm(own);
        double rounding = Math.sqrt(matrix.precision().unitRoundoff());
        if (!(length > rounding * before)) {
            throw new IllegalArgumentException("null space of " + matrix + ": vector " + index
                    + " depends on those before, expected independent ones");
        }
        HostVector unit = HostVector.zeros(matrix.precision(), matrix.rows());
        own.copyTo(unit);
        for (int i = 0; i < unit.length(); i++) {
            unit.set(i, unit.get(i) / length);
        }
        own.copyFrom(unit);
        matrix.apply(own, right);
        double image = arithmetic.norm(right);
        double scale = scaleOf(matrix, unit, own);
        if (!(image <= rounding * scale)) {
            throw new IllegalArgumentException("null space of " + matrix + ": vector " + index
                    + ", normalised, is taken to one of norm " + image + ", expected 0 up to rounding beside " + scale);
        }
    }

    /** Estimates the norm of a matrix from below by a product with signs; a vector is lent for it and restored. */
    private double scaleOf(LinearOperator matrix, HostVector kept, DenseVector lent) {
        int n = matrix.rows();
        double entry = 1 / Math.sqrt(Math.max(1, n));
        lent.copyFrom(HostVector.of(matrix.precision(), n, i -> (i * 7919L % 1009 & 1) == 0 ? entry : -entry));
        matrix.apply(lent, right);
        lent.copyFrom(kept);
        return arithmetic.norm(right);
    }

    private double project(DenseVector vector, int count) {
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double share = arithmetic.dot(basis.get(i), vector);
            arithmetic.update(-share, basis.get(i), 1, vector);
            squares += share * share;
        }
        return Math.sqrt(squares);
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        double norm = FiniteInput.rightHandSide(b, arithmetic);
        arithmetic.copy(b, right);
        double share = project(right, basis.size());
        SolveReport report = solver.solve(right, x, criteria, observer);
        project(x, basis.size());
        boolean consistent = share <= ROUNDING * b.precision().unitRoundoff() * norm * Math.sqrt(b.length());
        return report.withNotes(List.of(consistent
                ? "the right-hand side has nothing of the null space: the system is consistent"
                : "the right-hand side has a part of norm " + share + " of " + norm
                        + " in the null space: the system is inconsistent, and was solved without that part"));
    }

    private void release() {
        basis.forEach(DenseVector::close);
        right.close();
        arithmetic.close();
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return PreconditionedSolver.of(solver);
    }

    @Override
    public void close() {
        solver.close();
        release();
    }

    @Override
    public String toString() {
        return solver + ", orthogonal to " + basis.size() + " vectors of the null space";
    }
}
