package org.trellis.bench.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.trellis.bench.prediction.CycleModel;
import org.trellis.bench.prediction.HierarchyLayout;
import org.trellis.bench.prediction.KernelClock;
import org.trellis.bench.prediction.KernelTimes;
import org.trellis.bench.prediction.LevelTimes;
import org.trellis.bench.prediction.Network;
import org.trellis.bench.prediction.PartHalos;
import org.trellis.bench.prediction.RankModel;
import org.trellis.bench.prediction.SolverModel;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.common.Precision;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;

/** Predicts iterations of solvers, measuring what their ranks compute. */
final class ModelSolvers {
    static final String CG = "cg";
    static final String PIPELINED = "pipelined-cg";
    static final String STEPS = "s-step";
    static final String MULTIGRID = "amg-cg";
    static final List<String> ALL = List.of(CG, PIPELINED, STEPS, MULTIGRID);

    private final Wanted wanted;
    private final List<Integer> rings;
    private final int copies;
    /** How many ranks here share a processor when all compute; 1 for ranks elsewhere. */
    private final int processors;

    /**
     * What is to be predicted.
     *
     * @param solvers names, of {@link #ALL}
     * @param steps   s
     * @param degree  of Chebyshev's method on the levels of multigrid
     */
    record Wanted(Set<String> solvers, int steps, int degree) {
        Wanted {
            TreeSet<String> unknown = new TreeSet<>(solvers);
            ALL.forEach(unknown::remove);
            if (!unknown.isEmpty() || solvers.isEmpty()) {
                throw new IllegalArgumentException("solvers " + unknown + " to predict, expected some of "
                        + String.join(", ", ALL));
            }
            requireSmall("number of steps", steps);
            requireSmall("degree of Chebyshev's method", degree);
        }

        private static void requireSmall(String what, int value) {
            if (value < 1 || value > 99) {
                throw new IllegalArgumentException(what + " is " + value + ", expected 1 to 99");
            }
        }

        boolean has(String solver) {
            return solvers.contains(solver);
        }
    }

    /**
     * Takes what is to be predicted.
     *
     * @param wanted     what
     * @param rings      the numbers of rings
     * @param copies     how many ranks compute at a time while kernels are measured, at most
     * @param processors of the machine if ranks are to share them; many for ranks elsewhere
     */
    ModelSolvers(Wanted wanted, List<Integer> rings, int copies, int processors) {
        this.wanted = wanted;
        this.rings = rings;
        this.copies = copies;
        this.processors = processors;
    }

    private double share(int ranks) {
        return Math.max(1, (double) ranks / processors);
    }

    /** Sets the levels up that all divisions of a matrix share; null if they are not needed. */
    Hierarchy hierarchy(CsrMatrix matrix) {
        return wanted.has(MULTIGRID)
                ? Hierarchy.of(matrix, NearNullSpace.constants(matrix.rows(), 1), coarsening())
                : null;
    }

    static CoarseningOptions coarsening() {
        return CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).parallel(true);
    }

    /** Divides levels as ranks do. */
    HierarchyLayout layout(Hierarchy hierarchy, Partition partition) {
        return HierarchyLayout.of(hierarchy, partition, coarsening().coarseRows(), RankMultigridOptions.ROWS_PER_RANK,
                most());
    }

    private int most() {
        return rings.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /**
     * Predicts all that is requested for one division.
     *
     * @param halos     of the matrix
     * @param network   between ranks
     * @param times     of the largest part, shared already
     * @param precision of vectors
     * @param layout    levels on the same ranks, or null
     */
    List<SolverTimes> predict(PartHalos halos, Network network, KernelTimes times, Precision precision,
            HierarchyLayout layout) {
        return predict(new SolverModel(halos, network, times, precision), halos, times, precision, layout);
    }

    /** The same by a model that is there. */
    List<SolverTimes> predict(SolverModel model, PartHalos halos, KernelTimes times, Precision precision,
            HierarchyLayout layout) {
        int ranks = halos.parts().size();
        int together = Math.min(copies, ranks);
        List<SolverTimes> found = new ArrayList<>();
        if (wanted.has(CG)) {
            found.add(model.conjugateGradients());
        }
        if (wanted.has(PIPELINED)) {
            found.add(model.pipelined(share(ranks) * KernelClock.pipelined(times.rows(), precision, together)));
        }
        if (wanted.has(STEPS)) {
            double outer = share(ranks) * KernelClock.outerStep(times.rows(), precision, wanted.steps(), together);
            rings.stream().filter(k -> k <= wanted.steps())
                    .forEach(k -> found.add(model.steps(wanted.steps(), k, outer)));
        }
        if (wanted.has(MULTIGRID)) {
            CycleModel cycle = cycle(layout);
            rings.forEach(k -> found.add(model.multigrid(cycle, k)));
            if (rings.size() > 1) {
                found.add(model.multigrid(cycle, rings));
            }
        }
        return found;
    }

    private CycleModel cycle(HierarchyLayout layout) {
        List<LevelTimes> levels = new ArrayList<>();
        // The matrix of the method itself is another copy of the finest one.
        HierarchyLayout.Level finest = layout.levels().getFirst();
        PartHalos.Part own = finest.halos().parts().get(RankModel.largest(finest.halos()));
        long memory = KernelClock.bytes(own.ownedNonZeros(), own.ownedRows(), 0);
        for (HierarchyLayout.Level level : layout.levels()) {
            memory += bytes(level);
        }
        for (HierarchyLayout.Level level : layout.levels()) {
            if (level.prolongation() != null) {
                levels.add(times(level, layout.levels().get(levels.size() + 1), memory));
            }
        }
        return new CycleModel(layout, levels, KernelClock.coarse(layout.levels().getLast().stored().matrix()),
                wanted.degree());
    }

    /** What the largest part has of a level. */
    private static long bytes(HierarchyLayout.Level level) {
        int largest = RankModel.largest(level.halos());
        PartHalos.Part part = level.halos().parts().get(largest);
        return KernelClock.bytes(part.ownedNonZeros(), part.ownedRows(), level.prolongation() == null
                ? 0
                : level.prolongation().nonZeros(largest) + level.restriction().nonZeros(largest));
    }

    private LevelTimes times(HierarchyLayout.Level level, HierarchyLayout.Level next, long memory) {
        int largest = RankModel.largest(level.halos());
        int[] rows = level.rowsOf(largest);
        return KernelClock.level(level.stored().matrix().select(rows, rows),
                level.stored().prolongation().orElseThrow().selectRows(rows),
                level.stored().restriction().orElseThrow().selectRows(next.rowsOf(largest)), wanted.degree(), memory,
                Math.min(copies, level.active())).shared(share(level.active()));
    }
}
