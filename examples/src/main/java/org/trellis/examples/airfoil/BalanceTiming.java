package org.trellis.examples.airfoil;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.balance.BalanceModel;
import org.trellis.distributed.balance.Balancer;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.RankTimes;

/**
 * How well iterations of Airfoil on two devices are predicted, run by hand: {@code trellis measure balance
 * BACKEND,BACKEND I J SHARE...}. First what each part of each loop takes in turns; then what the balancer comes to,
 * beside measured times for shares of the first device; then the first device with everything, in turns with the same
 * backend without ranks, and what its loops take there one by one.
 */
public final class BalanceTiming {
    private static final int ROUND = 10;
    private static final int WARM = 60;
    private static final int TURNS = 6;
    private static final int ROUNDS = 20;
    private static final int MOST_ROUNDS = 200;
    /** Iterations that the balancer is given. */
    private static final long ITERATIONS_AHEAD = 20_000;

    private final AirfoilMesh file;
    private final Communicator communicator;
    private final Backend backend;
    private final double[] wanted;

    private BalanceTiming(AirfoilMesh file, Communicator communicator, Backend backend, double... wanted) {
        this.file = file;
        this.communicator = communicator;
        this.backend = backend;
        this.wanted = wanted;
    }

    /**
     * Runs the program.
     *
     * @param arguments as above
     */
    public static void start(String... arguments) {
        String[] devices = arguments[0].split(",");
        AirfoilMesh file = AirfoilGenerator.generate(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        double[] wanted = Arrays.stream(arguments).skip(3).mapToDouble(Double::parseDouble).toArray();
        ThreadRanks.run(devices.length, communicator -> {
            try (Backend backend = Backends.open(devices[communicator.rank()], Configuration.load())) {
                new BalanceTiming(file, communicator, backend, wanted).run();
            }
            return null;
        });
    }

    private void print(String format, Object... values) {
        if (communicator.rank() == 0) {
            System.out.printf(Locale.ROOT, format + "%n", values);
        }
    }

    private void run() {
        RankOptions options = RankOptions.usual().withDivision(Division.usual().withShares(1, 1));
        try (Mesh mesh = DistributedMesh.on(backend, communicator, options)) {
            AirfoilSolver solver = new AirfoilSolver(mesh, file, Precision.F64);
            solver.prepare();
            print("%d cells on %s", file.cells(), communicator.size());
            double together = measured(solver, WARM, ROUNDS);
            mesh.resetTimes();
            rounds(solver, 2);
            BalanceModel beside = BalanceModel.of(solver.sequence(), mesh.report().ranks().orElseThrow(), 1, 1);
            DistributedMesh.takeTurns(mesh, true);
            rounds(solver, 2);
            BalanceModel undisturbed = BalanceModel.of(solver.sequence(), mesh.report().ranks().orElseThrow(), 1, 1);
            parts(mesh);
            DistributedMesh.takeTurns(mesh, false);
            BalanceModel model = beside.calibrated(together).withUndisturbed(undisturbed);
            print("shares 0.5:0.5 measured %.4f ms; alone %.4f and %.4f by loops beside each other, %.4f and %.4f in "
                    + "turns; optimum %s %.4f", 1e3 * together, 1e3 * beside.alone(0), 1e3 * beside.alone(1),
                    1e3 * undisturbed.alone(0), 1e3 * undisturbed.alone(1), Arrays.toString(model.optimum()),
                    1e3 * model.predict(model.optimum()));
            DistributedMesh.divideAgain(mesh, 1, 1);
            double[] found = balanced(mesh, solver);
            double best = Double.POSITIVE_INFINITY;
            double chosen = measured(solver, WARM, ROUNDS);
            for (double share : wanted) {
                DistributedMesh.divideAgain(mesh, share, 1 - share);
                double measured = measured(solver, WARM, ROUNDS);
                best = Math.min(best, measured);
                print("share %.4f: the first model predicts %.4f ms, measured %.4f", share,
                        1e3 * model.predict(share, 1 - share), 1e3 * measured);
            }
            print("chosen %s: %.4f ms, %.3f of the best of these", Arrays.toString(found), 1e3 * chosen,
                    chosen / best);
            DistributedMesh.divideAgain(mesh, 1, 0);
            measured(solver, WARM, 1);
            besideOneRank(solver);
        }
    }

    /** Lets the balancer do what it does, and returns the shares that it has come to. */
    private double[] balanced(Mesh mesh, AirfoilSolver solver) {
        Balancer balancer = new Balancer(mesh, solver.sequence(), ITERATIONS_AHEAD, 1, 1);
        for (int round = 0; round < MOST_ROUNDS && !balancer.isSettled(); round++) {
            mesh.resetTimes();
            double seconds = rounds(solver, 1).getFirst();
            balancer.measured(ROUND, ROUND * seconds);
        }
        print("%s", balancer.toString().stripTrailing());
        return balancer.shares();
    }

    /** Prints what the clocks say of each part, in microseconds of a run. */
    private void parts(Mesh mesh) {
        for (RankTimes times : mesh.report().ranks().orElseThrow().times()) {
            double runs = Math.max(1, times.runs());
            double after = Math.max(1, times.exchanges());
            print("  %-14s rank %d: %d runs, interior %.2f us of %.0f elements, rest %.2f us of %.0f, exchange %.2f, "
                    + "waiting %.2f", times.loop(), times.rank(), times.runs(), 1e6 * times.core() / runs,
                    (times.elements() - times.after()) / runs, 1e6 * times.boundary() / after, times.after() / after,
                    1e6 * times.exchange() / runs, 1e6 * times.waiting() / runs);
        }
    }

    /** Seconds of each round's iterations on the clock of this rank. */
    private static List<Double> rounds(AirfoilSolver solver, int count) {
        List<Double> rounds = new ArrayList<>();
        for (int round = 0; round < count; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < ROUND; i++) {
                solver.advance();
            }
            solver.residual();
            rounds.add(1e-9 * (System.nanoTime() - start) / ROUND);
        }
        return rounds;
    }

