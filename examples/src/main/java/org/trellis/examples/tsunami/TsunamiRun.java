package org.trellis.examples.tsunami;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.loop.LoopTuningRun;
import org.trellis.mesh.Mesh;

/**
 * Steps through time, lists how the water does, and takes times. The first steps, while the JVM compiles, are not among
 * the times.
 */
final class TsunamiRun {
    /** How near to a requested time counts as there, as a share of it. */
    private static final double THERE = 1e-12;

    private final Mesh mesh;
    private final TsunamiSolver solver;
    private final Limits limits;
    private final ConsoleProgress progress;
    private final Console console;
    private final Stepped stepped;
    private final LoopTuningRun tuning;
    private final List<Listed> list = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private BooleanSupplier starting = () -> false;
    private boolean again;
    private int steps;
    private double lastStep;

    /**
     * When to stop and what to do on the way.
     *
     * @param time       the end, in s; infinite if only steps count
     * @param iterations the most steps
     * @param every      list and write each time that so many seconds have passed; infinite for the end only
     * @param warmUp     steps that are not timed
     * @param crest      whether to note the highest levels
     */
    record Limits(double time, int iterations, double every, int warmUp, boolean crest) {}

    /**
     * The water after a step.
     *
     * @param steps    the number of steps
     * @param time     in s
     * @param step     the last time step, in s
     * @param measures volume, levels, speed
     */
    record Listed(int steps, double time, double step, Measures measures) {}

    /** Called when values are to be written. */
    @FunctionalInterface
    interface Frames {
        void write() throws IOException;
    }

    /** Receives each step. */
    @FunctionalInterface
    interface Stepped {
        void after(int steps) throws IOException;
    }

    TsunamiRun(Mesh mesh, TsunamiSolver solver, Limits limits, ConsoleProgress progress, Console console,
            Stepped stepped, LoopTuningRun tuning) {
        this.stepped = stepped;
        this.mesh = mesh;
        this.solver = solver;
        this.limits = limits;
        this.progress = progress;
        this.console = console;
        this.tuning = tuning;
    }

    /** Says when steps are not timed: before the checkpoint of a restart, where loops compute nothing. */
    void untimedWhile(BooleanSupplier value) {
        starting = value;
    }

    void run(Frames frames) throws IOException {
        progress.progress("plans and code", 0, 1);
        solver.prepare();
        progress.clear();
        console.print("%8s %12s %11s %22s %12s %12s %11s", "step", "time s", "last step s", "volume m3", "lowest m",
                "highest m", "speed m/s");
        pause(frames);
        double next = limits.every();
        while (steps < limits.iterations() && !reached(limits.time())) {
            step(Math.min(next, limits.time()) - solver.time());
            if (reached(next)) {
                pause(frames);
                next += limits.every();
            }
        }
        if (list.getLast().steps() < steps) {
            pause(frames);
        }
    }

    private boolean reached(double time) {
        return solver.time() >= time * (1 - THERE);
    }

    private void step(double limit) throws IOException {
        boolean before = again;
        again = starting.getAsBoolean();
        if (steps == limits.warmUp() || (before && !again)) {
            mesh.resetTimes();
        }
        long start = System.nanoTime();
        lastStep = solver.step(Math.min(limit, ShallowWater.NOWHERE));
        if (limits.crest()) {
            solver.noteCrest();
        }
        double taken = 1e-9 * (System.nanoTime() - start);
        tuning.iterated(taken);
        if (steps >= limits.warmUp() && !again) {
            seconds.add(taken);
        }
        steps++;
        stepped.after(steps);
        if (Double.isInfinite(limits.time())) {
            progress.progress("steps", steps, limits.iterations());
        } else {
            progress.progress("seconds of the sea", Math.round(solver.time()), Math.round(limits.time()));
        }
    }

    private void pause(Frames frames) throws IOException {
        if (limits.crest()) {
            solver.noteCrest();
        }
        Measures now = solver.measure();
        list.add(new Listed(steps, solver.time(), lastStep, now));
        progress.clear();
        console.print("%8d %12.4f %11.5f %22.9e %12.5f %12.5f %11.5f", steps, solver.time(), lastStep, now.volume(),
                now.lowest(), now.highest(), now.speed());
        frames.write();
    }

    int steps() {
        return steps;
    }

    int timedSteps() {
        return seconds.size();
    }

    List<Listed> list() {
        return List.copyOf(list);
    }

    /** Wall times of the timed steps, in s. */
    double[] seconds() {
        return seconds.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** How much the volume has changed since the beginning, as a share of it. */
    double volumeChange() {
        double before = list.getFirst().measures().volume();
        return (list.getLast().measures().volume() - before) / before;
    }
}
