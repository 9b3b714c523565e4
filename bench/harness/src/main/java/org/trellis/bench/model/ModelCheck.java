package org.trellis.bench.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.model.ModelReport.Check;
import org.trellis.bench.prediction.HierarchyLayout;
import org.trellis.bench.prediction.KernelClock;
import org.trellis.bench.prediction.KernelTimes;
import org.trellis.bench.prediction.Network;
import org.trellis.bench.prediction.PartHalos;
import org.trellis.bench.prediction.RankModel;
import org.trellis.bench.prediction.ReductionTimes;
import org.trellis.bench.prediction.SolverModel;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.ranks.RankMatrices;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.sparse.CsrMatrix;

/**
 * Measures what is predicted, as far as it can be run here: ranks are threads whose messages are delayed. Predictions
 * are made for that network as it is: what an exchange of a halo and an all-reduce take between these threads is
 * measured where nothing else is done, and is what its latency and its all-reduces are. What is measured takes turns,
 * so that compiled code that comes late, or something else that the machine does for a while, meets all alike and not
 * what happens to be first.
 */
final class ModelCheck {
    private static final int SHORT_ITERATIONS = 4;
    private static final int LONG_ITERATIONS = 12;
    private static final int EXCHANGES = 10;
    /** Passes are short, so that some of many are not disturbed. */
    private static final double PASS_SECONDS = 1e-3;
    private static final int PASSES = 40;
    private static final int ROUNDS = 5;
    private static final int LEAST_PASSES = 10;
    private static final int LEAST_TURN = 4;
    private static final double TURN_SECONDS = 0.06;
    /** With fewer, ranks that do not begin at once would count. */
    private static final int LEAST_EXCHANGES = 5;
    private static final int MOST_EXCHANGES = 50;
    private static final int WARM_UP = 20;

    private final CsrMatrix matrix;
    private final Network network;
    private final List<Integer> rings;
    private final Partitioner partitioner;
    /** Null for none. */
    private final ModelSolvers.Wanted solvers;

    ModelCheck(CsrMatrix matrix, Network network, List<Integer> rings, Partitioner partitioner,
            ModelSolvers.Wanted solvers) {
        this.solvers = solvers;
        this.matrix = matrix;
        this.network = network;
        this.rings = rings;
        this.partitioner = partitioner;
    }

    /** What was measured on a number of ranks: products and sweeps by rings, an iteration, and a bare exchange. */
    private record Measured(double[] products, double[] sweeps, double iteration, double exchange,
            ReductionTimes reductions, int[] owners,
            List<Solved> solved, List<int[]> levels) {}

    /** What an iteration of a solver took. */
    private record Solved(String program, int rings, double seconds) {}

