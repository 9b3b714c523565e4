package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.mesh.MeshSet;

/** Which ranks have what each element that is at home here is connected with. */
final class DirectoryVotes {
    private final MeshSet set;
    private final Directory homes;
    private final int first;
    private int[] elements = new int[64];
    private int[] ranks = new int[64];
    private int count;

    DirectoryVotes(MeshSet set, Directory homes) {
        this.set = set;
        this.homes = homes;
        this.first = homes.first(set);
    }

    /** Expects so many more votes, so that memory is taken once. */
    void expect(int more) {
        if (count + more > elements.length) {
            elements = Arrays.copyOf(elements, Checks.arrayLength("votes for elements of " + set, (long) count + more));
            ranks = Arrays.copyOf(ranks, elements.length);
        }
    }

    /** Adds one vote for an element. */
    void add(int element, int rank) {
        if (count == elements.length) {
            elements = Arrays.copyOf(elements, 2 * count);
            ranks = Arrays.copyOf(ranks, 2 * count);
        }
        elements[count] = element - first;
        ranks[count++] = rank;
    }

    /**
     * Returns the rank that has most of what each element is connected with; the least loaded of several.
     *
     * @param with the ranks that may have something
     */
    int[] majority(int... with) {
        int size = homes.end(set) - first;
        int[] offsets = new int[size + 1];
        for (int v = 0; v < count; v++) {
            offsets[elements[v] + 1]++;
        }
        Directory.accumulate(offsets);
        int[] votes = new int[count];
        int[] next = Arrays.copyOf(offsets, size);
        for (int v = 0; v < count; v++) {
            votes[next[elements[v]]++] = ranks[v];
        }
        int[] owner = new int[size];
        long[] load = new long[homes.ranks()];
        int[] counts = new int[homes.ranks()];
        for (int e = 0; e < size; e++) {
            // What nothing is connected with stays in its block.
            owner[e] = offsets[e] == offsets[e + 1]
                    ? with[(int) ((long) (first + e) * with.length / set.size())]
                    : winner(votes, offsets[e], offsets[e + 1], counts, load);
            load[owner[e]]++;
        }
        return owner;
    }

    private static int winner(int[] votes, int from, int to, int[] counts, long[] load) {
        for (int v = from; v < to; v++) {
            counts[votes[v]]++;
        }
        int best = votes[from];
        for (int v = from; v < to; v++) {
            int rank = votes[v];
            boolean lighter = load[rank] < load[best] || (load[rank] == load[best] && rank < best);
            if (counts[rank] > counts[best] || (counts[rank] == counts[best] && lighter)) {
                best = rank;
            }
        }
        for (int v = from; v < to; v++) {
            counts[votes[v]] = 0;
        }
        return best;
    }
}
