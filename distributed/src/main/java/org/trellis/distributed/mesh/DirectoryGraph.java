package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Function;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.Partition;

/**
 * The graph that maps make of a set, as {@link MeshOrder#graph} makes it of one that is whole: for each element that is
 * at home here, its neighbours by their numbers in the whole set, rising.
 */
final class DirectoryGraph {
    private final MeshSet set;
    private final Directory homes;
    private final int[] offsets;
    private final int[] neighbours;

    private DirectoryGraph(MeshSet set, Directory homes, int[] offsets, int[] neighbours) {
        this.set = set;
        this.homes = homes;
        this.offsets = offsets;
        this.neighbours = neighbours;
    }

    /** Makes the graph. Called by all ranks. */
    static DirectoryGraph of(DirectorySet base) {
        Edges edges = new Edges(base);
        boolean joined = false;
        for (DirectoryRows rows : base.rows().values()) {
            if (rows.map().to() == base.set()) {
                joined = true;
                edges.join(rows);
            }
        }
        for (DirectoryRows rows : base.rows().values()) {
            if (!joined && rows.map().from() == base.set() && rows.map().arity() != MeshMap.VARIABLE) {
                edges.joinSharers(rows);
            }
        }
        return made(base, edges.mail.send());
    }

    /** Edges on their way to the homes of both ends. */
    private static final class Edges {
        private final DirectorySet base;
        private final IntAllToAll mail;
        private final Directory.Finder ones;
        private final Directory.Finder others;

        Edges(DirectorySet base) {
            this.base = base;
            mail = new IntAllToAll(base.homes());
            ones = base.homes().finder(base.set());
            others = base.homes().finder(base.set());
        }

        /** Joins what rows lead to. */
        void join(DirectoryRows rows) {
            boolean own = rows.map().from() == base.set();
            boolean chain = rows.map().arity() == MeshMap.VARIABLE;
            int[] targets = rows.targets();
            for (int row = 0; row < rows.rows(); row++) {
                int end = rows.start(row + 1);
                for (int p = rows.start(row); p < end; p++) {
                    if (own) {
                        edge(rows.element(row), targets[p]);
                    } else {
                        for (int q = p + 1; q < (chain ? Math.min(p + 2, end) : end); q++) {
                            edge(targets[p], targets[q]);
                        }
                    }
                }
            }
        }

        /** Joins elements that lead to the same element of another set. */
        void joinSharers(DirectoryRows rows) {
            MeshSet to = rows.map().to();
            DirectoryInverse inverse = DirectoryInverse.of(rows, base.homes());
            for (int target = base.homes().first(to); target < base.homes().end(to); target++) {
                for (int p = inverse.start(target); p < inverse.start(target + 1); p++) {
                    for (int q = p + 1; q < inverse.start(target + 1); q++) {
                        edge(inverse.element(p), inverse.element(q));
                    }
                }
            }
        }

        private void edge(int one, int other) {
            if (one != other) {
                mail.put(ones.of(one), one, other);
                mail.put(others.of(other), other, one);
            }
        }
    }

    private static DirectoryGraph made(DirectorySet base, int[]... received) {
        int[] starts = new int[base.count() + 1];
        for (int[] pairs : received) {
            for (int i = 0; i < pairs.length; i += 2) {
                starts[pairs[i] - base.first() + 1]++;
            }
        }
        Directory.accumulate(starts);
        int[] all = new int[starts[base.count()]];
        int[] next = starts.clone();
        for (int rank = 0; rank < received.length; rank++) {
            for (int i = 0; i < received[rank].length; i += 2) {
                all[next[received[rank][i] - base.first()]++] = received[rank][i + 1];
            }
            received[rank] = null;
        }
        int[] offsets = new int[starts.length];
        int kept = 0;
        for (int v = 0; v < base.count(); v++) {
            Arrays.sort(all, starts[v], starts[v + 1]);
            for (int p = starts[v]; p < starts[v + 1]; p++) {
                if (kept == offsets[v] || all[p] != all[kept - 1]) {
                    all[kept++] = all[p];
                }
            }
            offsets[v + 1] = kept;
        }
        return new DirectoryGraph(base.set(), base.homes(), offsets, Arrays.copyOf(all, kept));
    }

    /** Where the neighbours of each element that is at home here start; the array itself. */
    int[] offsets() {
        return offsets;
    }

    /** The neighbours; the array itself. */
    int[] neighbours() {
        return neighbours;
    }

    /** Counts the edges between parts. Called by all ranks. */
    OptionalLong edgeCut(int... partOf) {
        int first = homes.first(set);
        int[] elsewhere = Arrays.stream(neighbours).filter(other -> other < first || other >= first + partOf.length)
                .toArray();
        int[] others = homes.ask(set, elsewhere, element -> partOf[element - first]);
        long ends = 0;
        int asked = 0;
        for (int v = 0; v < partOf.length; v++) {
            for (int p = offsets[v]; p < offsets[v + 1]; p++) {
                int row = neighbours[p] - first;
                int part = row >= 0 && row < partOf.length ? partOf[row] : others[asked++];
                ends += part == partOf[v] ? 0 : 1;
            }
        }
        return OptionalLong.of(homes.communicator().sum(ends) / 2);
    }

    /**
     * Brings the graph to rank 0, which divides it, and its parts back. Called by all ranks.
     *
     * @param method divides the whole graph
     * @return the parts of what is at home here
     */
    int[] onOneRank(Function<Graph, Partition> method) {
        Communicator communicator = homes.communicator();
        IntAllToAll own = new IntAllToAll(homes);
        own.expect(0, 1 + offsets.length + neighbours.length);
        own.put(0, offsets.length - 1);
        for (int v = 0; v + 1 < offsets.length; v++) {
            own.put(0, offsets[v + 1] - offsets[v]);
        }
        own.put(0, neighbours, 0, neighbours.length);
        int[][] all = own.send();
        int[][] parts = new int[communicator.size()][0];
        if (communicator.rank() == 0) {
            int[] partOf = method.apply(whole(all)).partOf();
            parts = homes.cut(set, partOf);
        }
        return IntAllToAll.exchange(communicator, parts)[0];
    }

    private Graph whole(int[]... all) {
        int[] wholeOffsets = new int[set.size() + 1];
        long total = 0;
        for (int[] message : all) {
            total += message.length - 1 - message[0];
        }
        int[] wholeNeighbours = new int[Checks.arrayLength("graph of " + set, total)];
        int element = 0;
        int at = 0;
        for (int rank = 0; rank < all.length; rank++) {
            int[] message = all[rank];
            for (int v = 0; v < message[0]; v++) {
                wholeOffsets[element + 1] = wholeOffsets[element] + message[v + 1];
                element++;
            }
            System.arraycopy(message, 1 + message[0], wholeNeighbours, at, message.length - 1 - message[0]);
            at += message.length - 1 - message[0];
            all[rank] = null;
        }
        return new Graph(wholeOffsets, wholeNeighbours);
    }
}
