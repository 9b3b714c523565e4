package org.trellis.matrices.mesh;

import java.util.List;

/** Where each cell of a mesh is, by its number: files list cells in this order, whatever their kind. */
final class CellOrder {
    private final List<CellBlock> blocks;
    private final int[] blockOf;
    private final int[] placeOf;

    CellOrder(MeshData mesh) {
        blocks = mesh.blocks();
        blockOf = new int[mesh.cellCount()];
        placeOf = new int[mesh.cellCount()];
        for (int b = 0; b < blocks.size(); b++) {
            int[] numbers = blocks.get(b).numbers();
            for (int i = 0; i < numbers.length; i++) {
                blockOf[numbers[i]] = b;
                placeOf[numbers[i]] = i;
            }
        }
    }

    int cells() {
        return blockOf.length;
    }

    CellBlock block(int number) {
        return blocks.get(blockOf[number]);
    }

    /** Returns where the nodes of a cell start in the array of its block. */
    int start(int number) {
        return placeOf[number] * block(number).nodesPerCell();
    }

    /** Returns how many nodes all cells have together. */
    long nodes() {
        return blocks.stream().mapToLong(block -> block.nodes().length).sum();
    }
}
