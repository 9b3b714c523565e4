package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.HierarchyDriver;
import org.trellis.solve.multigrid.SetupPhase;
import org.trellis.solve.multigrid.StrengthOptions;

/**
 * The matrices of a multigrid method over ranks: partitioned matrices, finest first, and the rows of the transfers that
 * each rank has. What comes out has the bits of what one rank sets up with {@code aggregates=mis2}
 * ({@link org.trellis.solve.multigrid.Hierarchy}), for any number of ranks and any distribution of rows. A row of a
 * coarse level belongs to the rank of the node that began its aggregate; small levels go to fewer ranks. All methods
 * but the getters are collective.
 */
public final class RankHierarchy implements AutoCloseable {
    private final Communicator communicator;
    private final Tags tags = new Tags();
    private final List<Level> levels = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    /** Makes levels on the hosts of all ranks, or null. */
    private final RankSetup setup;
    /** Levels that the device of the first rank sets up, or null. */
    private final GatheredLevels gathered;
    /** Levels that were brought from there, by number. */
    private final Map<Integer, Level> brought = new HashMap<>();
    private StrengthOptions strength;
    private boolean symmetric;

    /**
     * A level.
     *
     * @param matrix       its matrix; one without entries for a level that stays on the device of the first rank
     * @param local        the same with local columns, for the set-up; null where a device did that
     * @param prolongation rows of P in the order of the rows of this level; null on the coarsest, and where it stays
     * @param restriction  rows of R in the order of the rows of the next level; null on the coarsest, and where it
     *                     stays
     * @param radius       ρ(D⁻¹A) if the set-up needed it, else not a number
     */
    record Level(PartitionedMatrix matrix, LocalMatrix local, RowBlock prolongation, RowBlock restriction,
            double radius) {}

    private RankHierarchy(Communicator parent, CoarseningOptions options, int rowsPerRank) {
        this.communicator = parent.split(0, parent.rank());
        this.setup = new RankSetup(communicator, options, rowsPerRank, tags);
        this.gathered = null;
    }

    private RankHierarchy(Communicator parent, CoarseningOptions options, int rowsPerRank, boolean staying,
            RankDevices place) {
        this.communicator = parent.split(0, parent.rank());
        this.setup = null;
        this.gathered = new GatheredLevels(communicator, options, rowsPerRank, staying, place);
    }

    /**
     * Sets up a hierarchy.
     *
     * @param matrix      the finest matrix
     * @param space       its near null space, or null for constants
     * @param options     how levels are made: by aggregation, smoothed or not; {@link CoarseningOptions#parallel} is
     *                    taken for true
     * @param rowsPerRank a level has no more ranks than it has so many rows
     * @return the hierarchy, which the caller closes
     * @throws IllegalArgumentException if the coarsening splits unknowns, candidates are to be improved, the matrix has
     *                                  2³¹ − 1 rows or more or an element that is not finite, the unknowns of a node
     *                                  are on two ranks, or the near null space has another length
     */
    @SuppressWarnings("MustBeClosed") // returned
    public static RankHierarchy of(PartitionedMatrix matrix, RankSpace space, CoarseningOptions options,
            int rowsPerRank) {
        if (options.coarsening().splits()) {
            throw new IllegalArgumentException("multigrid by coarsening=" + options.coarsening().label()
                    + " over ranks, expected "
                    + Coarsening.SMOOTHED_AGGREGATION.label() + " or " + Coarsening.AGGREGATION.label());
        }
        if (options.smoothing().candidateSweeps() > 0) {
            throw new IllegalArgumentException("multigrid over ranks with improve-candidates="
                    + options.smoothing().candidateSweeps() + ", expected 0: sweeps go over the rows of one rank");
        }
        Checks.positive("rows that a rank has at least", rowsPerRank);
        Checks.arrayLength("rows of a matrix for multigrid over ranks", matrix.globalRows());
        RankSpace given = space == null ? RankSpace.constants(matrix, 1) : space;
        Checks.length("length of the near null space", given.vector(0).length, matrix.ownedRows());
        RankHierarchy hierarchy = new RankHierarchy(matrix.communicator(), options, rowsPerRank);
        try {
            hierarchy.run(matrix, given);
            return hierarchy;
        } catch (RuntimeException | Error e) {
            hierarchy.close();
            throw e;
        }
    }

    /**
     * Sets up a hierarchy on the device of the first rank, for all ranks. Same bits.
     *
     * @param matrix      the finest matrix
     * @param space       its near null space, or null for constants
     * @param options     how levels are made
     * @param rowsPerRank a level has no more ranks than it has so many rows
     * @param staying     whether levels that the first rank has alone stay on its device
     * @param place       where this rank is
     * @return the hierarchy, which the caller closes
     */
    @SuppressWarnings("MustBeClosed") // returned
    static RankHierarchy onFirstDevice(PartitionedMatrix matrix, RankSpace space, CoarseningOptions options,
            int rowsPerRank, boolean staying, RankDevices place) {
        RankHierarchy hierarchy = new RankHierarchy(matrix.communicator(), options, rowsPerRank, staying, place);
        try {
            hierarchy.levels.addAll(hierarchy.gathered.run(matrix, space));
            hierarchy.takeOutline();
            return hierarchy;
        } catch (RuntimeException | Error e) {
            hierarchy.close();
            throw e;
        }
    }

