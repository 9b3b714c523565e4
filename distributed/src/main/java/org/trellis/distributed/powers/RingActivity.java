package org.trellis.distributed.powers;

import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.halo.HaloPlan;

/** Notes on the timeline of a rank what steps with rings are at, by the number of rings. */
final class RingActivity {
    private final HaloPlan plan;
    private final RankTimeline timeline;
    /** The activity for each number of rings from one on. */
    private final int[] activities;
    /** Whether exchanges begin iterations, as those of a part of a preconditioner do not. */
    private final boolean marks;
    private boolean exchanging;

    /** Names the activities, if there is a timeline. */
    RingActivity(HaloPlan plan, String name) {
        this.plan = plan;
        this.timeline = plan.communicator().timeline();
        this.marks = !timeline.isNaming();
        this.activities = new int[plan.rings()];
        for (int rings = 1; rings <= activities.length; rings++) {
            activities[rings - 1] = timeline.activity(name + ", " + (rings == 1 ? "1 ring" : rings + " rings"));
        }
    }

    /** Notes that a step begins; one that exchanges begins an iteration, unless it is a part of a preconditioner. */
    void enter(boolean exchanges) {
        exchanging = exchanges;
        timeline.enter(activities[plan.activeRings() - 1]);
        if (exchanges && marks) {
            timeline.mark();
        }
    }

    long begin() {
        return timeline.begin();
    }

    void endInterior(long began) {
        timeline.end(RankPhase.INTERIOR, began);
    }

    /** Notes that the rows have been computed that were left: without an exchange, all of them. */
    void endRest(long began) {
        timeline.end(exchanging ? RankPhase.BOUNDARY : RankPhase.INTERIOR, began);
    }
}
