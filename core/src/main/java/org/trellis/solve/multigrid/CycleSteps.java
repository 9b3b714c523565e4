package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.trellis.backend.PreparedStep;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepData;
import org.trellis.mesh.WorkStep;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;

/**
 * Writes a cycle down as a list of steps, once for all backends: recursion happens when it is written, not when it
 * runs. What a level does several times is bound once and listed several times.
 */
final class CycleSteps implements CycleOperations, AutoCloseable {
    private final List<CycleLevel> levels;
    private final DenseVector b;
    private final DenseVector x;
    private final Map<String, List<Step>> bound = new HashMap<>();
    private final List<PreparedStep> prepared = new ArrayList<>();
    private final List<LevelStep> steps = new ArrayList<>();

    /**
     * A step and the level that it works on.
     *
     * @param level the level
     * @param step  the step
     */
    record LevelStep(int level, Step step) {}

    /**
     * Writes a cycle down.
     *
     * @param levels   the levels, finest first
     * @param options  what a cycle does
     * @param b        the right-hand side on the finest level
     * @param x        the iterate there
     * @param fromZero whether the old iterate is not read
     */
    CycleSteps(List<CycleLevel> levels, CycleOptions options, DenseVector b, DenseVector x, boolean fromZero) {
        this.levels = levels;
        this.b = b;
        this.x = x;
        try {
            MultigridCycle.run(this, options, fromZero);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Returns the steps, in order. */
    List<LevelStep> steps() {
        return steps;
    }

    /** Returns the levels in the order in which a cycle comes to them. */
    List<Integer> visits() {
        List<Integer> visits = new ArrayList<>();
        for (LevelStep step : steps) {
            if (visits.isEmpty() || visits.getLast() != step.level()) {
                visits.add(step.level());
            }
        }
        return visits;
    }

    private DenseVector b(int level) {
        return level == 0 ? b : levels.get(level).b().vector();
    }

    private DenseVector x(int level) {
        return level == 0 ? x : levels.get(level).x().vector();
    }

    @Override
    public int bottom() {
        return levels.size() - 1;
    }

    @Override
    public boolean solvesOnce() {
        return levels.getLast().lowest().solvesOnce();
    }

    @Override
    public void solve(boolean fromZero) {
        int level = bottom();
        boolean once = fromZero || solvesOnce();
        add(level, once ? "solve" : "improve", () -> works("solve",
                levels.get(level).lowest().bind(b(level), x(level), once), b(level), x(level)));
    }

    /** From zero, a sweep is an application. */
    @Override
    public void sweepFromZero(int level) {
        add(level, "application", () -> works("x = M^-1 b",
                levels.get(level).smoother().bindApplication(b(level), x(level)), b(level), x(level)));
    }

    @Override
    public void sweep(int level, SweepDirection direction) {
        Smoother smoother = levels.get(level).smoother();
        SweepDirection taken = smoother.symmetric() ? SweepDirection.SYMMETRIC : direction;
        add(level, "sweep " + taken,
                () -> works("sweep", smoother.bindSweep(b(level), x(level), taken), b(level), x(level)));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void residual(int level) {
        CycleLevel here = levels.get(level);
        add(level, "residual", () -> works("r = b - A x", List.of(here.product().bindResidual(b(level), x(level),
                here.residual())), b(level), here.residual()));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void restrict(int level, boolean residual) {
        CycleLevel here = levels.get(level);
        DenseVector from = residual ? here.residual() : b(level);
        add(level, residual ? "restrict r" : "restrict b", () -> works("b' = R r",
                List.of(here.restriction().bind(1, from, 0, b(level + 1))), from, b(level + 1)));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void prolong(int level, boolean add) {
        add(level, add ? "prolong" : "prolong to", () -> works("x += P x'",
                List.of(levels.get(level).prolongation().bind(1, x(level + 1), add ? 1 : 0, x(level))), x(level + 1),
                x(level)));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void multiply(int level, KrylovSteps.Product product) {
        CycleLevel here = levels.get(level);
        DenseVector from = here.krylov().from(product).vector();
        DenseVector to = here.krylov().to(product).vector();
        add(level, "product " + product, () -> works("A p", List.of(here.product().bindMultiplyAndDot(1, from, 0, to,
                from, here.krylov().sums().vector(), product.sum())), from, to));
    }

    @Override
    public void update(int level, KrylovSteps.Update update) {
        add(level, "update " + update, () -> List.of(levels.get(level).krylov().loop(update).step()));
    }

    private List<Step> works(String name, List<PreparedStep> works, DenseVector read, DenseVector written) {
        prepared.addAll(works);
        List<Step> made = new ArrayList<>();
        for (PreparedStep work : works) {
            made.add(work(name, work, read, written));
        }
        return made;
    }

    /** Makes a step of work that reads a vector and reads and writes another one. */
    static Step work(String name, PreparedStep work, DenseVector read, DenseVector written) {
        return new WorkStep(name, work,
                List.of(new StepData(read, Access.READ), new StepData(written, Access.READ_WRITE)));
    }

    /** Adds steps, which are bound if this level has not bound them before. */
    private void add(int level, String what, Supplier<List<Step>> bind) {
        String key = what + " on " + level;
        List<Step> found = bound.get(key);
        if (found == null) {
            found = bind.get();
            bound.put(key, found);
        }
        for (Step step : found) {
            steps.add(new LevelStep(level, step));
        }
    }

    @Override
    public void close() {
        prepared.forEach(PreparedStep::close);
    }
}
