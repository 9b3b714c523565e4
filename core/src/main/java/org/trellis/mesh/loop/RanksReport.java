package org.trellis.mesh.loop;

import java.util.List;
import java.util.Locale;

/**
 * What the loops of a mesh did on several ranks.
 *
 * @param ranks     how many ranks
 * @param times     for each loop, in the order in which they were prepared, one entry for each rank
 * @param partition how the mesh is divided, as text of whole lines
 */
public record RanksReport(int ranks, List<RankTimes> times, String partition) {
    /** Keeps a copy of the list. */
    public RanksReport {
        times = List.copyOf(times);
    }

    /**
     * Returns the report as tables.
     *
     * @return lines that end in a line feed: the division, then each loop on each rank
     */
    @Override
    public String toString() {
        int width = times.stream().mapToInt(time -> time.loop().length()).max().orElse(0);
        String names = "%-" + Math.max(4, width) + "s";
        StringBuilder text = new StringBuilder(partition);
        text.append(String.format(Locale.ROOT, names + " %5s %8s %10s %10s %10s %10s %9s %9s %10s %10s\n", "loop",
                "rank", "count", "core s", "boundary s", "exchange s", "wait s", "exchanges", "messages", "sent MB",
                "redundant"));
        for (RankTimes time : times) {
            double share = time.elements() == 0 ? 0 : 100.0 * time.redundant() / time.elements();
            text.append(String.format(Locale.ROOT,
                    names + " %5d %8d %10.4f %10.4f %10.4f %10.4f %9d %9d %10.3f %9.2f%%\n", time.loop(),
                    time.rank(), time.runs(), time.core(), time.boundary(), time.exchange(), time.waiting(),
                    time.exchanges(), time.messages(), 1e-6 * time.bytes(), share));
        }
        return text.toString();
    }
}
