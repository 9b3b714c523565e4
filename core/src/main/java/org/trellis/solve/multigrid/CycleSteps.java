package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.trellis.backend.PreparedStep;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepData;
import org.trellis.mesh.WorkStep;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;

/**
 * Writes a cycle down as a list of steps, once for all backends: recursion happens here, not when the cycle runs. What
 * a level does several times is bound once and listed several times.
 */
final class CycleSteps implements AutoCloseable {
    private static final int RESIDUAL = 5;
    private static final int ALPHA = 0;
    private static final int RHO = 1;
    private static final int GAMMA = 2;
    private static final int BETA = 3;
    private static final int ALPHA_2 = 4;

    private final Mesh mesh;
    private final List<CycleLevel> levels;
    private final CycleOptions options;
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
     * @param mesh     the mesh of the levels
     * @param levels   the levels, finest first
     * @param options  what a cycle does
     * @param b        the right-hand side on the finest level
     * @param x        the iterate there
     * @param fromZero whether the old iterate is not read
     */
    CycleSteps(Mesh mesh, List<CycleLevel> levels, CycleOptions options, DenseVector b, DenseVector x,
            boolean fromZero) {
        this.mesh = mesh;
        this.levels = levels;
        this.options = options;
        this.b = b;
        this.x = x;
        try {
            cycle(0, fromZero, options.shape());
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

    @SuppressWarnings("MustBeClosed") // closed with this
    private void cycle(int level, boolean fromZero, CycleShape shape) {
        CycleLevel here = levels.get(level);
        if (here.isCoarsest()) {
            add(level, "solve", () -> works("solve", here.coarse().bind(b(level), x(level)), b(level), x(level)));
            return;
        }
        before(level, fromZero);
        boolean untouched = fromZero && options.before() == 0;
        if (!untouched) {
            add(level, "residual", () -> works("r = b - A x", List.of(here.product().bindResidual(b(level), x(level),
                    here.residual(), here.scalars().vector(), RESIDUAL)), b(level), here.residual()));
        }
        add(level, untouched ? "restrict b" : "restrict r", () -> {
            DenseVector from = untouched ? b(level) : here.residual();
            return works("b' = R r", List.of(here.restriction().bind(1, from, 0, b(level + 1))), from, b(level + 1));
        });
        next(level + 1, shape);
        add(level, untouched ? "prolong to" : "prolong", () -> works("x += P x'",
                List.of(here.prolongation().bind(1, x(level + 1), untouched ? 0 : 1, x(level))), x(level + 1),
                x(level)));
        for (int sweep = 0; sweep < options.after(); sweep++) {
            sweep(level, here.smoother().symmetric()
                    ? SweepDirection.SYMMETRIC
                    : options.mirror() ? SweepDirection.BACKWARD : SweepDirection.FORWARD);
        }
    }

    /** From zero, the first sweep is an application. */
    private void before(int level, boolean fromZero) {
        Smoother smoother = levels.get(level).smoother();
        for (int sweep = 0; sweep < options.before(); sweep++) {
            if (sweep == 0 && fromZero) {
                add(level, "application", () -> works("x = M^-1 b", smoother.bindApplication(b(level), x(level)),
                        b(level), x(level)));
            } else {
                sweep(level, smoother.symmetric() ? SweepDirection.SYMMETRIC : SweepDirection.FORWARD);
            }
        }
    }

    private void sweep(int level, SweepDirection direction) {
        add(level, "sweep " + direction, () -> works("sweep",
                levels.get(level).smoother().bindSweep(b(level), x(level), direction), b(level), x(level)));
    }

    /** Solves on the next level, as the shape says. */
    private void next(int level, CycleShape shape) {
        boolean coarsest = levels.get(level).isCoarsest();
        if (shape == CycleShape.K && !coarsest) {
            krylov(level);
            return;
        }
        cycle(level, true, shape);
        if (!coarsest && shape == CycleShape.W) {
            cycle(level, false, CycleShape.W);
        } else if (!coarsest && shape == CycleShape.F) {
            cycle(level, false, CycleShape.V);
        }
    }

    /** Two steps of flexible conjugate gradients, each preconditioned by a cycle. */
    private void krylov(int level) {
        CycleLevel here = levels.get(level);
        MeshSet rows = here.rows();
        cycle(level, true, CycleShape.K);
        add(level, "first", () -> List.of(mesh.loop(CycleUpdatesLoops.FIRST, rows, here.x(), here.b(), here.c(),
                scalar(here, ALPHA)).step()));
        add(level, "v", () -> product(here, here.c(), here.v(), RHO));
        add(level, "left", () -> List.of(mesh.loop(CycleUpdatesLoops.LEFT, rows, scalar(here, ALPHA),
                scalar(here, RHO), here.v(), here.b()).step()));
        cycle(level, true, CycleShape.K);
        add(level, "w", () -> product(here, here.x(), here.w(), BETA));
        add(level, "second", () -> List.of(mesh.loop(CycleUpdatesLoops.SECOND, rows, here.x(), here.v(), here.b(),
                scalar(here, GAMMA), scalar(here, ALPHA_2)).step()));
        add(level, "both", () -> List.of(mesh.loop(CycleUpdatesLoops.BOTH, rows, scalar(here, ALPHA),
                scalar(here, RHO), scalar(here, GAMMA), scalar(here, BETA), scalar(here, ALPHA_2), here.c(),
                here.x()).step()));
    }

    private static Scalar scalar(CycleLevel level, int which) {
        return level.scalars().at(which);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private List<Step> product(CycleLevel level, Dat from, Dat to, int dot) {
        DenseVector vector = from.vector();
        return works("A p", List.of(level.product().bindMultiplyAndDot(1, vector, 0, to.vector(), vector,
                level.scalars().vector(), dot)), vector, to.vector());
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
