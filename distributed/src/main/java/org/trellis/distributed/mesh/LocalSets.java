package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.SetParts;

/**
 * Derives what a rank has of each set, and declares its sets and maps. Ring k is made of two steps: elements that lead
 * to what is there so far are run, and what they lead to is read. That is, with D₀ the owned elements, E_k = D_{k−1}
 * and everything with a target in D_{k−1}; D_k = E_k and all targets of E_k. A loop over E_k then finds all its targets
 * in D_k, and what it adds to D_{k−1} is complete.
 *
 * <p>Rings are found by asking the homes of elements who leads to them and what they lead to. If rows are spread over
 * the ranks, no rank has more of a set than what is at home there and what it needs, and every question is asked by all
 * ranks at once; if every rank has the whole mesh, it asks itself.
 */
final class LocalSets {
    /** The most rings, so that levels fit into bytes. */
    static final int MOST_RINGS = 60;

    private final Mesh whole;
    private final Mesh mesh;
    private final Directory homes;
    private final int rings;
    private final Map<MeshMap, DirectoryRows> rows = new LinkedHashMap<>();
    private final DirectoryOwners owners;
    private final Map<MeshSet, LocalElements> elements = new LinkedHashMap<>();
    private final Map<MeshMap, LocalMapRows> ownRows = new LinkedHashMap<>();
    private final Map<MeshSet, LocalSet> sets = new LinkedHashMap<>();
    private final Map<MeshMap, MeshMap> maps = new LinkedHashMap<>();

