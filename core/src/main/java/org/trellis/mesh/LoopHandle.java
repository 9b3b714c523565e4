package org.trellis.mesh;

import java.util.OptionalDouble;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.SetExtent;

/**
 * What a loop is at the moment: {@link UnpreparedLoop not prepared}, {@link WholeLoop whole} on this rank,
 * {@link TunedLoop tuning}, or {@link LoopOnRanks ranked}.
 */
sealed interface LoopHandle permits UnpreparedLoop, WholeLoop, TunedLoop, LoopOnRanks {

    /** Says whether the next run needs no {@link #prepared}. */
    boolean isCurrent();

    /** Returns what runs the loop in the mesh as it is now: this, or what takes its place; this is released then. */
    LoopHandle prepared();

    /** Returns how the loop is run. */
    LoopParameters parameters();

    /** Returns what takes other parameters, which the backend has been asked for. */
    LoopHandle parameters(LoopParameters wanted);

    /** Says whether runs differ from each other, to be compared. */
    boolean isTuning();

    /** Runs the loop on a part of its set, counts that, and returns what runs it from now on. */
    LoopHandle run(SetExtent part);

    /** Runs the loop on the elements between two ends. */
    void run(int from, int to);

    /** Takes over an argument of the same shape; false if this cannot, and the loop has to be prepared anew. */
    boolean rebind(int argument);

    /** All arguments that are other ones now have been taken over. */
    void rebound();

    /** Returns the prepared loop that all runs have from now on, or null if the next run may have another one. */
    PreparedLoop current();

    /** Lets runs of some elements be timed or not. */
    void timeParts(boolean wanted);

    /** Returns the device's time of runs of some elements. */
    OptionalDouble partSeconds(int from, int to);

    /** Returns the time of the runs. */
    double seconds();

    /** Reports the runs. */
    LoopReport report();

    /** Forgets the times of past runs. */
    void resetTimes();

    /** Releases what has been prepared. */
    void release();
}