    /** Measures on a number of ranks and predicts the same. */
    List<Check> run(int ranks) {
        Measured measured = ThreadRanks.run(ranks, this::measure).getFirst();
        Partition partition = new Partition(measured.owners, ranks);
        PartHalos halos = PartHalos.of(matrix, partition, most());
        int processors = Runtime.getRuntime().availableProcessors();
        KernelTimes times = KernelClock.measure(ModelRun.block(matrix, partition, RankModel.largest(halos)),
                Math.min(ranks, processors)).shared(Math.max(1, (double) ranks / processors));
        Network flat = Network.flat(Math.max(network.latency(), measured.exchange), network.bandwidth(), 0);
        RankModel model = new RankModel(halos, flat, times, matrix.precision(), measured.reductions);
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < rings.size(); i++) {
            int k = rings.get(i);
            checks.add(new Check("products", ranks, k, measured.products[i], model.product(k).seconds()));
        }
        for (int i = 0; i < rings.size(); i++) {
            int k = rings.get(i);
            checks.add(new Check("sweeps", ranks, k, measured.sweeps[i], model.sweep(k).seconds()));
        }
        checks.add(new Check("cg", ranks, 1, measured.iteration, model.iteration().seconds()));
        if (solvers != null) {
            checks.addAll(replayed(measured, halos, flat, times));
        }
        return checks;
    }

    /** Predicts what was measured of solvers by replaying it. */
    private List<Check> replayed(Measured measured, PartHalos halos, Network flat, KernelTimes times) {
        int processors = Runtime.getRuntime().availableProcessors();
        int ranks = halos.parts().size();
        ModelSolvers replaying = new ModelSolvers(solvers, rings, processors, processors);
        Hierarchy hierarchy = replaying.hierarchy(matrix);
        HierarchyLayout layout =
                hierarchy == null ? null : HierarchyLayout.of(hierarchy, measured.levels, ranks, most());
        List<Check> checks = new ArrayList<>();
        for (SolverTimes expected : replaying.predict(
                new SolverModel(halos, flat, times, matrix.precision(), measured.reductions), halos, times,
                matrix.precision(), layout)) {
            measured.solved.stream()
                    .filter(one -> one.program.equals(expected.program()) && one.rings == expected.rings())
                    .forEach(one -> checks.add(new Check(one.program + ", replayed", ranks, one.rings, one.seconds,
                            expected.seconds())));
        }
        return checks;
    }

    private int most() {
        return rings.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    private Measured measure(Communicator plain) {
        Communicator late = new DelayedCommunicator(plain, Duration.ofNanos(Math.round(network.latency() * 1e9)),
                network.bandwidth());
        PartitionedMatrix divided = RankMatrices.divide(late, matrix, partitioner);
        int[] owners = owners(divided);
        List<Turn> turns = new ArrayList<>();
        double[] least;
        try (HaloPlan plan = HaloPlan.of(divided, most())) {
            RingProduct product = new RingProduct(plan);
            RingVector[] vectors = {plan.vector(), plan.vector()};
            RingSmoother smoother = RingSmoother.jacobi(plan, 0.8);
            smoother.rightHandSide().set(i -> 1 + i % 5);
            for (int k : rings) {
                turns.add(Turn.of(plain, plan, k, () -> vectors[0].set(row -> 1e-3 * (row % 7)), steps -> {
                    for (int step = 0; step < steps; step++) {
                        product.combine(0.125, vectors[step % 2], 0, vectors[step % 2], 0, vectors[1 - step % 2]);
                    }
                }));
            }
            for (int k : rings) {
                turns.add(Turn.of(plain, plan, k, () -> smoother.solution().changed(), smoother::smooth));
            }
            least = inTurns(plain, turns);
        }
        int count = rings.size();
        List<int[]> levels = new ArrayList<>();
        return new Measured(Arrays.copyOf(least, count), Arrays.copyOfRange(least, count, 2 * count),
                iteration(plain, divided, SolverConfig.of("cg", "jacobi"), 1, 1, new ArrayList<>()),
                exchange(plain, divided),
                reductions(plain, late), owners, solved(plain, divided, levels), levels);
    }

    /** Measures the solvers that are requested, and says who has which rows of levels. */
    private List<Solved> solved(Communicator plain, PartitionedMatrix divided, List<int[]> levels) {
        List<Solved> found = new ArrayList<>();
        if (solvers == null) {
            return found;
        }
        SolverConfig jacobi = SolverConfig.of("cg", "jacobi");
        if (solvers.has(ModelSolvers.CG)) {
            found.add(new Solved(ModelSolvers.CG, 1, iteration(plain, divided, jacobi, 1, 1, levels)));
        }
        if (solvers.has(ModelSolvers.PIPELINED)) {
            found.add(new Solved(ModelSolvers.PIPELINED, 1,
                    iteration(plain, divided, SolverConfig.of("pipelined-cg", "jacobi"), 1, 1, levels)));
        }
        if (solvers.has(ModelSolvers.STEPS)) {
            SolverConfig stack = new SolverConfig(SolverConfig.S_STEP, Map.of("steps", "" + solvers.steps()), "jacobi",
                    Map.of(), jacobi.criteria(), false, false);
            rings.stream().filter(k -> k <= solvers.steps()).forEach(k -> found.add(new Solved(ModelSolvers.STEPS, k,
                    iteration(plain, divided, stack, k, solvers.steps(), levels))));
        }
        if (solvers.has(ModelSolvers.MULTIGRID)) {
            SolverConfig stack = new SolverConfig("cg", Map.of(), "amg",
                    Map.of("smoother", "chebyshev,kind=4,degree=" + solvers.degree()), jacobi.criteria(), false,
                    false);
            rings.forEach(k -> found.add(
                    new Solved(ModelSolvers.MULTIGRID, k, iteration(plain, divided, stack, k, 1, levels))));
        }
        return found;
    }

    /** Finds out who has which rows, on the first rank. */
    private static int[] owners(PartitionedMatrix divided) {
        int rank = divided.communicator().rank();
        HostVector gathered =
                divided.gather(0, HostVector.of(divided.precision(), divided.ownedRows(), i -> rank));
        int[] owners = new int[gathered.length()];
        Arrays.setAll(owners, i -> (int) gathered.get(i));
        return owners;
    }

    /** Something that is measured: what comes before a pass and does not count, a pass, and its number of steps. */
    private record Turn(Runnable before, Runnable pass, int steps) {
        /** Passes of a few exchanges each, of a program that has run before. */
        static Turn of(Communicator plain, HaloPlan plan, int rings, Runnable before, IntConsumer program) {
            Runnable begin = () -> {
                plan.useRings(rings);
                before.run();
            };
            begin.run();
            program.accept(WARM_UP * rings);
            double once = seconds(plain, new Turn(begin, () -> program.accept(rings), rings), LEAST_PASSES);
            int steps = rings * Math.clamp(Math.round(PASS_SECONDS / once), LEAST_EXCHANGES, MOST_EXCHANGES);
            return new Turn(begin, () -> program.accept(steps), steps);
        }
    }

    /** Measures in turns; the fastest pass of each counts, by steps. */
    private static double[] inTurns(Communicator plain, List<Turn> turns) {
        double[] least = new double[turns.size()];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        // Long ones are not run as often.
        int[] passes = new int[least.length];
        for (int i = 0; i < least.length; i++) {
            passes[i] = (int) Math.clamp(TURN_SECONDS / seconds(plain, turns.get(i), 2), LEAST_TURN, PASSES);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < least.length; i++) {
                Turn turn = turns.get(i);
                least[i] = Math.min(least[i], seconds(plain, turn, passes[i]) / turn.steps());
            }
        }
        return least;
    }

    /** The fastest pass, as its slowest rank found it; the same on all ranks. */
    private static double seconds(Communicator plain, Turn turn, int passes) {
        double[] took = new double[passes];
        for (int i = 0; i < passes; i++) {
            turn.before().run();
            plain.barrier();
            long began = System.nanoTime();
            turn.pass().run();
            took[i] = (System.nanoTime() - began) * 1e-9;
        }
        plain.allReduce(Reduction.MAX, took);
        return Arrays.stream(took).min().orElseThrow();
    }

    /** Levels are printed once, if there are some. */
    private static double iteration(Communicator plain, PartitionedMatrix divided, SolverConfig stack, int rings,
            int steps, List<int[]> levels) {
        Configuration one = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
        try (HaloPlan plan = HaloPlan.of(divided, 1);
                Backend own = Backends.open("threads", one);
                RankBackend backend = new RankBackend(divided.communicator(), own);
                PartitionedOperator operator = new PartitionedOperator(plan, backend);
                PartitionedSolver solver =
                        PartitionedSolver.prepare(stack, divided, operator, backend, RingChoice.of(rings), null)) {
            HostVector b = divided.vector(i -> 1 + i % 5);
            HostVector x = divided.vector(i -> 0);
            List<Turn> turns = new ArrayList<>();
            for (int iterations : new int[]{SHORT_ITERATIONS, LONG_ITERATIONS}) {
                StoppingCriteria criteria = StoppingCriteria.relative(Double.MIN_NORMAL, steps * iterations);
                turns.add(new Turn(() -> x.fill(0), () -> solver.solve(b, x, criteria, IterationObserver.NONE), 1));
            }
            double[] solutions = inTurns(plain, turns);
            if (levels.isEmpty() && solver.preconditioner().orElse(null) instanceof RankMultigrid multigrid) {
                for (int l = 0; l < multigrid.hierarchy().levels(); l++) {
                    levels.add(owners(multigrid.hierarchy().matrix(l)));
                }
            }
            return (solutions[1] - solutions[0]) / (steps * (LONG_ITERATIONS - SHORT_ITERATIONS));
        }
    }

    /** What all-reduces of two numbers take, that all wait for and that are begun first. */
    private static ReductionTimes reductions(Communicator plain, Communicator late) {
        double[] numbers = new double[2];
        double[] found = inTurns(plain, List.of(new Turn(() -> {}, () -> {
            for (int i = 0; i < EXCHANGES; i++) {
                late.allReduce(Reduction.SUM, numbers);
            }
        }, EXCHANGES), new Turn(() -> {}, () -> {
            for (int i = 0; i < EXCHANGES; i++) {
                late.startSum(numbers).finish(numbers);
            }
        }, EXCHANGES)));
        return new ReductionTimes(found[0], found[1]);
    }

    /** What an exchange of one ring takes where nothing is computed, on the network as it is. */
    private static double exchange(Communicator plain, PartitionedMatrix divided) {
        try (HaloPlan plan = HaloPlan.of(divided, 1)) {
            RingVector vector = plan.vector();
            return inTurns(plain, List.of(new Turn(vector::changed, () -> {
                for (int i = 0; i < EXCHANGES; i++) {
                    HaloExchange exchange = plan.exchange(1).with(0, vector);
                    exchange.start();
                    exchange.finish();
                }
            }, EXCHANGES)))[0];
        }
    }
}
