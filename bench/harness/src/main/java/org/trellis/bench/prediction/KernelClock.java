package org.trellis.bench.prediction;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * Measures what the computations of a rank take here: the product, sweep and solver of this module, on ranks of one
 * each that work at the same time, as many as there are processors to be kept busy, so that they share memory as ranks
 * of a node do. Of several batches the fastest counts, of the copies the slowest. Times are those of the thread on a
 * processor: what else a machine has to do in between is not counted, but for what it does to caches. On a device one
 * rank is measured, alone, by the time from the first of a batch to the end of the last.
 */
public final class KernelClock {
    /** So many batches that are no faster than those before end a measurement. */
    private static final int BATCHES = 7;
    private static final int MOST_BATCHES = 100;
    private static final double LESS = 0.98;
    private static final long BATCH_NANOSECONDS = 2_000_000;
    /** Runs before anything counts, for compiled code. */
    private static final long WARM_UP_NANOSECONDS = 30_000_000;
    /** The same for the first measurement of a process, on a small matrix: large ones would not run often enough. */
    private static final long FIRST_WARM_UP_NANOSECONDS = 500_000_000;
    private static final int FIRST_ROWS = 1000;
    /** Rows of a matrix that takes a device no longer than to start. */
    private static final int FEW_ROWS = 64;
    /** What a solution costs before its first iteration is in both, and drops out. */
    private static final int SHORT_ITERATIONS = 5;
    private static final int LONG_ITERATIONS = 20;
    private static final int PAIRS = 9;
    private static final int MOST_SOLUTIONS = 100;
    /** Smaller systems would be solved before that many iterations are done. */
    private static final int LEAST_ROWS = 4 * LONG_ITERATIONS;
    private static final int STRIDE = 7;
    /** Copies of a level that take turns, at most. */
    private static final int MOST_LEVELS = 64;
    /** Right-hand side, iterates, residual, diagonal, and those of transfers. */
    private static final int VECTORS_OF_LEVEL = 8;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final AtomicBoolean WARM = new AtomicBoolean();

    private final Communicator all;
    private final long warmUp;
    /** What each rank computes with; a device if there is one, whose work goes on while its thread does not. */
    private final Supplier<Backend> backends;
    private final boolean onDevice;

    private KernelClock(Communicator all, long warmUp, Supplier<Backend> backends, boolean onDevice) {
        this.all = all;
        this.warmUp = warmUp;
        this.backends = backends;
        this.onDevice = onDevice;
    }

    @MustBeClosed
    private static Backend ownThread() {
        return Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
    }

    /**
     * Measures the block of a part, its rows and columns.
     *
     * @param block  a square matrix
     * @param copies how many ranks are to work at the same time, at least 1
     * @return what they take; zeros for an empty block. The sweep is measured as a product where an element of the
     *         diagonal is zero
     * @throws IllegalArgumentException if the block is not square or there are no copies
     * @throws org.trellis.common.TrellisException if a rank fails
     */
    public static KernelTimes measure(CsrMatrix block, int copies) {
        Checks.positive("number of copies", copies);
        Checks.length("columns of a block", block.columns(), block.rows());
        if (block.nonZeros() == 0) {
            return KernelTimes.ofProcessor(block.rows(), 0, 0, 0, 0, 0);
        }
        if (!WARM.getAndSet(true)) {
            CsrMatrix small = line(FIRST_ROWS, block.precision());
            ThreadRanks.run(1,
                    all -> new KernelClock(all, FIRST_WARM_UP_NANOSECONDS, KernelClock::ownThread, false).times(small));
        }
        return ThreadRanks.run(copies,
                all -> new KernelClock(all, WARM_UP_NANOSECONDS, KernelClock::ownThread, false).times(block))
                .getFirst();
    }

    /**
     * Measures the block of a part, its rows and columns, on a device that one rank has to itself. Elements of messages
     * are packed by kernels, and cost nothing beside the latency of an exchange that was measured between devices;
     * messages are not hidden, since exchanges and products are queued one after the other.
     *
     * @param block   a square matrix
     * @param devices opens the device's backend, which has kernels for halos; each is closed here
     * @return what they take; zeros for an empty block. The sweep is measured as a product where an element of the
     *         diagonal is zero
     * @throws IllegalArgumentException if the block is not square
     * @throws org.trellis.common.TrellisException if the rank fails
     */
    public static KernelTimes measure(CsrMatrix block, Supplier<Backend> devices) {
        Checks.length("columns of a block", block.columns(), block.rows());
        if (block.nonZeros() == 0) {
            return new KernelTimes(block.rows(), 0, 0, 0, 0, 0, 0, false);
        }
        return ThreadRanks.run(1,
                all -> new KernelClock(all, WARM_UP_NANOSECONDS, devices, true).deviceTimes(block)).getFirst();
    }