    private void takeOutline() {
        strength = gathered.outline().strength();
        symmetric = gathered.outline().symmetric();
        remarks.clear();
        remarks.addAll(gathered.outline().remarks());
    }

    private void run(PartitionedMatrix matrix, RankSpace given) {
        HierarchyDriver driver = setup.run(matrix, given);
        strength = driver.strength();
        symmetric = driver.symmetric();
        remarks.addAll(driver.remarks());
        levels.addAll(setup.levels());
    }

    /**
     * Sets up the same levels for other values in the same structure: strength, aggregates and tentative prolongators
     * stay, prolongators are smoothed and products made anew.
     *
     * @param matrix a matrix with the structure of the finest one, on the same ranks
     * @throws IllegalArgumentException if size, structure, precision or distribution differ, or an element is not
     *                                  finite
     */
    void refresh(PartitionedMatrix matrix) {
        RankCoarsening.requireSame(levels.getFirst().matrix(), matrix);
        if (gathered != null) {
            List<Level> next = gathered.refresh(matrix);
            levels.clear();
            brought.clear();
            levels.addAll(next);
            takeOutline();
            return;
        }
        symmetric = setup.again(matrix);
        levels.clear();
        levels.addAll(setup.levels());
    }

    /** Gives back the levels that a refresh has replaced, once nothing uses them. */
    void forget() {
        if (gathered != null) {
            gathered.forget();
        }
    }

    /** Returns the last levels if the device of this rank has set them up. */
    Optional<Hierarchy> onDevice(int first) {
        return gathered == null ? Optional.empty() : gathered.from(first);
    }

    /** Says whether the device of the first rank has set the levels up. */
    boolean isGathered() {
        return gathered != null;
    }

    /** Counts the entries of a level on all ranks. Collective. */
    long nonZeros(int level) {
        return gathered == null
                ? communicator.sum(levels.get(level).matrix().rows().nonZeros())
                : gathered.outline().nonZeros()[level];
    }

    /** Returns a level with its entries, which are brought from the device of the first rank if they stay there. */
    private Level whole(int level) {
        return gathered == null || !gathered.stays(level)
                ? levels.get(level)
                : brought.computeIfAbsent(level, number -> gathered.bring(number, levels.get(number).matrix()));
    }

    Communicator communicator() {
        return communicator;
    }

    Tags tags() {
        return tags;
    }

    Level level(int number) {
        return levels.get(number);
    }

    /** Says whether the first rank has all rows of a level. Collective. */
    boolean isOnFirstRank(int level) {
        return communicator.sum(communicator.rank() == 0 ? 0 : levels.get(level).matrix().ownedRows()) == 0;
    }

    boolean isSymmetric() {
        return symmetric;
    }

    /**
     * Returns the number of levels.
     *
     * @return at least 1
     */
    public int levels() {
        return levels.size();
    }

    /**
     * Returns the matrix of a level. Collective for levels that stay on the device of the first rank, which is when it
     * sets them up and has them alone: they are brought to its host.
     *
     * @param level its number, 0 for the finest
     * @return a matrix over the same ranks, of which some may have no rows
     * @throws IndexOutOfBoundsException if there is no such level
     */
    public PartitionedMatrix matrix(int level) {
        return whole(Checks.index("level", level, levels.size())).matrix();
    }

    /**
     * Returns this rank's rows of the prolongation from the next level to a level. Collective as {@link #matrix} is.
     *
     * @param level its number
     * @return as many rows as it has of that level, in their local order, with global columns of the next level
     * @throws IndexOutOfBoundsException if there is no such level, or no next one
     */
    public RowBlock prolongation(int level) {
        return whole(Checks.index("level with a next one", level, levels.size() - 1)).prolongation();
    }

    /**
     * Returns which couplings counted.
     *
     * @return what was asked for, or what was found out
     */
    public StrengthOptions strength() {
        return strength;
    }

    /**
     * Returns what was noticed.
     *
     * @return sentences that say what would help
     */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /**
     * Returns the time of the last set-up on this rank.
     *
     * @return seconds of each phase that there was
     */
    public Map<SetupPhase, Double> setupSeconds() {
        return Map.copyOf(gathered == null ? setup.times().seconds() : gathered.seconds());
    }

    @Override
    public void close() {
        if (gathered != null) {
            gathered.close();
        }
        communicator.close();
    }

    @Override
    public String toString() {
        return "hierarchy of " + levels.size() + " levels over " + communicator.size() + " ranks";
    }
}
