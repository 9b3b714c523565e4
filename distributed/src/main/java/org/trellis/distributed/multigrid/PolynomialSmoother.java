package org.trellis.distributed.multigrid;

import java.util.Map;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.solve.multigrid.SmootherSpec;
import org.trellis.solve.smooth.LanczosRadius;

/**
 * Chebyshev's polynomial in D⁻¹A as sweeps from zero, for methods that apply it themselves.
 *
 * @param smoother its sweeps
 * @param degree   how many of them are an application, which makes one product less
 * @param greatest an upper bound of the eigenvalues of the preconditioned matrix, as far as the interval of the
 *                 polynomial holds; the lower one is 0
 */
public record PolynomialSmoother(RingSmoother smoother, int degree, double greatest) {

    /**
     * Makes the options of preconditioner {@code chebyshev} complete: what one rank would estimate is estimated.
     * Collective.
     *
     * @param matrix  a symmetric matrix with a positive diagonal
     * @param options {@code kind}, {@code degree}, {@code ratio}, {@code lambda-max}, {@code lambda-min}
     * @return the options with {@code lambda-max}
     * @throws IllegalArgumentException if an option is unknown, the matrix is not symmetric, or a diagonal element is
     *                                  not positive; names the row
     */
    public static Map<String, String> complete(PartitionedMatrix matrix, Map<String, String> options) {
        return RankPolynomial.complete(matrix, options);
    }

    /**
     * Says how many sweeps an application has.
     *
     * @param options of preconditioner {@code chebyshev}
     * @return at least 1
     * @throws IllegalArgumentException if {@code degree} is no whole number of at least 1
     */
    public static int degree(Map<String, String> options) {
        return RankSmoother.degree(new SmootherSpec("chebyshev", options));
    }

    /**
     * Makes the polynomial. Collective.
     *
     * @param plan    the halo of the matrix, or of one that is scaled symmetrically by its diagonal
     * @param options complete ones
     * @return the polynomial
     * @throws IllegalArgumentException if an option is no number, or the interval is empty
     */
    public static PolynomialSmoother of(HaloPlan plan, Map<String, String> options) {
        SmootherSpec spec = new SmootherSpec("chebyshev", options);
        RankSmoother made = RankSmoother.of(spec, plan);
        double greatest = 2;
        if (!RankSmoother.isFourthKind(spec)) {
            double[] ends = RankSmoother.interval(spec);
            // What the residual polynomial is at most within the interval.
            double point = (ends[1] + ends[0]) / (ends[1] - ends[0]);
            double wave = Math.cosh(made.degree() * Math.log(point + Math.sqrt(point * point - 1)));
            greatest = 1 + 1 / wave;
        }
        return new PolynomialSmoother(made.smoother(), made.degree(), LanczosRadius.MARGIN * greatest);
    }
}
