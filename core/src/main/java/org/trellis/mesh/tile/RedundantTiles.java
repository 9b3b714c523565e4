package org.trellis.mesh.tile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;

/**
 * Makes tiles with redundancy (thesis, section 6.2, algorithm 9): backwards over the loops, each tile runs the elements
 * that change what it depends on, and depends on what these read. Tiles share nothing while they run, so all may run at
 * once, each on one thread: colours within a tile, as the thesis has them for all threads on one tile, are not needed.
 */
final class RedundantTiles {
    private final ChainAccess chain;
    private final SeedPartition homes;
    private final Map<MeshSet, List<int[]>> ownElements = new HashMap<>();
    /** For each loop and each way of reaching what it writes, the elements that reach each target. */
    private final Map<Reach, int[][]> inverse = new HashMap<>();
    /** The number of the last tile that took an element on, for each set. */
    private final Map<MeshSet, int[]> places = new LinkedHashMap<>();

    private RedundantTiles(ChainAccess chain, SeedPartition homes) {
        this.chain = chain;
        this.homes = homes;
        for (MeshSet set : chain.sets()) {
            ownElements.put(set, groups(homes.of(set), homes.tiles()));
            int[] place = new int[set.size()];
            Arrays.fill(place, -1);
            places.put(set, place);
        }
        for (ChainAccess.LoopAccess loop : chain.loops()) {
            for (Reach reach : loop.reaches()) {
                if (reach.access() != Access.READ && reach.map() != null) {
                    inverse.computeIfAbsent(reach, r -> inverse(loop.set(), r));
                }
            }
        }
    }

    static TilePlan of(ChainAccess chain, int tileSize) {
        long start = System.nanoTime();
        return new RedundantTiles(chain, new SeedPartition(chain, tileSize, Grain.fine(chain))).plan(tileSize, start);
    }

    private static List<int[]> groups(int[] home, int count) {
        int[] sizes = new int[count];
        for (int tile : home) {
            sizes[tile]++;
        }
        List<int[]> groups = new ArrayList<>();
        for (int size : sizes) {
            groups.add(new int[size]);
        }
        Arrays.fill(sizes, 0);
        for (int e = 0; e < home.length; e++) {
            groups.get(home[e])[sizes[home[e]]++] = e;
        }
        return groups;
    }

    /** Returns offsets and elements: those that reach target t are at {@code [0][t]} to {@code [0][t + 1] - 1}. */
    private static int[][] inverse(MeshSet from, Reach reach) {
        int[] offsets = new int[reach.dat().set().size() + 1];
        for (int e = 0; e < from.withRows(); e++) {
            reach.visit(e, target -> offsets[target + 1]++);
        }
        for (int t = 0; t + 1 < offsets.length; t++) {
            offsets[t + 1] += offsets[t];
        }
        int[] next = offsets.clone();
        int[] elements = new int[offsets[offsets.length - 1]];
        for (int e = 0; e < from.withRows(); e++) {
            int element = e;
            reach.visit(e, target -> elements[next[target]++] = element);
        }
        return new int[][]{offsets, elements};
    }

    private TilePlan plan(int tileSize, long start) {
        int loops = chain.loops().size();
        int tiles = homes.tiles();
        int[][] offsets = new int[loops][tiles + 1];
        List<List<int[]>> lists = new ArrayList<>();
        for (int loop = 0; loop < loops; loop++) {
            lists.add(new ArrayList<>());
        }
        List<TileCopies> copies = new ArrayList<>();
        for (int tile = 0; tile < tiles; tile++) {
            Tile made = new Tile(tile);
            for (int loop = 0; loop < loops; loop++) {
                int[] list = made.executed[loop];
                lists.get(loop).add(list);
                offsets[loop][tile + 1] = offsets[loop][tile] + list.length;
            }
            copies.add(made.copies());
            made.leave();
        }
        int[][] elements = new int[loops][];
        long executed = 0;
        long all = 0;
        for (int loop = 0; loop < loops; loop++) {
            elements[loop] = new int[offsets[loop][tiles]];
            for (int tile = 0; tile < tiles; tile++) {
                int[] list = lists.get(loop).get(tile);
                System.arraycopy(list, 0, elements[loop], offsets[loop][tile], list.length);
            }
            executed += elements[loop].length;
            all += chain.loops().get(loop).end();
        }
        return new TilePlan(chain, elements, offsets, TileOrder.free(tiles), copies,
                new TileStatistics(Tiling.REDUNDANT,
                        tileSize, tiles, 1, all, executed, chain.bytesApart(), moved(copies),
                        (System.nanoTime() - start) * 1e-9));
    }

    /** Returns the bytes of copies in and out and of the tiles' own maps. */
    private long moved(List<TileCopies> copies) {
        long sum = 0;
        for (TileCopies copy : copies) {
            for (Map.Entry<Dat, Boolean> dat : chain.dats().entrySet()) {
                MeshSet set = dat.getKey().set();
                long in = chain.needsBefore(dat.getKey()) ? copy.elements().get(set).length : 0;
                long out = dat.getValue() ? copy.own().get(set) : 0;
                sum += (in + out) * dat.getKey().components() * dat.getKey().type().bytes();
            }
            for (TileCopies.LocalMap map : copy.maps().values()) {
                for (int[] column : map.columns()) {
                    sum += (long) column.length * Integer.BYTES;
                }
                sum += map.entries() == null ? 0 : (long) map.entries().length * Integer.BYTES;
            }
        }
        return sum;
    }

