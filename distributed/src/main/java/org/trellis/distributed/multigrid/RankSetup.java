package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.HierarchyBuilder;
import org.trellis.solve.multigrid.HierarchyDriver;
import org.trellis.solve.multigrid.SetupPhase;
import org.trellis.solve.multigrid.StrengthOptions;

/** Makes the levels of a hierarchy over ranks, and makes them again for other values. All methods are collective. */
final class RankSetup implements HierarchyBuilder {
    private final Communicator communicator;
    private final CoarseningOptions options;
    private final int rowsPerRank;
    private final Tags tags;
    private final List<RankHierarchy.Level> levels = new ArrayList<>();
    private final List<RankCoarsening> coarsenings = new ArrayList<>();
    private PhaseTimes times = new PhaseTimes();
    /** Where levels are made again those of before, else empty. */
    private List<RankHierarchy.Level> before = List.of();
    /** How many ranks have rows of the last level. */
    private int ranks;
    /** The last level, and whether its pattern is known to be symmetric. */
    private PartitionedMatrix a;
    private LocalMatrix local;
    private RankSpace space;
    private boolean mirrored;
    /** What the next one is made of, once there are groups. */
    private Candidate candidate;

    /** Nodes in aggregates, and the couplings that smooth the prolongator where they have a direction, else null. */
    private record Candidate(Nodes nodes, RankAggregates groups, LocalMatrix oneSided, long rows) {}

    /**
     * Prepares a set-up.
     *
     * @param communicator the ranks
     * @param options      how levels are made
     * @param rowsPerRank  a level has no more ranks than it has so many rows
     * @param tags         for messages
     */
    RankSetup(Communicator communicator, CoarseningOptions options, int rowsPerRank, Tags tags) {
        this.communicator = communicator;
        this.options = options;
        this.rowsPerRank = rowsPerRank;
        this.tags = tags;
        this.ranks = communicator.size();
    }

    /** Sets the levels up; returns what was decided. */
    HierarchyDriver run(PartitionedMatrix matrix, RankSpace given) {
        a = matrix;
        space = given;
        HierarchyDriver driver = new HierarchyDriver(options);
        driver.run(this);
        levels.add(last());
        return driver;
    }

    /** Sets the same levels up for other values; returns whether they are symmetric. */
    boolean again(PartitionedMatrix matrix) {
        times = new PhaseTimes();
        before = List.copyOf(levels);
        levels.clear();
        a = matrix;
        try {
            local = before.getFirst().local().with(matrix.rows());
            boolean symmetric = HierarchyDriver.again(this);
            levels.add(last());
            return symmetric;
        } catch (RuntimeException | Error e) {
            levels.clear();
            levels.addAll(before);
            throw e;
        } finally {
            before = List.of();
        }
    }

    private RankHierarchy.Level last() {
        return new RankHierarchy.Level(a, local, null, null, Double.NaN);
    }

    /** Returns the levels, finest first. */
    List<RankHierarchy.Level> levels() {
        return levels;
    }

    PhaseTimes times() {
        return times;
    }

