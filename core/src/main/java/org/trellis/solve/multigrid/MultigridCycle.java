package org.trellis.solve.multigrid;

import org.trellis.solve.smooth.SweepDirection;

/** V-, W-, F- and K-cycles, written once for everything that has the {@link CycleOperations}. */
public final class MultigridCycle {
    private final CycleOperations levels;
    private final CycleOptions options;

    private MultigridCycle(CycleOperations levels, CycleOptions options) {
        this.levels = levels;
        this.options = options;
    }

    /**
     * Runs a cycle.
     *
     * @param levels   the operations that it consists of
     * @param options  its shape, and how many sweeps it has
     * @param fromZero whether the old iterate of the finest level is not read
     */
    public static void run(CycleOperations levels, CycleOptions options, boolean fromZero) {
        new MultigridCycle(levels, options).cycle(0, fromZero, options.shape());
    }

    private void cycle(int level, boolean fromZero, CycleShape shape) {
        if (level == levels.bottom()) {
            levels.solve(fromZero);
            return;
        }
        for (int sweep = 0; sweep < options.before(); sweep++) {
            if (sweep == 0 && fromZero) {
                levels.sweepFromZero(level);
            } else {
                levels.sweep(level, SweepDirection.FORWARD);
            }
        }
        boolean untouched = fromZero && options.before() == 0;
        if (!untouched) {
            levels.residual(level);
        }
        levels.restrict(level, !untouched);
        next(level + 1, shape);
        levels.prolong(level, !untouched);
        for (int sweep = 0; sweep < options.after(); sweep++) {
            levels.sweep(level, options.mirror() ? SweepDirection.BACKWARD : SweepDirection.FORWARD);
        }
        levels.leave(level, fromZero);
    }

    /** Solves on the next level, as the shape says. */
    private void next(int level, CycleShape shape) {
        boolean bottom = level == levels.bottom();
        boolean once = level < options.twiceFrom();
        if (shape == CycleShape.K && !bottom && !once) {
            krylov(level);
            return;
        }
        cycle(level, true, shape);
        if (once || (bottom && levels.solvesOnce())) {
            return;
        }
        if (shape == CycleShape.W) {
            cycle(level, false, CycleShape.W);
        } else if (shape == CycleShape.F) {
            cycle(level, false, CycleShape.V);
        }
    }

    /** Two steps of flexible conjugate gradients, each preconditioned by a cycle ({@link KrylovSteps}). */
    private void krylov(int level) {
        cycle(level, true, CycleShape.K);
        levels.update(level, KrylovSteps.Update.KEEP);
        levels.multiply(level, KrylovSteps.Product.FIRST);
        levels.update(level, KrylovSteps.Update.TAKE_OFF);
        cycle(level, true, CycleShape.K);
        levels.multiply(level, KrylovSteps.Product.SECOND);
        levels.update(level, KrylovSteps.Update.COMPARE);
        levels.update(level, KrylovSteps.Update.JOIN);
    }
}
