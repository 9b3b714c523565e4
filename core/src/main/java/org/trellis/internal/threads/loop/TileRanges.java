package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopRange;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.tile.TilePlan;

/**
 * The elements that tiles run in one loop, cut into ranges of consecutive elements, which are run as such, and lists of
 * the rest. Elements of one loop may run in any order.
 */
final class TileRanges {
    /** Consecutive elements that are worth a range of their own. */
    private static final int MIN_RANGE = 32;

    private final int[] elements;
    private final int[] pieceOffsets;
    private final int[] from;
    private final int[] to;
    private final boolean[] listed;
    private final RangeLoop ranges;
    private final RangeLoop lists;

    /**
     * Cuts lists.
     *
     * @param elements the elements of all tiles, rising within each
     * @param offsets  where each tile starts
     * @param ranges   runs consecutive elements
     * @param lists    runs listed ones
     */
    TileRanges(int[] elements, int[] offsets, RangeLoop ranges, RangeLoop lists) {
        this.elements = elements;
        this.ranges = ranges;
        this.lists = lists;
        this.pieceOffsets = new int[offsets.length];
        List<int[]> pieces = new ArrayList<>();
        for (int tile = 0; tile + 1 < offsets.length; tile++) {
            cut(offsets[tile], offsets[tile + 1], pieces);
            pieceOffsets[tile + 1] = pieces.size();
        }
        from = new int[pieces.size()];
        to = new int[pieces.size()];
        listed = new boolean[pieces.size()];
        for (int p = 0; p < from.length; p++) {
            from[p] = pieces.get(p)[0];
            to[p] = pieces.get(p)[1];
            listed[p] = pieces.get(p)[2] == 1;
        }
    }

    /**
     * Cuts the elements of a loop that count in what it reduces apart from the others.
     *
     * @param plan   the tiles
     * @param loop   the loop's place
     * @param ranges runs consecutive elements
     * @param lists  runs listed ones
     * @return those that count, and the others
     */
    static TileRanges[] parted(TilePlan plan, int loop, RangeLoop ranges, RangeLoop lists) {
        int[] offsets = plan.offsets(loop);
        int[] elements = plan.elements(loop);
        int[][] parts = new int[2][elements.length];
        int[][] starts = new int[2][offsets.length];
        for (int tile = 0; tile < plan.tiles(); tile++) {
            int end = plan.counted(loop, tile);
            starts[0][tile + 1] = starts[0][tile];
            starts[1][tile + 1] = starts[1][tile];
            for (int k = offsets[tile]; k < offsets[tile + 1]; k++) {
                int part = elements[k] < end ? 0 : 1;
                parts[part][starts[part][tile + 1]++] = elements[k];
            }
        }
        return new TileRanges[]{new TileRanges(parts[0], starts[0], ranges, lists),
            new TileRanges(parts[1], starts[1], ranges, lists)};
    }

    private void cut(int first, int end, List<int[]> pieces) {
        int open = first;
        int i = first;
        while (i < end) {
            int next = i + 1;
            while (next < end && elements[next] == elements[next - 1] + 1) {
                next++;
            }
            if (next - i >= MIN_RANGE) {
                if (open < i) {
                    pieces.add(new int[]{open, i, 1});
                }
                pieces.add(new int[]{elements[i], elements[next - 1] + 1, 0});
                open = next;
            }
            i = next;
        }
        if (open < end) {
            pieces.add(new int[]{open, end, 1});
        }
    }

    /** Runs a tile. */
    void run(int tile, LoopArguments arguments, LoopRange range) {
        for (int p = pieceOffsets[tile]; p < pieceOffsets[tile + 1]; p++) {
            if (listed[p]) {
                lists.run(arguments, range.elements(elements, from[p], to[p]));
            } else {
                ranges.run(arguments, range.elements(from[p], to[p]));
            }
        }
    }

    @Override
    public String toString() {
        return from.length + " pieces of " + Arrays.stream(pieceOffsets).skip(1).count() + " tiles";
    }
}
