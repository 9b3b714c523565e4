package org.trellis.internal.threads.smooth;

import java.util.Arrays;
import org.trellis.internal.threads.team.UnitTask;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.solve.smooth.SmootherKernels;

/**
 * Cuts stages into groups of units: the units of a group run at once, the groups one after the other. A stage that is
 * worth it is a group; stages in a row that are not are one unit together, whose rows run one after the other.
 */
final class StagedUnits {
    /** Non-zeros and rows that are worth a unit. */
    private static final int SMALLEST_UNIT = 4_096;
    /** Units of a stage for each thread, so that threads that are late can be helped. */
    private static final int UNITS_PER_THREAD = 4;

    /** Where each unit starts among the stored rows, and their end. */
    private int[] units = new int[16];
    /** Where each group starts among the units, and their number. */
    private int[] groups = new int[16];
    private int unitCount;
    private int groupCount;

    private StagedUnits() {}

    /**
     * How many units there are.
     *
     * @param threads number of threads
     * @param grain   units begin at the start of a stage or a multiple of so many rows after it
     */
    record Sizes(int threads, int grain) {}

    /**
     * Cuts stages.
     *
     * @param stages  where each stage starts among the stored rows
     * @param blocks  whether the rows of a stage come one after the other, and the stages at once
     * @param offsets where each stored row starts
     * @param visit   which stages
     * @param sizes   how many units there are
     */
    static StagedUnits of(int[] stages, boolean blocks, int[] offsets, SmootherKernels.Visit visit, Sizes sizes) {
        StagedUnits result = new StagedUnits();
        if (blocks) {
            for (int stage = visit.from(); stage < visit.to(); stage++) {
                result.addUnit(stages[stage]);
            }
            result.endGroup();
        } else if (sizes.threads() == 1) {
            result.addUnit(stages[visit.from()]);
            result.endGroup();
        } else {
            result.cut(stages, visit, offsets, sizes);
        }
        result.addUnit(stages[visit.to()]);
        result.unitCount--;
        return result;
    }

    private void cut(int[] stages, SmootherKernels.Visit visit, int[] offsets, Sizes sizes) {
        boolean open = false;
        for (int stage = visit.from(); stage < visit.to(); stage++) {
            int first = stages[stage];
            int end = stages[stage + 1];
            if (isNarrow(first, end, offsets)) {
                if (!open && end > first) {
                    addUnit(first);
                    open = true;
                }
                continue;
            }
            if (open) {
                endGroup();
                open = false;
            }
            long target = Math.max(SMALLEST_UNIT,
                    work(first, end, offsets) / ((long) UNITS_PER_THREAD * sizes.threads()) + 1);
            long done = target;
            for (int row = first; row < end; row++) {
                if (done >= target && (row - first) % sizes.grain() == 0) {
                    addUnit(row);
                    done = 0;
                }
                done += offsets[row + 1] - offsets[row] + 1L;
            }
            endGroup();
        }
        if (open) {
            endGroup();
        }
    }

    /** Says whether a stage is not worth several units, so that it is done together with its neighbours. */
    static boolean isNarrow(int first, int end, int... offsets) {
        return work(first, end, offsets) < 2 * SMALLEST_UNIT;
    }

    private static long work(int first, int end, int... offsets) {
        return (long) offsets[end] - offsets[first] + end - first;
    }

    private void addUnit(int first) {
        if (unitCount == units.length) {
            units = Arrays.copyOf(units, 2 * unitCount);
        }
        units[unitCount++] = first;
    }

    private void endGroup() {
        if (groupCount + 1 == groups.length) {
            groups = Arrays.copyOf(groups, 2 * groups.length);
        }
        groups[++groupCount] = unitCount;
    }

    /** Returns what runs all groups on a team; a run allocates nothing. */
    Runnable on(WorkerTeam team, boolean backward, Work work) {
        int[] counts = new int[groupCount];
        UnitTask[] tasks = new UnitTask[groupCount];
        for (int g = 0; g < groupCount; g++) {
            int group = backward ? groupCount - 1 - g : g;
            int first = groups[group];
            counts[g] = groups[group + 1] - first;
            tasks[g] = unit -> work.run(units[first + unit], units[first + unit + 1]);
        }
        return () -> {
            for (int g = 0; g < tasks.length; g++) {
                team.run(counts[g], tasks[g]);
            }
        };
    }

    /** Work on a range of stored rows. */
    @FunctionalInterface
    interface Work {
        void run(int from, int to);
    }
}
