package org.trellis.solve.direct;

import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Factors on the host that solve for vectors of a backend: in double precision, in place, without allocation. One
 * thread at a time.
 */
public final class HostFactors {
    private final Consumer<double[]> solution;
    private final boolean symmetric;
    private final long bytes;
    private final String text;
    private final int size;
    private HostVector onHost;
    /** The right-hand side and solution: the array of the vector above where that has doubles. */
    private double[] work;

    private HostFactors(CsrMatrix matrix, Consumer<double[]> solution, boolean symmetric, long bytes, String text) {
        this.solution = solution;
        this.symmetric = symmetric;
        this.bytes = bytes;
        this.text = text;
        size = matrix.rows();
        allocate(matrix.precision());
    }

    private void allocate(Precision precision) {
        onHost = HostVector.zeros(precision, size);
        work = precision == Precision.F64 ? onHost.doubles() : new double[size];
    }

    /** Which factorisation is made. */
    public enum Kind {
        /** Cholesky's of a symmetric positive definite matrix, LU of others. */
        AUTOMATIC,
        /** Cholesky's. */
        CHOLESKY,
        /** L D Lᵀ. */
        LDLT,
        /** LU. */
        LU
    }

    /**
     * Factorises.
     *
     * @param matrix    a square matrix
     * @param kind      how
     * @param symmetric whether the matrix equals its transpose but for rounding
     * @param limits    what the factorisation may take
     * @return the factors
     * @throws IllegalArgumentException if the matrix does not suit the kind
     * @throws FactorisationException   if the matrix is nearly singular, not positive definite for {@link
     *                                  Kind#CHOLESKY}, or a limit is reached
     */
    public static HostFactors of(CsrMatrix matrix, Kind kind, boolean symmetric, FactorLimits limits) {
        if (kind == Kind.AUTOMATIC && symmetric && mayBePositive(matrix)) {
            try {
                return of(matrix, Kind.CHOLESKY, true, limits);
            } catch (FactorisationException e) {
                if (e.reason() != FactorisationException.Reason.PIVOT) {
                    throw e;
                }
                // An indefinite matrix has an LU factorisation, which fails in its turn if the matrix is singular.
            }
        }
        if (kind == Kind.CHOLESKY || kind == Kind.LDLT) {
            return ofSymmetric(matrix, kind, limits);
        }
        SparseLu lu = SparseLu.of(matrix,
                LuOptions.defaults().with(limits).withSmallestPivot(LuOptions.CLEARLY_REGULAR));
        return new HostFactors(matrix, lu.solver()::solve, symmetric, lu.nonZeros() * (Double.BYTES + Integer.BYTES),
                lu.toString());
    }

    private static HostFactors ofSymmetric(CsrMatrix matrix, Kind kind, FactorLimits limits) {
        SymmetricAnalysis analysis = SymmetricAnalysis.of(matrix, FillReduction.MINIMUM_DEGREE, limits);
        if (kind == Kind.CHOLESKY) {
            SparseCholesky factor = analysis.cholesky(matrix);
            return new HostFactors(matrix, factor.solver()::solve, true, factor.nonZeros() * Double.BYTES,
                    factor.toString());
        }
        SparseLdlt factor = analysis.indefinite(matrix);
        return new HostFactors(matrix, factor.solver()::solve, true, factor.nonZeros() * Double.BYTES,
                factor.toString());
    }

    private static boolean mayBePositive(CsrMatrix matrix) {
        HostVector diagonal = matrix.diagonal();
        for (int row = 0; row < diagonal.length(); row++) {
            if (!(diagonal.get(row) > 0)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Solves. Costs a pass over the factors and two copies, and allocates nothing, unless vectors have another
     * precision than those before.
     *
     * @param b the right-hand side, of any precision
     * @param x overwritten by the solution; may be {@code b}
     * @throws IllegalArgumentException if a length or a precision is another
     */
    public void solve(DenseVector b, DenseVector x) {
        if (b.precision() != onHost.precision()) {
            allocate(b.precision());
        }
        b.copyTo(onHost);
        boolean doubles = onHost.precision() == Precision.F64;
        if (!doubles) {
            float[] from = onHost.floats();
            for (int i = 0; i < work.length; i++) {
                work[i] = from[i];
            }
        }
        solution.accept(work);
        if (!doubles) {
            float[] to = onHost.floats();
            for (int i = 0; i < work.length; i++) {
                to[i] = (float) work[i];
            }
        }
        x.copyFrom(onHost);
    }

    /**
     * Returns whether the solution is a symmetric operator.
     *
     * @return true if the matrix is symmetric
     */
    public boolean symmetric() {
        return symmetric;
    }

    /**
     * Returns the memory of the factors.
     *
     * @return about how many bytes they have
     */
    public long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return text;
    }
}
