package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.powers.RingContest;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.StepListener;

/**
 * Runs of a sequence with different numbers of rings in turns, until the times of the slowest rank decide
 * ({@link RingContest}). Tried are one ring and every number with which there are fewer exchanges than with the one
 * before it. A turn is {@value #RUNS} runs, of which the first does not count: what it finds up to date was left by
 * another number. Results do not depend on the number, so nothing is run for the trial alone.
 */
final class SequenceTrial {
    private static final int RUNS = 4;

    private final Communicator communicator;
    private final Optional<DeviceTiming> timing;
    private final List<SequencePlan> plans = new ArrayList<>();
    private final RingContest contest;
    private final int[] places;
    private int run;
    private long began;

    /**
     * Plans the sequence with each number of rings.
     *
     * @param share    what the rank has
     * @param backend  of this rank
     * @param sequence a sequence that tunes its rings
     */
    SequenceTrial(RankMesh share, Backend backend, LoopSequence sequence) {
        this.communicator = share.communicator();
        this.timing = backend.optionalKernels(DeviceTiming.class);
        List<Integer> tried = new ArrayList<>();
        for (int rings = 1; rings <= sequence.rings(); rings++) {
            SequencePlan plan = new SequencePlan(share, sequence, rings);
            if (plans.isEmpty() || plan.stretches() < plans.getLast().stretches()) {
                plans.add(plan);
                tried.add(rings);
            }
        }
        this.contest = new RingContest(tried.stream().mapToInt(Integer::intValue).toArray());
        this.places = new int[sequence.rings() + 1];
        for (int i = 0; i < tried.size(); i++) {
            places[tried.get(i)] = i;
        }
    }

    /** Returns what is tried, and what was measured and chosen. */
    RingContest contest() {
        return contest;
    }

    /** Runs all steps. Allocates nothing once it is decided. */
    void run(StepListener listener) {
        SequencePlan plan = plans.get(places[contest.rings()]);
        if (contest.isFinished()) {
            plan.run(listener);
            return;
        }
        if (run == 1) {
            began = now();
        }
        plan.run(listener);
        run++;
        if (run == RUNS) {
            contest.endTurn((now() - began) * 1e-9 / (RUNS - 1), communicator);
            run = 0;
        }
    }

    /** What is queued on a device is done when the clock is read. */
    private long now() {
        timing.ifPresent(DeviceTiming::synchronize);
        return System.nanoTime();
    }
}
