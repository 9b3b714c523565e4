package org.trellis.distributed.communicate;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;

/** How ranks wait: a moment busily, then giving way, then asleep for longer and longer, up to a millisecond. */
final class Backoff {
    private static final int YIELDS = 200;
    private static final long FIRST_SLEEP = 20_000;
    private static final int LONGEST_DOUBLING = 6;
    private static final int ROUNDS_A_SLEEP = 16;

    private final Duration duration;
    private final long nanos;
    private final int busyRounds;

    /**
     * Describes how to wait.
     *
     * @param duration how long at most
     * @param ranks    ranks on this machine; if they are more than processors, none waits busily
     * @throws IllegalArgumentException if the time is not positive
     */
    Backoff(Duration duration, int ranks) {
        this(duration, ranks, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Describes how to wait.
     *
     * @param duration   how long at most
     * @param ranks      ranks on this machine
     * @param processors processors that these ranks have together; if they are fewer, none waits busily
     * @throws IllegalArgumentException if the time is not positive
     */
    Backoff(Duration duration, int ranks, int processors) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("the time that ranks wait for one another is " + duration
                    + ", expected more than nothing");
        }
        this.duration = duration;
        this.nanos = duration.toNanos();
        this.busyRounds = ranks <= processors ? 2_000 : 0;
    }

    static Duration configured(Configuration configuration) {
        return Duration.ofSeconds(configuration.get(ConfigurationKeys.DISTRIBUTED_TIMEOUT));
    }

    Duration duration() {
        return duration;
    }

    /**
     * Waits a moment; rounds count from 0 and have lasted for some time from the busy ones on.
     */
    @SuppressWarnings("ThreadPriorityCheck") // with more ranks than processors, giving way is right
    void pause(int round) {
        if (round < busyRounds) {
            Thread.onSpinWait();
        } else if (round < busyRounds + YIELDS) {
            Thread.yield();
        } else {
            int doubling = Math.min(LONGEST_DOUBLING, (round - busyRounds - YIELDS) / ROUNDS_A_SLEEP);
            LockSupport.parkNanos(FIRST_SLEEP << doubling);
        }
    }

    /** Returns the first round that sleeps as long as any. */
    int longestSleep() {
        return busyRounds + YIELDS + LONGEST_DOUBLING * ROUNDS_A_SLEEP;
    }

    /** Says in which rounds it is time to look whether waiting is still of use: not in every busy one. */
    boolean isTimeToLook(int round) {
        return round >= busyRounds || (round & 255) == 255;
    }

    boolean isOver(long since) {
        return System.nanoTime() - since > nanos;
    }

    @Override
    public String toString() {
        return nanos % 1_000_000_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
