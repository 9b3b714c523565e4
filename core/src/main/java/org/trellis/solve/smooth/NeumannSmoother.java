package org.trellis.solve.smooth;

import org.trellis.memory.DenseVector;

/**
 * The truncated Neumann series {@code Σₖ (I − ω D⁻¹ A)ᵏ ω D⁻¹} for k from 0 to the degree (Saad, Iterative Methods for
 * Sparse Linear Systems, section 12.3.1), which is so many steps of Jacobi's method and one.
 */
final class NeumannSmoother extends StepSmoother {
    private final int degree;
    private final double omega;
    private final DenseVector inverse;

    NeumannSmoother(SmootherContext input, int degree, double omega, int sweeps) {
        super(input, sweeps);
        this.degree = degree;
        this.omega = omega;
        this.inverse = own(input.upload(input.inverseDiagonal()));
    }

    @Override
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        steps.add(update(omega, inverse, r, 0, z));
        addSteps(degree, r, z, steps);
    }

    @Override
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        addSteps(degree + 1, b, x, steps);
    }

    private void addSteps(int count, DenseVector b, DenseVector x, SmootherSteps steps) {
        for (int k = 0; k < count; k++) {
            addResidual(b, x, steps);
            steps.add(update(omega, inverse, residual(), 1, x));
        }
    }

    /** Returns whether the matrix is symmetric; positive definite if ω is below 2 over the largest eigenvalue. */
    @Override
    public boolean symmetric() {
        return input().symmetric();
    }

    @Override
    public String describe() {
        return "polynomial, degree=" + degree + ", omega=" + omega + ", sweeps=" + sweeps();
    }
}
