package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.multigrid.CycleOperations;
import org.trellis.solve.multigrid.KrylovSteps;
import org.trellis.solve.smooth.SweepDirection;

/**
 * The operations of a cycle over ranks, carried out at once: sweeps, residuals and products of vectors with rings,
 * which know how many of their rings are up to date; transfers; and the last levels, which one rank has alone. Visits
 * of levels are timed where times choose the number of rings, or for a report.
 */
final class RankCycle implements CycleOperations, AutoCloseable {
    private final RankDevices place;
    private final Communicator communicator;
    private final List<RankLevel> levels;
    private final RankCoarse coarse;
    private final boolean lastIsCoarsest;
    /** By level, empty unless cycles are K-cycles. */
    private final List<Krylov> krylov = new ArrayList<>();
    /** Dot products of K-cycles, else null. */
    private final DenseVector dots;
    private final HostVector hostDots = HostVector.zeros(Precision.F64, KrylovSteps.SUMS);
    private Timing timing;
    private List<Integer> visited = List.of();

    /** Where time goes by level while a cycle is timed. */
    private static final class Timing {
        private final long[] nanoseconds;
        private final List<Integer> visits = new ArrayList<>();
        private int current = -1;
        private long began;

        Timing(int levels) {
            nanoseconds = new long[levels];
        }
    }

    /** Two steps of conjugate gradients on a level. Ranks add up their sums when these are needed, twice a cycle. */
    private final class Krylov {
        private final RankLevel level;
        private final RingVector c;
        private final RingVector v;
        private final RingVector w;
        private final double[] sums = new double[KrylovSteps.SUMS];
        private final double[] firstSums = new double[KrylovSteps.BETA];
        private final double[] lastSums = new double[KrylovSteps.SUMS - KrylovSteps.BETA];

        Krylov(RankLevel level) {
            this.level = level;
            this.c = level.spares()[0];
            this.v = level.spares()[1];
            this.w = level.spares()[2];
        }

        void multiply(KrylovSteps.Product product) {
            boolean first = product == KrylovSteps.Product.FIRST;
            RingVector from = first ? c : level.x();
            RingVector to = first ? v : w;
            level.multiply(from, to);
            dot(from, to, product.sum());
        }

        private void dot(RingVector one, RingVector other, int sum) {
            if (one.within(0).length() > 0) {
                place.elements().dot(one.within(0), other.within(0), dots, sum);
            }
        }

        void update(KrylovSteps.Update update) {
            switch (update) {
                case KEEP -> {
                    place.elements().update(1, null, level.x().within(0), 0, c.within(0));
                    c.changed();
                    dot(c, level.b(), KrylovSteps.ALPHA);
                }
                case TAKE_OFF -> {
                    addUp(firstSums, KrylovSteps.ALPHA);
                    place.elements().update(-KrylovSteps.taken(sums), null, v.within(0), 1, level.b().within(0));
                    level.b().changed();
                }
                case COMPARE -> {
                    dot(level.x(), v, KrylovSteps.GAMMA);
                    dot(level.x(), level.b(), KrylovSteps.ALPHA_2);
                }
                case JOIN -> {
                    addUp(lastSums, KrylovSteps.BETA);
                    place.elements().update(KrylovSteps.ofFirst(sums), null, c.within(0), KrylovSteps.ofSecond(sums),
                            level.x().within(0));
                    level.x().changed();
                }
            }
        }

        /** Adds up what ranks have of some sums; the host waits for them. */
        private void addUp(double[] some, int first) {
            Arrays.fill(some, 0);
            if (c.within(0).length() > 0) {
                dots.copyTo(hostDots);
                for (int i = 0; i < some.length; i++) {
                    some[i] = hostDots.get(first + i);
                }
            }
            communicator.allReduce(Reduction.SUM, some);
            System.arraycopy(some, 0, sums, first, some.length);
        }
    }

    /**
     * Prepares the operations.
     *
     * @param hierarchy the levels
     * @param levels    those that are divided, finest first
     * @param coarse    those behind them
     * @param krylov    whether cycles are K-cycles
     * @param place     where this rank's elements are
     */
    RankCycle(RankHierarchy hierarchy, List<RankLevel> levels, RankCoarse coarse, boolean krylov, RankDevices place) {
        this.place = place;
        this.communicator = hierarchy.communicator();
        this.levels = List.copyOf(levels);
        this.coarse = coarse;
        this.lastIsCoarsest = levels.size() == hierarchy.levels() - 1;
        this.dots = krylov ? place.zeros(Precision.F64, KrylovSteps.SUMS) : null;
        for (int l = 1; krylov && l < levels.size(); l++) {
            this.krylov.add(new Krylov(levels.get(l)));
        }
    }

