package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.sparse.algebra.MatrixNorms;

/** Makes the levels of a hierarchy on the host. */
final class HierarchySetup implements HierarchyBuilder {
    private final SetupTimes times = new SetupTimes();
    private final List<HierarchyLevel> levels = new ArrayList<>();
    private final List<LevelSetup> setups = new ArrayList<>();
    private final List<Double> radii = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    /** Null where levels are made again. */
    private final CoarseningOptions options;
    /** Levels that are made again, or none. */
    private final List<HierarchyLevel> before;
    /** The last level: its matrix, near null space, and the components of its unknowns; the latter two if known. */
    private CsrMatrix a;
    private NearNullSpace space;
    private byte[] component;
    /** How the next level is made, once there are groups. */
    private Next next;

    /** Makes the next level of groups. */
    private interface Next {
        LevelSetup.Made make(boolean symmetric);
    }

    private HierarchySetup(CoarseningOptions options, CsrMatrix matrix, List<HierarchyLevel> before) {
        this.options = options;
        this.a = matrix;
        this.before = before;
    }

    /** A hierarchy, and the near null space of its coarsest level. */
    record Developed(Hierarchy hierarchy, NearNullSpace space) {}

    /** Sets a hierarchy up. */
    static Hierarchy run(CoarseningOptions options, CsrMatrix matrix, NearNullSpace given) {
        return develop(options, matrix, given).hierarchy();
    }

    /** Sets a hierarchy up, and returns what became of the near null space as well. */
    static Developed develop(CoarseningOptions options, CsrMatrix matrix, NearNullSpace given) {
        HierarchySetup setup = new HierarchySetup(options, matrix, List.of());
        setup.space = HierarchyDriver.spaceOf(matrix, given);
        setup.component = components(matrix.rows(), setup.space.blockSize());
        HierarchyDriver driver = new HierarchyDriver(options);
        driver.run(setup);
        return new Developed(setup.end(driver.remarks(), driver.strength(), driver.symmetric()), setup.space);
    }

    /**
     * Sets up the same hierarchy for other values.
     *
     * @param matrix   the finest matrix
     * @param old      the hierarchy of before
     * @param levels   its levels
     * @param made     how they were made
     * @param strength which couplings counted
     */
    static Hierarchy again(CsrMatrix matrix, Hierarchy old, List<HierarchyLevel> levels, List<LevelSetup> made,
            StrengthOptions strength) {
        HierarchySetup setup = new HierarchySetup(null, matrix, levels);
        setup.setups.addAll(made);
        boolean symmetric = HierarchyDriver.again(setup);
        return setup.end(old.remarks(), strength, symmetric);
    }

    private Hierarchy end(List<String> others, StrengthOptions strength, boolean symmetric) {
        remarks.addAll(others);
        levels.add(HierarchyLevel.coarsest(a));
        List<Optional<Splitting>> splittings = setups.stream().map(LevelSetup::splitting).toList();
        return new Hierarchy(levels, setups, times, remarks,
                new Hierarchy.Found(strength, radii, symmetric, splittings));
    }

    private static byte[] components(int rows, int blockSize) {
        if (blockSize > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("nodes of " + blockSize + " unknowns, expected at most "
                    + Byte.MAX_VALUE);
        }
        byte[] component = new byte[rows];
        for (int row = 0; row < rows; row++) {
            component[row] = (byte) (row % blockSize);
        }
        return component;
    }

    @Override
    public void requireFinite() {
        requireFinite(a);
    }

