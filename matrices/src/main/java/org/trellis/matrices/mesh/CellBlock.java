package org.trellis.matrices.mesh;

import java.util.Arrays;
import org.trellis.common.Checks;

/**
 * Cells of one shape and number of nodes. Corners come first; nodes of second order follow in the order of VTK (edges,
 * faces, inside); of higher order, in that of the file they were read from. The arrays are not copied and not to be
 * changed.
 *
 * @param shape        the shape
 * @param nodesPerCell nodes of a cell, at least {@link CellShape#leastNodes}
 * @param nodes        the points of all cells, one cell after another, counted from 0
 * @param numbers      the number of each cell in the mesh, increasing; this is what cell data go by
 */
public record CellBlock(CellShape shape, int nodesPerCell, int[] nodes, int[] numbers) {

    /**
     * Checks the lengths.
     *
     * @throws IllegalArgumentException if a cell has too few nodes or the arrays do not fit
     */
    public CellBlock {
        if (nodesPerCell < shape.leastNodes()) {
            throw new IllegalArgumentException("nodes per cell is " + nodesPerCell + ", expected at least "
                    + shape.leastNodes() + " for " + shape);
        }
        Checks.length("number of nodes of a block", nodes.length, (long) numbers.length * nodesPerCell);
    }

    /**
     * Returns the number of cells.
     *
     * @return at least 0
     */
    public int cells() {
        return numbers.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CellBlock that && shape == that.shape && nodesPerCell == that.nodesPerCell
                && Arrays.equals(nodes, that.nodes) && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return 31 * shape.hashCode() + Arrays.hashCode(nodes);
    }

    @Override
    public String toString() {
        return cells() + " cells of shape " + shape + " with " + nodesPerCell + " nodes";
    }
}