    private LocalSets(Mesh whole, Mesh mesh, Directory homes, Division division, int rings) {
        this.whole = whole;
        this.mesh = mesh;
        this.homes = homes;
        this.rings = rings;
        for (MeshMap map : whole.maps()) {
            rows.put(map, DirectoryRows.of(map, homes));
        }
        owners = DirectoryOwners.of(whole, homes, division, rows);
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
    static LocalParts of(Mesh whole, Mesh mesh, Directory homes, Division division, int rings) {
        checkMaps(whole);
        LocalSets made = new LocalSets(whole, mesh, homes, division, rings);
        made.findElements();
        Map<MeshSet, int[]> places = new LinkedHashMap<>();
        whole.sets().forEach(set -> places.put(set, made.declare(set)));
        whole.maps().forEach(map -> made.declare(map, places.get(map.from()), places.get(map.to())));
        return new LocalParts(made.sets, made.maps, made.owners.firsts(), made.owners.edgeCut());
    }

    private static void checkMaps(Mesh whole) {
        for (MeshMap map : whole.maps()) {
            if (map.from().isReplicated() && !map.to().isReplicated()) {
                throw new IllegalArgumentException(map + " leads from a set that every rank has to one that is divided "
                        + "over ranks, expected no such map");
            }
        }
    }

    private void findElements() {
        Map<MeshSet, int[][]> leading = new LinkedHashMap<>();
        for (MeshSet set : whole.sets()) {
            whole.maps().stream().filter(map -> map.from() == set)
                    .forEach(map -> ownRows.put(map, new LocalMapRows(map)));
            elements.put(set, new LocalElements(deal(set, owned(set))));
            leading.put(set, leading(set));
        }
        leading.forEach((set, lists) -> {
            for (int element : deal(set, lists)) {
                elements.get(set).add(element, 1);
            }
        });
        numberTargets(2);
        Map<MeshMap, DirectoryInverse> inverses = new LinkedHashMap<>();
        for (int ring = 2; ring <= rings; ring++) {
            int run = 2 * ring - 1;
            Map<MeshSet, Integer> before = sizes();
            for (MeshMap map : whole.maps()) {
                if (!map.to().isReplicated()) {
                    DirectoryInverse inverse =
                            ring == 2 ? DirectoryInverse.of(rows.get(map), homes) : inverses.get(map);
                    inverses.put(map, inverse);
                    addLeading(map, inverse, before.get(map.to()), run);
                }
            }
            Map<MeshSet, Integer> running = sizes();
            whole.maps().forEach(map -> fetchRows(map, running.get(map.from())));
            numberTargets(run + 1);
        }
    }

    private void numberTargets(int level) {
        ownRows.forEach((map, own) -> own.number(elements.get(map.to()), level));
    }

    /** The elements of a set that are at home here, by their owners; all for each rank if all have the set. */
    private int[][] owned(MeshSet set) {
        int first = homes.first(set);
        int[][] lists = new int[homes.ranks()][];
        if (set.isReplicated()) {
            Arrays.setAll(lists, rank -> homes.serves(rank)
                    ? IntStream.range(first, homes.end(set)).toArray()
                    : new int[0]);
            return lists;
        }
        int[] here = owners.of(set);
        int[] counts = new int[lists.length];
        for (int owner : here) {
            counts[owner]++;
        }
        Arrays.setAll(lists, rank -> new int[homes.serves(rank) ? counts[rank] : 0]);
        Arrays.fill(counts, 0);
        for (int row = 0; row < here.length; row++) {
            if (homes.serves(here[row])) {
                lists[here[row]][counts[here[row]]++] = first + row;
            }
        }
        return lists;
    }

    /**
     * The elements of a set that are at home here and lead to what another rank owns than their own owner, by that
     * rank. Since homes know the owners of targets, nothing has to be asked who leads to what a rank owns.
     */
    private int[][] leading(MeshSet set) {
        IntAllToAll found = new IntAllToAll(homes);
        for (DirectoryRows here : rows.values()) {
            MeshMap map = here.map();
            if (map.from() == set && !map.to().isReplicated()) {
                int[] owner = owners.of(set);
                int[] of = owners.ask(map.to(), here.targets());
                for (int row = 0; row < owner.length; row++) {
                    for (int p = here.start(row); p < here.start(row + 1); p++) {
                        if (of[p] != owner[row] && homes.serves(of[p])) {
                            found.put(of[p], here.element(row));
                        }
                    }
                }
            }
        }
        int[][] lists = new int[homes.ranks()][];
        Arrays.setAll(lists, rank -> Arrays.stream(found.written(rank)).sorted().distinct().toArray());
        return lists;
    }

    /**
     * Gives elements to ranks, with their rows of all maps. Called by all ranks.
     *
     * @param lists what each rank gets of what is at home here
     * @return the elements that this rank gets, whose rows are read
     */
    private int[] deal(MeshSet set, int[]... lists) {
        List<MeshMap> maps = whole.maps().stream().filter(map -> map.from() == set).toList();
        IntAllToAll mail = new IntAllToAll(homes);
        for (int rank = 0; rank < lists.length; rank++) {
            if (!homes.serves(rank)) {
                continue;
            }
            mail.put(rank, lists[rank].length);
            mail.put(rank, lists[rank], 0, lists[rank].length);
            for (MeshMap map : maps) {
                rows.get(map).write(lists[rank], mail, rank);
            }
            lists[rank] = null;
        }
        int[][] received = mail.send();
        received = Arrays.stream(received).filter(message -> message.length > 0).toArray(int[][]::new);
        int[] got = new int[Arrays.stream(received).mapToInt(message -> message[0]).sum()];
        int[] at = new int[received.length];
        int end = 0;
        for (int rank = 0; rank < received.length; rank++) {
            System.arraycopy(received[rank], 1, got, end, received[rank][0]);
            end += received[rank][0];
            at[rank] = 1 + received[rank][0];
        }
        for (MeshMap map : maps) {
            ownRows.get(map).expect(got.length);
            for (int rank = 0; rank < received.length; rank++) {
                at[rank] = ownRows.get(map).read(received[rank], at[rank], received[rank][0]);
            }
        }
        return got;
    }

    private Map<MeshSet, Integer> sizes() {
        Map<MeshSet, Integer> sizes = new LinkedHashMap<>();
        elements.forEach((set, here) -> sizes.put(set, here.size()));
        return sizes;
    }

    /** Adds what leads to elements that are here, but for those that have been asked for. */
    private void addLeading(MeshMap map, DirectoryInverse inverse, int end, int level) {
        LocalElements to = elements.get(map.to());
        // What leads to owned elements is known since the first ring.
        int from = Math.max(to.owned(), ownRows.get(map).asked(end));
        int[] asked = IntStream.range(from, end).map(to::element).toArray();
        IntAllToAll answers = new IntAllToAll(homes);
        int[][] questions = homes.exchange(homes.byHome(map.to(), asked));
        for (int rank = 0; rank < questions.length; rank++) {
            for (int target : questions[rank]) {
                for (int p = inverse.start(target); p < inverse.start(target + 1); p++) {
                    answers.put(rank, inverse.element(p));
                }
            }
        }
        LocalElements leading = elements.get(map.from());
        for (int[] answer : answers.send()) {
            for (int element : answer) {
                leading.add(element, level);
            }
        }
    }

    /** Fetches the rows of the first elements that are here, but for those that have been fetched. */
    private void fetchRows(MeshMap map, int end) {
        LocalElements from = elements.get(map.from());
        LocalMapRows own = ownRows.get(map);
        int[] wanted = IntStream.range(own.count(), end).map(from::element).toArray();
        int[][] questions =
                homes.exchange(homes.byHome(map.from(), wanted));
        IntAllToAll answers = new IntAllToAll(homes);
        for (int rank = 0; rank < questions.length; rank++) {
            rows.get(map).write(questions[rank], answers, rank);
        }
        int[][] back = answers.send();
        int[] at = new int[back.length];
        Directory.Finder finder = homes.finder(map.from());
        for (int element : wanted) {
            int home = finder.of(element);
            at[home] = own.read(back[home], at[home], 1);
        }
    }

    // Declarations.

    /** Says which owned elements lead to something that is not. */
    private boolean[] boundary(MeshSet set) {
        int owned = elements.get(set).owned();
        boolean[] boundary = new boolean[owned];
        for (LocalMapRows own : ownRows.values()) {
            if (own.map().from() == set) {
                int others = elements.get(own.map().to()).owned();
                for (int row = 0; row < owned; row++) {
                    for (int p = own.start(row); p < own.start(row + 1); p++) {
                        boundary[row] |= own.target(p) >= others;
                    }
                }
            }
        }
        return boundary;
    }

    /** Declares a set; returns the place of each element in the order in which they were found. */
    private int[] declare(MeshSet set) {
        LocalElements here = elements.get(set);
        int[] order = halosInOrder(here);
        boolean[] boundary = boundary(set);
        int[] ends = new int[2 * rings + 2];
        for (int i = 0; i < order.length; i++) {
            ends[bucket(here, boundary, i)]++;
        }
        int[] next = new int[ends.length];
        for (int bucket = 1; bucket < ends.length; bucket++) {
            next[bucket] = next[bucket - 1] + ends[bucket - 1];
        }
        Directory.accumulate(ends);
        int[] users = new int[order.length];
        int[] places = new int[order.length];
        for (int i : order) {
            int place = next[bucket(here, boundary, i)]++;
            users[place] = here.element(i);
            places[i] = place;
        }
        List<Integer> list = new ArrayList<>(Arrays.stream(ends).boxed().toList());
        SetParts parts = new SetParts(list.removeFirst(), list);
        int[] haloRanks = set.isReplicated()
                ? new int[0]
                : owners.ask(set, Arrays.copyOfRange(users, parts.owned(), users.length));
        sets.put(set, new LocalSet(mesh, set, parts, users, haloRanks));
        return places;
    }

    private static int bucket(LocalElements here, boolean[] boundary, int i) {
        int level = here.level(i);
        return level == 0 ? boundary[i] ? 1 : 0 : level + 1;
    }

    /** All elements: owned ones, which are in the user's order already, and others in that order. */
    private static int[] halosInOrder(LocalElements here) {
        long[] keys = new long[here.size() - here.owned()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (long) here.element(here.owned() + i) << Integer.SIZE | (here.owned() + i);
        }
        Arrays.sort(keys);
        int[] order = new int[here.size()];
        Arrays.setAll(order, i -> i < here.owned() ? i : (int) keys[i - here.owned()]);
        return order;
    }

    private void declare(MeshMap map, int[] fromPlaces, int[] toPlaces) {
        LocalSet from = sets.get(map.from());
        LocalSet to = sets.get(map.to());
        LocalMapRows own = ownRows.remove(map);
        int[] lengths = new int[from.set().withRows() + 1];
        for (int row = 0; row < own.count(); row++) {
            lengths[fromPlaces[row] + 1] = own.start(row + 1) - own.start(row);
        }
        Directory.accumulate(lengths);
        int[] targets = new int[lengths[lengths.length - 1]];
        for (int row = 0; row < own.count(); row++) {
            int at = lengths[fromPlaces[row]];
            for (int p = own.start(row); p < own.start(row + 1); p++) {
                targets[at++] = toPlaces[own.target(p)];
            }
        }
        maps.put(map, map.arity() == MeshMap.VARIABLE
                ? mesh.map(map.name(), from.set(), to.set(), lengths, targets)
                : mesh.map(map.name(), from.set(), to.set(), map.arity(), targets));
    }
}
