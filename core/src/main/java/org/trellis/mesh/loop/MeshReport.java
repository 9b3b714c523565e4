package org.trellis.mesh.loop;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How often and how fast the loops of a mesh ran.
 *
 * @param backend   the backend's name
 * @param loops     one entry for each loop, in the order of declaration
 * @param sequences one entry for each sequence, in the order of declaration; what they ran is in {@code loops} too
 * @param ranks     what the loops did on each of several ranks; empty on one, and before the mesh is divided
 */
public record MeshReport(String backend, List<LoopReport> loops, List<SequenceReport> sequences,
        Optional<RanksReport> ranks) {
    /** Keeps copies of the lists. */
    public MeshReport {
        loops = List.copyOf(loops);
        sequences = List.copyOf(sequences);
    }

    /**
     * Creates the report of one rank.
     *
     * @param backend   the backend's name
     * @param loops     one entry for each loop
     * @param sequences one entry for each sequence
     */
    public MeshReport(String backend, List<LoopReport> loops, List<SequenceReport> sequences) {
        this(backend, loops, sequences, Optional.empty());
    }

    /**
     * Returns the time of all runs of all loops.
     *
     * @return in seconds
     */
    public double seconds() {
        return loops.stream().mapToDouble(LoopReport::seconds).sum();
    }

    /**
     * Returns the report as a table.
     *
     * @return lines that end in a line feed: count, time, useful bandwidth, blocks, colours (of blocks, of elements),
     *         reuse, time of preparation, and parameters of each loop; then sequences; then ranks
     */
    @Override
    public String toString() {
        int width = loops.stream().mapToInt(loop -> loop.name().length()).max().orElse(0);
        String names = "%-" + Math.max(4, width) + "s";
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, names + " %8s %10s %8s %8s %9s %6s %9s  %s%n".replace("%n", "\n"),
                "loop", "count", "time s", "GB/s", "blocks", "colours", "reuse", "prepare s", "parameters"));
        for (LoopReport loop : loops) {
            LoopStatistics plan = loop.statistics();
            String device = loop.device().isEmpty() ? "" : "  " + loop.device();
            text.append(String.format(Locale.ROOT, names + " %8d %10.4f %8.2f %8d %9s %6.2f %9.4f  %s%s\n", loop.name(),
                    loop.runs(), loop.seconds(), loop.gigabytesPerSecond(), plan.blocks(),
                    plan.blockColours() + "/" + plan.elementColours(), plan.reuse(), loop.preparationSeconds(),
                    loop.parameters(), device));
        }
        for (SequenceReport sequence : sequences) {
            text.append(String.format(Locale.ROOT, "sequence %s: %d runs of %d loops, %d of them joined, %.4f s%s\n",
                    sequence.name(), sequence.runs(), sequence.loops(), sequence.joined(), sequence.seconds(),
                    sequence.device().isEmpty() ? "" : "  " + sequence.device()));
        }
        text.append(String.format(Locale.ROOT, "all loops on backend %s: %.4f s\n", backend, seconds()));
        ranks.ifPresent(text::append);
        return text.toString();
    }
}
