package org.trellis.solve.smooth;

import java.util.Locale;
import org.trellis.memory.DenseVector;

/**
 * Chebyshev polynomials in {@code D⁻¹ A}, applied by their three-term recurrences. Of the first kind: smallest on an
 * interval of eigenvalues (Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1). Of the fourth kind: for
 * smoothing, without a lower bound (J. Lottes, Numer. Linear Algebra Appl. 30(6), 2023, section 4; M. Phillips, P.
 * Fischer, arXiv:2210.03179, algorithm 3). For symmetric matrices with a positive diagonal.
 *
 * <p>An application costs {@code degree − 1} products and a pass over four vectors for each degree; a sweep one product
 * more.
 */
final class ChebyshevSmoother extends StepSmoother {
    /** The eigenvalues that a polynomial is made for, of the diagonally scaled matrix. */
    record Bounds(double smallest, double largest) {}

    /** The polynomial. */
    record Polynomial(boolean fourthKind, int degree) {}

    private final Polynomial polynomial;
    private final Bounds bounds;
    private final DenseVector inverse;

    /**
     * Creates a smoother.
     *
     * @param input      a symmetric matrix
     * @param polynomial which polynomial
     * @param bounds     of the eigenvalues of D⁻¹A
     * @param sweeps     polynomials in one application
     */
    ChebyshevSmoother(SmootherContext input, Polynomial polynomial, Bounds bounds, int sweeps) {
        super(input, sweeps);
        this.polynomial = polynomial;
        this.bounds = bounds;
        this.inverse = own(input.uploadInverseDiagonal(1));
    }

    @Override
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        addPolynomial(r, z, 0, steps);
    }

    @Override
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        addResidual(b, x, steps);
        addPolynomial(residual(), x, 1, steps);
    }

    /** Adds the polynomial of a residual, which is overwritten if it is this smoother's own, to κ x. */
    @SuppressWarnings("MustBeClosed") // closed with the steps
    private void addPolynomial(DenseVector r, DenseVector x, double keep, SmootherSteps steps) {
        if (polynomial.degree() == 2) {
            addTwo(r, x, keep, steps);
            return;
        }
        DenseVector left = r;
        for (int k = 0; k < polynomial.degree(); k++) {
            if (k > 0) {
                addRemaining(left, steps);
                left = residual();
            }
            double[] factors = factors(k);
            steps.add(kernels().bindCorrection(
                    new SmootherKernels.CorrectionFactors(factors[0], factors[1], k == 0 ? keep : 1), inverse, left,
                    correction(), x));
        }
    }

    /** The same of degree two, where the iterate may wait for the last step. */
    @SuppressWarnings("MustBeClosed") // closed with the steps
    private void addTwo(DenseVector r, DenseVector x, double keep, SmootherSteps steps) {
        double[] first = factors(0);
        double[] last = factors(1);
        steps.add(kernels().bindFirstOfTwo(new SmootherKernels.CorrectionFactors(first[0], 0, keep), inverse, r,
                correction(), x));
        addRemaining(r, steps);
        steps.add(kernels().bindLastOfTwo(new SmootherKernels.CorrectionFactors(last[0], last[1], keep), inverse,
                residual(), correction(), x));
    }

    /** Adds what leaves {@code residual() = r − A c}, in place or from another vector. */
    @SuppressWarnings({"MustBeClosed", "ReferenceEquality"}) // closed with the steps; one vector is what is asked about
    private void addRemaining(DenseVector r, SmootherSteps steps) {
        steps.add(r == residual()
                ? input().product().bind(-1, correction(), 1, r)
                : input().product().bindResidual(r, correction(), residual()));
    }

    /** Factors of the residual and of the correction before, in step k. */
    private double[] factors(int k) {
        if (polynomial.fourthKind()) {
            return new double[]{(8.0 * k + 4) / (2.0 * k + 3) / bounds.largest(), (2.0 * k - 1) / (2.0 * k + 3)
                    * (k == 0 ? 0 : 1)};
        }
        double centre = (bounds.largest() + bounds.smallest()) / 2;
        double radius = (bounds.largest() - bounds.smallest()) / 2;
        if (k == 0 || radius == 0) {
            return new double[]{1 / centre, 0};
        }
        double sigma = centre / radius;
        double rho = 1 / sigma;
        double before = rho;
        for (int i = 0; i < k; i++) {
            before = rho;
            rho = 1 / (2 * sigma - rho);
        }
        return new double[]{2 * rho / radius, rho * before};
    }

    /** Returns true: made for symmetric matrices only; positive definite if the largest eigenvalue is not exceeded. */
    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    public String describe() {
        return "chebyshev, kind=" + (polynomial.fourthKind() ? 4 : 1) + ", degree=" + polynomial.degree() + ", "
                + (polynomial.fourthKind() ? "" : "lambda-min=" + rounded(bounds.smallest()) + ", ") + "lambda-max="
                + rounded(bounds.largest()) + ", sweeps=" + sweeps();
    }

    private static String rounded(double bound) {
        return String.format(Locale.ROOT, "%.5g", bound);
    }
}
