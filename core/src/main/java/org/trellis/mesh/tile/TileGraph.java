package org.trellis.mesh.tile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which tiles have something to do with each other. */
final class TileGraph {
    private final BitSet[] neighbours;
    /** The pair that was joined last, and probably is again. */
    private int last = -1;
    private int lastOther = -1;

    TileGraph(int tiles) {
        neighbours = new BitSet[tiles];
        Arrays.setAll(neighbours, tile -> new BitSet());
    }

    void join(int one, int other) {
        if (one != other && (one != last || other != lastOther)) {
            last = one;
            lastOther = other;
            neighbours[one].set(other);
            neighbours[other].set(one);
        }
    }

    /** Returns what a tile has to do with; not to be changed. */
    BitSet neighbours(int tile) {
        return neighbours[tile];
    }

    /** Sorts some tiles so that those without neighbours among them come first, and so on, colour by colour. */
    List<Integer> byColour(BitSet tiles) {
        int[] colours = new int[neighbours.length];
        List<Integer> sorted = new ArrayList<>();
        for (int tile = tiles.nextSetBit(0); tile >= 0; tile = tiles.nextSetBit(tile + 1)) {
            Set<Integer> taken = new HashSet<>();
            for (int earlier : sorted) {
                if (neighbours[tile].get(earlier)) {
                    taken.add(colours[earlier]);
                }
            }
            while (taken.contains(colours[tile])) {
                colours[tile]++;
            }
            sorted.add(tile);
        }
        sorted.sort(Comparator.comparingInt(tile -> colours[tile]));
        return sorted;
    }
}
