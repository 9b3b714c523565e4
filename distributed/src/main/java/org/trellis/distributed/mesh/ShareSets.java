package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.SetParts;

/**
 * Derives what a rank has of each set from rows that are spread over the ranks: the rings of {@link LocalSets}, found
 * by asking the homes of elements who leads to them and what they lead to. No rank has more of a set than what is at
 * home there and what it needs; every question is asked by all ranks at once.
 */
final class ShareSets {
    private final Mesh whole;
    private final Mesh mesh;
    private final Homes homes;
    private final int rings;
    private final Map<MeshMap, HomeRows> rows = new LinkedHashMap<>();
    private final HomeOwners owners;
    private final Map<MeshSet, ShareElements> elements = new LinkedHashMap<>();
    private final Map<MeshMap, ShareRows> ownRows = new LinkedHashMap<>();
    private final Map<MeshSet, LocalSet> sets = new LinkedHashMap<>();
    private final Map<MeshMap, MeshMap> maps = new LinkedHashMap<>();

    private ShareSets(Mesh whole, Mesh mesh, Homes homes, Division division, int rings) {
        this.whole = whole;
        this.mesh = mesh;
        this.homes = homes;
        this.rings = rings;
        for (MeshMap map : whole.maps()) {
            rows.put(map, HomeRows.of(map, homes));
        }
        owners = HomeOwners.of(whole, homes, division, rows);
    }

    /**
     * Divides a mesh and declares this rank's sets and maps. Called by all ranks.
     *
     * @param whole    the mesh, of which ranks have brought rows
     * @param mesh     an empty one for this rank
     * @param homes    where elements are at home
     * @param division how it is divided
     * @param rings    how many rings, at least 1
     * @return what this rank has
     * @throws IllegalArgumentException if an element was brought by no rank or by two, or the mesh cannot be divided
     */
    static LocalParts of(Mesh whole, Mesh mesh, Homes homes, Division division, int rings) {
        LocalSets.checkMaps(whole);
        ShareSets made = new ShareSets(whole, mesh, homes, division, rings);
        made.findElements();
        Map<MeshSet, int[]> places = new LinkedHashMap<>();
        whole.sets().forEach(set -> places.put(set, made.declare(set)));
        whole.maps().forEach(map -> made.declare(map, places.get(map.from()), places.get(map.to())));
        return new LocalParts(made.sets, made.maps, made.owners.firsts(), made.owners.edgeCut());
    }

    private void findElements() {
        for (MeshSet set : whole.sets()) {
            elements.put(set, new ShareElements(set.isReplicated()
                    ? IntStream.range(0, set.size()).toArray()
                    : owners.owned(set)));
        }
        Map<MeshMap, HomeInverse> inverses = new LinkedHashMap<>();
        for (MeshMap map : whole.maps()) {
            ownRows.put(map, new ShareRows(map));
            if (!map.to().isReplicated()) {
                inverses.put(map, HomeInverse.of(rows.get(map), homes));
            }
        }
        for (int ring = 1; ring <= rings; ring++) {
            int run = 2 * ring - 1;
            Map<MeshSet, Integer> before = sizes();
            for (MeshMap map : inverses.keySet()) {
                addLeading(map, inverses.get(map), before.get(map.to()), run);
            }
            Map<MeshSet, Integer> running = sizes();
            for (MeshMap map : whole.maps()) {
                fetchRows(map, running.get(map.from()));
                for (int target : ownRows.get(map).targetsSince()) {
                    elements.get(map.to()).add(target, run + 1);
                }
            }
        }
    }

    private Map<MeshSet, Integer> sizes() {
        Map<MeshSet, Integer> sizes = new LinkedHashMap<>();
        elements.forEach((set, here) -> sizes.put(set, here.size()));
        return sizes;
    }

    /** Adds what leads to elements that are here, but for those that have been asked for. */
    private void addLeading(MeshMap map, HomeInverse inverse, int end, int level) {
        ShareElements to = elements.get(map.to());
        HomeMail questions = new HomeMail(homes.communicator());
        for (int i = ownRows.get(map).asked(end); i < end; i++) {
            questions.to(homes.of(map.to(), to.element(i))).put(to.element(i));
        }
        HomeMail answers = new HomeMail(homes.communicator());
        Packet[] asked = questions.send();
        for (int rank = 0; rank < asked.length; rank++) {
            while (asked[rank].hasMore()) {
                int target = asked[rank].getInt();
                for (int p = inverse.start(target); p < inverse.start(target + 1); p++) {
                    answers.to(rank).put(inverse.element(p));
                }
            }
        }
        ShareElements from = elements.get(map.from());
        for (Packet answer : answers.send()) {
            while (answer.hasMore()) {
                from.add(answer.getInt(), level);
            }
        }
    }

