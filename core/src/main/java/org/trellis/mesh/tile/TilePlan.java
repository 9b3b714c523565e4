package org.trellis.mesh.tile;

import java.util.List;
import java.util.Objects;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;

/**
 * Which elements of which loop each tile runs. Tiles come in levels, each of which runs after the one before. Within a
 * level, tiles are in strands: those of a strand run one after the other, and strands may run at once.
 *
 * <p>Without redundancy, elements are those of the sets in their current numbering. With redundancy they are numbers
 * within the tile, {@link #copies} has what they stand for, and there is one level.
 *
 * <p>Arrays are not copied; they are not changed.
 */
public final class TilePlan {
    private final ChainAccess chain;
    private final int[][] elements;
    private final int[][] offsets;
    private final TileOrder order;
    private final List<TileCopies> copies;
    private final TileStatistics statistics;

    TilePlan(ChainAccess chain, int[][] elements, int[][] offsets, TileOrder order, List<TileCopies> copies,
            TileStatistics statistics) {
        this.chain = Objects.requireNonNull(chain);
        this.elements = elements;
        this.offsets = offsets;
        this.order = order;
        this.copies = List.copyOf(copies);
        this.statistics = Objects.requireNonNull(statistics);
    }

    /**
     * Returns the kind of tiles.
     *
     * @return with or without redundancy
     */
    public Tiling tiling() {
        return statistics.tiling();
    }

    /**
     * Returns the number of tiles.
     *
     * @return at least 1
     */
    public int tiles() {
        return statistics.tiles();
    }

    /**
     * Returns the number of loops.
     *
     * @return at least 1
     */
    public int loops() {
        return elements.length;
    }

    /**
     * Returns the elements that a loop runs, tile after tile, rising within each.
     *
     * @param loop the loop's place
     * @return the list that {@link #offsets} cuts
     */
    public int[] elements(int loop) {
        return elements[loop];
    }

    /**
     * Returns where each tile starts in {@link #elements}.
     *
     * @param loop the loop's place
     * @return one more than there are tiles
     */
    public int[] offsets(int loop) {
        return offsets[loop];
    }

    /**
     * Returns which of the elements that a tile runs in a loop count in what the loop reduces.
     *
     * @param loop the loop's place
     * @param tile the tile
     * @return the number, as in {@link #elements}, from which on elements do not count
     */
    public int counted(int loop, int tile) {
        ChainAccess.LoopAccess access = chain.loops().get(loop);
        if (copies.isEmpty()) {
            return access.counted();
        }
        TileCopies copy = copies.get(tile);
        int end = copy.own().get(access.set());
        int[] here = copy.elements().get(access.set());
        while (end > 0 && here[end - 1] >= access.counted()) {
            end--;
        }
        return end;
    }

    /**
     * Returns which tiles run after which.
     *
     * @return levels of strands of tiles
     */
    public TileOrder order() {
        return order;
    }

    /**
     * Returns what tiles with redundancy copy.
     *
     * @return one entry for each tile; none without redundancy
     */
    public List<TileCopies> copies() {
        return copies;
    }

    /**
     * Returns the figures.
     *
     * @return tiles, work, bytes
     */
    public TileStatistics statistics() {
        return statistics;
    }

    @Override
    public String toString() {
        return statistics.tiling().label() + " plan of " + loops() + " loops in " + tiles() + " tiles of "
                + order.levels()
                + " levels";
    }
}
