package org.trellis.solve.smooth;

import org.trellis.memory.DenseVector;
import org.trellis.solve.direct.HostFactors;

/** The inverse by a direct factorisation on the host; each application copies a vector there and back. */
final class DirectSmoother extends StepSmoother {
    private final HostFactors factors;

    /**
     * Takes factors.
     *
     * @param input   the matrix
     * @param factors its factors
     * @param sweeps  sweeps in an application
     */
    DirectSmoother(SmootherContext input, HostFactors factors, int sweeps) {
        super(input, sweeps);
        this.factors = factors;
    }

    @Override
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        steps.add(() -> factors.solve(r, z));
    }

    @Override
    public boolean symmetric() {
        return factors.symmetric();
    }

    @Override
    public String describe() {
        return "direct, " + factors + ", sweeps=" + sweeps();
    }
}
