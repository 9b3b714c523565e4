package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.solve.multigrid.MultigridCycle;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SetupPhase;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * Algebraic multigrid over ranks, as a preconditioner or smoother on the owned elements of a rank: V-, W-, F- and
 * K-cycles over a {@link RankHierarchy}, whose smoothers exchange as many rings as is said or pays. A cycle is the
 * operator of one rank ({@link org.trellis.solve.multigrid.Multigrid} with {@code aggregates=mis2}) but for rounding.
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
public final class RankMultigrid extends CheckedOperator implements Smoother, TunedRings {
    private static final int TIMED_CYCLES = 3;

    private final RankMultigridOptions options;
    private final CycleOptions cycle;
    private final RankDevices place;
    private final RankHierarchy hierarchy;
    private final VectorSpace space;
    /** The type of what levels have, perhaps a narrower one than that of the vectors. */
    private final Precision precision;
    /** For results that are added to others, where levels are narrower than vectors; else null. */
    private DenseVector wide;
    private final List<RankLevel> levels = new ArrayList<>();
    private RankCoarse coarse;
    private RankCycle operations;
    private double smootherSeconds;
    private double coarseSeconds;

    private RankMultigrid(PartitionedMatrix matrix, RankHierarchy hierarchy, RankMultigridOptions options,
            RankDevices place) {
        this.options = options;
        this.cycle = options.options().cycle();
        this.place = place;
        this.hierarchy = hierarchy;
        this.space = place.space(matrix.precision(), matrix.ownedRows());
        this.precision = hierarchy.level(0).matrix().precision();
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
        RankDevices place = RankDevices.of("multigrid over ranks", backend, matrix.communicator());
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
            RankDevices place) {
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
        if (operations != null) {
            operations.close();
        }
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
        operations = new RankCycle(hierarchy, levels, coarse, cycle.shape() == CycleShape.K, place);
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

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        boolean converts = precision != space.precision();
        if (converts) {
            elements().convert(x, operations.rightHandSide());
        } else {
            elements().update(1, null, x, 0, operations.rightHandSide());
        }
        operations.changed();
        MultigridCycle.run(operations, cycle, true);
        if (!converts) {
            elements().update(alpha, null, operations.iterate(), beta, y);
        } else if (alpha == 1 && beta == 0) {
            elements().convert(operations.iterate(), y);
        } else {
            wide = wide == null ? place.zeros(space.precision(), space.length()) : wide;
            elements().convert(operations.iterate(), wide);
            elements().update(alpha, null, wide, beta, y);
        }
    }

    /**
     * Improves an iterate by one cycle.
     *
     * @throws IllegalArgumentException      if an operand does not belong to the domain, or they overlap
     * @throws IllegalStateException         if this is closed
     * @throws UnsupportedOperationException if levels are of lower precision than the iterate
     */
    @Override
    public void sweep(DenseVector b, DenseVector x, SweepDirection direction) {
        checkSweep(b, x);
        improve(b, x);
    }

    @Override
    public List<PreparedStep> bindSweep(DenseVector b, DenseVector x, SweepDirection direction) {
        checkSweep(b, x);
        return List.of(() -> {
            requireOpen("run of a bound cycle");
            improve(b, x);
        });
    }

    private void checkSweep(DenseVector b, DenseVector x) {
        space.check("cycle", "b", b);
        space.check("cycle", "x", x);
        requireOpen("cycle");
        if (b.overlaps(x)) {
            throw new IllegalArgumentException("cycle of " + this
                    + ": b and x are one vector or overlap, expected two that do not");
        }
        if (precision != space.precision()) {
            throw new UnsupportedOperationException("a cycle of levels in " + precision.label()
                    + " that improves an iterate in " + space.precision().label() + ", expected one from zero");
        }
    }

    private void improve(DenseVector b, DenseVector x) {
        elements().update(1, null, b, 0, operations.rightHandSide());
        elements().update(1, null, x, 0, operations.iterate());
        operations.changed();
        MultigridCycle.run(operations, cycle, false);
        elements().update(1, null, operations.iterate(), 0, x);
    }

    @Override
    public long storedBytes() {
        long bytes = levels.stream().mapToLong(RankLevel::bytes).sum();
        for (int l = levels.size(); hierarchy.communicator().rank() == 0 && l < hierarchy.levels(); l++) {
            bytes += coarse.line(l).bytes();
        }
        return bytes;
    }

    @Override
    public String describe() {
        return toString();
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
            operations.rightHandSide().copyFrom(HostVector.of(precision, space.length(), row -> 1));
            operations.changed();
            operations.beginTiming();
            MultigridCycle.run(operations, cycle, true);
            double[] seconds = operations.endTiming();
            for (int l = 0; l < seconds.length; l++) {
                least[l] = Math.min(least[l], seconds[l]);
            }
        }
        for (int l = levels.size() + 1; l < least.length; l++) {
            least[l] = coarse.line(l).seconds();
        }
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
                + (hierarchy.isGathered() ? ", set up on the device of rank 0" : ""), cycle.toString(), all,
                operations.visits(), phases, remarks);
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
        if (operations != null) {
            operations.close();
        }
        levels.forEach(RankLevel::close);
        if (coarse != null) {
            coarse.close();
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
