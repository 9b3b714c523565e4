package org.trellis.solve.smooth;

import org.trellis.memory.DenseVector;
import org.trellis.sparse.SpmvOperator;

/**
 * Multiplies by the inverses of dense blocks on the diagonal (Saad, Iterative Methods for Sparse Linear Systems,
 * section 4.1.1). The inverses are formed, which is meant for small blocks, and applied as the product of a sparse
 * matrix.
 */
final class BlockJacobiSmoother extends StepSmoother {
    private final double omega;
    private final DiagonalBlocks blocks;
    private SpmvOperator inverse;

    /**
     * Inverts blocks.
     *
     * @param input  the matrix
     * @param blocks which rows belong together
     * @param omega  a damping factor
     * @param sweeps sweeps in an application
     */
    BlockJacobiSmoother(SmootherContext input, DiagonalBlocks blocks, double omega, int sweeps) {
        super(input, sweeps);
        this.omega = omega;
        this.blocks = blocks;
        orClose(() -> inverse = product(blocks.inverted(omega)));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        steps.add(inverse.bind(1, r, 0, z));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        addResidual(b, x, steps);
        steps.add(inverse.bind(1, residual(), 1, x));
    }

    @Override
    public boolean symmetric() {
        return input().symmetric();
    }

    @Override
    public String describe() {
        return "block-jacobi, " + blocks + ", omega=" + omega + ", sweeps=" + sweeps();
    }
}
