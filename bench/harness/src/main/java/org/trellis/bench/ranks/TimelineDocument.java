package org.trellis.bench.ranks;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.TimelineReport;

/** The JSON document of what ranks were at. */
final class TimelineDocument {
    private TimelineDocument() {}

    static String of(TimelineReport report, Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-timeline", provenance);
        root.put("loadBalance", report.balance());
        ArrayNode ranks = root.putArray("ranks");
        TimelineReport.Iteration iteration = report.iteration();
        for (int rank = 0; rank < report.ranks().size(); rank++) {
            TimelineReport.Rank own = report.ranks().get(rank);
            ObjectNode node = ranks.addObject().put("rank", rank).put("seconds", own.seconds());
            ArrayNode activities = node.putArray("activities");
            for (TimelineReport.Activity activity : own.activities()) {
                ObjectNode entry = activities.addObject().put("name", activity.name()).put("runs", activity.runs())
                        .put("messages", activity.messages()).put("bytes", activity.bytes());
                for (RankPhase phase : RankPhase.values()) {
                    entry.put(phase.label() + "Seconds", activity.seconds(phase));
                }
            }
            events(node.putArray("iteration"), own, iteration.events().get(rank));
        }
        root.put("iterationSeconds", iteration.length());
        return JsonReport.finish(root);
    }

    private static void events(ArrayNode array, TimelineReport.Rank rank, List<TimelineReport.Event> events) {
        for (TimelineReport.Event event : events) {
            array.addObject().put("activity", rank.activities().get(event.activity()).name())
                    .put("phase", event.phase().label()).put("begin", event.begin()).put("end", event.end());
        }
    }
}
