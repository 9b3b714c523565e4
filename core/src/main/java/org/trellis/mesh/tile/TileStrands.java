package org.trellis.mesh.tile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Orders tiles of consecutive elements for some threads. A strand is a row of consecutive tiles, which one thread runs
 * one after the other: each finds in the cache what the one before has left at their border, and however narrow tiles
 * are, they only lean over. Tiles of a strand that touch a later strand are borders: they run when all strands are
 * done, and grow at the expense of the tiles on both sides.
 */
final class TileStrands {
    private static final int BORDER = -1;

    private final int[] numbers;
    /** The strand of each tile, by its new number. */
    private final int[] strandOf;
    private final int strands;

    /**
     * Orders tiles.
     *
     * @param adjacent tiles that touch, by their place in the set
     * @param tiles    how many there are
     * @param wanted   strands, at least 1
     */
    TileStrands(TileGraph adjacent, int tiles, int wanted) {
        strands = Math.max(1, Math.min(wanted, tiles / 2));
        numbers = new int[tiles];
        strandOf = new int[tiles];
        int[] planned = new int[tiles];
        Arrays.setAll(planned, tile -> (int) ((long) tile * strands / tiles));
        BitSet borders = new BitSet();
        for (int tile = 0; tile < tiles; tile++) {
            int own = planned[tile];
            borders.set(tile, adjacent.neighbours(tile).stream().anyMatch(other -> planned[other] > own));
        }
        int next = 0;
        for (int tile = 0; tile < tiles; tile++) {
            if (!borders.get(tile)) {
                strandOf[next] = planned[tile];
                numbers[tile] = next++;
            }
        }
        for (int tile : adjacent.byColour(borders)) {
            strandOf[next] = BORDER;
            numbers[tile] = next++;
        }
    }

    /** Returns the new number of each tile: of tiles that touch, the one with the lower number runs first. */
    int[] numbers() {
        return numbers;
    }

    /**
     * Finds what can run at once.
     *
     * @param conflicts tiles, by their new numbers, that touch the same value which one of them writes; strands with
     *                  such tiles become one
     * @return the order
     */
    TileOrder order(TileGraph conflicts) {
        int[] root = new int[strands];
        Arrays.setAll(root, strand -> strand);
        int[] levels = new int[strandOf.length];
        int most = 0;
        for (int tile = 0; tile < strandOf.length; tile++) {
            BitSet others = conflicts.neighbours(tile);
            for (int other = others.nextSetBit(0); other >= 0 && other < tile; other = others.nextSetBit(other + 1)) {
                if (strandOf[tile] == BORDER) {
                    levels[tile] = Math.max(levels[tile], levels[other] + 1);
                } else {
                    root[find(root, strandOf[tile])] = find(root, strandOf[other]);
                }
            }
            levels[tile] = strandOf[tile] == BORDER ? Math.max(1, levels[tile]) : 0;
            most = Math.max(most, levels[tile]);
        }
        return collect(root, levels, most);
    }

    private static int find(int[] root, int strand) {
        int found = strand;
        while (root[found] != found) {
            found = root[found];
        }
        return found;
    }

    private TileOrder collect(int[] root, int[] levels, int most) {
        List<IntList> found = new ArrayList<>();
        List<Integer> starts = new ArrayList<>(List.of(0));
        IntList[] merged = new IntList[strands];
        for (int tile = 0; tile < levels.length; tile++) {
            if (levels[tile] == 0) {
                int strand = find(root, strandOf[tile]);
                if (merged[strand] == null) {
                    merged[strand] = new IntList();
                    found.add(merged[strand]);
                }
                merged[strand].add(tile);
            }
        }
        starts.add(found.size());
        for (int level = 1; level <= most; level++) {
            for (int tile = 0; tile < levels.length; tile++) {
                if (levels[tile] == level) {
                    IntList alone = new IntList();
                    alone.add(tile);
                    found.add(alone);
                }
            }
            starts.add(found.size());
        }
        int[] offsets = new int[found.size() + 1];
        int[] tiles = new int[levels.length];
        for (int strand = 0; strand < found.size(); strand++) {
            int[] own = found.get(strand).toArray();
            System.arraycopy(own, 0, tiles, offsets[strand], own.length);
            offsets[strand + 1] = offsets[strand] + own.length;
        }
        return new TileOrder(starts.stream().mapToInt(Integer::intValue).toArray(), offsets, tiles);
    }
}
