package org.trellis.bench.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.trellis.bench.prediction.HierarchyLayout.Level;
import org.trellis.common.Checks;

/**
 * Replays V-cycles with a sweep of Chebyshev's method of some degree before and after the coarse correction, as
 * {@link org.trellis.distributed.multigrid.RankMultigrid} runs them: which vectors travel in which exchange, how many
 * rings of them are up to date, and what is computed meanwhile and behind.
 */
public final class CycleModel {
    /** Of a vector whose elements are known everywhere. */
    private static final int EVERYWHERE = Integer.MAX_VALUE;

    private final HierarchyLayout layout;
    private final List<LevelTimes> times;
    private final double coarse;
    private final int degree;

    /**
     * Prepares cycles.
     *
     * @param layout the levels
     * @param times  what computations take on each level but the coarsest
     * @param coarse seconds of the coarsest solution on the first rank
     * @param degree of Chebyshev's method, at least 1
     * @throws IllegalArgumentException if times are missing or the degree is less than 1
     */
    public CycleModel(HierarchyLayout layout, List<LevelTimes> times, double coarse, int degree) {
        Checks.length("times of levels", times.size(), layout.levels().size() - 1L);
        this.layout = layout;
        this.times = List.copyOf(times);
        this.coarse = coarse;
        this.degree = Checks.positive("degree of Chebyshev's method", degree);
    }

    /** Returns the levels. */
    HierarchyLayout layout() {
        return layout;
    }

    /** Runs a cycle with as many rings on each level as is said. */
    void run(RankClocks clocks, int[] rings) {
        List<Visit> down = new ArrayList<>();
        for (int l = 0; l < times.size(); l++) {
            Visit visit = new Visit(clocks, l, rings[l]);
            down.add(visit);
            visit.fromZero();
            visit.residual();
            transfer(clocks, layout.levels().get(l).restriction(), times.get(l).transfer());
        }
        solve(clocks);
        for (Visit visit : down.reversed()) {
            transfer(clocks, visit.level.prolongation(), visit.own.transfer());
            visit.x = 0;
            visit.sweeps(0);
        }
    }

    /**
     * Finds the number of rings for which a visit of each level takes the shortest time, transfers left out.
     *
     * @param anew    makes clocks that begin at zero
     * @param numbers to choose from
     * @return one for each level but the coarsest; the first where only one rank has rows
     */
    int[] best(Supplier<RankClocks> anew, List<Integer> numbers) {
        int[] found = new int[times.size()];
        for (int l = 0; l < found.length; l++) {
            double least = Double.POSITIVE_INFINITY;
            for (int k : numbers) {
                RankClocks clocks = anew.get();
                Visit visit = new Visit(clocks, l, k);
                visit.fromZero();
                visit.residual();
                visit.x = 0;
                visit.sweeps(0);
                if (clocks.latest() < least) {
                    least = clocks.latest();
                    found[l] = k;
                }
            }
        }
        return found;
    }

    private static void transfer(RankClocks clocks, PartTransfers rows, double entry) {
        clocks.exchange(rows);
        clocks.compute(rank -> rows.nonZeros(rank) * entry);
    }

    /** Brings the coarsest right-hand side to the first rank if others have some of it, solves, and brings it back. */
    private void solve(RankClocks clocks) {
        int[] owners = layout.levels().getLast().partition().partOf();
        boolean travels = Arrays.stream(owners).anyMatch(owner -> owner > 0);
        int[] counts = new int[layout.ranks()];
        for (int owner : owners) {
            counts[owner]++;
        }
        int[] others = IntStream.range(1, counts.length).filter(rank -> counts[rank] > 0).toArray();
        int[] none = {};
        int[] first = {0};
        if (travels) {
            clocks.exchange(messages(rank -> rank == 0 ? others : none, (rank, source) -> counts[others[source]]));
        }
        clocks.compute(rank -> rank == 0 ? coarse : 0);
        if (travels) {
            clocks.exchange(messages(rank -> rank > 0 && counts[rank] > 0 ? first : none,
                    (rank, source) -> counts[rank]));
        }
    }

    /** Counts the elements of a message. */
    private interface Counts {
        long of(int rank, int source);
    }

    private static RankMessages messages(IntFunction<int[]> sources, Counts counts) {
        return new RankMessages() {
            @Override
            public int[] sources(int rank) {
                return sources.apply(rank);
            }

            @Override
            public long elements(int rank, int source) {
                return counts.of(rank, source);
            }
        };
    }

    /** A visit of a level: how many rings of each of its vectors are up to date. */
    private final class Visit {
        private final RankClocks clocks;
        private final Level level;
        private final LevelTimes own;
        private final int rings;
        private int b;
        private int x;
        private int before;

        Visit(RankClocks clocks, int number, int rings) {
            this.clocks = clocks;
            this.level = layout.levels().get(number);
            this.own = times.get(number);
            this.rings = level.active() == 1 ? 1 : rings;
        }

        private IntToDoubleFunction rows(int depth, double entry) {
            return rank -> {
                PartHalos.Part part = level.halos().parts().get(rank);
                return entry * (part.ownedNonZeros() + part.nonZerosOfRings(depth));
            };
        }

        /** Exchanges vectors while interior rows are computed, then computes the others down to a depth. */
        private void overlapped(int vectors, int depth, double entry) {
            clocks.exchange(RankMessages.of(level.halos(), rings, vectors),
                    rank -> entry * level.halos().parts().get(rank).interiorNonZeros());
            IntToDoubleFunction all = rows(depth, entry);
            clocks.compute(rank -> all.applyAsDouble(rank)
                    - entry * level.halos().parts().get(rank).interiorNonZeros());
        }

        /** A sweep from zero, which brings the rings of the right-hand side if there are several, and further ones. */
        void fromZero() {
            if (rings > 1) {
                clocks.exchange(RankMessages.of(level.halos(), rings, 1));
                b = rings;
            }
            int depth = b;
            clocks.compute(rank -> {
                PartHalos.Part part = level.halos().parts().get(rank);
                return own.row() * (part.ownedRows() + Arrays.stream(part.ringRows(), 0, depth).sum());
            });
            before = EVERYWHERE;
            x = b;
            sweeps(1);
        }

        /** The sweeps of an application from some number on. */
        void sweeps(int first) {
            for (int i = first; i < degree; i++) {
                boolean momentum = i > 0;
                int vectors = 0;
                if (x == 0) {
                    boolean takesRight = b < rings - 1;
                    boolean takesBefore = momentum && before < rings - 1;
                    vectors = 1 + (takesRight ? 1 : 0) + (takesBefore ? 1 : 0);
                    x = rings;
                    b = takesRight ? rings : b;
                    before = takesBefore ? rings : before;
                }
                int depth = Math.min(x - 1, b);
                depth = momentum ? Math.min(depth, before) : depth;
                step(vectors, depth, own.sweep());
                before = x;
                x = depth;
            }
        }

        /** The residual of owned rows, and of those that no message is needed for. */
        void residual() {
            int vectors = 0;
            if (x == 0) {
                boolean takesRight = b < rings - 1;
                vectors = takesRight ? 2 : 1;
                x = rings;
                b = takesRight ? rings : b;
            }
            step(vectors, Math.min(x - 1, b), own.product());
        }

        private void step(int vectors, int depth, double entry) {
            if (vectors > 0) {
                overlapped(vectors, depth, entry);
            } else {
                clocks.compute(rows(depth, entry));
            }
        }
    }
}