    @Override
    public void requireFinite() {
        long began = System.nanoTime();
        RowBlock rows = a.rows();
        double[] values = LocalMatrix.doubles(rows);
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                if (!Double.isFinite(values[k])) {
                    throw new IllegalArgumentException("multigrid over ranks: the entry in row "
                            + rows.indices()[row] + ", column " + rows.columns()[k] + " is " + values[k]
                            + ", expected a finite number");
                }
            }
        }
        times.add(SetupPhase.STRENGTH, began);
    }

    @Override
    public boolean isSymmetric() {
        long began = System.nanoTime();
        local = local == null ? LocalMatrix.of(a, communicator, tags.next()) : local;
        LocalMatrix.Mirror mirror = local.mirror(communicator, HierarchyDriver.tolerance(a.precision()));
        mirrored = mirror.pattern();
        times.add(SetupPhase.STRENGTH, began);
        return mirror.values();
    }

    @Override
    public int blockSize() {
        return space.blockSize();
    }

    @Override
    public double weakShare(double theta) {
        long began = System.nanoTime();
        double share = new RankStrength(local, theta, 0).weakShare(communicator);
        times.add(SetupPhase.STRENGTH, began);
        return share;
    }

    @Override
    public int level() {
        return levels.size();
    }

    @Override
    public long rows() {
        return a.globalRows();
    }

    @Override
    public boolean isDiagonal() {
        return communicator.sum(a.rows().nonZeros()) <= a.globalRows();
    }

    @Override
    public Groups group(StrengthOptions strength) {
        long began = System.nanoTime();
        Nodes nodes = Nodes.of(a, local, space.blockSize(), communicator, tags);
        boolean directed = strength.directed(space.blockSize());
        RankStrength couplings = directed ? new RankStrength(local, strength.theta(), StrengthOptions.SETTLED) : null;
        LocalMatrix strong = directed
                ? couplings.signed()
                : RankStrength.symmetric(nodes.matrix(), strength.ofNodes().theta());
        LocalMatrix oneSided = directed ? couplings.oneSided() : null;
        began = times.add(SetupPhase.STRENGTH, began);
        LocalMatrix graph = mirrored && strong == local
                ? strong
                : strong.symmetric(communicator, nodes.directory(), tags.next());
        RankAggregates groups = RankAggregates.of(communicator, graph, oneSided, nodes.count());
        long rows = groups.count() * space.count();
        long alone = communicator.sum(groups.alone());
        times.add(SetupPhase.AGGREGATION, began);
        candidate = new Candidate(nodes, groups, oneSided, rows);
        return new Groups(Groups.Kind.NODE, nodes.count(), alone, rows);
    }

    @Override
    public void ungroup() {
        candidate = null;
    }

    @Override
    public void coarsen(boolean symmetric) {
        long began = System.nanoTime();
        RankAggregates.Numbered numbered = candidate.groups().numbered();
        RankTentative tentative = RankTentative.of(communicator, a, candidate.nodes(), numbered,
                owners(numbered, candidate.rows()), space);
        RankCoarsening coarsening = new RankCoarsening(communicator, tentative, candidate.rows(),
                options.prolongatorDamping(), candidate.oneSided(), space.vector(0));
        times.add(SetupPhase.PROLONGATOR, began);
        coarsenings.add(coarsening);
        RankCoarsening.Made made = make(coarsening, symmetric);
        space = made.space();
        mirrored = symmetric;
        local = LocalMatrix.of(a, communicator, tags.next());
        candidate = null;
    }

    /** Adds a level and goes on with the next one. */
    private RankCoarsening.Made make(RankCoarsening coarsening, boolean symmetric) {
        RankCoarsening.Made made = coarsening.make(local, a.globalRows(), symmetric, times);
        levels.add(new RankHierarchy.Level(a, local, made.prolongation(), made.restriction(), made.radius()));
        a = made.matrix();
        return made;
    }

    /** Gives aggregates to fewer ranks where the next level is small; to the first one if that solves it. */
    private int[] owners(RankAggregates.Numbered groups, long rows) {
        int size = communicator.size();
        long enough = rows <= options.coarseRows() ? 1 : Math.ceilDiv(rows, (long) rowsPerRank);
        ranks = (int) Math.min(ranks, enough);
        int[] owners = groups.owner().clone();
        Arrays.setAll(owners, node -> Math.ceilDiv((int) ((long) owners[node] * ranks / size) * size, ranks));
        return owners;
    }

    @Override
    public boolean coarsenAgain(boolean symmetric) {
        int level = levels.size();
        if (level == coarsenings.size()) {
            return false;
        }
        make(coarsenings.get(level), symmetric);
        local = before.get(level + 1).local().with(a.rows());
        return true;
    }
}