    /** Something that a clock measures on a rank of its own. */
    private interface Measurement {
        double[] on(KernelClock clock, Communicator alone);
    }

    /** Measures on copies that work at the same time; the slowest counts. */
    private static double[] together(int copies, Measurement measurement) {
        return ThreadRanks.run(Checks.positive("number of copies", copies), all -> {
            try (Communicator alone = all.split(all.rank(), 0)) {
                double[] times = measurement.on(
                        new KernelClock(all, WARM_UP_NANOSECONDS, KernelClock::ownThread, false), alone);
                all.allReduce(Reduction.MAX, times);
                return times;
            }
        }).getFirst();
    }

    /**
     * Measures what an iteration of pipelined conjugate gradients does beside its product.
     *
     * @param rows      of a part, at least 0
     * @param precision the type of vectors
     * @param copies    how many ranks are to work at the same time, at least 1
     * @return seconds of an iteration
     * @throws IllegalArgumentException if there are no copies
     */
    public static double pipelined(int rows, Precision precision, int copies) {
        return together(copies, (clock, alone) -> {
            CsrMatrix line = line(Math.max(rows, LEAST_ROWS), precision);
            return new double[]{Math.max(0, clock.iteration(alone, line, SolverConfig.of("pipelined-cg", "jacobi"), 1)
                    - clock.product(alone, line))};
        })[0];
    }

    /**
     * Measures what an outer step of s-step conjugate gradients does beside its 2s − 1 products.
     *
     * @param rows      of a part, at least 0
     * @param precision the type of vectors
     * @param steps     s, at least 1
     * @param copies    how many ranks are to work at the same time, at least 1
     * @return seconds of an outer step
     * @throws IllegalArgumentException if there are no copies, or not 1 to 99 steps
     */
    public static double outerStep(int rows, Precision precision, int steps, int copies) {
        SolverConfig stack = new SolverConfig(SolverConfig.S_STEP, Map.of("steps", Integer.toString(steps)), "jacobi",
                Map.of(), StoppingCriteria.relative(0, 0), false, false);
        return together(copies, (clock, alone) -> {
            CsrMatrix line = line(Math.max(rows, LEAST_ROWS * steps), precision);
            return new double[]{Math.max(0, steps * clock.iteration(alone, line, stack, steps)
                    - (2 * steps - 1) * clock.product(alone, line))};
        })[0];
    }

    /**
     * Measures what a rank does on a level of multigrid.
     *
     * @param block        rows and columns of a part of the level
     * @param prolongation rows of a part, of any columns
     * @param restriction  likewise
     * @param degree       of Chebyshev's method
     * @param memory       bytes that a rank has of all levels, which it goes through between visits
     * @param copies       how many ranks are to work at the same time, at least 1
     * @return what they take; zeros for an empty block
     * @throws IllegalArgumentException if the block is not square or there are no copies
     */
    public static LevelTimes level(CsrMatrix block, CsrMatrix prolongation, CsrMatrix restriction, int degree,
            long memory, int copies) {
        if (block.nonZeros() == 0) {
            return new LevelTimes(0, 0, 0, 0, 0);
        }
        CsrMatrix[] transfers = {prolongation, restriction};
        double[] found = together(copies, (clock, alone) -> clock.visit(alone, block, transfers, degree, memory));
        return new LevelTimes(block.nonZeros(), found[0] / block.nonZeros(), found[1] / block.nonZeros(),
                found[2] / block.rows(), found[3] / Math.max(1, prolongation.nonZeros() + restriction.nonZeros()));
    }

    /**
     * Measures the solution of a coarsest level on one rank.
     *
     * @param matrix its matrix
     * @return seconds
     * @throws IllegalArgumentException if it is not square
     */
    @SuppressWarnings("MustBeClosed") // the backend is closed with the rank
    public static double coarse(CsrMatrix matrix) {
        return together(1, (clock, alone) -> {
            try (Backend own = ownThread();
                    RankMultigrid solver = RankMultigrid.of(matrix(alone, matrix), null, RankMultigridOptions.parse(
                            Map.of("coarse-rows", Integer.toString(matrix.rows())), RingChoice.of(1)), own)) {
                HostVector b = HostVector.of(matrix.precision(), matrix.rows(), i -> 1 + i % STRIDE);
                HostVector x = HostVector.zeros(matrix.precision(), matrix.rows());
                return new double[]{clock.seconds(() -> solver.apply(b, x))};
            }
        })[0];
    }

