package org.trellis.distributed.multigrid;

import java.util.List;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.powers.RingContest;

/**
 * Lets visits of a level decide how many rings its smoother exchanges: each visit that begins from zero is a turn, the
 * first one apart, in which code is compiled. A right-hand side is another one in each visit, so no exchange of one
 * turn saves one of the next. Visits are as many on all ranks.
 */
final class VisitTuner {
    private final HaloPlan plan;
    private final RingContest contest;
    private boolean warm;
    private long nanoseconds;

    /** Uses what the contest says, which may have begun with another plan of the same rings. */
    VisitTuner(HaloPlan plan, RingContest contest) {
        this.plan = plan;
        this.contest = contest;
        plan.useRings(contest.rings());
    }

    RingContest contest() {
        return contest;
    }

    /** Returns the time; of a device that has done what it was asked for, if times count. */
    long now() {
        if (!contest.isFinished()) {
            plan.synchronize();
        }
        return System.nanoTime();
    }

    /** Adds the time since another one to that of the visit. */
    void spent(long began) {
        if (!contest.isFinished()) {
            plan.synchronize();
            nanoseconds += System.nanoTime() - began;
        }
    }

    /** Ends a visit, which counts if it is like the others that do. Collective where the choice is made. */
    void endVisit(boolean counts) {
        if (!contest.isFinished() && counts) {
            if (warm) {
                contest.endTurn(nanoseconds * 1e-9, plan.communicator());
                plan.useRings(contest.rings());
            }
            warm = true;
        }
        nanoseconds = 0;
    }

    /** Ends the choice. Collective. */
    LevelRings settle(int level) {
        contest.settle(plan.communicator());
        plan.useRings(contest.rings());
        return new LevelRings(level, contest.rings(),
                contest.candidates().length == 1 ? List.of() : contest.trials());
    }
}
