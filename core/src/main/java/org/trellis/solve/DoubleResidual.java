package org.trellis.solve;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.LinearOperator;

/**
 * The residual of a system in single precision as double precision has it, for those who write methods. A residual that
 * is computed in single precision is made of rounding once it is small beside {@code ‖A‖ ‖x‖}; it may then meet a
 * tolerance that the solution does not. What decides is {@code b − A x} of the numbers as they are, rounded once.
 */
public final class DoubleResidual {
    private final LinearOperator matrix;

    /**
     * Makes residuals of systems with a matrix.
     *
     * @param matrix the operator as it was given, not scaled
     */
    public DoubleResidual(LinearOperator matrix) {
        this.matrix = matrix;
    }

    /**
     * Says whether a residual norm has to be computed again before it counts.
     *
     * @param norm      {@code ‖b − A x‖₂} as it was computed
     * @param threshold the norm at which a solution has converged
     * @return true where it meets the threshold in single precision
     */
    public boolean isNeeded(double norm, double threshold) {
        return matrix.precision() == Precision.F32 && norm <= threshold;
    }

    /**
     * Computes {@code r = τ b − σ A x} in double precision and rounds it. Costs a pass over the matrix on the host, and
     * three vectors that are copied. Collective over ranks.
     *
     * @param b     the right-hand side
     * @param x     the solution of the scaled system
     * @param sigma σ, a power of two
     * @param tau   τ, a power of two
     * @param r     overwritten, or left as it is where the entries are not known on the host
     */
    public void compute(DenseVector b, DenseVector x, double sigma, double tau, DenseVector r) {
        Optional<double[]> product = matrix.multiplyInDouble(x);
        if (product.isEmpty()) {
            return;
        }
        HostVector right = HostVector.zeros(b.precision(), b.length());
        b.copyTo(right);
        double[] sums = product.get();
        r.copyFrom(HostVector.of(r.precision(), sums.length, row -> tau * right.get(row) - sigma * sums[row]));
    }
}
