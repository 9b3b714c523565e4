package org.trellis.bench.loop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.trellis.bench.report.JobFacts;
import org.trellis.mesh.loop.MeshReport;
import org.trellis.mesh.loop.RankTimes;
import org.trellis.mesh.loop.RanksReport;

/** What loops did on several ranks, as JSON. */
public final class RankNodes {
    private RankNodes() {}

    /**
     * Adds what is known of the ranks and the times of each loop on each of them. Does nothing on one rank.
     *
     * @param root   the document
     * @param report what the loops did
     * @param job    the ranks; empty on one
     */
    public static void put(ObjectNode root, MeshReport report, Optional<JobFacts> job) {
        if (report.ranks().isEmpty()) {
            return;
        }
        RanksReport ranks = report.ranks().get();
        job.ifPresentOrElse(facts -> facts.put(root), () -> root.put("ranks", ranks.ranks()));
        ArrayNode times = root.putArray("rankTimes");
        for (RankTimes time : ranks.times()) {
            times.addObject().put("kernel", time.loop()).put("set", time.set()).put("rank", time.rank())
                    .put("runs", time.runs()).put("coreSeconds", time.core()).put("boundarySeconds", time.boundary())
                    .put("exchangeSeconds", time.exchange()).put("waitingSeconds", time.waiting())
                    .put("exchanges", time.exchanges()).put("messages", time.messages()).put("bytes", time.bytes())
                    .put("redundantElements", time.redundant()).put("elements", time.elements());
        }
    }
}
