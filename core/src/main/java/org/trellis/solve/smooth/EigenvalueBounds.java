package org.trellis.solve.smooth;

import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.eigen.Lanczos;
import org.trellis.sparse.CsrMatrix;

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
    static double largest(SmootherInput input) {
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
        Lanczos.Result found = Lanczos.largest(x -> multiply(exact, roots, x), size, 1,
                new Lanczos.Settings(STEPS, LOOSE, STEPS));
        return Math.min(certain, SAFETY * found.values()[0]);
    }

    private static double[] multiply(CsrMatrix matrix, double[] roots, double[] x) {
        double[] scaled = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            scaled[i] = roots[i] * x[i];
        }
        double[] y = matrix.multiply(scaled);
        for (int i = 0; i < x.length; i++) {
            y[i] *= roots[i];
        }
        return y;
    }
}
