package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** A matrix with a solver stack, a backend and vectors of its own. */
final class IterativeSystem implements ArraySolver {
    private final SolverConfig stack;
    private final Backend backend;
    private CsrMatrix matrix;
    private Prepared prepared;
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    IterativeSystem(CsrMatrix matrix, SolverConfig stack, String backend) {
        this.matrix = matrix;
        this.stack = stack;
        this.backend = Backends.open(backend, Configuration.load());
        try {
            this.prepared = new Prepared(matrix, stack, this.backend);
        } catch (RuntimeException | Error e) {
            this.backend.close();
            throw e;
        }
    }

    /** What belongs to one matrix. */
    private static final class Prepared implements AutoCloseable {
        final SpmvOperator product;
        final LinearSolver solver;
        final DenseVector right;
        final DenseVector solution;

        @SuppressWarnings("MustBeClosed") // closed with this
        Prepared(CsrMatrix matrix, SolverConfig stack, Backend backend) {
            product = backend.kernels(SparseKernels.class).prepare(matrix);
            try {
                solver = stack.prepare(matrix, product, backend);
            } catch (RuntimeException | Error e) {
                product.close();
                throw e;
            }
            right = backend.vector(matrix.precision(), matrix.rows());
            solution = backend.vector(matrix.precision(), matrix.columns());
        }

        @Override
        public void close() {
            solution.close();
            right.close();
            solver.close();
            product.close();
        }
    }

    @Override
    public CsrMatrix matrix() {
        return matrix;
    }

    @Override
    public double[] solve(double[] b) {
        if (prepared == null) {
            throw new IllegalStateException(this + (closed ? " is closed" : " has no solver since refill() failed"));
        }
        Checks.length("length of b", b.length, matrix.rows());
        HostVector host = HostVector.zeros(matrix.precision(), matrix.columns());
        prepared.solution.copyFrom(host);
        prepared.right.copyFrom(HostVector.of(b).convert(matrix.precision()));
        SolveReport report = prepared.solver.solve(prepared.right, prepared.solution, stack.criteria());
        if (!report.converged()) {
            throw new ArithmeticException(this + " ended with " + report);
        }
        prepared.solution.copyTo(host);
        return host.toDoubleArray();
    }

    @Override
    public double[] solveTransposed(double[] b) {
        throw new UnsupportedOperationException(
                this + " is solved transposed, expected a factorisation, or a system of "
                        + "the transposed matrix");
    }

    @Override
    public void refill(CsrMatrix other) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        requireSameStructure(other);
        release();
        matrix = other;
        prepared = new Prepared(other, stack, backend);
    }

    private void requireSameStructure(CsrMatrix other) {
        boolean same = other.rows() == matrix.rows() && other.columns() == matrix.columns()
                && other.nonZeros() == matrix.nonZeros();
        for (int row = 0; row < matrix.rows() && same; row++) {
            CsrSegment old = matrix.segmentOf(row);
            CsrSegment now = other.segmentOf(row);
            same = Arrays.equals(old.columnIndices(), old.rowStart(row), old.rowEnd(row), now.columnIndices(),
                    now.rowStart(row), now.rowEnd(row));
        }
        if (!same) {
            throw new IllegalArgumentException(this + " is given " + other + ", expected the same structure");
        }
    }

    private void release() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }

    @Override
    public double reciprocalCondition() {
        return Double.NaN;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            release();
            backend.close();
        }
    }

    @Override
    public String toString() {
        return "system of " + matrix + " with " + stack;
    }
}
