package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.trellis.backend.Backend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RankColouring;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.powers.ColouredGaussSeidel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.SmootherOptions;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * Relaxation by colours as a preconditioner on the owned elements of a rank: {@code gauss-seidel}, {@code sor} and
 * {@code ssor} with the options that they have on one rank, which are sweeps of {@link ColouredGaussSeidel} from zero.
 * The colours are those of one rank. With k rings an application takes ⌈(s − 1) / k⌉ exchanges for s stages, since the
 * first stage from zero needs none; which k that is, a model proposes and times of applications may correct, up to
 * {@value #MOST_RINGS}, or it is given. Where the rank is, on the host or on a device.
 */
public final class RankRelaxation extends CheckedOperator implements Preconditioner, TunedRings {
    /** Halos of many colours would have rows of most of the matrix otherwise. */
    private static final int MOST_RINGS = 4;
    private static final Set<String> NAMES = Set.of("gauss-seidel", "sor", "ssor");
    private static final int ROUNDINGS = 16;

    private final RankDevices place;
    /** What the iterate is set to at first on a device, else null. */
    private final DenseVector zeros;
    private final HaloPlan plan;
    private final ColouredGaussSeidel smoother;
    private final VisitTuner tuner;
    private final String name;
    private final Settings settings;
    private final boolean symmetric;
    private final VectorSpace space;

    /** What the options say. */
    private record Settings(double omega, SweepDirection direction, int sweeps) {
        /** Counts the stages of an application at most. */
        int stages(int colours) {
            return sweeps * (direction == SweepDirection.SYMMETRIC ? 2 : 1) * colours;
        }

        /** Reads options. */
        static Settings of(String name, Map<String, String> given) {
            SmootherOptions options = new SmootherOptions(name, given, Preconditioners.optionsOf(name));
            if (!options.coloured()) {
                throw options.refused("order", "natural", "coloured over ranks");
            }
            return new Settings(options.omega(Preconditioners.usualOmega(name)), options.direction(), options.sweeps());
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private RankRelaxation(PartitionedMatrix matrix, String name, Settings settings, RingChoice rings,
            RankDevices place) {
        this.place = place;
        this.name = name;
        this.settings = settings;
        this.space = place.space(matrix.precision(), matrix.ownedRows());
        this.symmetric = settings.direction() == SweepDirection.SYMMETRIC && isSymmetric(matrix);
        RankColouring colouring = RankColouring.firstFit(matrix);
        int most = Math.clamp(settings.stages(colouring.count()) - 1L, 1, MOST_RINGS);
        this.plan = HaloPlan.of(matrix, rings.most(0, most), place.backend());
        try {
            this.smoother = ColouredGaussSeidel.of(plan, settings.omega(), colouring);
            this.tuner = new VisitTuner(plan, rings.contest(0, plan, Math.max(1, stages() - 1),
                    1.0 / Math.max(1, colouring.count())));
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
     * @param name    {@code gauss-seidel}, {@code sor} or {@code ssor}
     * @param options those that one rank has of that name; {@code order} can only be {@code coloured}
     * @param rings   how many rings are exchanged
     * @param backend this rank's, on the host or on a device; not closed with this. Ranks may differ
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException   if an option is unknown or out of range, or an element of the diagonal has no
     *                                    finite inverse; names the row
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    @MustBeClosed
    public static RankRelaxation of(PartitionedMatrix matrix, String name, Map<String, String> options,
            RingChoice rings, Backend backend) {
        refuse(name, options);
        RankDevices place = RankDevices.of("relaxation over ranks as a preconditioner", backend, matrix.communicator());
        return new RankRelaxation(matrix, name, Settings.of(name, options), rings, place);
    }

    /**
     * Returns the preconditioners that this is.
     *
     * @return their names
     */
    public static Set<String> names() {
        return NAMES;
    }

    /**
     * Refuses options that there are not over ranks.
     *
     * @param name    one of {@link #names}
     * @param options names and values
     * @throws IllegalArgumentException if an option is unknown or out of range
     */
    public static void refuse(String name, Map<String, String> options) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("relaxation '" + name + "' over ranks, expected one of "
                    + new TreeSet<>(NAMES));
        }
        Settings.of(name, options);
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
     * @return colours, forward and backward, of each sweep
     */
    public int stages() {
        return settings.sweeps() * smoother.stages(settings.direction());
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
        long began = tuner.now();
        smoother.smooth(settings.sweeps(), settings.direction());
        tuner.spent(began);
        tuner.endVisit(true);
        elements().update(alpha, null, smoother.solution().within(0), beta, y);
    }

    @Override
    public List<LevelRings> settleRings() {
        return List.of(tuner.settle(0));
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

    /** Returns whether the matrix is symmetric, and sweeps go in both directions. */
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
        return name + ", omega=" + settings.omega() + ", direction="
                + settings.direction().name().toLowerCase(Locale.ROOT) + ", sweeps=" + settings.sweeps() + ", "
                + smoother.colours() + " colours, " + plan.activeRings() + " rings, of "
                + plan.matrix().globalRows() + " rows over " + plan.communicator().size() + " ranks";
    }
}
