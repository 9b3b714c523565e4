package org.trellis.bench.ranks;

import java.util.Optional;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.RecordingCommunicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.communicate.TimelineReport;

/** Notes what the ranks of a job are at, and keeps it for rank 0 to report. */
public final class RankRecording {
    private volatile TimelineReport report;

    /** Makes a recording of nothing yet. */
    public RankRecording() {
        // A report comes with the first job.
    }

    /**
     * Runs a task on a rank, recorded. Collective.
     *
     * @param <T>   the type of results
     * @param plain the ranks
     * @param task  what the rank does
     * @return its result
     */
    public <T> T record(Communicator plain, ThreadRanks.RankTask<T> task) {
        RankTimeline timeline = RankTimeline.recording();
        plain.barrier();
        long origin = System.nanoTime();
        T result = task.run(new RecordingCommunicator(plain, timeline));
        timeline.leave();
        TimelineReport found = TimelineReport.gather(plain, timeline, origin);
        if (plain.rank() == 0) {
            report = found;
        }
        return result;
    }

    /**
     * Returns what was recorded.
     *
     * @return of the last job of this recording, if it has come to its end on rank 0 in this process
     */
    public Optional<TimelineReport> report() {
        return Optional.ofNullable(report);
    }
}
