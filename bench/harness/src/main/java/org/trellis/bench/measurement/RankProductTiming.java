package org.trellis.bench.measurement;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ProductMode;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Times a product of ranks of one thread beside that of as many threads of one rank, in turns; under a launcher of MPI
 * that of its ranks alone. {@code trellis measure rank-products MATRIX RANKS ROUNDS PRODUCTS [BACKEND]}; rows are
 * divided by the built-in partitioner, and ranks multiply in both modes. The backend is {@code cpu} if none is named.
 */
final class RankProductTiming {
    private static final double TOLERANCE = 1.02;

    private RankProductTiming() {}

    /**
     * Runs the program.
     *
     * @param arguments a generated matrix or a file; ranks; rounds; products of a round; perhaps a backend
     * @throws IOException if a file cannot be read
     */
    static void start(String... arguments) throws IOException {
        int ranks = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        int products = Integer.parseInt(arguments[3]);
        String name = arguments.length > 4 ? arguments[4] : "cpu";
        boolean processes = MpiRanks.launched().isPresent();
        CsrMatrix matrix = !processes || MpiRanks.launched().get().rank() == 0 ? matrix(arguments[0]) : null;
        if (processes) {
            double[][] times = MpiRanks.run(Configuration.load(), communicator -> onRank(communicator, matrix, name,
                    rounds, products));
            if (MpiRanks.launched().get().rank() == 0) {
                print("processes, reproducible", times[0]);
                print("processes, tuned", times[1]);
            }
            return;
        }
        double[] threads = new double[rounds];
        double[][] ranked = new double[2][rounds];
        for (int round = 0; round < rounds; round++) {
            threads[round] = onThreads(matrix, name, ranks, products);
            double[][] times = ThreadRanks
                    .run(ranks, communicator -> onRank(communicator, matrix, name, 1, products)).getFirst();
            ranked[0][round] = times[0][0];
            ranked[1][round] = times[1][0];
        }
        print("threads of one rank", threads);
        print("ranks, reproducible", ranked[0]);
        print("ranks, tuned", ranked[1]);
    }

    private static CsrMatrix matrix(String name) throws IOException {
        return name.contains(":")
                ? MatrixSpec.parse(name).generate(Precision.F64, ProgressListener.NONE)
                : MatrixFiles.read(Path.of(name));
    }

    private static double onThreads(CsrMatrix matrix, String name, int count, int products) {
        try (Backend backend = Backends.open(name, threads(count));
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
            HostVector x = HostVector.of(Precision.F64, matrix.rows(), i -> 1 + i % 7);
            HostVector y = HostVector.zeros(Precision.F64, matrix.rows());
            long began = 0;
            for (int p = -products / 4; p < products; p++) {
                if (p == 0) {
                    began = System.nanoTime();
                }
                product.apply(1, x, 0, y);
            }
            return (System.nanoTime() - began) * 1e-6 / products;
        }
    }

    private static Configuration threads(int count) {
        return Configuration.builder().set(ConfigurationKeys.THREADS, count).build();
    }

    /** Each product exchanges: the operand is said to have changed. */
    private static double[][] onRank(Communicator communicator, CsrMatrix matrix, String name, int rounds,
            int products) {
        Partition blocks = communicator.rank() > 0
                ? null
                : blocks(matrix.rows(), communicator.size());
        PartitionedMatrix share = PartitionedMatrix.scatter(communicator, 0, matrix, blocks)
                .repartition(Partitioners.named("multilevel"), TOLERANCE);
        double[][] times = new double[2][rounds];
        try (Backend backend = Backends.open(name, threads(1));
                HaloPlan first = HaloPlan.of(share, 1, backend, ProductMode.REPRODUCIBLE);
                HaloPlan second = HaloPlan.of(share, 1, backend, ProductMode.TUNED)) {
            for (int turn = 0; turn < 2 * rounds; turn++) {
                HaloPlan plan = turn % 2 == 0 ? first : second;
                RingProduct product = new RingProduct(plan);
                RingVector x = plan.vector(i -> 1 + i % 7);
                RingVector y = plan.vector();
                long began = 0;
                for (int p = -products / 4; p < products; p++) {
                    if (p == 0) {
                        communicator.barrier();
                        began = System.nanoTime();
                    }
                    x.changed();
                    product.multiply(x, y);
                }
                communicator.barrier();
                times[turn % 2][turn / 2] = (System.nanoTime() - began) * 1e-6 / products;
            }
        }
        return times;
    }

    private static Partition blocks(int rows, int parts) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, row -> (int) ((long) row * parts / rows));
        return new Partition(partOf, parts);
    }

    private static void print(String what, double... times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        System.out.printf(Locale.ROOT, "%-20s median %.3f ms, least %.3f, most %.3f; in turn %s%n", what,
                sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1],
                Arrays.stream(times).mapToObj(time -> String.format(Locale.ROOT, "%.2f", time)).toList());
    }
}
