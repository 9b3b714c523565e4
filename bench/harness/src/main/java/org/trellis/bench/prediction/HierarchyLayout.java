package org.trellis.bench.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.HierarchyLevel;
import org.trellis.sparse.CsrMatrix;

/**
 * The levels of a hierarchy as ranks have them, found on one machine: halos, transfers, and which ranks have rows of
 * small levels, as {@link org.trellis.distributed.multigrid.RankHierarchy} divides them.
 */
public final class HierarchyLayout {
    private final List<Level> levels;
    private final int ranks;

    /**
     * A level.
     *
     * @param stored       its matrices
     * @param partition    who has its rows
     * @param active       how many ranks have some
     * @param halos        of these ranks
     * @param prolongation from the next level; null on the coarsest
     * @param restriction  to the next level; null on the coarsest
     */
    public record Level(HierarchyLevel stored, Partition partition, int active, PartHalos halos,
            PartTransfers prolongation, PartTransfers restriction) {
        /**
         * Returns the rows of a rank.
         *
         * @param rank the rank
         * @return their indices, increasing
         */
        public int[] rowsOf(int rank) {
            int[] partOf = partition.partOf();
            return IntStream.range(0, partOf.length).filter(row -> partOf[row] == rank).toArray();
        }
    }

    private HierarchyLayout(List<Level> levels, int ranks) {
        this.levels = List.copyOf(levels);
        this.ranks = ranks;
    }

    /**
     * Divides the levels: a row of a coarse level goes to the rank that has most of its aggregate, and on small levels
     * to one of the fewer ranks that have them.
     *
     * @param hierarchy    made by aggregation, with a row for each aggregate
     * @param finest       who has the rows of the finest level
     * @param coarseRows   levels of at most so many rows are on one rank
     * @param rowsPerRank  a level has no more ranks than it has so many rows
     * @param rings        how many rings halos are to have, at least 1
     * @return the layout
     * @throws IllegalArgumentException if a level was not aggregated
     */
    public static HierarchyLayout of(Hierarchy hierarchy, Partition finest, int coarseRows, int rowsPerRank,
            int rings) {
        List<int[]> owners = new ArrayList<>(List.of(finest.partOf()));
        int size = finest.parts();
        int active = size;
        for (int l = 0; l + 1 < hierarchy.size(); l++) {
            int level = l;
            int[] groups = hierarchy.aggregates(l).orElseThrow(() -> new IllegalArgumentException(
                    "level " + level + " has no aggregates, expected a hierarchy by aggregation"));
            int rows = hierarchy.level(l + 1).stored().rows();
            int enough = rows <= coarseRows ? 1 : Math.ceilDiv(rows, rowsPerRank);
            active = Math.min(active, enough);
            int[] next = majority(groups, owners.getLast(), rows);
            for (int row = 0; row < rows; row++) {
                next[row] = Math.ceilDiv((int) ((long) next[row] * active / size) * size, active);
            }
            owners.add(next);
        }
        return of(hierarchy, owners, size, rings);
    }

    /** Returns the rank that has most members of each aggregate, of equal ones that of the first members. */
    private static int[] majority(int[] groups, int[] owners, int count) {
        Checks.length("nodes of a level", groups.length, owners.length);
        int[] votes = new int[count];
        int[] winner = new int[count];
        // Boyer and Moore's vote, which is right wherever one rank has more than half.
        for (int node = 0; node < groups.length; node++) {
            int group = groups[node];
            if (group < 0) {
                continue;
            }
            if (votes[group] == 0) {
                winner[group] = owners[node];
            }
            votes[group] += winner[group] == owners[node] ? 1 : -1;
        }
        return winner;
    }

    /**
     * Takes levels whose division is known.
     *
     * @param hierarchy the hierarchy
     * @param owners    of each level, the rank of each row
     * @param ranks     how many ranks there are
     * @param rings     how many rings halos are to have, at least 1
     * @return the layout
     * @throws IllegalArgumentException if there is not one division a level
     */
    public static HierarchyLayout of(Hierarchy hierarchy, List<int[]> owners, int ranks, int rings) {
        Checks.length("divisions of levels", owners.size(), hierarchy.size());
        List<Level> levels = new ArrayList<>();
        for (int l = 0; l < hierarchy.size(); l++) {
            CsrMatrix matrix = hierarchy.level(l).matrix();
            Partition partition = new Partition(owners.get(l), ranks);
            int[] coarse = l + 1 < hierarchy.size() ? owners.get(l + 1) : null;
            int[] fine = owners.get(l);
            levels.add(new Level(hierarchy.level(l), partition, (int) Arrays.stream(fine).distinct().count(),
                    PartHalos.of(matrix, partition, rings),
                    hierarchy.level(l).prolongation().map(p -> PartTransfers.of(p, fine, coarse, ranks)).orElse(null),
                    hierarchy.level(l).restriction().map(r -> PartTransfers.of(r, coarse, fine, ranks)).orElse(null)));
        }
        return new HierarchyLayout(levels, ranks);
    }

    /**
     * Returns the levels.
     *
     * @return the finest first
     */
    public List<Level> levels() {
        return levels;
    }

    /**
     * Returns the number of ranks.
     *
     * @return at least 1
     */
    public int ranks() {
        return ranks;
    }

    @Override
    public String toString() {
        return levels.size() + " levels on " + ranks + " ranks";
    }
}
