package org.trellis.mesh;

import java.util.Map;
import java.util.OptionalDouble;

/** What a sequence is: {@link WholeSequence whole} on this rank, or {@link SequenceOnRanks ranked}. */
sealed interface SequenceHandle permits WholeSequence, SequenceOnRanks {

    /** Runs all steps, and says whether a device has been given several at once. */
    boolean run();

    /** Prepares what the next runs give a device at once; called behind a run that went step by step. */
    void prepare();

    /** Says whether the next run gives the device several steps at once. */
    boolean isJoined();

    /** Returns a run's time on the device's clock, if there is one for all steps. */
    OptionalDouble deviceSeconds();

    /** Returns what the device says of steps that it got at once. */
    Map<String, String> deviceFigures();

    /** Forgets the times of past runs. */
    void resetTimes();

    /** Releases what the device has. */
    void release();
}
