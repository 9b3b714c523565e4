package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Function;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.Partition;

/**
 * The graph that maps make of a set, as {@link MeshOrder#graph} makes it of one that is whole: for each element that is
 * at home here, its neighbours by their numbers in the whole set, rising.
 */
final class HomeGraph {
    private final MeshSet set;
    private final Homes homes;
    private final int[] offsets;
    private final int[] neighbours;

    private HomeGraph(MeshSet set, Homes homes, int[] offsets, int[] neighbours) {
        this.set = set;
        this.homes = homes;
        this.offsets = offsets;
        this.neighbours = neighbours;
    }

    /** Makes the graph. Called by all ranks. */
    static HomeGraph of(HomeSet base) {
        HomeMail mail = new HomeMail(base.homes().communicator());
        boolean joined = false;
        for (HomeRows rows : base.rows().values()) {
            if (rows.map().to() == base.set()) {
                joined = true;
                join(base, rows, mail);
            }
        }
        for (HomeRows rows : base.rows().values()) {
            if (!joined && rows.map().from() == base.set() && rows.map().arity() != MeshMap.VARIABLE) {
                joinSharers(base, rows, mail);
            }
        }
        return made(base, mail.send());
    }

    /** Joins what rows lead to. */
    private static void join(HomeSet base, HomeRows rows, HomeMail mail) {
        boolean own = rows.map().from() == base.set();
        boolean chain = rows.map().arity() == MeshMap.VARIABLE;
        int[] targets = rows.targets();
        for (int row = 0; row < rows.rows(); row++) {
            int end = rows.start(row + 1);
            for (int p = rows.start(row); p < end; p++) {
                if (own) {
                    edge(base, mail, rows.element(row), targets[p]);
                } else {
                    for (int q = p + 1; q < (chain ? Math.min(p + 2, end) : end); q++) {
                        edge(base, mail, targets[p], targets[q]);
                    }
                }
            }
        }
    }

    /** Joins elements that lead to the same element of another set. */
    private static void joinSharers(HomeSet base, HomeRows rows, HomeMail mail) {
        MeshSet to = rows.map().to();
        HomeInverse inverse = HomeInverse.of(rows, base.homes());
        for (int target = base.homes().first(to); target < base.homes().end(to); target++) {
            for (int p = inverse.start(target); p < inverse.start(target + 1); p++) {
                for (int q = p + 1; q < inverse.start(target + 1); q++) {
                    edge(base, mail, inverse.element(p), inverse.element(q));
                }
            }
        }
    }

    private static void edge(HomeSet base, HomeMail mail, int one, int other) {
        if (one != other) {
            mail.to(base.homes().of(base.set(), one)).put(one).put(other);
            mail.to(base.homes().of(base.set(), other)).put(other).put(one);
        }
    }

    private static HomeGraph made(HomeSet base, Packet... packets) {
        long[] edges = new long[64];
        int count = 0;
        for (Packet packet : packets) {
            while (packet.hasMore()) {
                if (count == edges.length) {
                    edges = Arrays.copyOf(edges, 2 * count);
                }
                edges[count++] = (long) packet.getInt() << Integer.SIZE | packet.getInt();
            }
        }
        Arrays.sort(edges, 0, count);
        int[] offsets = new int[base.count() + 1];
        int[] neighbours = new int[count];
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || edges[i] != edges[i - 1]) {
                neighbours[kept++] = (int) edges[i];
                offsets[(int) (edges[i] >>> Integer.SIZE) - base.first() + 1]++;
            }
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        return new HomeGraph(base.set(), base.homes(), offsets, Arrays.copyOf(neighbours, kept));
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
        int[] others = homes.ask(set, neighbours, element -> partOf[element - first]);
        long ends = 0;
        for (int v = 0; v < partOf.length; v++) {
            for (int p = offsets[v]; p < offsets[v + 1]; p++) {
                ends += others[p] == partOf[v] ? 0 : 1;
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
        Packet own = new Packet();
        for (int v = 0; v + 1 < offsets.length; v++) {
            own.put(offsets[v + 1] - offsets[v]);
            for (int p = offsets[v]; p < offsets[v + 1]; p++) {
                own.put(neighbours[p]);
            }
        }
        byte[][] all = communicator.gather(0, own.toBytes());
        HomeMail parts = new HomeMail(communicator);
        if (communicator.rank() == 0) {
            int[] partOf = method.apply(whole(all)).partOf();
            for (int element = 0; element < partOf.length; element++) {
                parts.to(homes.of(set, element)).put(partOf[element]);
            }
        }
        Packet mine = parts.send()[0];
        int[] partOf = new int[offsets.length - 1];
        for (int v = 0; v < partOf.length; v++) {
            partOf[v] = mine.getInt();
        }
        return partOf;
    }

    private Graph whole(byte[]... all) {
        int[] wholeOffsets = new int[set.size() + 1];
        long total = 0;
        for (byte[] bytes : all) {
            total += bytes.length / Integer.BYTES;
        }
        int[] wholeNeighbours = new int[Math.toIntExact(total - set.size())];
        int element = 0;
        int at = 0;
        for (byte[] bytes : all) {
            for (Packet packet = Packet.of(bytes); packet.hasMore(); element++) {
                for (int count = packet.getInt(); count > 0; count--) {
                    wholeNeighbours[at++] = packet.getInt();
                }
                wholeOffsets[element + 1] = at;
            }
        }
        return new Graph(wholeOffsets, wholeNeighbours);
    }
}
