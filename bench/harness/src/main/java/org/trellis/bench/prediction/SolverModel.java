package org.trellis.bench.prediction;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * Predicts iterations of solvers on as many ranks as there are parts by replaying them with a clock for each rank
 * ({@link RankClocks}): exchanges, what is computed while messages and sums travel, and all-reduces, in the order in
 * which the solvers of this module have them. Some iterations are replayed, and the mean of the last ones counts.
 */
public final class SolverModel {
    private static final int WARM = 2;
    private static final int COUNTED = 4;

    private final PartHalos halos;
    private final Network network;
    private final KernelTimes times;
    private final int bytesOfElement;
    private final ReductionTimes reductions;

    /** An iteration, or several, of a program. */
    private interface Iteration {
        void run(RankClocks clocks);
    }

    /**
     * Prepares predictions.
     *
     * @param halos     the halos of the parts
     * @param network   what is between them
     * @param times     what computations take at the size of these parts
     * @param precision the type of vectors
     */
    public SolverModel(PartHalos halos, Network network, KernelTimes times, Precision precision) {
        this(halos, network, times, precision, ReductionTimes.of(network, halos.parts().size()));
    }

    /**
     * Prepares predictions where all-reduces were measured.
     *
     * @param halos      the halos of the parts
     * @param network    what is between them
     * @param times      what computations take at the size of these parts
     * @param precision  the type of vectors
     * @param reductions what all-reduces take
     */
    public SolverModel(PartHalos halos, Network network, KernelTimes times, Precision precision,
            ReductionTimes reductions) {
        this.reductions = reductions;
        this.halos = halos;
        this.network = network;
        this.times = times;
        this.bytesOfElement = precision.bytes();
    }

    private SolverTimes replay(String program, int rings, double iterations, Iteration iteration) {
        RankClocks clocks = new RankClocks(halos.parts().size(), network, times.element(), bytesOfElement,
                reductions);
        for (int i = 0; i < WARM; i++) {
            iteration.run(clocks);
        }
        SolverTimes before = clocks.so(program, rings);
        for (int i = 0; i < COUNTED; i++) {
            iteration.run(clocks);
        }
        return clocks.so(program, rings).since(before, COUNTED * iterations);
    }

    /** The share of a rank in the vectors of an iteration, which were measured on the part with the most rows. */
    private double vectors(int rank, double seconds) {
        return seconds * halos.parts().get(rank).ownedRows() / Math.max(1, times.rows());
    }

    /** A product with one ring, interior rows while messages travel. */
    private void product(RankClocks clocks) {
        step(clocks, 1, 1, 0);
    }

    /** Exchanges vectors with some rings while interior rows are computed; then the others down to a depth. */
    private void step(RankClocks clocks, int vectors, int rings, int depth) {
        clocks.exchange(RankMessages.of(halos, rings, vectors),
                rank -> times.product() * halos.parts().get(rank).interiorNonZeros());
        clocks.compute(rank -> {
            PartHalos.Part part = halos.parts().get(rank);
            return times.product()
                    * (part.ownedNonZeros() - part.interiorNonZeros() + part.nonZerosOfRings(depth));
        });
    }

    /**
     * Predicts conjugate gradients with Jacobi's preconditioner: a product and two all-reduces.
     *
     * @return an iteration
     */
    public SolverTimes conjugateGradients() {
        return replay("cg", 1, 1, clocks -> {
            product(clocks);
            clocks.reduce();
            clocks.compute(rank -> vectors(rank, times.iteration() / 2));
            clocks.reduce();
            clocks.compute(rank -> vectors(rank, times.iteration() / 2));
        });
    }

    /**
     * Predicts pipelined conjugate gradients with Jacobi's preconditioner: sums travel while the next product is
     * computed.
     *
     * @param vectors seconds of an iteration beyond its product, at the size of the part that was measured
     * @return an iteration
     */
    public SolverTimes pipelined(double vectors) {
        return replay("pipelined-cg", 1, 1, clocks -> {
            clocks.startReduction();
            product(clocks);
            clocks.finishReduction();
            clocks.compute(rank -> vectors(rank, vectors));
        });
    }