    /** Begins to time levels. */
    void beginTiming() {
        timing = new Timing(levels.size() + 1);
        place.synchronize();
        timing.began = System.nanoTime();
    }

    /** Ends it; returns the seconds of each level, of those of one rank together. */
    double[] endTiming() {
        spend();
        double[] seconds = new double[timing.nanoseconds.length];
        for (int l = 0; l < seconds.length; l++) {
            seconds[l] = timing.nanoseconds[l] * 1e-9;
        }
        visited = List.copyOf(timing.visits);
        timing = null;
        return seconds;
    }

    /** Returns the levels in the order in which the cycle that was timed last came to them. */
    List<Integer> visits() {
        return visited;
    }

    private void spend() {
        place.synchronize();
        long now = System.nanoTime();
        if (timing.current >= 0) {
            timing.nanoseconds[timing.current] += now - timing.began;
        }
        timing.began = now;
    }

    /** Comes to a level. */
    private RankLevel at(int level) {
        if (timing != null && timing.current != level) {
            spend();
            timing.current = level;
            if (level < levels.size()) {
                timing.visits.add(level);
            } else {
                coarse.visits().stream()
                        .filter(visit -> timing.visits.isEmpty() || !timing.visits.getLast().equals(visit))
                        .forEach(timing.visits::add);
            }
        }
        return level < levels.size() ? levels.get(level) : null;
    }

    @Override
    public int bottom() {
        return levels.size();
    }

    @Override
    public boolean solvesOnce() {
        return lastIsCoarsest;
    }

    @Override
    public void solve(boolean fromZero) {
        at(bottom());
        coarse.solve(fromZero);
    }

    @Override
    public void sweepFromZero(int level) {
        RankLevel here = at(level);
        long began = here.tuner().now();
        here.smoother().smoother().smoothFromZero(here.smoother().degree());
        here.tuner().spent(began);
    }

    /** Smoothers over ranks are symmetric. */
    @Override
    public void sweep(int level, SweepDirection direction) {
        RankLevel here = at(level);
        long began = here.tuner().now();
        here.smoother().smoother().smooth(here.smoother().degree());
        here.tuner().spent(began);
    }

    @Override
    public void residual(int level) {
        RankLevel here = at(level);
        long began = here.tuner().now();
        here.computeResidual();
        here.tuner().spent(began);
    }

    @Override
    public void restrict(int level, boolean residual) {
        RankLevel here = at(level);
        RingVector left = residual ? here.residual() : here.b();
        here.restriction().multiply(left.elements(), b(level + 1), false);
        if (level + 1 < levels.size()) {
            levels.get(level + 1).b().changed();
        }
    }

    @Override
    public void prolong(int level, boolean add) {
        RankLevel here = at(level);
        here.prolongation().multiply(x(level + 1), here.x().elements(), add);
        here.x().changed();
    }

    @Override
    public void multiply(int level, KrylovSteps.Product product) {
        at(level);
        krylov.get(level - 1).multiply(product);
    }

    @Override
    public void update(int level, KrylovSteps.Update update) {
        at(level);
        krylov.get(level - 1).update(update);
    }

    @Override
    public void leave(int level, boolean fromZero) {
        levels.get(level).tuner().endVisit(fromZero && timing == null);
    }

    private DenseVector b(int level) {
        return level == levels.size() ? coarse.b() : levels.get(level).b().elements();
    }

    private DenseVector x(int level) {
        return level == levels.size() ? coarse.x() : levels.get(level).x().elements();
    }

    /** Returns the owned elements of the finest level's right-hand side. */
    DenseVector rightHandSide() {
        return levels.isEmpty() ? coarse.b() : levels.getFirst().b().within(0);
    }

    /** Returns the owned elements of the finest level's iterate. */
    DenseVector iterate() {
        return levels.isEmpty() ? coarse.x() : levels.getFirst().x().within(0);
    }

    /** Says that vectors of the finest level were written. */
    void changed() {
        if (!levels.isEmpty()) {
            levels.getFirst().b().changed();
            levels.getFirst().x().changed();
        }
    }

    @Override
    public void close() {
        if (dots != null) {
            dots.close();
        }
    }
}
