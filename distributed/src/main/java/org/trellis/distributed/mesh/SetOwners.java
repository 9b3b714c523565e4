package org.trellis.distributed.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.partition.Partition;

/**
 * Who owns each element of each set of a mesh that is still whole. One set is divided; the others follow through maps:
 * an element goes where most of its targets are, or most of the elements that lead to it, and among ranks with as many
 * to the one that has the fewest elements so far. So few elements are run by several ranks, and no set is divided by
 * itself (I. Z. Reguly, PhD thesis, 2014, section 2.2).
 */
final class SetOwners {
    private final Mesh mesh;
    private final Communicator communicator;
    private final Division division;
    /** The rank of each element by the current numbering; a set that every rank has whole is not there. */
    private final Map<MeshSet, int[]> owners = new LinkedHashMap<>();
    private final List<String> firsts = new ArrayList<>();
    private long edgeCut = -1;

    private SetOwners(Mesh mesh, Communicator communicator, Division division) {
        this.mesh = mesh;
        this.communicator = communicator;
        this.division = division;
    }

    /** Divides all sets. Called by all ranks. */
    static SetOwners of(Mesh mesh, Communicator communicator, Division division) {
        SetOwners made = new SetOwners(mesh, communicator, division);
        MeshSet base = division.first(mesh).orElse(null);
        while (base != null || made.next() != null) {
            made.divide(base == null ? made.next() : base);
            base = null;
            made.spread();
        }
        return made;
    }

    int[] of(MeshSet set) {
        return owners.get(set);
    }

    List<String> firsts() {
        return firsts;
    }

    OptionalLong edgeCut() {
        return edgeCut < 0 ? OptionalLong.empty() : OptionalLong.of(edgeCut);
    }

    /** Returns the set to divide next: what loops add to most, else what maps lead to most, else the largest. */
    private MeshSet next() {
        return next(mesh, owners.keySet());
    }

    /** Returns the set to divide next of those that have not been divided; null if there are none. */
    static MeshSet next(Mesh mesh, Set<MeshSet> divided) {
        Map<MeshSet, long[]> scores = new HashMap<>();
        for (ParallelLoop loop : mesh.loops()) {
            LoopDeclaration declaration = loop.declaration();
            for (int a = 0; a < declaration.arity(); a++) {
                if (declaration.incrementsIndirectly(a)) {
                    add(scores, declaration.map(a).to(), 0,
                            (long) declaration.set().size() * declaration.dat(a).components());
                }
            }
        }
        for (MeshMap map : mesh.maps()) {
            add(scores, map.to(), 1, (long) map.from().size() * Math.max(1, map.arity()));
        }
        MeshSet best = null;
        for (MeshSet set : mesh.sets()) {
            if (!set.isReplicated() && !divided.contains(set)) {
                add(scores, set, 2, set.size());
                if (best == null || exceeds(scores.get(set), scores.get(best))) {
                    best = set;
                }
            }
        }
        return best;
    }

    private static void add(Map<MeshSet, long[]> scores, MeshSet set, int place, long value) {
        scores.computeIfAbsent(set, s -> new long[3])[place] += value;
    }

    private static boolean exceeds(long[] one, long[] other) {
        for (int i = 0; i < one.length; i++) {
            if (one[i] != other[i]) {
                return one[i] > other[i];
            }
        }
        return false;
    }

    static void requireDivisible(MeshSet set) {
        if (set.isReplicated()) {
            throw new IllegalArgumentException(set + " was to be divided first, but every rank has all of it; expected "
                    + "another set");
        }
    }

    /** Divides a set on rank 0 and tells the others. */
    private void divide(MeshSet set) {
        requireDivisible(set);
        firsts.add(set.name());
        ByteBuffer message = ByteBuffer.allocate(0);
        if (communicator.rank() == 0) {
            Division.Divided divided = division.divide(set, communicator.size());
            Partition partition = divided.partition();
            if (partition.parts() != communicator.size() || partition.vertices() != set.size()) {
                throw new IllegalArgumentException(partition + " of " + set + ", expected " + communicator.size()
                        + " parts of all elements");
            }
            message = ByteBuffer.allocate(Long.BYTES + Integer.BYTES * set.size()).order(ByteOrder.nativeOrder());
            message.putLong(divided.edgeCut().orElse(-1));
            message.asIntBuffer().put(partition.partOf());
        }
        ByteBuffer all = ByteBuffer.wrap(communicator.broadcast(0, message.array())).order(ByteOrder.nativeOrder());
        long cut = all.getLong();
        edgeCut = cut < 0 ? edgeCut : Math.max(0, edgeCut) + cut;
        int[] rankOf = new int[set.size()];
        all.asIntBuffer().get(rankOf);
        owners.put(set, rankOf);
    }

    /** Lets the sets follow that maps connect with those that are divided, the nearest first. */
    private void spread() {
        boolean found = true;
        while (found) {
            found = false;
            for (MeshSet set : mesh.sets()) {
                if (!set.isReplicated() && !owners.containsKey(set)) {
                    Votes votes = votes(set);
                    if (votes != null) {
                        owners.put(set, votes.majority(communicator.size(),
                                division.ranksWithSomething(communicator.size())));
                        found = true;
                        break;
                    }
                }
            }
        }
    }

    /** Returns what the maps of a set say of its elements, or else the maps that lead to it; null if there are none. */
    private Votes votes(MeshSet set) {
        Votes votes = null;
        for (MeshMap map : mesh.maps()) {
            if (map.from() == set && map.to() != set && owners.containsKey(map.to())) {
                votes = votes == null ? new Votes(set.size()) : votes;
                votes.add(map, owners.get(map.to()), true);
            }
        }
        if (votes != null) {
            return votes;
        }
        for (MeshMap map : mesh.maps()) {
            if (map.to() == set && map.from() != set && owners.containsKey(map.from())) {
                votes = votes == null ? new Votes(set.size()) : votes;
                votes.add(map, owners.get(map.from()), false);
            }
        }
        return votes;
    }
}
