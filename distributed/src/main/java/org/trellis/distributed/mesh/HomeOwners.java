package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * Who owns each element of a mesh that no rank has whole, known where the element is at home. One set is divided, the
 * others follow through maps, as in {@link SetOwners}; among ranks that have as many of an element's votes, an element
 * goes to the one with the fewest elements of the same home.
 */
final class HomeOwners {
    private final Mesh mesh;
    private final Homes homes;
    private final Division division;
    private final Map<MeshMap, HomeRows> rows;
    private final Map<MeshSet, int[]> owners = new LinkedHashMap<>();
    private final List<String> firsts = new ArrayList<>();
    private final Map<MeshSet, Known> known = new HashMap<>();
    private long edgeCut = -1;

    private HomeOwners(Mesh mesh, Homes homes, Division division, Map<MeshMap, HomeRows> rows) {
        this.mesh = mesh;
        this.homes = homes;
        this.division = division;
        this.rows = rows;
    }

    /** Divides all sets. Called by all ranks. */
    static HomeOwners of(Mesh mesh, Homes homes, Division division, Map<MeshMap, HomeRows> rows) {
        HomeOwners made = new HomeOwners(mesh, homes, division, rows);
        MeshSet base = division.first(mesh).orElse(null);
        while (base != null || made.next() != null) {
            made.divide(base == null ? made.next() : base);
            base = null;
            made.spread();
        }
        return made;
    }

    private MeshSet next() {
        return SetOwners.next(mesh, owners.keySet());
    }

    private void divide(MeshSet set) {
        SetOwners.requireDivisible(set);
        firsts.add(set.name());
        HomeDivision divided = division.divide(new HomeSet(set, homes, rows), homes.ranks());
        if (divided.edgeCut().isPresent()) {
            edgeCut = Math.max(0, edgeCut) + divided.edgeCut().getAsLong();
        }
        owners.put(set, divided.partOf());
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
        HomeVotes votes = new HomeVotes(set, homes);
        for (MeshMap map : forward) {
            HomeRows here = rows.get(map);
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

    /** Tells the homes of targets who owns what leads to them. */
    private HomeMail mailVotes(MeshMap map) {
        int[] here = owners.get(map.from());
        HomeRows leading = rows.get(map);
        int[] targets = leading.targets();
        HomeMail mail = new HomeMail(homes.communicator());
        Homes.Finder finder = homes.finder(map.to());
        for (int row = 0; row < leading.rows(); row++) {
            for (int p = leading.start(row); p < leading.start(row + 1); p++) {
                mail.put(finder.of(targets[p]), targets[p], here[row]);
            }
        }
        return mail;
    }
}
