package org.trellis.mesh.tile;

import java.util.Objects;

/**
 * Which tiles run after which: levels one after the other, the strands of a level at once, the tiles of a strand one
 * after the other. Arrays are not copied; they are not changed.
 *
 * @param levelOffsets  where each level starts among the strands, and their number
 * @param strandOffsets where each strand starts in {@code tiles}, and their number
 * @param tiles         every tile once, in an order in which they could also all run one after the other
 */
public record TileOrder(int[] levelOffsets, int[] strandOffsets, int[] tiles) {
    /** Checks that there is something. */
    public TileOrder {
        Objects.requireNonNull(levelOffsets);
        Objects.requireNonNull(strandOffsets);
        Objects.requireNonNull(tiles);
    }

    /**
     * Returns the number of levels.
     *
     * @return at least 1
     */
    public int levels() {
        return levelOffsets.length - 1;
    }

    /** Returns an order in which all tiles may run at once. */
    static TileOrder free(int tiles) {
        int[] all = new int[tiles];
        int[] offsets = new int[tiles + 1];
        for (int tile = 0; tile < tiles; tile++) {
            all[tile] = tile;
            offsets[tile + 1] = tile + 1;
        }
        return new TileOrder(new int[]{0, tiles}, offsets, all);
    }
}