    static void requireFinite(CsrMatrix matrix) {
        if (Double.isFinite(MatrixNorms.max(matrix))) {
            return;
        }
        matrix.forEachEntry((row, column, value) -> {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("multigrid for " + matrix + ": the entry in row " + row + ", column "
                        + column + " is " + value + ", expected a finite number");
            }
        });
    }

    /** Products with a restriction of its own are not symmetric, so that it is not worth a look. */
    @Override
    public boolean isSymmetric() {
        boolean reduced = options == null
                ? !setups.stream().allMatch(LevelSetup::transposed)
                : options.coarsening() == Coarsening.AIR;
        return !reduced && times.time(SetupPhase.STRENGTH,
                () -> MatrixGraphs.firstAsymmetry(a, HierarchyDriver.tolerance(a.precision())).isEmpty());
    }

    @Override
    public int blockSize() {
        return space.blockSize();
    }

    @Override
    public double weakShare(double theta) {
        return times.time(SetupPhase.STRENGTH, () -> Strength.weakShare(a, theta));
    }

    @Override
    public int level() {
        return levels.size();
    }

    @Override
    public long rows() {
        return a.rows();
    }

    @Override
    public boolean isDiagonal() {
        return a.nonZeros() <= a.rows();
    }

    @Override
    public Groups group(StrengthOptions strength) {
        return options.coarsening().splits() ? split(strength) : aggregate(strength);
    }

    private Groups aggregate(StrengthOptions strength) {
        boolean directed = strength.directed(space.blockSize());
        CsrMatrix strong = times.time(SetupPhase.STRENGTH, () -> AggregationSetup.strong(a, space, strength));
        CsrMatrix oneSided = times.time(SetupPhase.STRENGTH,
                () -> directed ? Strength.oneSided(a, strength.theta()) : null);
        Aggregates aggregates = times.time(SetupPhase.AGGREGATION, () -> aggregates(strong, oneSided));
        next = symmetric -> {
            NearNullSpace improved = times.time(SetupPhase.PROLONGATOR,
                    () -> CandidateSweeps.of(a, space, options.smoothing().candidateSweeps()));
            TentativeProlongator tentative = times.time(SetupPhase.PROLONGATOR,
                    () -> TentativeProlongator.of(aggregates, improved, a.precision()));
            AggregationSetup setup = new AggregationSetup(aggregates, tentative.matrix(),
                    options.prolongatorDamping(), directed ? new FilteredMatrix(oneSided, improved) : null,
                    new AggregationSetup.Thinning(directed && space.count() == 1 ? options.truncation() : 0,
                            tentative.coarse()));
            setups.add(setup);
            space = tentative.coarse();
            return setup.make(a, symmetric, times);
        };
        return new Groups(Groups.Kind.NODE, strong.rows(), alone(aggregates), (long) aggregates.count()
                * space.count());
    }

    /** Nodes that only depend on others, and not these on them, join them. */
    private Aggregates aggregates(CsrMatrix strong, CsrMatrix oneSided) {
        Aggregates found = options.parallel() ? Aggregates.independentSet(strong) : Aggregates.greedy(strong);
        return oneSided == null ? found : found.joined(oneSided);
    }

    private static int alone(Aggregates aggregates) {
        int alone = 0;
        for (int node = 0; node < aggregates.nodes(); node++) {
            alone += aggregates.of(node) == Aggregates.NONE ? 1 : 0;
        }
        return alone;
    }

    private Groups split(StrengthOptions strength) {
        CoarseningOptions.Classical classical = options.classical();
        boolean aggressive = levels.size() < classical.aggressiveLevels();
        CsrMatrix strong = times.time(SetupPhase.STRENGTH,
                () -> Strength.classical(a, strength.theta(), classical.rowSum(), component));
        CoarseningOptions.SplittingMethod method = method(classical.splitting());
        Splitting splitting = times.time(SetupPhase.AGGREGATION,
                () -> aggressive ? Splitting.aggressive(strong, method) : Splitting.of(strong, method));
        next = symmetric -> {
            ClassicalSetup setup = new ClassicalSetup(splitting, component, transfers(strong, splitting, aggressive));
            setups.add(setup);
            component = setup.coarseComponents();
            return setup.make(a, symmetric, times);
        };
        return new Groups(Groups.Kind.ROW, a.rows(), Strength.cutOff(a, strong), splitting.count());
    }

    /**
     * Both passes of Ruge and Stüben leave most unknowns, which is too many where reduction has made a level fuller
     * than the finest, as it does where diffusion counts.
     */
    private CoarseningOptions.SplittingMethod method(CoarseningOptions.SplittingMethod given) {
        boolean full = !levels.isEmpty() && a.nonZeros() > levels.getFirst().stored().nonZeros();
        if (options.coarsening() != Coarsening.AIR || given != CoarseningOptions.SplittingMethod.RS || !full) {
            return given;
        }
        remarks.add("level " + levels.size() + " has " + a.nonZeros() + " entries, more than the finest, and is split "
                + "by hmis instead of rs; prolongation=extended and a larger truncation may help");
        return CoarseningOptions.SplittingMethod.HMIS;
    }

    private SplitTransfers transfers(CsrMatrix strong, Splitting splitting, boolean aggressive) {
        if (options.coarsening() == Coarsening.CLASSICAL) {
            return new SplitTransfers.Interpolated(strong, splitting, component, options, aggressive);
        }
        double theta = options.classical().reduction().theta();
        CsrMatrix near = times.time(SetupPhase.STRENGTH, () -> Strength.absolute(a, theta, component));
        return new SplitTransfers.Reduced(strong, near, splitting, component, options);
    }

    @Override
    public void ungroup() {
        next = null;
    }

    @Override
    public void coarsen(boolean symmetric) {
        take(next.make(symmetric));
        next = null;
    }

    @Override
    public boolean coarsenAgain(boolean symmetric) {
        int level = levels.size();
        if (level == before.size() - 1) {
            return false;
        }
        take(setups.get(level).again(a, before.get(level + 1).matrix(), symmetric, times));
        return true;
    }

    private void take(LevelSetup.Made made) {
        levels.add(HierarchyLevel.of(a, made.prolongation(), made.restriction()));
        radii.add(made.radius());
        a = made.coarse();
    }
}