    private static double median(List<Double> rounds) {
        return SampleStatistics.of(rounds.stream().mapToDouble(Double::doubleValue).toArray()).median();
    }

    private double measured(AirfoilSolver solver, int warm, int rounds) {
        rounds(solver, warm / ROUND);
        double[] highest = {median(rounds(solver, rounds))};
        communicator.allReduce(Reduction.MAX, highest);
        return highest[0];
    }

    private void besideOneRank(AirfoilSolver sole) {
        List<Double> here = new ArrayList<>();
        List<Double> alone = new ArrayList<>();
        try (Mesh mesh = Mesh.on(backend, MeshOptions.of(Configuration.load()))) {
            AirfoilSolver plain = communicator.rank() == 0 ? new AirfoilSolver(mesh, file, Precision.F64) : null;
            for (int turn = 0; turn < TURNS; turn++) {
                communicator.barrier();
                here.addAll(rounds(sole, ROUNDS));
                communicator.barrier();
                if (plain != null) {
                    List<Double> one = rounds(plain, ROUNDS);
                    if (turn > 0) {
                        alone.addAll(one);
                    }
                }
            }
            communicator.barrier();
            long[] own = {Math.round(1e9 * median(here.subList(ROUNDS, here.size())))};
            long[] other = {communicator.rank() == 0 ? 0 : own[0]};
            communicator.allReduce(Reduction.MAX, other);
            double unlooked = unlooked(sole);
            communicator.barrier();
            if (plain != null) {
                print("alone: %.4f ms by its own clock, %.4f by that of the rank without elements; without ranks %.4f; "
                        + "one look in 200 iterations: %.4f, without ranks %.4f", 1e-6 * own[0], 1e-6 * other[0],
                        1e3 * median(alone), 1e3 * unlooked, 1e3 * unlooked(plain));
                oneByOne(plain);
            }
            communicator.barrier();
        }
    }

    private static double unlooked(AirfoilSolver solver) {
        double best = Double.POSITIVE_INFINITY;
        for (int turn = 0; turn < 3; turn++) {
            long start = System.nanoTime();
            for (int i = 0; i < ROUND * ROUNDS; i++) {
                solver.advance();
            }
            solver.residual();
            best = Math.min(best, 1e-9 * (System.nanoTime() - start) / ROUND / ROUNDS);
        }
        return best;
    }

    /** What the device's clock says of loops that come one by one. */
    private void oneByOne(AirfoilSolver plain) {
        plain.loops().forEach(loop -> loop.timeParts(true));
        plain.loops().forEach(ParallelLoop::resetTimes);
        for (int i = 0; i < ROUNDS; i++) {
            plain.loops().forEach(ParallelLoop::run);
        }
        plain.residual();
        double sum = 0;
        for (ParallelLoop loop : plain.loops()) {
            OptionalDouble seconds = loop.partSeconds(0, loop.declaration().set().size());
            double each = seconds.orElse(loop.seconds() / ROUNDS);
            sum += (loop == plain.loops().getFirst() ? 1 : 2) * each;
            print("  %-14s whole %.2f us by %s", loop.declaration().name(), 1e6 * each,
                    seconds.isPresent() ? "its clock" : "the host's");
        }
        print("  an iteration of them %.4f ms; %s", 1e3 * sum, plain.loops().stream()
                .map(loop -> loop.declaration().set() + "").distinct().collect(Collectors.joining(", ")));
    }
}
