package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.SetupLocation;

/**
 * What multigrid over ranks is to be.
 *
 * @param options     what one rank knows: how levels are made, smoother and cycle
 * @param rings       how many rings smoothers exchange
 * @param rowsPerRank a coarse level has no more ranks than it has so many rows; 0 for {@link #ROWS_PER_RANK}, or
 *                    {@link #ROWS_PER_DEVICE} where all ranks have devices
 */
public record RankMultigridOptions(MultigridOptions options, RingChoice rings, int rowsPerRank) {
    /** Rows of a level for each rank unless another number is given. */
    public static final int ROWS_PER_RANK = 1000;

    /**
     * Rows of a level for each rank with a device: an exchange and the launches that it takes are some ten
     * microseconds, in which a GPU does a sweep of some hundred thousand rows.
     */
    public static final int ROWS_PER_DEVICE = 400_000;

    /**
     * Refuses what there is not over ranks.
     *
     * @throws IllegalArgumentException if levels are to be made by reduction, by classical coarsening on hosts or of
     *                                  improved candidates, or the smoother needs more of a matrix than products; says
     *                                  what there is
     */
    public RankMultigridOptions {
        Objects.requireNonNull(options);
        Objects.requireNonNull(rings);
        Checks.notNegative("rows that a rank has at least", rowsPerRank);
        List<String> objections = new ArrayList<>();
        if (options.coarsening().coarsening() == Coarsening.CLASSICAL && options.setup() != SetupLocation.BACKEND) {
            objections.add("coarsening=classical");
        }
        if (options.coarsening().coarsening() == Coarsening.AIR) {
            throw new IllegalArgumentException("multigrid over ranks with coarsening=air, expected "
                    + "smoothed-aggregation or aggregation: its local systems reach over the rows of several ranks; "
                    + "on one rank it works");
        }
        if (options.coarsening().smoothing().candidateSweeps() > 0) {
            throw new IllegalArgumentException("multigrid over ranks with improve-candidates="
                    + options.coarsening().smoothing().candidateSweeps()
                    + ", expected 0: sweeps go over the rows of one rank");
        }
        if (options.candidates() > 0) {
            throw new IllegalArgumentException("multigrid over ranks with adaptive-candidates=" + options.candidates()
                    + ", expected 0: vectors are found on one rank (NearNullSpace.adaptive) and spread");
        }
        if (!objections.isEmpty()) {
            throw new IllegalArgumentException("multigrid over ranks with " + String.join(" and ", objections)
                    + ", expected smoothed-aggregation or aggregation (classical with setup=backend, on a device "
                    + "of the first rank)");
        }
        RankSmoother.refuse(options.smoother());
    }

    /**
     * Reads options.
     *
     * @param given those of {@link MultigridOptions}; {@code aggregates} are {@code mis2}
     * @param rings how many rings smoothers exchange
     * @return the options
     * @throws IllegalArgumentException if a name or value is unknown, or is not possible over ranks
     */
    public static RankMultigridOptions parse(Map<String, String> given, RingChoice rings) {
        if ("greedy".equals(given.get("aggregates"))) {
            throw new IllegalArgumentException("multigrid over ranks with aggregates=greedy, which are made in the "
                    + "order of the nodes, expected mis2");
        }
        if (given.containsKey("truncation")) {
            throw new IllegalArgumentException("multigrid over ranks with truncation=" + given.get("truncation")
                    + ", expected none: coarse matrices are not thinned out there");
        }
        return new RankMultigridOptions(MultigridOptions.parse(given), rings, 0);
    }

    /** Says how many rows a level has for each rank, whether all ranks have devices or not. */
    int leastRows(boolean devices) {
        return rowsPerRank > 0 ? rowsPerRank : devices ? ROWS_PER_DEVICE : ROWS_PER_RANK;
    }

    /**
     * Returns the options with another limit.
     *
     * @param rows a coarse level has no more ranks than it has so many rows
     * @return new options
     * @throws IllegalArgumentException if it is below 1
     */
    public RankMultigridOptions rowsPerRank(int rows) {
        Checks.positive("rows that a rank has at least", rows);
        return new RankMultigridOptions(options, rings, rows);
    }
}
