package org.trellis.matrices.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers cells in the order of a file into blocks of one shape and number of nodes. */
final class CellCollector {
    private final Map<Kind, Growing> blocks = new LinkedHashMap<>();
    private Kind lastKind;
    private Growing last;
    private int count;

    /** What the cells of a block have in common. */
    private record Kind(CellShape shape, int nodes) {}

    /** The cells of one block so far. */
    private static final class Growing {
        private int[] nodes = new int[64];
        private int[] numbers = new int[16];
        private int cells;
    }

    /** Adds a cell; returns its number. The nodes are copied. */
    int add(CellShape shape, int[] nodes, int from, int to) {
        int length = to - from;
        if (lastKind == null || lastKind.shape != shape || lastKind.nodes != length) {
            lastKind = new Kind(shape, length);
            last = blocks.computeIfAbsent(lastKind, kind -> new Growing());
        }
        if (last.cells == last.numbers.length) {
            last.numbers = Arrays.copyOf(last.numbers, 2 * last.cells);
        }
        int end = (last.cells + 1) * length;
        if (end > last.nodes.length) {
            last.nodes = Arrays.copyOf(last.nodes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, 2L * end)));
        }
        System.arraycopy(nodes, from, last.nodes, end - length, length);
        last.numbers[last.cells++] = count;
        return count++;
    }

    int count() {
        return count;
    }

    /** Whether there are cells of a shape so far. */
    boolean has(CellShape shape) {
        return blocks.keySet().stream().anyMatch(kind -> kind.shape == shape);
    }

    List<CellBlock> blocks() {
        List<CellBlock> result = new ArrayList<>();
        blocks.forEach((kind, cells) -> result.add(new CellBlock(kind.shape, kind.nodes,
                Arrays.copyOf(cells.nodes, cells.cells * kind.nodes), Arrays.copyOf(cells.numbers, cells.cells))));
        return result;
    }
}
