package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.partition.Partition;

/**
 * Who owns each element of a mesh, known where the element is at home. One set is divided; the others follow through
 * maps: an element goes where most of its targets are, or most of the elements that lead to it, and among ranks with as
 * many to the one that has the fewest elements of the same home so far. So few elements are run by several ranks, and
 * no set is divided by itself (I. Z. Reguly, PhD thesis, 2014, section 2.2).
 */
final class DirectoryOwners {
    private final Mesh mesh;
    private final Directory homes;
    private final Division division;
    private final Map<MeshMap, DirectoryRows> rows;
    private final Map<MeshSet, int[]> owners = new LinkedHashMap<>();
    private final List<String> firsts = new ArrayList<>();
    private final Map<MeshSet, Known> known = new HashMap<>();
    private long edgeCut = -1;

    private DirectoryOwners(Mesh mesh, Directory homes, Division division, Map<MeshMap, DirectoryRows> rows) {
        this.mesh = mesh;
        this.homes = homes;
        this.division = division;
        this.rows = rows;
    }

    /** Divides all sets. Called by all ranks. */
    static DirectoryOwners of(Mesh mesh, Directory homes, Division division, Map<MeshMap, DirectoryRows> rows) {
        DirectoryOwners made = new DirectoryOwners(mesh, homes, division, rows);
        MeshSet base = division.first(mesh).orElse(null);
        while (base != null || made.next() != null) {
            made.divide(base == null ? made.next() : base);
            base = null;
            made.spread();
        }
        return made;
    }

    /**
     * Returns the set to divide next: what loops add to most, else what maps lead to most, else the largest; null if
     * all are divided.
     */
    private MeshSet next() {
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
            if (!set.isReplicated() && !owners.containsKey(set)) {
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

    private static void requireDivisible(MeshSet set) {
        if (set.isReplicated()) {
            throw new IllegalArgumentException(set + " was to be divided first, but every rank has all of it; expected "
                    + "another set");
        }
    }

    private void divide(MeshSet set) {
        requireDivisible(set);
        firsts.add(set.name());
        DirectoryDivision divided = homes.isWhole()
                ? onOneRank(set)
                : division.divide(new DirectorySet(set, homes, rows), homes.ranks());
        if (divided.edgeCut().isPresent()) {
            edgeCut = Math.max(0, edgeCut) + divided.edgeCut().getAsLong();
        }
        owners.put(set, divided.partOf());
    }

    /** Divides a set that is whole on rank 0, which lets the others know. */
    private DirectoryDivision onOneRank(MeshSet set) {
        Communicator communicator = homes.communicator();
        Packet packet = new Packet(Long.BYTES + Integer.BYTES * set.size());
        if (communicator.rank() == 0) {
            Division.Divided divided = division.divide(set, communicator.size());
            Partition partition = divided.partition();
            if (partition.parts() != communicator.size() || partition.vertices() != set.size()) {
                throw new IllegalArgumentException(partition + " of " + set + ", expected " + communicator.size()
                        + " parts of all elements");
            }
            packet.put(divided.edgeCut().orElse(-1)).put(partition.partOf(), 0, set.size());
        }
        Packet all = Packet.of(communicator.broadcast(0, packet.toBytes()));
        long cut = all.getLong();
        int[] rankOf = new int[set.size()];
        all.get(rankOf, 0, rankOf.length);
        return new DirectoryDivision(rankOf, cut < 0 ? OptionalLong.empty() : OptionalLong.of(cut));
    }

    /** Returns the owners of the elements at home here; null for a set that every rank has. */
    int[] of(MeshSet set) {
        return owners.get(set);
    }

    List<String> firsts() {
        return firsts;
    }

    OptionalLong edgeCut() {
        return edgeCut < 0 ? OptionalLong.empty() : OptionalLong.of(edgeCut);
    }

    /** Asks who owns some elements: their homes, of each that is not at home here and has not been asked for once. */
    int[] ask(MeshSet set, int... elements) {
        int[] here = owners.get(set);
        int first = homes.first(set);
        Known of = known.computeIfAbsent(set, s -> new Known());
        int before = of.elements.size();
        int[] found = new int[elements.length];
        for (int i = 0; i < elements.length; i++) {
            int row = elements[i] - first;
            found[i] = row >= 0 && row < here.length ? here[row] : ~of.elements.numberOf(elements[i]);
        }
        int[] asked = new int[of.elements.size() - before];
        Arrays.setAll(asked, i -> (int) of.elements.index(before + i));
        int[] answers = homes.ask(set, asked, element -> here[element - first]);
        of.owners = Arrays.copyOf(of.owners, before + answers.length);
        System.arraycopy(answers, 0, of.owners, before, answers.length);
        for (int i = 0; i < found.length; i++) {
            found[i] = found[i] >= 0 ? found[i] : of.owners[~found[i]];
        }
        return found;
    }

    /** What homes have answered. */
    private static final class Known {
        private final IndexMap elements = new IndexMap(64);
        private int[] owners = {};
    }

    private void spread() {
        boolean found = true;
        while (found) {
            found = false;
            for (MeshSet set : mesh.sets()) {
                if (!set.isReplicated() && !owners.containsKey(set)) {
                    List<MeshMap> forward = mesh.maps().stream().filter(map -> map.from() == set && map.to() != set
                            && owners.containsKey(map.to())).toList();
                    List<MeshMap> backward = mesh.maps().stream().filter(map -> map.to() == set && map.from() != set
                            && owners.containsKey(map.from())).toList();
                    if (!forward.isEmpty() || !backward.isEmpty()) {
                        owners.put(set, follow(set, forward, backward));
                        found = true;
                        break;
                    }
                }
            }
        }
    }

    /** Lets a set follow its maps, or else the maps that lead to it. */
    private int[] follow(MeshSet set, List<MeshMap> forward, List<MeshMap> backward) {
        DirectoryVotes votes = new DirectoryVotes(set, homes);
        for (MeshMap map : forward) {
            DirectoryRows here = rows.get(map);
            int[] of = ask(map.to(), here.targets());
            votes.expect(of.length);
            for (int row = 0; row < here.rows(); row++) {
                for (int p = here.start(row); p < here.start(row + 1); p++) {
                    votes.add(here.element(row), of[p]);
                }
            }
        }
        for (MeshMap map : forward.isEmpty() ? backward : List.<MeshMap>of()) {
            for (int[] pairs : mailVotes(map).send()) {
                votes.expect(pairs.length / 2);
                for (int i = 0; i < pairs.length; i += 2) {
                    votes.add(pairs[i], pairs[i + 1]);
                }
            }
        }
        return votes.majority(division.ranksWithSomething(homes.ranks()));
    }

    /** Gives the homes of targets who owns what leads to them. */
    private IntAllToAll mailVotes(MeshMap map) {
        int[] here = owners.get(map.from());
        DirectoryRows leading = rows.get(map);
        int[] targets = leading.targets();
        IntAllToAll mail = new IntAllToAll(homes);
        Directory.Finder finder = homes.finder(map.to());
        for (int row = 0; row < leading.rows(); row++) {
            for (int p = leading.start(row); p < leading.start(row + 1); p++) {
                mail.put(finder.of(targets[p]), targets[p], here[row]);
            }
        }
        return mail;
    }
}
