package org.trellis.solve.smooth;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.SplitProduct;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixGraphs;

/**
 * Gauss–Seidel and successive over-relaxation, forward, backward and symmetric (Saad, Iterative Methods for Sparse
 * Linear Systems, sections 4.1 and 10.2), in the order of the rows, colour by colour (I. Reguly, thesis, algorithm 6),
 * or in blocks between which it is Jacobi's method.
 *
 * <p>An application from zero reads each triangle once: forward it solves with {@code D/ω + L}, backward with
 * {@code D/ω + U}, and symmetric it is {@code (2 − ω) (D/ω + U)⁻¹ (D/ω) (D/ω + L)⁻¹}. A sweep reads the matrix once
 * in each direction. In blocks the values of other blocks are those before the sweep, also in the second half of a
 * symmetric one.
 *
 * <p>By blocks, the matrix and the right-hand side are multiplied by the inverses of the blocks on the diagonal, and
 * rows of a block have no entries in each other's columns: sweeps over the rows of that system are those over the
 * blocks of the matrix.
 */
final class RelaxationSmoother extends StepSmoother {
    private final String name;
    private final SweepOrder order;
    private final double omega;
    private final SweepDirection direction;
    /** The inverse diagonal; null where blocks are relaxed. */
    private final HostVector inverse;
    /** The inverses of blocks; null where rows are relaxed. */
    private SpmvOperator blocks;
    private SmootherKernels.PreparedRows lower;
    private SmootherKernels.PreparedRows upper;
    private SmootherKernels.PreparedRows both;
    private SpmvOperator between;

    /** How to relax. */
    record Settings(double omega, SweepDirection direction, int sweeps) {}

    /**
     * Creates a smoother.
     *
     * @param input    the matrix
     * @param name     what it is called, and its order
     * @param order    in which order sweeps go
     * @param settings how to relax
     */
    RelaxationSmoother(SmootherContext input, String name, SweepOrder order, Settings settings) {
        this(input, name, order, settings, null);
    }

    /**
     * Creates a smoother of blocks.
     *
     * @param input    the matrix
     * @param name     what it is called, and its order
     * @param order    in which order sweeps go over the rows of the inverse times the matrix
     * @param settings how to relax
     * @param inverses the inverses of the blocks; null for rows
     */
    RelaxationSmoother(SmootherContext input, String name, SweepOrder order, Settings settings, CsrMatrix inverses) {
        super(input, settings.sweeps());
        this.name = name;
        this.order = order;
        this.omega = settings.omega();
        this.direction = settings.direction();
        this.inverse = inverses == null ? input.inverseDiagonal() : null;
        orClose(() -> {
            if (inverses != null) {
                blocks = product(inverses);
            }
            if (direction != SweepDirection.BACKWARD) {
                lower();
            }
            if (direction != SweepDirection.FORWARD) {
                upper();
            }
        });
    }

    private SmootherKernels.PreparedRows lower() {
        if (lower == null) {
            lower = own(order.take(SweepOrder.Part.LOWER, inverse));
        }
        return lower;
    }

    private SmootherKernels.PreparedRows upper() {
        if (upper == null) {
            upper = own(order.take(SweepOrder.Part.UPPER, inverse));
        }
        return upper;
    }

    private SmootherKernels.PreparedRows both() {
        if (both == null) {
            both = own(order.take(SweepOrder.Part.BOTH, inverse));
        }
        return both;
    }

    @Override
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        DenseVector right = scaled(r, steps);
        switch (direction) {
            case FORWARD -> steps.add(lower().bind(0, omega, right, z, order.all(false)));
            case BACKWARD -> steps.add(upper().bind(0, omega, right, z, order.all(true)));
            case SYMMETRIC -> {
                steps.add(lower().bind(0, omega, right, z, order.all(false)));
                steps.add(upper().bind(2 - omega, omega, null, z, second()));
            }
        }
    }

    /** The right-hand side of sweeps: multiplied by the inverses of blocks if there are some. */
    @SuppressWarnings("MustBeClosed") // closed with the steps
    private DenseVector scaled(DenseVector r, SmootherSteps steps) {
        if (blocks == null) {
            return r;
        }
        steps.add(blocks.bind(1, r, 0, residual()));
        return residual();
    }

    /** The second half of a symmetric sweep: without relaxation the last stage would find nothing to change. */
    private SmootherKernels.Visit second() {
        boolean all = omega != 1 || order.inBlocks() || order.stages() == 0;
        return new SmootherKernels.Visit(true, 0, order.stages() - (all ? 0 : 1));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addSweep(DenseVector b, DenseVector x, SweepDirection wanted, SmootherSteps steps) {
        DenseVector right = scaled(b, steps);
        if (order.inBlocks() && order.stages() > 1) {
            if (between == null) {
                between = product(MatrixGraphs.betweenBlocks(input().matrix(), order.offsets()));
            }
            right = residual();
            steps.add(update(1, null, b, 0, right));
            steps.add(between.bind(-1, x, 1, right));
        }
        if (wanted != SweepDirection.BACKWARD) {
            steps.add(both().bind(1 - omega, omega, right, x, order.all(false)));
        }
        if (wanted == SweepDirection.BACKWARD) {
            steps.add(both().bind(1 - omega, omega, right, x, order.all(true)));
        } else if (wanted == SweepDirection.SYMMETRIC) {
            steps.add(both().bind(1 - omega, omega, right, x, second()));
        }
    }

    /** Of rows of a symmetric matrix with a positive diagonal, for one symmetric sweep not in several blocks. */
    @Override
    public Optional<SplitProduct> split(LinearOperator product) {
        if (sweeps() > 1 || !symmetric() || blocks != null) {
            return Optional.empty();
        }
        HostVector relaxed = HostVector.of(inverse.precision(), inverse.length(), row -> omega * inverse.get(row));
        return EisenstatProduct.of(product, input(), order, relaxed);
    }

    @Override
    SweepDirection ownDirection() {
        return direction;
    }

    @Override
    public boolean hasDirections() {
        return true;
    }

    /** Returns whether sweeps are symmetric and the matrix is. */
    @Override
    public boolean symmetric() {
        return direction == SweepDirection.SYMMETRIC && input().symmetric();
    }

    @Override
    public String describe() {
        return name + ", omega=" + omega + ", direction=" + direction.label() + ", sweeps=" + sweeps();
    }
}
