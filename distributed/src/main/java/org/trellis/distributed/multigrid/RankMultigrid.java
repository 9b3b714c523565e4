package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SetupPhase;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * Algebraic multigrid over ranks, as a preconditioner on the owned elements of a rank: V-, W-, F- and K-cycles over a
 * {@link RankHierarchy}, whose smoothers exchange as many rings as is said or pays. A cycle is the operator of one rank
 * ({@link org.trellis.solve.multigrid.Multigrid} with {@code aggregates=mis2}) but for rounding. On the host.
 *
 * <p>With as many rings as a sweep has products, a V-cycle exchanges four times on a level: rings of the right-hand
 * side before the sweep down, the residual for the restriction, the correction for the prolongation, rings of the
 * iterate before the sweep up; with one ring, it is two times the number of products more often, less two.
 *
 * <p>Where times decide how many rings a level exchanges ({@link RingChoice#TUNED}), they are those of the smoother and
 * the residual in the visits of the level, without transfers; cycles for a report do not count.
 *
 * <p>All methods but the getters are collective.
 */
public final class RankMultigrid extends CheckedOperator implements Preconditioner, TunedRings {
    private static final int TIMED_CYCLES = 3;

    private final RankMultigridOptions options;
    private final CycleOptions cycle;
    private final Backend backend;
    private final RankHierarchy hierarchy;
    private final VectorSpace space;
    private final List<RankLevel> levels = new ArrayList<>();
    private RankCoarse coarse;
    private double smootherSeconds;
    private double coarseSeconds;
    /** Where time goes by level while a cycle is timed, else null. */
    private long[] nanoseconds;
    private List<Integer> visits;

    private RankMultigrid(PartitionedMatrix matrix, RankHierarchy hierarchy, RankMultigridOptions options,
            Backend backend) {
        this.options = options;
        this.cycle = options.options().cycle();
        this.backend = backend;
        this.hierarchy = hierarchy;
        this.space = VectorSpace.of(matrix.ownedRows(), matrix.precision(), MemorySpace.HOST);
        try {
            prepare();
        } catch (RuntimeException | Error e) {
            levels.forEach(RankLevel::close);
            throw e;
        }
    }

    /**
     * Sets up multigrid.
     *
     * @param matrix  the matrix
     * @param space   its near null space, or null for constants
     * @param options what it is to be
     * @param backend this rank's, on the host; not closed with this
     * @return the method, which the caller closes before the matrix's communicator
     * @throws IllegalArgumentException   if a smoother refuses the matrix of a level, or as {@link RankHierarchy#of}
     *                                    says
     * @throws UnsupportedKernelException if the backend is a device
     */
    @MustBeClosed
    public static RankMultigrid of(PartitionedMatrix matrix, RankSpace space, RankMultigridOptions options,
            Backend backend) {
        if (!backend.device().space().equals(MemorySpace.HOST)) {
            throw new UnsupportedKernelException("multigrid over ranks", backend.name(),
                    "only ranks on the host have it");
        }
        RankHierarchy hierarchy =
                RankHierarchy.of(matrix, space, options.options().coarsening(), options.rowsPerRank());
        try {
            return new RankMultigrid(matrix, hierarchy, options, backend);
        } catch (RuntimeException | Error e) {
            hierarchy.close();
            throw e;
        }
    }

    private void prepare() {
        List<RankLevel> before = List.copyOf(levels);
        levels.clear();
        long began = System.nanoTime();
        for (int l = 0; l + 1 < hierarchy.levels(); l++) {
            levels.add(new RankLevel(hierarchy, l, options.options().smoother(), options.rings(),
                    before.isEmpty() ? null : before.get(l)));
        }
        smootherSeconds = (System.nanoTime() - began) * 1e-9;
        began = System.nanoTime();
        if (coarse == null) {
            coarse = new RankCoarse(hierarchy, options.options().smoother(), backend);
        } else {
            coarse.refresh();
        }
        coarseSeconds = (System.nanoTime() - began) * 1e-9;
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
        hierarchy.refresh(matrix);
        prepare();
    }

    private HostVector b(int level) {
        return level == levels.size() ? coarse.b() : levels.get(level).b().values();
    }

    private HostVector x(int level) {
        return level == levels.size() ? coarse.x() : levels.get(level).x().values();
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
            nanoseconds[level] += System.nanoTime() - began;
        }
    }

    private void cycle(int level, boolean fromZero, CycleShape shape) {
        long began = System.nanoTime();
        visit(level);
        if (level == levels.size()) {
            coarse.solve();
            spent(level, began);
            return;
        }
        RankLevel here = levels.get(level);
        boolean untouched = fromZero && cycle.before() == 0;
        for (int sweep = 0; sweep < cycle.before(); sweep++) {
            if (sweep == 0 && fromZero) {
                here.smoother().smoother().smoothFromZero(here.smoother().degree());
            } else {
                here.smoother().smoother().smooth(here.smoother().degree());
            }
        }
        RingVector left = untouched ? here.b() : here.residual();
        here.tuner().spent(began);
        here.restriction().multiply(left.values(), b(level + 1), false);
        changed(level + 1);
        spent(level, began);
        next(level + 1, shape);
        began = System.nanoTime();
        visit(level);
        here.prolongation().multiply(x(level + 1), x(level), !untouched);
        here.x().changed();
        long transferred = System.nanoTime();
        for (int sweep = 0; sweep < cycle.after(); sweep++) {
            here.smoother().smoother().smooth(here.smoother().degree());
        }
        here.tuner().spent(transferred);
        here.tuner().endVisit(fromZero && nanoseconds == null);
        spent(level, began);
    }

    /** Solves on the next level, as the shape says. */
    private void next(int level, CycleShape shape) {
        boolean coarsest = level == levels.size();
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
        int rows = here.plan().rowsWithin(0);
        cycle(level, true, CycleShape.K);
        HostVector c = here.spare(0).values();
        here.x().values().copyRange(0, c, 0, rows);
        here.spare(0).changed();
        here.multiply(here.spare(0), here.spare(1));
        HostVector v = here.spare(1).values();
        double[] first = {dot(c, here.b().values(), rows), dot(c, v, rows)};
        hierarchy.communicator().allReduce(Reduction.SUM, first);
        double t = first[1] > 0 ? first[0] / first[1] : 0;
        HostVector b = here.b().values();
        for (int row = 0; row < rows; row++) {
            b.set(row, b.get(row) - t * v.get(row));
        }
        here.b().changed();
        cycle(level, true, CycleShape.K);
        here.multiply(here.x(), here.spare(2));
        HostVector x = here.x().values();
        double[] second = {dot(x, v, rows), dot(x, here.spare(2).values(), rows), dot(x, b, rows)};
        hierarchy.communicator().allReduce(Reduction.SUM, second);
        double g = first[1] > 0 ? second[0] / first[1] : 0;
        double rho = second[1] - g * second[0];
        double s = rho > 1e-10 * second[1] ? second[2] / rho : 0;
        for (int row = 0; row < rows; row++) {
            x.set(row, (t - g * s) * c.get(row) + s * x.get(row));
        }
        here.x().changed();
    }

    private static double dot(HostVector x, HostVector y, int rows) {
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum += x.get(row) * y.get(row);
        }
        return sum;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        ((HostVector) x).copyRange(0, b(0), 0, space.length());
        changed(0);
        cycle(0, true, cycle.shape());
        HostVector result = x(0);
        if (alpha == 1 && beta == 0) {
            result.copyRange(0, (HostVector) y, 0, space.length());
        } else {
            elements().update(alpha, null, result.part(0, space.length()), beta, y);
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
            b(0).fill(1);
            changed(0);
            cycle(0, true, cycle.shape());
            for (int l = 0; l < least.length; l++) {
                least[l] = Math.min(least[l], nanoseconds[l] * 1e-9);
            }
        }
        nanoseconds = null;
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
                + hierarchy.strength() + ", aggregates mis2, rings " + options.rings(), cycle.toString(), all, order,
                phases, remarks);
    }

    private MultigridReport.Level describe(int level, double seconds) {
        PartitionedMatrix matrix = hierarchy.matrix(level);
        boolean last = level == levels.size();
        long[] sums = {matrix.rows().nonZeros(), last ? coarse.bytes() : levels.get(level).bytes(),
            last ? 0 : levels.get(level).prolongation().messages(),
            last ? 0 : levels.get(level).restriction().messages(), matrix.ownedRows() > 0 ? 1 : 0};
        hierarchy.communicator().allReduce(Reduction.SUM, sums);
        String where = counted(sums[4], "rank");
        int rows = Math.toIntExact(matrix.globalRows());
        if (last) {
            return new MultigridReport.Level(rows, sums[0], coarse.toString(), where, "", "", sums[1], seconds);
        }
        int rings = rings(level);
        return new MultigridReport.Level(rows, sums[0], levels.get(level).smoother().description(),
                where + ", " + counted(rings, "ring"), counted(sums[2], "message"), counted(sums[3], "message"),
                sums[1], seconds);
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
        return backend.kernels(ElementKernels.class);
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
        levels.forEach(RankLevel::close);
        coarse.close();
        hierarchy.close();
    }

    @Override
    public String toString() {
        return "multigrid, " + options.options().coarsening().coarsening().label() + ", strength "
                + hierarchy.strength() + ", cycle=" + cycle + ", levels=" + hierarchy.levels() + " over "
                + hierarchy.communicator().size() + " ranks of " + hierarchy.matrix(0).globalRows() + " rows";
    }
}
