package org.trellis.examples.rotor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.loop.LoopTuningRun;
import org.trellis.common.TrellisException;
import org.trellis.distributed.balance.Balancer;
import org.trellis.examples.rotor.solver.FlowSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;

/** Runs cycles until the residual is small enough, and remembers it and the times. */
final class FlowRun {
    private final FlowSolver solver;
    private final int most;
    private final double orders;
    private final int keptLimits;
    private final List<Double> residuals = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private final BooleanSupplier starting;
    /** The residual before a start on coarser levels; 0 without one. */
    private double before;
    private int cycles;
    /** Those that began before the checkpoint of a restart, where loops compute nothing. */
    private int untimed;

    /**
     * Prepares a run.
     *
     * @param solver the flow, started
     * @param most   cycles at most
     * @param orders by how many orders of magnitude the residual has to fall
     * @param keptLimits after how many cycles limits are kept; 0 for never
     * @param starting says whether the program starts again and is still before its checkpoint
     */
    FlowRun(FlowSolver solver, int most, double orders, int keptLimits, BooleanSupplier starting) {
        this.keptLimits = keptLimits;
        this.solver = solver;
        this.most = most;
        this.orders = orders;
        this.starting = starting;
    }

    /**
     * Begins on coarser levels; residuals are compared with the one before from then on.
     *
     * @param each cycles on each of them
     */
    void startNested(int each) {
        before = solver.startNested(each);
    }

    /**
     * Runs.
     *
     * @param progress receives each cycle
     * @param tuned    receives how long each took
     * @param balancer receives each cycle, or null
     * @throws TrellisException if the flow has blown up
     */
    void run(ConsoleProgress progress, LoopTuningRun tuned, Balancer balancer) {
        long start = System.nanoTime();
        do {
            if (keptLimits > 0 && cycles == keptLimits) {
                solver.keepLimits();
            }
            boolean again = starting.getAsBoolean();
            long begin = System.nanoTime();
            double residual = solver.iterate();
            if (!Double.isFinite(residual)) {
                throw new TrellisException("the flow has blown up in cycle " + (cycles + 1) + ": its residual is "
                        + (Double.isNaN(residual) ? "no number any more" : "beyond all numbers")
                        + ", since steps are too long for what the flow is now, expected a smaller --courant, a start "
                        + "on coarser meshes by --nested, or --limiter");
            }
            residuals.add(residual);
            tuned.iterated(1e-9 * (System.nanoTime() - begin));
            seconds.add(1e-9 * (System.nanoTime() - start));
            untimed += again ? 1 : 0;
            if (balancer != null && !again) {
                balancer.iterated();
            }
            cycles++;
            progress.progress(String.format(Locale.ROOT, "cycles, residual %.1e", residual), cycles, most);
        } while (cycles < most && !converged());
    }

    private double largest() {
        return Math.max(before, residuals.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    }

    private boolean converged() {
        return residuals.getLast() <= Math.pow(10, -orders) * largest();
    }

    /** The residual before each cycle. */
    List<Double> residuals() {
        return residuals;
    }

    /** When each cycle was done, since the beginning. */
    List<Double> seconds() {
        return seconds;
    }

    /** Seconds of each cycle that computed something; none if all were before a checkpoint. */
    private double[] timed() {
        double[] each = new double[cycles - untimed];
        for (int i = 0; i < each.length; i++) {
            int cycle = untimed + i;
            each[i] = seconds.get(cycle) - (cycle == 0 ? 0 : seconds.get(cycle - 1));
        }
        return each;
    }

    /** Seconds of the first cycle that computed something, in which what is left of code is compiled. */
    OptionalDouble secondsOfFirst() {
        return Arrays.stream(timed()).findFirst();
    }

    /** Seconds of the cycles after the first one, or of the only one, in increasing order. */
    double[] secondsOfCycles() {
        double[] each = timed();
        double[] later = each.length > 1 ? Arrays.copyOfRange(each, 1, each.length) : each;
        Arrays.sort(later);
        return later;
    }

    int cycles() {
        return cycles;
    }

    /** By how many orders of magnitude the residual has fallen from its largest value. */
    double fallen() {
        return residuals.getLast() > 0 ? Math.log10(largest() / residuals.getLast()) : 0;
    }

    /** Steps on the finest level that would cost the same. */
    double work() {
        return solver.workOfStart() + cycles * solver.workOfCycle();
    }

    /** What pictures of solvers are drawn from; the norm is that of the largest residual. */
    SolveReport report() {
        return new SolveReport(converged() ? SolveStatus.CONVERGED : SolveStatus.ITERATION_LIMIT, cycles - 1, 0,
                residuals, largest(), residuals.getLast(), seconds.getLast(), "");
    }
}
