package org.trellis.distributed.mesh;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * How a mesh is divided: what decides how much is run twice and sent.
 *
 * @param ranks      how many ranks
 * @param rings      rings of other ranks' elements
 * @param method     how the first set was divided
 * @param firsts     the sets that were divided by themselves; the others follow them
 * @param edgeCut    edges between parts in the graphs of the first sets; empty if no graph was made
 * @param neighbours the most ranks that one rank has elements of
 * @param seconds    the wall time of dividing, on rank 0
 * @param sets       one entry for each set
 */
public record DivisionReport(int ranks, int rings, String method, List<String> firsts, OptionalLong edgeCut,
        int neighbours, double seconds, List<Share> sets) {
    /** Keeps copies of the lists. */
    public DivisionReport {
        firsts = List.copyOf(firsts);
        sets = List.copyOf(sets);
    }

    /**
     * How a set is divided.
     *
     * @param set       its name
     * @param size      elements in all
     * @param least     owned elements of the rank that has fewest
     * @param most      owned elements of the rank that has most
     * @param boundary  elements that lead to something of another rank
     * @param redundant elements that several ranks run, counted once for each rank but the owner
     * @param halo      elements that ranks have of others, {@code redundant} ones among them
     */
    public record Share(String set, long size, long least, long most, long boundary, long redundant, long halo) {
        /**
         * Returns the size of the largest share over that of shares of equal size.
         *
         * @param ranks how many ranks
         * @return at least 1; 1 for a set without elements
         */
        public double imbalance(int ranks) {
            return size == 0 ? 1 : (double) most * ranks / size;
        }
    }

    /**
     * Returns the report as a table.
     *
     * @return lines that end in a line feed
     */
    @Override
    public String toString() {
        int width = sets.stream().mapToInt(share -> share.set().length()).max().orElse(0);
        String names = "%-" + Math.max(3, width) + "s";
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT,
                "mesh on %d ranks by %s of '%s', %d ring%s, edge cut %s, at most %d neighbours, divided in %.3f s\n",
                ranks, method, String.join("', '", firsts), rings, rings == 1 ? "" : "s",
                edgeCut.isPresent() ? Long.toString(edgeCut.getAsLong()) : "unknown", neighbours, seconds));
        text.append(String.format(Locale.ROOT, names + " %12s %10s %10s %9s %10s %10s %10s\n", "set", "elements",
                "least", "most", "imbalance", "boundary", "redundant", "halo"));
        for (Share share : sets) {
            text.append(String.format(Locale.ROOT, names + " %12d %10d %10d %9.4f %10s %10s %10s\n", share.set(),
                    share.size(), share.least(), share.most(), share.imbalance(ranks),
                    percent(share.boundary(), share.size()), percent(share.redundant(), share.size()),
                    percent(share.halo(), share.size())));
        }
        return text.toString();
    }

    private static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.3f%%", 100.0 * part / whole);
    }
}