    /**
     * Predicts s-step conjugate gradients: both bases exchange once for as many products as there are rings.
     *
     * @param steps s, at least 1
     * @param rings of the halo, 1 to those that were analysed
     * @param outer seconds of an outer step beyond its 2s − 1 products, at the size of the part that was measured
     * @return an iteration, the s-th part of an outer step
     * @throws IllegalArgumentException if there are no steps, or not as many rings
     */
    public SolverTimes steps(int steps, int rings, double outer) {
        Checks.positive("number of steps", steps);
        requireRings(rings);
        return replay("s-step", rings, steps, clocks -> {
            clocks.exchange(RankMessages.of(halos, rings, 2));
            basis(clocks, steps, rings);
            basis(clocks, steps - 1, rings);
            clocks.compute(rank -> vectors(rank, outer / 2));
            clocks.reduce();
            clocks.compute(rank -> vectors(rank, outer / 2));
        });
    }

    /** The products of a basis whose first vector has its rings up to date, each of its vector and the one before. */
    private void basis(RankClocks clocks, int count, int rings) {
        int valid = rings;
        int before = rings;
        for (int j = 0; j < count; j++) {
            boolean exchanges = valid == 0;
            int both = exchanges && before < rings - 1 ? 2 : 1;
            if (exchanges) {
                valid = rings;
                before = both == 2 ? rings : before;
            }
            int depth = j == 0 ? valid - 1 : Math.min(valid - 1, before);
            if (exchanges) {
                step(clocks, both, rings, depth);
            } else {
                int deep = depth;
                clocks.compute(rank -> {
                    PartHalos.Part part = halos.parts().get(rank);
                    return times.product() * (part.ownedNonZeros() + part.nonZerosOfRings(deep));
                });
            }
            before = valid;
            valid = depth;
        }
    }

    /**
     * Predicts conjugate gradients with multigrid: a product, a V-cycle and three all-reduces.
     *
     * @param cycle the cycle, on as many ranks
     * @param rings of all levels, 1 to those that were analysed
     * @return an iteration
     * @throws IllegalArgumentException if there are not as many rings
     */
    public SolverTimes multigrid(CycleModel cycle, int rings) {
        requireRings(rings);
        int[] all = new int[cycle.layout().levels().size() - 1];
        Arrays.fill(all, rings);
        return multigrid(cycle, all, rings);
    }

    /**
     * Predicts the same with the best number of rings on each level.
     *
     * @param cycle   the cycle, on as many ranks
     * @param numbers to choose from
     * @return an iteration, its number of rings 0
     * @throws IllegalArgumentException if there are not as many rings
     */
    public SolverTimes multigrid(CycleModel cycle, List<Integer> numbers) {
        return multigrid(cycle, bestRings(cycle, numbers), 0);
    }

    /**
     * Returns the number of rings of each level for which a visit is predicted to take the shortest time.
     *
     * @param cycle   the cycle, on as many ranks
     * @param numbers to choose from
     * @return one for each level but the coarsest
     */
    public int[] bestRings(CycleModel cycle, List<Integer> numbers) {
        numbers.forEach(this::requireRings);
        return cycle.best(
                () -> new RankClocks(halos.parts().size(), network, times.element(), bytesOfElement, reductions),
                numbers);
    }

    private SolverTimes multigrid(CycleModel cycle, int[] rings, int label) {
        Checks.length("ranks of the cycle", cycle.layout().ranks(), halos.parts().size());
        return replay("amg-cg", label, 1, clocks -> {
            product(clocks);
            clocks.reduce();
            clocks.compute(rank -> vectors(rank, times.iteration() / 2));
            clocks.reduce();
            cycle.run(clocks, rings);
            clocks.reduce();
            clocks.compute(rank -> vectors(rank, times.iteration() / 2));
        });
    }

    private void requireRings(int rings) {
        if (rings < 1 || rings > halos.rings()) {
            throw new IllegalArgumentException("number of rings is " + rings + ", expected 1 to " + halos.rings()
                    + ", which were analysed");
        }
    }
}