    /**
     * Measures the steps of a visit one by one, and a visit on its own part of memory: a rank comes to a level after
     * others have been in the caches, so that copies take turns that are together as large as what a rank has.
     */
    private double[] visit(Communicator alone, CsrMatrix block, CsrMatrix[] transfers, int degree, long memory) {
        LevelCopy[] levels = new LevelCopy[Math.clamp(
                memory / bytes(block.nonZeros(), block.rows(), transfers[0].nonZeros() + transfers[1].nonZeros()), 1,
                MOST_LEVELS)];
        try {
            for (int i = 0; i < levels.length; i++) {
                levels[i] = new LevelCopy(matrix(alone, block), transfers[0], transfers[1], degree);
            }
            LevelCopy one = levels[0];
            double product = seconds(one::residual);
            double sweep = seconds(one::smooth) / degree;
            double zero = Math.max(0, seconds(one::smoothFromZero) - (degree - 1) * sweep);
            double transfer = seconds(one::transfers);
            int[] next = {0};
            double visit = seconds(() -> {
                levels[next[0]].down();
                next[0] = (next[0] + 1) % levels.length;
                levels[next[0]].up();
                next[0] = (next[0] + 1) % levels.length;
            });
            double colder = Math.max(1, visit / (product + (2 * degree - 1) * sweep + zero + transfer));
            return new double[]{colder * product, colder * sweep, colder * zero, colder * transfer};
        } finally {
            for (LevelCopy level : levels) {
                if (level != null) {
                    level.close();
                }
            }
        }
    }

    /**
     * Says how much memory a level takes.
     *
     * @param nonZeros  entries of its matrix
     * @param rows      its rows
     * @param transfers entries of both transfers
     * @return bytes, vectors included
     */
    public static long bytes(long nonZeros, long rows, long transfers) {
        return (Integer.BYTES + Double.BYTES) * (nonZeros + transfers) + VECTORS_OF_LEVEL * Double.BYTES * rows;
    }

    private KernelTimes times(CsrMatrix block) {
        try (Communicator alone = all.split(all.rank(), 0)) {
            double[] times = {product(alone, block), sweep(alone, block),
                iteration(alone, block.rows(), block.precision()), element(block.rows())};
            all.allReduce(Reduction.MAX, times);
            return KernelTimes.ofProcessor(block.rows(), block.nonZeros(), times[0] / block.nonZeros(),
                    times[1] / block.nonZeros(), times[2], times[3]);
        }
    }

    private KernelTimes deviceTimes(CsrMatrix block) {
        try (Communicator alone = all.split(0, 0)) {
            double step = product(alone, line(FEW_ROWS, block.precision()));
            double product = Math.max(0, product(alone, block) - step);
            double sweep = Math.max(0, sweep(alone, block) - step);
            return new KernelTimes(block.rows(), block.nonZeros(), step, product / block.nonZeros(),
                    sweep / block.nonZeros(), iteration(alone, block.rows(), block.precision()), 0, false);
        }
    }

    private static PartitionedMatrix matrix(Communicator alone, CsrMatrix block) {
        return PartitionedMatrix.scatter(alone, 0, block, new Partition(new int[block.rows()], 1));
    }

    private double product(Communicator alone, CsrMatrix block) {
        try (Backend own = backends.get(); HaloPlan plan = HaloPlan.of(matrix(alone, block), 1, own)) {
            RingProduct product = new RingProduct(plan);
            RingVector x = plan.vector(i -> 1.0 / (1 + i % STRIDE));
            RingVector y = plan.vector();
            return seconds(() -> {
                x.changed();
                product.multiply(x, y);
            }, plan::synchronize);
        }
    }

    private double sweep(Communicator alone, CsrMatrix block) {
        HostVector diagonal = block.diagonal();
        for (int row = 0; row < block.rows(); row++) {
            if (diagonal.get(row) == 0) {
                return product(alone, block);
            }
        }
        try (Backend own = backends.get(); HaloPlan plan = HaloPlan.of(matrix(alone, block), 1, own)) {
            RingSmoother smoother = RingSmoother.jacobi(plan, 0.8);
            smoother.rightHandSide().set(i -> 1 + i % STRIDE);
            return seconds(() -> smoother.smooth(1), plan::synchronize);
        }
    }

