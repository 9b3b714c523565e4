package org.trellis.examples.airfoil;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.loop.LoopTuningRun;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.common.Precision;
import org.trellis.distributed.balance.Balancer;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.ParallelLoop;

/**
 * Iterates and takes times, in rounds of a few iterations: first the loops of the mesh runtime, then, if there is one,
 * the C program. What a noisy machine does to a round, it does to both.
 */
final class AirfoilRun {
    private static final int LOOPS = AirfoilSolver.Loop.values().length;
    private static final List<Integer> EARLY = List.of(1, 2, 3, 5, 10, 20, 50);
    private static final int LATER = 100;
    /** How far the residuals of two correct programs may lie apart. */
    private static final double DOUBLE_TOLERANCE = 1e-9;
    private static final double SINGLE_TOLERANCE = 2e-2;

    private final Mesh mesh;
    private final AirfoilSolver solver;
    private final PlainC peer;
    private final int roundLength;
    private final ConsoleProgress progress;
    private final Console console;
    private final BooleanSupplier starting;
    private final double tolerance;
    private final List<Residual> residuals = new ArrayList<>();
    private final List<double[]> times = new ArrayList<>();
    private final List<Double> walls = new ArrayList<>();
    private final List<double[]> peerTimes = new ArrayList<>();
    private double rms;
    private double medianWall;
    /** All rounds so far began before the checkpoint of a restart, where loops compute nothing. */
    private boolean untimed;

    /**
     * A residual.
     *
     * @param iteration after which iteration, from 1
     * @param rms       √(Σ Δq² / cells)
     */
    record Residual(int iteration, double rms) {}

    AirfoilRun(Mesh mesh, AirfoilSolver solver, PlainC peer, int roundLength, ConsoleProgress progress,
            Console console, BooleanSupplier starting) {
        this.mesh = mesh;
        this.solver = solver;
        this.peer = peer;
        this.roundLength = roundLength;
        this.progress = progress;
        this.console = console;
        this.starting = starting;
        this.tolerance = solver.state().precision() == Precision.F64 ? DOUBLE_TOLERANCE : SINGLE_TOLERANCE;
    }

    void iterate(int iterations, LoopTuningRun tuning, Balancer balancer) throws IOException {
        progress.progress("plans and code", 0, 1);
        solver.prepare();
        int done = 0;
        while (done < iterations) {
            int count = Math.min(roundLength, iterations - done);
            mesh.resetTimes();
            boolean again = starting.getAsBoolean();
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                long before = System.nanoTime();
                solver.advance();
                if (tuning.isTuning()) {
                    rms = solver.residual();
                    tuning.iterated(1e-9 * (System.nanoTime() - before));
                }
                done++;
                if (listed(done) || done == iterations) {
                    rms = solver.residual();
                    list(done);
                }
            }
            rms = solver.residual();
            double wall = 1e-9 * (System.nanoTime() - start) / count;
            if (untimed && !again) {
                walls.clear();
                times.clear();
            }
            untimed = again;
            walls.add(wall);
            times.add(perIteration(ownSeconds(), count));
            if (peer != null) {
                peerTimes.add(perIteration(peerSeconds(count, done), count));
            }
            if (balancer != null && !again) {
                balancer.measured(count, wall * count);
            }
            progress.progress("iterations", done, iterations);
        }
        medianWall = highestMedian();
    }

    private static boolean listed(int iteration) {
        return EARLY.contains(iteration) || iteration % LATER == 0;
    }

    private void list(int iteration) {
        residuals.add(new Residual(iteration, rms));
        progress.clear();
        console.print("%6d %.16e", iteration, rms);
    }

    private double[] ownSeconds() {
        return solver.loops().stream().mapToDouble(ParallelLoop::seconds).toArray();
    }

    private double[] peerSeconds(int count, int iteration) throws IOException {
        PlainC.Turn turn = peer.iterate(count);
        if (!(Math.abs(turn.rms() / rms - 1) <= tolerance)) {
            throw new IllegalStateException("after iteration " + iteration + " the residual is " + rms
                    + " and that of the C program " + turn.rms() + ", expected them to agree to " + tolerance);
        }
        return turn.seconds();
    }

    private static double[] perIteration(double[] seconds, int count) {
        double[] each = new double[LOOPS];
        for (int i = 0; i < LOOPS; i++) {
            each[i] = seconds[i] / count;
        }
        return each;
    }

    List<Residual> residuals() {
        return List.copyOf(residuals);
    }

    /** How many rounds were timed; 0 if all began before the checkpoint from which the program started again. */
    int rounds() {
        return untimed ? 0 : times.size();
    }

    boolean hasPeer() {
        return peer != null;
    }

    /** Seconds that all runs of a loop in one iteration take, over the rounds. */
    SampleStatistics loopTime(AirfoilSolver.Loop loop) {
        return SampleStatistics.of(times.stream().mapToDouble(round -> round[loop.place()]).toArray());
    }

    /** The same of the C program. */
    SampleStatistics peerTime(AirfoilSolver.Loop loop) {
        return SampleStatistics.of(peerTimes.stream().mapToDouble(round -> round[loop.place()]).toArray());
    }

    /** Seconds of some loops together in one iteration, median over the rounds. */
    double medianTime(AirfoilSolver.Loop... loops) {
        return median(times, loops);
    }

    /** The same of the C program. */
    double medianPeerTime(AirfoilSolver.Loop... loops) {
        return median(peerTimes, loops);
    }

    private static double median(List<double[]> rounds, AirfoilSolver.Loop... loops) {
        return SampleStatistics.of(rounds.stream().mapToDouble(round -> {
            double sum = 0;
            for (AirfoilSolver.Loop loop : loops) {
                sum += round[loop.place()];
            }
            return sum;
        }).toArray()).median();
    }

    /**
     * Seconds of an iteration from the first loop to the last on the clock of the host, median over the rounds; the
     * highest of the ranks that have cells. Others only wait now and then for one that has some, and what that one does
     * between two rounds is in their times.
     */
    double medianWall() {
        return medianWall;
    }

    private double highestMedian() {
        boolean counts = mesh.ranks().isEmpty() || DistributedMesh.owned(solver.cells()).length > 0;
        long[] median = {walls.isEmpty() || !counts
                ? 0
                : Math.round(1e9 * SampleStatistics
                        .of(walls.stream().mapToDouble(Double::doubleValue).toArray()).median())};
        mesh.ranks().ifPresent(ranks -> ranks.highest(median));
        return 1e-9 * median[0];
    }

    /** Seconds of all loops together in one iteration. */
    double medianIteration() {
        return medianTime(AirfoilSolver.Loop.values());
    }
}
