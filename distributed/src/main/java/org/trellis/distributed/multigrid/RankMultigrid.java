package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SetupPhase;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * Algebraic multigrid over ranks, as a preconditioner on the owned elements of a rank: V-, W-, F- and K-cycles over a
 * {@link RankHierarchy}, whose smoothers exchange as many rings as is said or pays. A cycle is the operator of one rank
 * ({@link org.trellis.solve.multigrid.Multigrid} with {@code aggregates=mis2}) but for rounding.
 *
 * <p>What a rank with a device has of levels is there: smoothers, residuals, transfers and messages are queued, and the
 * host waits for the device in K-cycles only. In V- and W-cycles the last levels, which the first rank has alone, are
 * run there as one rank runs them, on a GPU as one graph. Levels are set up by the first rank's device where the
 * whole matrix fits there ({@link DeviceSetupRule}), else on the hosts of all ranks and copied to devices.
 *
 * <p>With as many rings as a sweep has products, a V-cycle exchanges four times on a level: rings of the right-hand
 * side before the sweep down, the residual for the restriction, the correction for the prolongation, rings of the
 * iterate before the sweep up; with one ring, it is two times the number of products more often, less two.
 *
 * <p>Levels may be in single precision under vectors in double precision ({@code levels=f32}): a residual is rounded on
 * the way in, the correction widened on the way out.
 *
 * <p>Where times decide how many rings a level exchanges ({@link RingChoice#TUNED}), they are those of the smoother and
 * the residual in the visits of the level, without transfers; cycles for a report do not count.
 *
 * <p>All methods but the getters are collective.
 */
public final class RankMultigrid extends CheckedOperator implements Preconditioner, TunedRings {
    private static final int TIMED_CYCLES = 3;
    /** Dot products at a time. */
    private static final int SUMS = 3;

    private final RankMultigridOptions options;
    private final CycleOptions cycle;
    private final RankPlace place;
    private final RankHierarchy hierarchy;
    private final VectorSpace space;
    /** The type of what levels have, perhaps a narrower one than that of the vectors. */
    private final Precision precision;
    /** For results that are added to others, where levels are narrower than vectors; else null. */
    private DenseVector wide;
    private final List<RankLevel> levels = new ArrayList<>();
    private RankCoarse coarse;
    /** Sums of K-cycles, else null. */
    private final DenseVector sums;
    private double smootherSeconds;
    private double coarseSeconds;
    /** Where time goes by level while a cycle is timed, else null. */
    private long[] nanoseconds;
    private List<Integer> visits;

    private RankMultigrid(PartitionedMatrix matrix, RankHierarchy hierarchy, RankMultigridOptions options,
            RankPlace place) {
        this.options = options;
        this.cycle = options.options().cycle();
        this.place = place;
        this.hierarchy = hierarchy;
        this.space = place.space(matrix.precision(), matrix.ownedRows());
        this.precision = hierarchy.level(0).matrix().precision();
        this.sums = cycle.shape() == CycleShape.K ? place.zeros(Precision.F64, SUMS) : null;
        try {
            prepare();
        } catch (RuntimeException | Error e) {
            closeLevels();
            throw e;
        }
    }

    /**
     * Sets up multigrid.
     *
     * @param matrix  the matrix
     * @param space   its near null space, or null for constants
     * @param options what it is to be
     * @param backend this rank's, on the host or on a device; not closed with this. Ranks may differ
     * @return the method, which the caller closes before the matrix's communicator
     * @throws IllegalArgumentException   if a smoother refuses the matrix of a level, or as {@link RankHierarchy#of}
     *                                    says
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    @MustBeClosed
    public static RankMultigrid of(PartitionedMatrix matrix, RankSpace space, RankMultigridOptions options,
            Backend backend) {
        RankPlace place = RankPlace.of("multigrid over ranks", backend, matrix.communicator());
        RankHierarchy hierarchy = hierarchy(matrix.toPrecision(options.options().levels().orElse(matrix.precision())),
                space, options, place);
        try {
            return new RankMultigrid(matrix, hierarchy, options, place);
        } catch (RuntimeException | Error e) {
            hierarchy.close();
            throw e;
        }
    }

    private static RankHierarchy hierarchy(PartitionedMatrix matrix, RankSpace space, RankMultigridOptions options,
            RankPlace place) {
        CoarseningOptions coarsening = options.options().coarsening();
        int leastRows = options.leastRows(place.allDevices());
        CycleShape shape = options.options().cycle().shape();
        return DeviceSetupRule.gathers(matrix, options.options(), place)
                ? RankHierarchy.onFirstDevice(matrix, space, coarsening, leastRows, staysAlone(shape), place)
                : RankHierarchy.of(matrix, space, coarsening, leastRows);
    }

    /** Says whether a cycle is run by the first rank's device alone where it has the levels alone. */
    private static boolean staysAlone(CycleShape shape) {
        return shape == CycleShape.V || shape == CycleShape.W;
    }

    private void prepare() {
        List<RankLevel> before = List.copyOf(levels);
        levels.clear();
        long began = System.nanoTime();
        int alone = coarse == null ? firstAlone() : before.size();
        for (int l = 0; l < alone; l++) {
            levels.add(RankLevel.of(hierarchy, l, options.options().smoother(), options.rings(), place,
                    before.isEmpty() ? null : before.get(l)));
        }
        smootherSeconds = (System.nanoTime() - began) * 1e-9;
        began = System.nanoTime();
        if (coarse == null) {
            coarse = new RankCoarse(hierarchy, alone, options, place);
        } else {
            coarse.refresh();
        }
        coarseSeconds = (System.nanoTime() - began) * 1e-9;
    }

    /** Returns the first of the levels that one rank runs alone: the coarsest, or those before it on a device. */
    private int firstAlone() {
        int level = hierarchy.levels() - 1;
        boolean several = place.anyDevices() && staysAlone(cycle.shape());
        boolean alone = several && hierarchy.isOnFirstRank(level);
        while (alone && level > 0 && hierarchy.isOnFirstRank(level - 1)) {
            level--;
        }
        return level;
    }

    /**
     * Takes other values in the same structure: aggregates and messages stay, prolongators, products and smoothers are
     * made anew.
     *
     * @param matrix a matrix of the same structure and distribution
     * @throws IllegalArgumentException if size, structure, precision or distribution differ
     * @throws IllegalStateException    if this is closed
     */
    public void refresh(PartitionedMatrix matrix) {
        requireOpen("refresh");
        hierarchy.refresh(matrix.precision() == space.precision() ? matrix.toPrecision(precision) : matrix);
        prepare();
        hierarchy.forget();
    }

    private DenseVector b(int level) {
        return level == levels.size() ? coarse.b() : levels.get(level).b().elements();
    }

    private DenseVector x(int level) {
        return level == levels.size() ? coarse.x() : levels.get(level).x().elements();
    }

    /** Returns the owned elements of the finest level's vectors. */
    private DenseVector own(boolean right) {
        if (levels.isEmpty()) {
            return right ? coarse.b() : coarse.x();
        }
        return (right ? levels.getFirst().b() : levels.getFirst().x()).within(0);
    }

    private void changed(int level) {
        if (level < levels.size()) {
            levels.get(level).b().changed();
        }
    }

    private void visit(int level) {
        if (visits != null && (visits.isEmpty() || visits.getLast() != level)) {
            visits.add(level);
        }
    }

    /** Adds the time since another one to that of a level. */
    private void spent(int level, long began) {
        if (nanoseconds != null) {
            place.synchronize();
            nanoseconds[level] += System.nanoTime() - began;
        }
    }

    private void cycle(int level, boolean fromZero, CycleShape shape) {
        long began = System.nanoTime();
        if (level == levels.size()) {
            coarse.visits().forEach(this::visit);
            coarse.solve(fromZero);
            spent(level, began);
            return;
        }
        visit(level);
        RankLevel here = levels.get(level);
        long turn = here.tuner().now();
        boolean untouched = fromZero && cycle.before() == 0;
        for (int sweep = 0; sweep < cycle.before(); sweep++) {
            if (sweep == 0 && fromZero) {
                here.smoother().smoother().smoothFromZero(here.smoother().degree());
            } else {
                here.smoother().smoother().smooth(here.smoother().degree());
            }
        }
        RingVector left = untouched ? here.b() : here.residual();
        here.tuner().spent(turn);
        here.restriction().multiply(left.elements(), b(level + 1), false);
        changed(level + 1);
        spent(level, began);
        next(level + 1, shape);
        began = System.nanoTime();
        visit(level);
        here.prolongation().multiply(x(level + 1), x(level), !untouched);
        here.x().changed();
        long transferred = here.tuner().now();
        for (int sweep = 0; sweep < cycle.after(); sweep++) {
            here.smoother().smoother().smooth(here.smoother().degree());
        }
        here.tuner().spent(transferred);
        here.tuner().endVisit(fromZero && nanoseconds == null);
        spent(level, began);
    }

    /** Solves on the next level, as the shape says. */
    private void next(int level, CycleShape shape) {
        boolean coarsest = level == hierarchy.levels() - 1;
        if (shape == CycleShape.K && !coarsest) {
            krylov(level);
            return;
        }
        cycle(level, true, shape);
        if (!coarsest && shape == CycleShape.W) {
            cycle(level, false, CycleShape.W);
        } else if (!coarsest && shape == CycleShape.F) {
            cycle(level, false, CycleShape.V);
        }
    }

    /**
     * Two steps of flexible conjugate gradients, each preconditioned by a cycle (Y. Notay, P. S. Vassilevski, Numer.
     * Linear Algebra Appl. 15, 2008, algorithm 3.2); two reductions.
     */
    private void krylov(int level) {
        RankLevel here = levels.get(level);
        cycle(level, true, CycleShape.K);
        DenseVector c = here.spare(0).within(0);
        elements().update(1, null, here.x().within(0), 0, c);
        here.spare(0).changed();
        here.multiply(here.spare(0), here.spare(1));
        DenseVector v = here.spare(1).within(0);
        DenseVector b = here.b().within(0);
        double[] first = dots(c, b, c, v);
        double t = first[1] > 0 ? first[0] / first[1] : 0;
        elements().update(-t, null, v, 1, b);
        here.b().changed();
        cycle(level, true, CycleShape.K);
        here.multiply(here.x(), here.spare(2));
        DenseVector x = here.x().within(0);
        double[] second = dots(x, v, x, here.spare(2).within(0), x, b);
        double g = first[1] > 0 ? second[0] / first[1] : 0;
        double rho = second[1] - g * second[0];
        double s = rho > 1e-10 * second[1] ? second[2] / rho : 0;
        elements().update(t - g * s, null, c, s, x);
        here.x().changed();
    }

    /** Returns the dot products of pairs of vectors over all ranks; the host waits for them. */
    private double[] dots(DenseVector... pairs) {
        double[] found = new double[pairs.length / 2];
        if (pairs[0].length() > 0) {
            for (int i = 0; i < found.length; i++) {
                elements().dot(pairs[2 * i], pairs[2 * i + 1], sums, i);
            }
            HostVector copy = HostVector.zeros(Precision.F64, SUMS);
            sums.copyTo(copy);
            Arrays.setAll(found, copy::get);
        }
        hierarchy.communicator().allReduce(Reduction.SUM, found);
        return found;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        boolean converts = precision != space.precision();
        if (converts) {
            elements().convert(x, own(true));
        } else {
            elements().update(1, null, x, 0, own(true));
        }
        changed(0);
        cycle(0, true, cycle.shape());
        if (!converts) {
            elements().update(alpha, null, own(false), beta, y);
        } else if (alpha == 1 && beta == 0) {
            elements().convert(own(false), y);
        } else {
            wide = wide == null ? place.zeros(space.precision(), space.length()) : wide;
            elements().convert(own(false), wide);
            elements().update(alpha, null, wide, beta, y);
        }
    }

    /**
     * Counts the exchanges of smoothers and residuals so far, on all levels: in each, one message goes to each
     * neighbour of a rank there. Transfers are two more for each visit of a level.
     *
     * @return at least 0
     */
    public long exchanges() {
        return levels.stream().mapToLong(level -> level.plan().exchanges()).sum();
    }

    @Override
    public List<LevelRings> settleRings() {
        requireOpen("settle rings");
        List<LevelRings> all = new ArrayList<>();
        for (RankLevel level : levels) {
            all.add(level.tuner().settle(all.size()));
        }
        return all;
    }

    /**
     * Returns the hierarchy.
     *
     * @return the levels, closed with this
     */
    public RankHierarchy hierarchy() {
        return hierarchy;
    }

    /**
     * Returns how many rings the smoother of a level exchanges at once.
     *
     * @param level its number, not that of the coarsest
     * @return at least 1
     * @throws IndexOutOfBoundsException if there is no such level
     */
    public int rings(int level) {
        return levels.get(level).plan().activeRings();
    }

    /**
     * Reports what this consists of, altogether; times are of the slowest rank. Runs a few cycles, and is collective.
     *
     * @return a report, the same on all ranks but for the phases of the set-up, which are this rank's
     * @throws IllegalStateException if this is closed
     */
    public MultigridReport report() {
        requireOpen("report");
        double[] least = new double[hierarchy.levels()];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (int turn = 0; turn < TIMED_CYCLES; turn++) {
            visits = new ArrayList<>();
            nanoseconds = new long[least.length];
            own(true).copyFrom(HostVector.of(precision, space.length(), row -> 1));
            place.synchronize();
            changed(0);
            cycle(0, true, cycle.shape());
            for (int l = 0; l < least.length; l++) {
                least[l] = Math.min(least[l], nanoseconds[l] * 1e-9);
            }
        }
        nanoseconds = null;
        for (int l = levels.size() + 1; l < least.length; l++) {
            least[l] = coarse.line(l).seconds();
        }
        List<Integer> order = visits;
        visits = null;
        hierarchy.communicator().allReduce(Reduction.MAX, least);
        List<MultigridReport.Level> all = new ArrayList<>();
        for (int l = 0; l < least.length; l++) {
            all.add(describe(l, least[l]));
        }
        Map<SetupPhase, Double> phases = new EnumMap<>(SetupPhase.class);
        phases.putAll(hierarchy.setupSeconds());
        phases.put(SetupPhase.SMOOTHERS, smootherSeconds);
        phases.put(SetupPhase.COARSE, coarseSeconds);
        List<String> remarks = new ArrayList<>(hierarchy.remarks());
        remarks.addAll(coarse.remarks());
        return new MultigridReport(options.options().coarsening().coarsening().label() + ", strength "
                + hierarchy.strength() + ", aggregates mis2, rings " + options.rings()
                + (hierarchy.isGathered() ? ", set up on the device of rank 0" : ""), cycle.toString(), all, order,
                phases, remarks);
    }

    private MultigridReport.Level describe(int level, double seconds) {
        PartitionedMatrix matrix = hierarchy.level(level).matrix();
        boolean last = level >= levels.size();
        long nonZeros = hierarchy.nonZeros(level);
        boolean first = hierarchy.communicator().rank() == 0;
        long[] sums =
                {last ? first ? coarse.line(level).bytes() : 0 : levels.get(level).bytes(),
                    last ? 0 : levels.get(level).prolongation().messages(),
                    last ? 0 : levels.get(level).restriction().messages(), matrix.ownedRows() > 0 ? 1 : 0};
        hierarchy.communicator().allReduce(Reduction.SUM, sums);
        String where = counted(sums[3], "rank");
        int rows = Math.toIntExact(matrix.globalRows());
        if (last) {
            return new MultigridReport.Level(rows, nonZeros, coarse.line(level).smoother(), where, "", "", sums[0],
                    seconds);
        }
        int rings = rings(level);
        return new MultigridReport.Level(rows, nonZeros, levels.get(level).smoother().description(),
                where + ", " + counted(rings, "ring"), counted(sums[1], "message"), counted(sums[2], "message"),
                sums[0], seconds);
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
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

    /** Returns whether a cycle goes down as it comes up and is the same each time; smoothers are symmetric. */
    @Override
    public boolean symmetric() {
        return (cycle.shape() == CycleShape.V || cycle.shape() == CycleShape.W) && cycle.before() == cycle.after();
    }

    /** Returns true for K-cycles. */
    @Override
    public boolean variable() {
        return cycle.shape() == CycleShape.K && hierarchy.levels() > 2;
    }

    @Override
    protected void release() {
        closeLevels();
        hierarchy.close();
    }

    private void closeLevels() {
        place.synchronize();
        levels.forEach(RankLevel::close);
        if (coarse != null) {
            coarse.close();
        }
        if (sums != null) {
            sums.close();
        }
        if (wide != null) {
            wide.close();
        }
    }

    @Override
    public String toString() {
        return "multigrid, " + options.options().coarsening().coarsening().label() + ", strength "
                + hierarchy.strength() + ", cycle=" + cycle
                + (precision == space.precision() ? "" : ", in " + precision.label()) + ", levels="
                + hierarchy.levels() + " over "
                + hierarchy.communicator().size() + " ranks of " + hierarchy.level(0).matrix().globalRows() + " rows";
    }
}