    /** Fetches the rows of the first elements that are here, but for those that have been fetched. */
    private void fetchRows(MeshMap map, int end) {
        ShareElements from = elements.get(map.from());
        ShareRows own = ownRows.get(map);
        HomeRows here = rows.get(map);
        HomeMail questions = new HomeMail(homes.communicator());
        for (int i = own.count(); i < end; i++) {
            questions.to(homes.of(map.from(), from.element(i))).put(from.element(i));
        }
        Packet[] asked = questions.send();
        HomeMail answers = new HomeMail(homes.communicator());
        for (int rank = 0; rank < asked.length; rank++) {
            while (asked[rank].hasMore()) {
                here.write(asked[rank].getInt(), answers.to(rank));
            }
        }
        Packet[] back = answers.send();
        own.begin();
        for (int i = own.count(); i < end; i++) {
            own.read(back[homes.of(map.from(), from.element(i))]);
        }
    }

    // Declarations.

    /** Says which owned elements lead to something that is not. */
    private boolean[] boundary(MeshSet set) {
        int owned = elements.get(set).owned();
        boolean[] boundary = new boolean[owned];
        for (ShareRows own : ownRows.values()) {
            if (own.map().from() == set) {
                ShareElements to = elements.get(own.map().to());
                for (int row = 0; row < owned; row++) {
                    for (int p = own.start(row); p < own.start(row + 1); p++) {
                        boundary[row] |= to.place(own.target(p)) >= to.owned();
                    }
                }
            }
        }
        return boundary;
    }

    /** Declares a set; returns the place of each element in the order in which they were found. */
    private int[] declare(MeshSet set) {
        ShareElements here = elements.get(set);
        boolean[] boundary = boundary(set);
        int[] ends = new int[2 * rings + 2];
        long[] keys = new long[here.size()];
        for (int i = 0; i < keys.length; i++) {
            int level = here.level(i);
            int bucket = level == 0 ? boundary[i] ? 1 : 0 : level + 1;
            ends[bucket]++;
            keys[i] = (long) bucket << Integer.SIZE | here.element(i);
        }
        Arrays.parallelPrefix(ends, Integer::sum);
        Arrays.sort(keys);
        int[] users = new int[keys.length];
        int[] places = new int[keys.length];
        for (int place = 0; place < users.length; place++) {
            users[place] = (int) keys[place];
            places[here.place(users[place])] = place;
        }
        List<Integer> list = new ArrayList<>(Arrays.stream(ends).boxed().toList());
        SetParts parts = new SetParts(list.removeFirst(), list);
        int[] haloRanks = set.isReplicated()
                ? new int[0]
                : owners.ask(set, Arrays.copyOfRange(users, parts.owned(), users.length));
        sets.put(set, new LocalSet(mesh, set, parts, users, haloRanks));
        return places;
    }

    private void declare(MeshMap map, int[] fromPlaces, int[] toPlaces) {
        LocalSet from = sets.get(map.from());
        LocalSet to = sets.get(map.to());
        ShareElements targetsHere = elements.get(map.to());
        ShareRows own = ownRows.remove(map);
        int[] lengths = new int[from.set().withRows() + 1];
        for (int row = 0; row < own.count(); row++) {
            lengths[fromPlaces[row] + 1] = own.start(row + 1) - own.start(row);
        }
        Arrays.parallelPrefix(lengths, Integer::sum);
        int[] targets = new int[lengths[lengths.length - 1]];
        for (int row = 0; row < own.count(); row++) {
            int at = lengths[fromPlaces[row]];
            for (int p = own.start(row); p < own.start(row + 1); p++) {
                targets[at++] = toPlaces[targetsHere.place(own.target(p))];
            }
        }
        maps.put(map, map.arity() == MeshMap.VARIABLE
                ? mesh.map(map.name(), from.set(), to.set(), lengths, targets)
                : mesh.map(map.name(), from.set(), to.set(), map.arity(), targets));
    }
}
