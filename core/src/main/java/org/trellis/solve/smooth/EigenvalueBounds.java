package org.trellis.solve.smooth;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.eigen.EigenPairs;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** An upper bound of the eigenvalues of {@code D⁻¹ A}, from a few Lanczos steps on the host. */
final class EigenvalueBounds {
    private static final int STEPS = 10;
    private static final double LOOSE = 0.01;
    /** What Ritz values are multiplied by, since they lie below the eigenvalue. */
    private static final double SAFETY = 1.05;

    private EigenvalueBounds() {}

    /**
     * Estimates the largest eigenvalue.
     *
     * @param input a symmetric matrix with a positive diagonal
     * @return the largest Ritz value after at most {@value #STEPS} steps times {@value #SAFETY}, but no more than the
     *         largest sum of absolute values of a row, which is a bound for certain
     */
    static double largest(SmootherContext input) {
        CsrMatrix exact = input.matrix().toPrecision(Precision.F64);
        int size = exact.rows();
        if (size == 0) {
            return 1;
        }
        HostVector diagonal = exact.diagonal();
        double[] roots = new double[size];
        double[] sums = new double[size];
        exact.forEachEntry((row, column, value) -> sums[row] += Math.abs(value));
        double certain = 0;
        for (int row = 0; row < size; row++) {
            if (!(diagonal.get(row) > 0)) {
                throw new IllegalArgumentException(input.name() + " of " + input.matrix() + ": diagonal element of row "
                        + row + " is " + diagonal.get(row) + ", expected a positive diagonal");
            }
            roots[row] = 1 / Math.sqrt(diagonal.get(row));
            certain = Math.max(certain, sums[row] / diagonal.get(row));
        }
        LinearOperator scaled = LinearOperator.of(size, size, Precision.F64, MemorySpace.HOST,
                (alpha, x, beta, y) -> multiply(exact, roots, x, y));
        try (Backend host = Backends.open("reference", Configuration.load())) {
            EigenPairs found = Eigenvalues.of(scaled, host).largest().basis(STEPS).tolerance(LOOSE)
                    .maximumProducts(STEPS).find();
            return Math.min(certain, SAFETY * found.values()[0]);
        }
    }

    private static void multiply(CsrMatrix matrix, double[] roots, DenseVector x, DenseVector y) {
        double[] from = ((HostVector) x).doubles();
        double[] to = ((HostVector) y).doubles();
        double[] scaled = new double[from.length];
        for (int i = 0; i < from.length; i++) {
            scaled[i] = roots[i] * from[i];
        }
        double[] product = matrix.multiply(scaled);
        for (int i = 0; i < from.length; i++) {
            to[i] = roots[i] * product[i];
        }
    }
}
