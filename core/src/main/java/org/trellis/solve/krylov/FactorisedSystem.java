package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.direct.SparseLdlt;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;

/** A matrix with its factors. */
final class FactorisedSystem implements ArraySolver {
    private final Factors factors;
    private CsrMatrix matrix;
    private boolean closed;

    @MustBeClosed
    FactorisedSystem(CsrMatrix matrix, Factors factors) {
        this.matrix = matrix;
        this.factors = factors;
    }

    /** What the kinds of factorisation have in common. */
    interface Factors {
        double[] solve(double[] b);

        /** Of a symmetric matrix this is the same. */
        default double[] solveTransposed(double[] b) {
            return solve(b);
        }

        void refactorise(CsrMatrix matrix);

        double reciprocalCondition(CsrMatrix matrix);
    }

    /** An LU factorisation, made anew where the pivots of other values have become useless. */
    static final class Lu implements Factors {
        private SparseLu lu;

        Lu(SparseLu lu) {
            this.lu = lu;
        }

        @Override
        public double[] solve(double[] b) {
            return lu.solve(b);
        }

        @Override
        public double[] solveTransposed(double[] b) {
            return lu.solveTransposed(b);
        }

        @Override
        public void refactorise(CsrMatrix matrix) {
            if (!(refactored(matrix) <= SparseLu.RELIABLE_GROWTH)) {
                lu = lu.analysis().factorise(matrix);
            }
        }

        /** A pivot of 0 in the old order says nothing about the matrix. */
        private double refactored(CsrMatrix matrix) {
            try {
                return lu.refactorise(matrix);
            } catch (FactorisationException e) {
                return Double.POSITIVE_INFINITY;
            }
        }

        @Override
        public double reciprocalCondition(CsrMatrix matrix) {
            return lu.reciprocalCondition(matrix);
        }
    }

    /** A Cholesky factorisation. */
    record Cholesky(SparseCholesky factors) implements Factors {
        @Override
        public double[] solve(double[] b) {
            return factors.solve(b);
        }

        @Override
        public void refactorise(CsrMatrix matrix) {
            factors.refactorise(matrix);
        }

        @Override
        public double reciprocalCondition(CsrMatrix matrix) {
            return factors.reciprocalCondition(matrix);
        }
    }

    /** A factorisation of a symmetric indefinite matrix. */
    record Ldlt(SparseLdlt factors) implements Factors {
        @Override
        public double[] solve(double[] b) {
            return factors.solve(b);
        }

        @Override
        public void refactorise(CsrMatrix matrix) {
            factors.refactorise(matrix);
        }

        @Override
        public double reciprocalCondition(CsrMatrix matrix) {
            return factors.reciprocalCondition(matrix);
        }
    }

    @Override
    public CsrMatrix matrix() {
        return matrix;
    }

    @Override
    public double[] solve(double[] b) {
        requireOpen();
        return factors.solve(b);
    }

    @Override
    public double[] solveTransposed(double[] b) {
        requireOpen();
        return factors.solveTransposed(b);
    }

    @Override
    public void refill(CsrMatrix other) {
        requireOpen();
        factors.refactorise(other);
        matrix = other;
    }

    @Override
    public double reciprocalCondition() {
        requireOpen();
        return factors.reciprocalCondition(matrix);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "factorised system of " + matrix;
    }
}
