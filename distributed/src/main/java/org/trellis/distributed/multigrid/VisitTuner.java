package org.trellis.distributed.multigrid;

import java.util.List;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.powers.RingContest;

/**
 * Lets visits of a level decide how many rings its smoother exchanges: each visit that begins from zero is a turn, the
 * first one apart, in which code is compiled. A right-hand side is another one in each visit, so no exchange of one
 * turn saves one of the next. Visits are as many on all ranks.
 */
public final class VisitTuner {
    private final HaloPlan plan;
    private final RingContest contest;
    private boolean warm;
    private long nanoseconds;

    /**
     * Uses what the contest says, which may have begun with another plan of the same rings.
     *
     * @param plan    the halo whose rings are used
     * @param contest between numbers of rings
     */
    public VisitTuner(HaloPlan plan, RingContest contest) {
        this.plan = plan;
        this.contest = contest;
        plan.useRings(contest.rings());
    }

    RingContest contest() {
        return contest;
    }

    /**
     * Returns the time; of a device that has done what it was asked for, if times count.
     *
     * @return nanoseconds
     */
    public long now() {
        if (!contest.isFinished()) {
            plan.synchronize();
        }
        return System.nanoTime();
    }

    /**
     * Adds the time since another one to that of the visit.
     *
     * @param began the other one
     */
    public void spent(long began) {
        if (!contest.isFinished()) {
            plan.synchronize();
            nanoseconds += System.nanoTime() - began;
        }
    }

    /**
     * Ends a visit. Collective where the choice is made.
     *
     * @param counts whether it is like the others that do
     */
    public void endVisit(boolean counts) {
        if (!contest.isFinished() && counts) {
            if (warm) {
                contest.endTurn(nanoseconds * 1e-9, plan.communicator());
                plan.useRings(contest.rings());
            }
            warm = true;
        }
        nanoseconds = 0;
    }

    /**
     * Ends the choice. Collective.
     *
     * @param level for the report
     * @return what is used from now on, and what was measured
     */
    public LevelRings settle(int level) {
        contest.settle(plan.communicator());
        plan.useRings(contest.rings());
        return new LevelRings(level, contest.rings(),
                contest.candidates().length == 1 ? List.of() : contest.trials());
    }
}