    /** One tile while its dependencies are found. */
    private final class Tile {
        private final Map<MeshSet, IntList> locals = new LinkedHashMap<>();
        private final Map<MeshSet, Integer> own = new HashMap<>();
        private final int[][] executed = new int[chain.loops().size()][];

        /** Finds what the tile runs, from the last loop to the first. */
        Tile(int tile) {
            places.forEach((set, place) -> {
                IntList list = new IntList();
                for (int e : ownElements.get(set).get(tile)) {
                    place[e] = list.size();
                    list.add(e);
                }
                locals.put(set, list);
                own.put(set, list.size());
            });
            for (int loop = executed.length - 1; loop >= 0; loop--) {
                executed[loop] = run(chain.loops().get(loop));
            }
        }

        private void depend(MeshSet set, int element) {
            int[] place = places.get(set);
            if (place[element] < 0) {
                place[element] = locals.get(set).size();
                locals.get(set).add(element);
            }
        }

        /** Lists the elements that change what the tile depends on, and lets it depend on what they read. */
        private int[] run(ChainAccess.LoopAccess loop) {
            IntList found = new IntList();
            BitSet known = new BitSet();
            for (int i = 0; loop.reduces() && i < own.get(loop.set()); i++) {
                int e = locals.get(loop.set()).get(i);
                if (e < loop.counted()) {
                    known.set(e);
                    found.add(e);
                }
            }
            for (Reach reach : loop.reaches()) {
                if (reach.access() == Access.READ) {
                    continue;
                }
                IntList targets = locals.get(reach.dat().set());
                for (int i = 0; i < targets.size(); i++) {
                    collect(reach, targets.get(i), loop.end(), known, found);
                }
            }
            int[] elements = found.toArray();
            for (int e : elements) {
                depend(loop.set(), e);
                for (Reach reach : loop.reaches()) {
                    if (reach.access() != Access.WRITE || reach.map() != null) {
                        reach.visit(e, target -> depend(reach.dat().set(), target));
                    }
                }
            }
            int[] place = places.get(loop.set());
            Arrays.setAll(elements, i -> place[elements[i]]);
            Arrays.sort(elements);
            return elements;
        }

        private void collect(Reach reach, int target, int end, BitSet known, IntList found) {
            if (reach.map() == null) {
                if (target < end && !known.get(target)) {
                    known.set(target);
                    found.add(target);
                }
                return;
            }
            int[][] back = inverse.get(reach);
            for (int k = back[0][target]; k < back[0][target + 1]; k++) {
                int e = back[1][k];
                if (e < end && !known.get(e)) {
                    known.set(e);
                    found.add(e);
                }
            }
        }

        TileCopies copies() {
            Map<MeshSet, int[]> elements = new HashMap<>();
            locals.forEach((set, list) -> elements.put(set, list.toArray()));
            Map<MeshMap, TileCopies.LocalMap> maps = new HashMap<>();
            for (ChainAccess.LoopAccess loop : chain.loops()) {
                for (Reach reach : loop.reaches()) {
                    if (reach.map() != null) {
                        maps.computeIfAbsent(reach.map(), map -> local(map, elements.get(map.from())));
                    }
                }
            }
            return new TileCopies(elements, own, maps);
        }

        private TileCopies.LocalMap local(MeshMap map, int[] elements) {
            int[] place = places.get(map.to());
            int rows = map.from().withRows();
            if (map.arity() != MeshMap.VARIABLE) {
                int[][] columns = new int[map.arity()][elements.length];
                for (int k = 0; k < columns.length; k++) {
                    int[] column = map.column(k);
                    for (int e = 0; e < elements.length; e++) {
                        columns[k][e] = elements[e] < rows ? Math.max(0, place[column[elements[e]]]) : 0;
                    }
                }
                return new TileCopies.LocalMap(columns, null, null);
            }
            int[] offsets = new int[elements.length + 1];
            IntList entries = new IntList();
            for (int e = 0; e < elements.length; e++) {
                int end = elements[e] < rows ? map.offsets()[elements[e] + 1] : 0;
                for (int k = end == 0 ? 0 : map.offsets()[elements[e]]; k < end; k++) {
                    entries.add(Math.max(0, place[map.entries()[k]]));
                }
                offsets[e + 1] = entries.size();
            }
            return new TileCopies.LocalMap(new int[0][], offsets, entries.toArray());
        }

        /** Forgets the places, for the next tile. */
        void leave() {
            locals.forEach((set, list) -> {
                int[] place = places.get(set);
                for (int i = 0; i < list.size(); i++) {
                    place[list.get(i)] = -1;
                }
            });
        }
    }
}
