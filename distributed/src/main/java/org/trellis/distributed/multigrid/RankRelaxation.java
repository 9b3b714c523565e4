package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
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
    private static final String OMEGA = "omega";
    private static final String DIRECTION = "direction";
    private static final String ORDER = "order";
    private static final String SWEEPS = "sweeps";
    private static final String COLOURED = "coloured";
    private static final int MOST_SWEEPS = 1000;
    /** Halos of many colours would have rows of most of the matrix otherwise. */
    private static final int MOST_RINGS = 4;
    /** Options by name. */
    private static final Map<String, List<String>> OPTIONS = Map.of("gauss-seidel", List.of(DIRECTION, ORDER, SWEEPS),
            "sor", List.of(DIRECTION, OMEGA, ORDER, SWEEPS), "ssor", List.of(OMEGA, ORDER, SWEEPS));
    private static final int ROUNDINGS = 16;

    private final RankPlace place;
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
            for (String option : new TreeSet<>(given.keySet())) {
                if (!OPTIONS.get(name).contains(option)) {
                    throw new IllegalArgumentException("preconditioner " + name + " over ranks has no option "
                            + option + ", expected one of " + OPTIONS.get(name));
                }
            }
            double omega = number(given.getOrDefault(OMEGA, name.equals("sor") ? "1.5" : "1"));
            if (!(omega > 0 && omega < 2)) {
                throw refused(name, OMEGA, given, "a number of more than 0 and less than 2");
            }
            if (!given.getOrDefault(ORDER, COLOURED).equals(COLOURED)) {
                throw refused(name, ORDER, given, COLOURED);
            }
            String direction = given.getOrDefault(DIRECTION, "symmetric");
            SweepDirection found = Arrays.stream(SweepDirection.values())
                    .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(direction)).findFirst().orElseThrow(
                            () -> refused(name, DIRECTION, given, "symmetric, forward or backward"));
            double sweeps = number(given.getOrDefault(SWEEPS, "1"));
            if (!(sweeps >= 1 && sweeps <= MOST_SWEEPS && sweeps == Math.rint(sweeps))) {
                throw refused(name, SWEEPS, given, "a whole number from 1 to " + MOST_SWEEPS);
            }
            return new Settings(omega, found, (int) sweeps);
        }

        private static IllegalArgumentException refused(String name, String option, Map<String, String> given,
                String expected) {
            return new IllegalArgumentException("option " + option + " of preconditioner " + name + " over ranks is "
                    + given.get(option) + ", expected " + expected);
        }

        /** Returns not a number for what is none. */
        private static double number(String text) {
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException e) {
                return Double.NaN;
            }
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private RankRelaxation(PartitionedMatrix matrix, String name, Settings settings, RingChoice rings,
            RankPlace place) {
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
        RankPlace place = RankPlace.of("relaxation over ranks as a preconditioner", backend, matrix.communicator());
        return new RankRelaxation(matrix, name, Settings.of(name, options), rings, place);
    }

    /**
     * Returns the preconditioners that this is.
     *
     * @return their names
     */
    public static Set<String> names() {
        return OPTIONS.keySet();
    }

    /**
     * Refuses options that there are not over ranks.
     *
     * @param name    one of {@link #names}
     * @param options names and values
     * @throws IllegalArgumentException if an option is unknown or out of range
     */
    public static void refuse(String name, Map<String, String> options) {
        if (!OPTIONS.containsKey(name)) {
            throw new IllegalArgumentException("relaxation '" + name + "' over ranks, expected one of "
                    + new TreeSet<>(OPTIONS.keySet()));
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
