package org.trellis.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.trellis.distributed.communicate.TimelineReport;

/** What ranks were at, for consoles and pages. */
public final class TimelineTable {
    private TimelineTable() {}

    /**
     * Makes the table.
     *
     * @param report what was recorded
     * @return a row for each activity of each rank that was run
     */
    public static Table of(TimelineReport report) {
        Table table = new Table(Column.of("rank", Format.NUMBER).means("Number of the rank."),
                Column.words("activity").means("A product or sweep with a number of rings, or a loop."),
                Column.of("runs", Format.COUNT).means("How often it was run.").asMinor(),
                Column.of("interior", Format.SECONDS)
                        .means("Computing what needs no message, while messages travel or where there are none."),
                Column.of("boundary", Format.SECONDS).means("Computing what needed a message.").asMinor(),
                Column.of("packing", Format.SECONDS).means("Making messages and taking them out.").asMinor(),
                Column.of("waiting", Format.SECONDS)
                        .means("For messages, or for neighbours to have taken the last."),
                Column.of("reducing", Format.SECONDS)
                        .means("Combining numbers over all ranks, waiting for the others included."),
                Column.of("messages", Format.COUNT).means("Messages that the rank sent.").asMinor(),
                Column.of("bytes", Format.BYTES).means("Bytes that the rank sent.").asMinor());
        for (int rank = 0; rank < report.ranks().size(); rank++) {
            for (TimelineReport.Activity activity : report.ranks().get(rank).activities()) {
                if (activity.runs() > 0) {
                    List<Object> cells = new ArrayList<>(List.of(rank, activity.name(), activity.runs()));
                    cells.addAll(activity.times());
                    cells.add(activity.messages());
                    cells.add(activity.bytes());
                    table.row(cells.toArray());
                }
            }
        }
        return table;
    }
}
