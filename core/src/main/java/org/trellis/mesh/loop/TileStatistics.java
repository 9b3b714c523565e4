package org.trellis.mesh.loop;

/**
 * Figures of a chain of loops that runs in tiles.
 *
 * @param tiling    the kind of tiles
 * @param tileSize  elements of the set with most data that a tile was asked to have
 * @param tiles     tiles
 * @param levels    groups of tiles that run one after the other, each all at once
 * @param elements  elements of all loops together
 * @param executed  elements that all tiles run in all loops together
 * @param bytes     bytes that the loops move at least when each goes through its data on its own
 * @param tileBytes bytes that tiles move at least when each moves its data once
 * @param seconds   time that the plan took
 */
public record TileStatistics(Tiling tiling, int tileSize, int tiles, int levels, long elements, long executed,
        long bytes, long tileBytes, double seconds) {
    /**
     * Returns the part of the work that is done more than once.
     *
     * @return 0 for tiles without redundancy
     */
    public double redundancy() {
        return elements == 0 ? 0 : (double) executed / elements - 1;
    }

    /**
     * Returns how much less the tiles move.
     *
     * @return bytes, below zero if tiles move more
     */
    public long bytesSaved() {
        return bytes - tileBytes;
    }
}
