package org.trellis.internal.threads.loop;

import org.trellis.internal.threads.team.UnitTask;

/** A part of a loop whose units may run at once. */
abstract class LoopPhase implements UnitTask {
    private final int items;
    private final int units;

    /**
     * Creates a phase.
     *
     * @param items    what there is to do
     * @param maxUnits the most units into which it may be cut
     */
    LoopPhase(int items, int maxUnits) {
        this.items = items;
        this.units = Math.min(items, maxUnits);
    }

    /** Leaves out elements before {@code from} and from {@code to} on. Does nothing unless overridden. */
    void limit(int from, int to) {}

    final int units() {
        return units;
    }

    @Override
    public final void run(int unit) {
        run(unit, (int) ((long) items * unit / units), (int) ((long) items * (unit + 1) / units));
    }

    /** Does items {@code from} to {@code to - 1}. */
    abstract void run(int unit, int from, int to);
}
