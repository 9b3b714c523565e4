package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.mesh.MeshMap;

/** Which ranks have what each element of a set is connected with. */
final class Votes {
    private final int size;
    private final List<Ballot> ballots = new ArrayList<>();

    /** A map, and the owners of the set on its other end. */
    private record Ballot(MeshMap map, int[] owners, boolean forward) {}

    Votes(int size) {
        this.size = size;
    }

    /** Adds a map from the elements to others that have owners, or if not {@code forward}, one from these to them. */
    void add(MeshMap map, int[] owners, boolean forward) {
        ballots.add(new Ballot(map, owners, forward));
    }

    /**
     * Returns the rank that has most of what each element is connected with; the least loaded of several.
     *
     * @param ranks how many there are
     * @param with  those that may have something
     */
    int[] majority(int ranks, int... with) {
        int[] offsets = new int[size + 1];
        for (Ballot ballot : ballots) {
            MapRows.each(ballot.map(), ballot.map().from().withRows(),
                    (element, target) -> offsets[(ballot.forward() ? element : target) + 1]++);
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] votes = new int[offsets[size]];
        int[] next = Arrays.copyOf(offsets, size);
        for (Ballot ballot : ballots) {
            MapRows.each(ballot.map(), ballot.map().from().withRows(), (element, target) -> {
                int voter = ballot.forward() ? element : target;
                votes[next[voter]++] = ballot.owners()[ballot.forward() ? target : element];
            });
        }
        return count(offsets, votes, ranks, with);
    }

    private int[] count(int[] offsets, int[] votes, int ranks, int... with) {
        int[] owner = new int[size];
        long[] load = new long[ranks];
        int[] counts = new int[ranks];
        int silent = 0;
        for (int element = 0; element < size; element++) {
            int from = offsets[element];
            int to = offsets[element + 1];
            for (int v = from; v < to; v++) {
                counts[votes[v]]++;
            }
            int best = from == to ? with[(int) ((long) element * with.length / size)] : votes[from];
            silent += from == to ? 1 : 0;
            for (int v = from; v < to; v++) {
                int rank = votes[v];
                if (counts[rank] > counts[best] || (counts[rank] == counts[best] && isFirst(load, rank, best))) {
                    best = rank;
                }
            }
            for (int v = from; v < to; v++) {
                counts[votes[v]] = 0;
            }
            owner[element] = best;
            load[best]++;
        }
        return silent == size
                ? Arrays.stream(Division.blocksOf(size, with.length).partOf()).map(part -> with[part]).toArray()
                : owner;
    }

    /** Says whether a rank has fewer elements than another, or as many and a smaller number. */
    private static boolean isFirst(long[] load, int rank, int other) {
        return load[rank] < load[other] || (load[rank] == load[other] && rank < other);
    }
}
