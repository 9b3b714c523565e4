package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.trellis.distributed.communicate.Packet;
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

    /** Asks who owns some elements. Called by all ranks. */
    int[] ask(MeshSet set, int[] elements) {
        int[] here = owners.get(set);
        int first = homes.first(set);
        return homes.ask(set, elements, element -> here[element - first]);
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
            for (int row = 0; row < here.rows(); row++) {
                for (int p = here.start(row); p < here.start(row + 1); p++) {
                    votes.add(here.element(row), of[p]);
                }
            }
        }
        for (MeshMap map : forward.isEmpty() ? backward : List.<MeshMap>of()) {
            int[] here = owners.get(map.from());
            int first = homes.first(map.from());
            HomeMail mail = new HomeMail(homes.communicator());
            rows.get(map).each((element, target) -> mail.to(homes.of(set, target)).put(target)
                    .put(here[element - first]));
            for (Packet packet : mail.send()) {
                while (packet.hasMore()) {
                    votes.add(packet.getInt(), packet.getInt());
                }
            }
        }
        return votes.majority();
    }

    /** Tells each rank which elements it owns: the user's numbers, rising. Called by all ranks. */
    int[] owned(MeshSet set) {
        int[] here = owners.get(set);
        int first = homes.first(set);
        HomeMail mail = new HomeMail(homes.communicator());
        for (int i = 0; i < here.length; i++) {
            mail.to(here[i]).put(first + i);
        }
        int[] elements = new int[16];
        int count = 0;
        for (Packet packet : mail.send()) {
            while (packet.hasMore()) {
                if (count == elements.length) {
                    elements = Arrays.copyOf(elements, 2 * count);
                }
                elements[count++] = packet.getInt();
            }
        }
        return Arrays.copyOf(elements, count);
    }
}
