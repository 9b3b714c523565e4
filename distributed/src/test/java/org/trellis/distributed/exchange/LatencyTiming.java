package org.trellis.distributed.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ReverseExchange;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.ColouredGaussSeidel;
import org.trellis.distributed.powers.TransposedProduct;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.testing.InterpretedKernel;

/**
 * Times what exchanges on the host: halos of a matrix, contributions that go back, colours, and the messages of a loop
 * over a mesh. {@code LatencyTiming RANKS ROUNDS SIDE CALLS}: a five-point stencil on SIDE × SIDE points in stripes. A
 * line for each with the median and the least of rounds, in microseconds; run builds in turns to compare them.
 */
final class LatencyTiming {
    private static final int RINGS = 3;
    private static final Map<String, CompletableFuture<Object[]>> HANDED = new ConcurrentHashMap<>();
    private static final int POINTS = 32;
    private static final LoopKernel TOUCH = InterpretedKernel.named("touch").dat(Access.READ_WRITE, 4)
            .dat(Access.READ_WRITE, 1).does(values -> ((double[]) values[0])[0] += 1);
    private static final LoopKernel READ = InterpretedKernel.named("read").dat(Access.READ, 4).dat(Access.READ, 4)
            .dat(Access.READ, 1).dat(Access.READ, 1).dat(Access.WRITE, 1)
            .does(values -> ((double[]) values[4])[0] = ((double[]) values[0])[0] + ((double[]) values[1])[0]);

    private final Communicator communicator;
    private final int rounds;
    private final int calls;
    private final List<String> lines = new ArrayList<>();

    private LatencyTiming(Communicator communicator, int rounds, int calls) {
        this.communicator = communicator;
        this.rounds = rounds;
        this.calls = calls;
    }

    /**
     * Runs the program.
     *
     * @param arguments ranks, unless under a launcher of MPI; rounds; points of a side; calls of a round
     */
    public static void main(String... arguments) {
        int rounds = Integer.parseInt(arguments[1]);
        int side = Integer.parseInt(arguments[2]);
        int calls = Integer.parseInt(arguments[3]);
        List<String> lines = MpiRanks.launched().isPresent()
                ? MpiRanks.run(Configuration.load(), communicator -> onRank(communicator, rounds, side, calls))
                : ThreadRanks.run(Integer.parseInt(arguments[0]),
                        communicator -> onRank(communicator, rounds, side, calls)).getFirst();
        if (MpiRanks.launched().isEmpty() || MpiRanks.launched().get().rank() == 0) {
            lines.forEach(System.out::println);
        }
    }

    private static List<String> onRank(Communicator communicator, int rounds, int side, int calls) {
        LatencyTiming timing = new LatencyTiming(communicator, rounds, calls);
        for (Precision precision : Precision.values()) {
            timing.matrix(side, precision);
        }
        timing.mesh();
        return timing.lines;
    }

    private void matrix(int side, Precision precision) {
        int rows = side * side;
        PartitionedMatrix matrix = PartitionedMatrix.generate(communicator, rows, precision, (row, entries) -> {
            for (long column : new long[]{row - side, row % side == 0 ? -1 : row - 1, row,
                (row + 1) % side == 0 ? -1 : row + 1, row + side}) {
                if (column >= 0 && column < rows) {
                    entries.add(column, column == row ? 4 : -1);
                }
            }
        });
        String suffix = " " + precision;
        try (HaloPlan plan = HaloPlan.of(matrix, RINGS)) {
            RingVector[] vectors = {plan.vector(i -> i), plan.vector(i -> 2 * i), plan.vector(i -> 3 * i)};
            plan.useRings(1);
            exchange("one vector, one ring" + suffix, plan.exchange(1), vectors[0]);
            plan.useRings(RINGS);
            exchange("three vectors, three rings" + suffix, plan.exchange(RINGS), vectors);
            ReverseExchange reverse = new ReverseExchange(plan, RINGS);
            time("sums of three rings" + suffix, () -> reverse.add(vectors[0]));
            TransposedProduct transposed = new TransposedProduct(plan);
            time("transposed product" + suffix, () -> transposed.multiply(vectors[1], vectors[2]));
            plan.useRings(1);
            ColouredGaussSeidel sweeps = ColouredGaussSeidel.of(plan, 1);
            time("coloured sweep" + suffix, () -> sweeps.smooth(1, SweepDirection.FORWARD));
        }
    }

    /** Lets the first of two ranks do what both do, so that none waits: what packing, sending and unpacking cost. */
    private void withoutWaiting(String what, HaloExchange exchange, RingVector... vectors) {
        HANDED.computeIfAbsent(what, w -> new CompletableFuture<>());
        if (communicator.rank() == 1) {
            HANDED.get(what).complete(new Object[]{exchange, vectors});
            communicator.barrier();
        } else if (communicator.rank() == 0) {
            Object[] other = HANDED.get(what).join();
            time(what, () -> {
                start(exchange, vectors);
                start((HaloExchange) other[0], (RingVector[]) other[1]);
                exchange.finish();
                ((HaloExchange) other[0]).finish();
            }, false);
            communicator.barrier();
        }
    }

    private static void start(HaloExchange exchange, RingVector... vectors) {
        for (int v = 0; v < vectors.length; v++) {
            exchange.with(v, vectors[v]);
        }
        exchange.start();
    }

    private void exchange(String what, HaloExchange exchange, RingVector... vectors) {
        if (communicator.size() == 2 && communicator.transport().startsWith("threads")) {
            withoutWaiting(what + ", without waiting", exchange, vectors);
        }
        time(what, () -> {
            start(exchange, vectors);
            exchange.finish();
        });
    }

    /** Few points, each read from the other end of a link that mostly leads to another rank. */
    private void mesh() {
        int[] ends = IntStream.range(0, POINTS).map(i -> i % 2 == 0 ? i / 2 : POINTS - 1 - i / 2).toArray();
        RankOptions options = RankOptions.usual().withDivision(Division.blocks().of("points"));
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator, options)) {
            MeshSet points = mesh.set("points", POINTS);
            MeshSet links = mesh.set("links", POINTS / 2);
            MeshMap map = mesh.map("ends", links, points, 2, ends);
            Dat values = mesh.dat("values", points, 4, Precision.F64);
            Dat single = mesh.dat("single", points, 1, Precision.F64);
            Dat found = mesh.dat("found", links, 1, Precision.F64);
            ParallelLoop touch = mesh.loop(TOUCH, points, values, single);
            ParallelLoop read = mesh.loop(READ, links, values.at(map, 0), values.at(map, 1), single.at(map, 0),
                    single.at(map, 1), found);
            time("two loops over a mesh", () -> {
                touch.run();
                read.run();
            });
        }
    }

    private void time(String what, Runnable call) {
        time(what, call, true);
    }

    private void time(String what, Runnable call, boolean together) {
        double[] microseconds = new double[rounds];
        for (int round = -2; round < rounds; round++) {
            if (together) {
                communicator.barrier();
            }
            long began = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                call.run();
            }
            if (round >= 0) {
                microseconds[round] = (System.nanoTime() - began) * 1e-3 / calls;
            }
        }
        Arrays.sort(microseconds);
        lines.add(String.format(Locale.ROOT, "%-52s %9.3f %9.3f", what, microseconds[rounds / 2], microseconds[0]));
    }
}
