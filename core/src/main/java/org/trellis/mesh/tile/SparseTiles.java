package org.trellis.mesh.tile;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;

/**
 * Makes tiles without redundancy. Tiles have an order; each element of each loop goes to the first tile, from its place
 * in the partition on, that does not come before those of earlier loops which it must not overtake: a reader those of
 * writers, a writer those of readers and writers of the same value. So the first tiles shrink from loop to loop, and
 * the last ones grow. Which tiles can run at once is found afterwards, from what they touch.
 *
 * <p>What is assigned are groups of elements ({@link Grain}). Costs a pass over each map, some over the links of groups
 * for each loop, and two numbers for each group of a set and dat that is written.
 */
final class SparseTiles {
    private final ChainAccess chain;
    private final Grain grain;
    private final SeedPartition homes;
    private final int tiles;
    private final Map<Dat, int[]> readers = new HashMap<>();
    private final Map<Dat, int[]> writers = new HashMap<>();

    private SparseTiles(ChainAccess chain, Grain grain, SeedPartition homes) {
        this.chain = chain;
        this.grain = grain;
        this.homes = homes;
        this.tiles = homes.tiles();
        chain.dats().forEach((dat, written) -> {
            if (written) {
                readers.put(dat, new int[grain.size(dat.set())]);
                writers.put(dat, new int[grain.size(dat.set())]);
            }
        });
    }

    /**
     * Makes a plan.
     *
     * @param chain    the chain
     * @param tileSize elements of a tile
     * @param strands  rows of tiles that are to run at once
     */
    static TilePlan of(ChainAccess chain, int tileSize, int strands) {
        return of(chain, tileSize, strands, System.nanoTime(), Grain.of(chain, tileSize));
    }

    /** Makes a plan of few large tiles, which run one after the other. */
    static TilePlan chunks(ChainAccess chain, int tileSize) {
        return of(chain, tileSize, 1, System.nanoTime(), Grain.coarse(chain, tileSize));
    }

    private static TilePlan of(ChainAccess chain, int tileSize, int strands, long start, Grain grain) {
        SeedPartition homes = new SeedPartition(chain, tileSize, grain);
        TileStrands ordered = new TileStrands(adjacent(chain, grain, homes), homes.tiles(), strands);
        homes.renumber(ordered.numbers());
        return new SparseTiles(chain, grain, homes).plan(tileSize, ordered, start);
    }

    /** Finds tiles that a group of elements and its targets are in. */
    private static TileGraph adjacent(ChainAccess chain, Grain grain, SeedPartition homes) {
        TileGraph graph = new TileGraph(homes.tiles());
        Set<List<Object>> done = new HashSet<>();
        for (ChainAccess.LoopAccess loop : chain.loops()) {
            for (Reach reach : loop.reaches()) {
                if (reach.map() != null && done.add(List.of(reach.map(), reach.entry()))) {
                    grain.links(reach).join(graph, homes.of(loop.set()), homes.of(reach.dat().set()));
                }
            }
        }
        return graph;
    }

    private TilePlan plan(int tileSize, TileStrands strands, long start) {
        int loops = chain.loops().size();
        int[][] assigned = new int[loops][];
        for (int loop = 0; loop < loops; loop++) {
            assigned[loop] = assign(chain.loops().get(loop));
        }
        TileOrder order = strands.order(conflicts(assigned));
        int[][] elements = new int[loops][];
        int[][] offsets = new int[loops][];
        long executed = 0;
        for (int loop = 0; loop < loops; loop++) {
            offsets[loop] = new int[tiles + 1];
            int[] groups = sorted(assigned[loop], offsets[loop]);
            ChainAccess.LoopAccess access = chain.loops().get(loop);
            elements[loop] = grain.elements(access.set(), access.end(), groups, offsets[loop]);
            executed += elements[loop].length;
        }
        return new TilePlan(chain, elements, offsets, order, List.of(),
                new TileStatistics(Tiling.SPARSE, tileSize, tiles, order.levels(), executed, executed,
                        chain.bytesApart(), chain.bytesTogether(), (System.nanoTime() - start) * 1e-9));
    }

    private int[] assign(ChainAccess.LoopAccess loop) {
        int[] tile = Arrays.copyOf(homes.of(loop.set()), grain.size(loop.set(), loop.end()));
        for (Reach reach : loop.reaches()) {
            if (writers.containsKey(reach.dat())) {
                grain.links(reach).raise(tile, writers.get(reach.dat()));
                if (reach.access() != Access.READ) {
                    grain.links(reach).raise(tile, readers.get(reach.dat()));
                }
            }
        }
        for (Reach reach : loop.reaches()) {
            if (writers.containsKey(reach.dat())) {
                grain.links(reach).spread(tile,
                        (reach.access() == Access.READ ? readers : writers).get(reach.dat()));
            }
        }
        return tile;
    }

    /** Sorts 0, 1, … by what they are assigned to, and fills in where each group starts. */
    private static int[] sorted(int[] groups, int[] offsets) {
        for (int group : groups) {
            offsets[group + 1]++;
        }
        for (int group = 0; group + 1 < offsets.length; group++) {
            offsets[group + 1] += offsets[group];
        }
        int[] next = offsets.clone();
        int[] order = new int[groups.length];
        for (int i = 0; i < groups.length; i++) {
            order[next[groups[i]]++] = i;
        }
        return order;
    }

    /** Finds tiles that touch the same value, of which one writes it. */
    private TileGraph conflicts(int[]... assigned) {
        TileGraph graph = new TileGraph(tiles);
        for (Dat dat : writers.keySet()) {
            SharedValues sharers = new SharedValues(grain.size(dat.set()));
            visit(dat, sharers, true, assigned);
            sharers.counted();
            visit(dat, sharers, false, assigned);
            sharers.join(graph);
        }
        return graph;
    }

    private void visit(Dat dat, SharedValues sharers, boolean first, int[]... assigned) {
        for (int loop = 0; loop < assigned.length; loop++) {
            for (Reach reach : chain.loops().get(loop).reaches()) {
                boolean same = reach.dat().equals(dat);
                if (same && first) {
                    grain.links(reach).count(sharers, assigned[loop]);
                } else if (same) {
                    grain.links(reach).touch(sharers, assigned[loop], reach.access() != Access.READ);
                }
            }
        }
    }
}
