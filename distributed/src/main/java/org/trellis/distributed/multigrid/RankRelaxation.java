package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.powers.ColouredGaussSeidel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * Symmetric successive over-relaxation by colours as a preconditioner on the owned elements of a rank: {@code ssor}
 * with option {@code omega}, which is one symmetric sweep of {@link ColouredGaussSeidel} from zero. The colours are
 * those of one rank. With k rings an application takes ⌈(s − 1) / k⌉ exchanges for s stages, since the first stage from
 * zero needs none. Where the rank is, on the host or on a device.
 */
public final class RankRelaxation extends CheckedOperator implements Preconditioner {
    private static final String NAME = "ssor";
    private static final String OMEGA = "omega";
    private static final int ROUNDINGS = 16;

    private final RankPlace place;
    /** What the iterate is set to at first on a device, else null. */
    private final DenseVector zeros;
    private final HaloPlan plan;
    private final ColouredGaussSeidel smoother;
    private final double omega;
    private final boolean symmetric;
    private final VectorSpace space;

    @SuppressWarnings("MustBeClosed") // closed with this
    private RankRelaxation(PartitionedMatrix matrix, double omega, int rings, RankPlace place) {
        this.place = place;
        this.omega = omega;
        this.space = place.space(matrix.precision(), matrix.ownedRows());
        this.symmetric = isSymmetric(matrix);
        this.plan = HaloPlan.of(matrix, rings, place.backend());
        try {
            this.smoother = ColouredGaussSeidel.of(plan, omega);
            this.zeros = plan.isOnDevice() ? plan.deviceVector(plan.localElements()) : null;
        } catch (RuntimeException | Error e) {
            plan.close();
            throw e;
        }
    }

    /**
     * Colours the matrix and prepares sweeps. Collective.
     *
     * @param matrix  a square matrix without zeros on the diagonal
     * @param options {@code omega}, more than 0 and less than 2; 1 if it is not there
     * @param rings   how many rings are exchanged; one unless a number is given
     * @param backend this rank's, on the host or on a device; not closed with this. Ranks may differ
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException   if an option is unknown or out of range, numbers of rings are to be tuned, or
     *                                    an element of the diagonal has no finite inverse; names the row
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    @MustBeClosed
    public static RankRelaxation ssor(PartitionedMatrix matrix, Map<String, String> options, RingChoice rings,
            Backend backend) {
        refuse(options);
        if (rings.tuned()) {
            throw new IllegalArgumentException("preconditioner " + NAME + " over ranks with rings " + rings
                    + ", expected a number, or none for one ring: those of colours are not tuned");
        }
        RankPlace place = RankPlace.of("relaxation over ranks as a preconditioner", backend, matrix.communicator());
        return new RankRelaxation(matrix, omega(options), rings.most(0, 1), place);
    }

    /**
     * Refuses options that there are not over ranks.
     *
     * @param options names and values
     * @throws IllegalArgumentException if an option is unknown or out of range
     */
    public static void refuse(Map<String, String> options) {
        for (String option : options.keySet()) {
            if (!option.equals(OMEGA)) {
                throw new IllegalArgumentException("preconditioner " + NAME + " over ranks has no option " + option
                        + ", expected " + OMEGA);
            }
        }
        double omega = omega(options);
        if (!(omega > 0 && omega < 2)) {
            throw new IllegalArgumentException("option " + OMEGA + " of preconditioner " + NAME + " is "
                    + options.get(OMEGA) + ", expected a number of more than 0 and less than 2");
        }
    }

    /** Returns ω, not a number for what is none. */
    private static double omega(Map<String, String> options) {
        try {
            return Double.parseDouble(options.getOrDefault(OMEGA, "1"));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static boolean isSymmetric(PartitionedMatrix matrix) {
        RowBlock rows = matrix.rows();
        RowBlock transposed = Rows.transpose(matrix.communicator(), rows, matrix.directory(), rows.indices());
        double tolerance = ROUNDINGS * matrix.precision().unitRoundoff();
        return matrix.communicator().sum(Rows.equal(rows, transposed, tolerance) ? 0 : 1) == 0;
    }

    /**
     * Counts the exchanges so far.
     *
     * @return at least 0
     */
    public long exchanges() {
        return smoother.exchanges();
    }

    /**
     * Returns the number of stages of an application.
     *
     * @return colours, forward and backward
     */
    public int stages() {
        return smoother.stages(SweepDirection.SYMMETRIC);
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        elements().update(1, null, x, 0, smoother.rightHandSide().within(0));
        smoother.rightHandSide().changed();
        if (zeros == null) {
            smoother.solution().values().fill(0);
        } else {
            elements().update(1, null, zeros, 0, smoother.solution().elements());
        }
        smoother.solution().setValidRings(plan.rings());
        smoother.smooth(1, SweepDirection.SYMMETRIC);
        elements().update(alpha, null, smoother.solution().within(0), beta, y);
    }

    @Override
    public VectorSpace domain() {
        return space;
    }

    @Override
    public VectorSpace range() {
        return space;
    }

    @Override
    protected ElementKernels elements() {
        return place.elements();
    }

    /** Returns whether the matrix is symmetric. */
    @Override
    public boolean symmetric() {
        return symmetric;
    }

    @Override
    protected void release() {
        plan.close();
    }

    @Override
    public String toString() {
        return NAME + ", omega=" + omega + ", " + smoother.colours() + " colours, " + plan.rings() + " rings, of "
                + plan.matrix().globalRows() + " rows over " + plan.communicator().size() + " ranks";
    }
}