    /** Of conjugate gradients with a matrix that takes little time itself, what is not its product. */
    private double iteration(Communicator alone, int rows, Precision precision) {
        CsrMatrix line = line(Math.max(rows, LEAST_ROWS), precision);
        double product = product(alone, line);
        return Math.max(0, iteration(alone, line, SolverConfig.of("cg", "jacobi"), 1) - product);
    }

    /** An iteration of a method whose iterations come so many at a time. */
    private double iteration(Communicator alone, CsrMatrix line, SolverConfig stack, int steps) {
        PartitionedMatrix matrix = matrix(alone, line);
        try (RankBackend backend = new RankBackend(alone, backends.get());
                HaloPlan plan = HaloPlan.of(matrix, 1, backend.own());
                PartitionedOperator operator = new PartitionedOperator(plan, backend);
                DenseVector b = backend.vector(line.precision(), line.rows());
                DenseVector x = backend.vector(line.precision(), line.rows());
                PartitionedSolver solver =
                        PartitionedSolver.prepare(stack, matrix, operator, backend)) {
            HostVector zero = matrix.vector(i -> 0);
            b.copyFrom(matrix.vector(i -> 1 + i % STRIDE));
            double solution = seconds(() -> solve(solver, b, x, zero, LONG_ITERATIONS * steps), plan::synchronize);
            // Solutions of few and of many iterations in turns: what else the machine does meets both.
            double[] differences = new double[PAIRS];
            int together = (int) Math.clamp(BATCH_NANOSECONDS * 1e-9 / solution, 1, MOST_SOLUTIONS);
            for (int i = 0; i < PAIRS; i++) {
                long start = now();
                for (int j = 0; j < together; j++) {
                    solve(solver, b, x, zero, SHORT_ITERATIONS * steps);
                }
                long between = now();
                for (int j = 0; j < together; j++) {
                    solve(solver, b, x, zero, LONG_ITERATIONS * steps);
                }
                long end = now();
                differences[i] = 1e-9 * ((end - between) - (between - start))
                        / ((LONG_ITERATIONS - SHORT_ITERATIONS) * steps * together);
            }
            Arrays.sort(differences);
            return Math.max(0, differences[PAIRS / 2]);
        }
    }

    private static void solve(PartitionedSolver solver, DenseVector b, DenseVector x, HostVector zero,
            int iterations) {
        x.copyFrom(zero);
        solver.solve(b, x, StoppingCriteria.relative(Double.MIN_NORMAL, iterations), IterationObserver.NONE);
    }

    private static CsrMatrix line(int rows, Precision precision) {
        CsrBuilder builder = new CsrBuilder(rows, precision, 3L * rows);
        for (int row = 0; row < rows; row++) {
            if (row > 0) {
                builder.add(row - 1, -1);
            }
            builder.add(row, 2);
            if (row < rows - 1) {
                builder.add(row + 1, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** Elements of a vector into a message, as they lie on the rim of a part. */
    private double element(int rows) {
        int count = Math.max(1, Math.min(rows / STRIDE, 1 << 16));
        double[] vector = new double[count * STRIDE];
        int[] places = new int[count];
        Arrays.setAll(places, i -> i * STRIDE);
        DoubleBuffer message =
                ByteBuffer.allocateDirect(count * Double.BYTES).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        return seconds(() -> {
            for (int i = 0; i < count; i++) {
                message.put(i, vector[places[i]]);
            }
        }) / count;
    }

    /** The same of work on the host. */
    private double seconds(Runnable work) {
        return seconds(work, () -> {});
    }

    /** The fastest batch, once several are no faster than those before: compiled code takes its time to come. */
    private double seconds(Runnable work, Runnable synchronize) {
        long runs = 0;
        long began = System.nanoTime();
        while (System.nanoTime() - began < warmUp) {
            work.run();
            synchronize.run();
            runs++;
        }
        long batch = Math.max(1, runs * BATCH_NANOSECONDS / (System.nanoTime() - began));
        double least = Double.POSITIVE_INFINITY;
        int unchanged = 0;
        all.barrier();
        for (int i = 0; i < MOST_BATCHES && unchanged < BATCHES; i++) {
            long start = now();
            for (long run = 0; run < batch; run++) {
                work.run();
            }
            synchronize.run();
            double took = (double) (now() - start) / batch;
            unchanged = took < LESS * least ? 0 : unchanged + 1;
            least = Math.min(least, took);
        }
        all.barrier();
        return least * 1e-9;
    }

    /** The time of this thread on a processor; with a device, which works while the thread waits, that of the clock. */
    private long now() {
        return onDevice ? System.nanoTime() : THREADS.getCurrentThreadCpuTime();
    }
}
