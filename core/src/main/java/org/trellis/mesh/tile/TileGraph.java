package org.trellis.mesh.tile;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
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

    /**
     * Numbers tiles so that neighbours have different colours and tiles of one colour follow each other: those of the
     * first colour can all run before those of the second.
     *
     * @return the new number of each tile
     */
    int[] numbersByColour() {
        int[] colours = new int[neighbours.length];
        int most = 0;
        for (int tile = 0; tile < colours.length; tile++) {
            Set<Integer> taken = new HashSet<>();
            for (int other = neighbours[tile].nextSetBit(0); other >= 0 && other < tile; other = neighbours[tile]
                    .nextSetBit(other + 1)) {
                taken.add(colours[other]);
            }
            while (taken.contains(colours[tile])) {
                colours[tile]++;
            }
            most = Math.max(most, colours[tile]);
        }
        int[] numbers = new int[colours.length];
        int next = 0;
        for (int colour = 0; colour <= most; colour++) {
            for (int tile = 0; tile < colours.length; tile++) {
                if (colours[tile] == colour) {
                    numbers[tile] = next++;
                }
            }
        }
        return numbers;
    }

    /** Returns for each tile how many neighbours with lower numbers have to run before it, one after the other. */
    int[] levels() {
        int[] levels = new int[neighbours.length];
        for (int tile = 0; tile < levels.length; tile++) {
            for (int other = neighbours[tile].nextSetBit(0); other >= 0 && other < tile; other = neighbours[tile]
                    .nextSetBit(other + 1)) {
                levels[tile] = Math.max(levels[tile], levels[other] + 1);
            }
        }
        return levels;
    }
}
