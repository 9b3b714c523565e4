package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.loop.Layout;
import org.trellis.solve.multigrid.CycleOperations;
import org.trellis.solve.multigrid.KrylovVectors;
import org.trellis.solve.smooth.SweepDirection;

/**
 * The operations of a cycle over ranks, carried out at once: sweeps, residuals and products of vectors with rings, which
 * know how many of their rings are up to date; transfers; and the last levels, which one rank has alone. Visits of
 * levels are timed where times choose the number of rings, or for a report.
 */
final class RankCycle implements CycleOperations, AutoCloseable {
    private final RankPlace place;
    private final Communicator communicator;
    private final List<RankLevel> levels;
    private final RankCoarse coarse;
    private final boolean lastIsCoarsest;
    /** By level, empty unless cycles are K-cycles. */
    private final List<Krylov> krylov = new ArrayList<>();
    /** Of K-cycles, else null. */
    private final Mesh mesh;
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

    /**
     * Vectors of a level for K-cycles, as dats on its rows, and the loops that update them. Smoothers take turns with
     * the memory of the iterate, of which each has loops.
     */
    private final class Krylov {
        private final int number;
        private final RankLevel level;
        private final RingVector[] spares;
        private final MeshSet rows;
        private final Scalars scalars;
        private final Dat b;
        private final Dat[] others = new Dat[3];
        private final Map<RingVector, ParallelLoop[]> loops = new IdentityHashMap<>();
        private final HostVector sums = HostVector.zeros(Precision.F64, KrylovVectors.SCALARS);
        private final double[][] missing = new double[KrylovVectors.Update.values().length][];

        Krylov(int number, RankLevel level) {
            this.number = number;
            this.level = level;
            this.spares = level.spares();
            int owned = level.plan().matrix().ownedRows();
            this.rows = mesh.set("level " + number, owned, owned, owned, level.plan().localElements());
            this.scalars = mesh.scalars("scalars of level " + number, KrylovVectors.SCALARS);
            this.b = dat("b", level.b());
            Arrays.setAll(others, i -> dat("work " + i, spares[i]));
            for (KrylovVectors.Update update : KrylovVectors.Update.values()) {
                missing[update.ordinal()] = new double[update.needed()];
            }
        }

        private Dat dat(String name, RingVector of) {
            return mesh.dat(name + " of level " + number, rows, 1, of.elements());
        }

        private ParallelLoop[] loopsFor(RingVector x) {
            KrylovVectors vectors = new KrylovVectors(mesh, rows, b, dat("x " + loops.size(), x), others[0], others[1],
                    others[2], scalars);
            return Arrays.stream(KrylovVectors.Update.values()).map(vectors::loop).toArray(ParallelLoop[]::new);
        }

        void multiply(KrylovVectors.Product product) {
            boolean first = product == KrylovVectors.Product.FIRST;
            RingVector from = first ? spares[0] : level.x();
            RingVector to = first ? spares[1] : spares[2];
            level.multiply(from, to);
            place.elements().dot(from.within(0), to.within(0), scalars.vector(), product.sum());
        }

        /** Adds up what ranks have of sums when they are needed: two reductions a cycle. */
        void update(KrylovVectors.Update update) {
            if (update.needed() > 0) {
                addUp(update);
            }
            loops.computeIfAbsent(level.x(), this::loopsFor)[update.ordinal()].run();
            switch (update) {
                case KEEP -> spares[0].changed();
                case TAKE_OFF -> level.b().changed();
                case JOIN -> level.x().changed();
                case COMPARE -> {
                    // reads only
                }
            }
        }

        private void addUp(KrylovVectors.Update update) {
            double[] values = missing[update.ordinal()];
            scalars.vector().copyTo(sums);
            for (int i = 0; i < values.length; i++) {
                values[i] = sums.get(update.first() + i);
            }
            communicator.allReduce(Reduction.SUM, values);
            for (int i = 0; i < values.length; i++) {
                sums.set(update.first() + i, values[i]);
            }
            scalars.vector().copyFrom(sums);
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
    RankCycle(RankHierarchy hierarchy, List<RankLevel> levels, RankCoarse coarse, boolean krylov, RankPlace place) {
        this.place = place;
        this.communicator = hierarchy.communicator();
        this.levels = List.copyOf(levels);
        this.coarse = coarse;
        this.lastIsCoarsest = levels.size() == hierarchy.levels() - 1;
        this.mesh = krylov
                ? Mesh.on(place.backend(),
                        new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false))
                : null;
        try {
            for (int l = 1; krylov && l < levels.size(); l++) {
                this.krylov.add(new Krylov(l, levels.get(l)));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
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
    public void multiply(int level, KrylovVectors.Product product) {
        at(level);
        krylov.get(level - 1).multiply(product);
    }

    @Override
    public void update(int level, KrylovVectors.Update update) {
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
        if (mesh != null) {
            mesh.close();
        }
    }
}
