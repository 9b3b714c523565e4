package org.trellis.matrices.mesh;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.trellis.common.Checks;

/**
 * A mesh as files hold it: points, cells in blocks of one kind each, and named numbers on both. The arrays are not
 * copied
 * and not to be changed.
 *
 * @param dimensions coordinates of a point, 1 to 3
 * @param points     the coordinates of all points
 * @param blocks     the cells; no two blocks have the same shape and number of nodes, and their cells are numbered from
 *                   0 without gaps in the order of the file
 * @param pointData  arrays with a value for each point
 * @param cellData   arrays with a value for each cell
 * @param groups     names of tags
 */
public record MeshData(int dimensions, double[] points, List<CellBlock> blocks, List<DataArray> pointData,
        List<DataArray> cellData, List<CellGroup> groups) {
    /** The cell data array of the tags that {@link CellGroup} names. */
    public static final String PHYSICAL = "physical";

    /** The cell data array of the tags of geometrical entities. */
    public static final String GEOMETRICAL = "geometrical";

    /**
     * Checks that everything fits.
     *
     * @throws IllegalArgumentException if a cell has a node that is no point, cell numbers have gaps, or an array has
     *                                  not a value for each point or cell; names it
     */
    public MeshData {
        blocks = List.copyOf(blocks);
        pointData = List.copyOf(pointData);
        cellData = List.copyOf(cellData);
        groups = List.copyOf(groups);
        if (dimensions < 1 || dimensions > 3) {
            throw new IllegalArgumentException("number of dimensions is " + dimensions + ", expected 1 to 3");
        }
        Checks.length("remainder of the number of coordinates by the dimensions", points.length % dimensions, 0);
        int count = points.length / dimensions;
        int cells = blocks.stream().mapToInt(CellBlock::cells).sum();
        boolean[] seen = new boolean[cells];
        for (CellBlock block : blocks) {
            checkBlock(block, count, seen);
        }
        for (DataArray array : pointData) {
            Checks.length("number of points with values of " + array.name(), array.size(), count);
        }
        for (DataArray array : cellData) {
            Checks.length("number of cells with values of " + array.name(), array.size(), cells);
        }
    }

    private static void checkBlock(CellBlock block, int points, boolean[] seen) {
        for (int i = 0; i < block.cells(); i++) {
            int number = block.numbers()[i];
            if (number < 0 || number >= seen.length || seen[number]) {
                throw new IllegalArgumentException("cell " + i + " of the block of " + block + " has number " + number
                        + ", expected each from 0 to " + (seen.length - 1) + " once");
            }
            seen[number] = true;
            for (int k = 0; k < block.nodesPerCell(); k++) {
                int node = block.nodes()[i * block.nodesPerCell() + k];
                if (node < 0 || node >= points) {
                    throw new IllegalArgumentException("node " + k + " of cell " + number + " is " + node
                            + ", expected a point from 0 to " + (points - 1));
                }
            }
        }
    }

    /**
     * Returns the number of points.
     *
     * @return at least 0
     */
    public int pointCount() {
        return points.length / dimensions;
    }

    /**
     * Returns the number of cells of all blocks.
     *
     * @return at least 0
     */
    public int cellCount() {
        return blocks.stream().mapToInt(CellBlock::cells).sum();
    }

    /**
     * Counts cells of one shape, whatever their number of nodes.
     *
     * @param shape the shape
     * @return at least 0
     */
    public int cellCount(CellShape shape) {
        return blocks.stream().filter(block -> block.shape() == shape).mapToInt(CellBlock::cells).sum();
    }

    /**
     * Finds point data by name.
     *
     * @param name the name
     * @return the first array of that name
     */
    public Optional<DataArray> pointArray(String name) {
        return pointData.stream().filter(array -> array.name().equals(name)).findFirst();
    }

    /**
     * Finds cell data by name.
     *
     * @param name the name
     * @return the first array of that name
     */
    public Optional<DataArray> cellArray(String name) {
        return cellData.stream().filter(array -> array.name().equals(name)).findFirst();
    }

    /**
     * Leaves out a third coordinate that is zero everywhere.
     *
     * @return this mesh with two coordinates a point, or this mesh itself if it has other than three or needs them
     */
    public MeshData flattened() {
        if (dimensions != 3) {
            return this;
        }
        double[] flat = new double[2 * pointCount()];
        for (int i = 0; i < pointCount(); i++) {
            if (points[3 * i + 2] != 0) {
                return this;
            }
            flat[2 * i] = points[3 * i];
            flat[2 * i + 1] = points[3 * i + 1];
        }
        return new MeshData(2, flat, blocks, pointData, cellData, groups);
    }

    /**
     * Looks for what is unusual but no error, and what adaptation mends: points that no cell has; points
     * of cells that lie exactly where an earlier one does, so that cells beside each other do not hang together; and
     * triangles of the plane and tetrahedra of negative area or volume. Takes time proportional to the mesh.
     *
     * @return a sentence for each kind that there is, with how many there are and the first one; points and cells are
     *         counted from 0
     */
    public List<String> remarks() {
        return MeshRemarks.of(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MeshData that && dimensions == that.dimensions && Arrays.equals(points, that.points)
                && blocks.equals(that.blocks) && pointData.equals(that.pointData) && cellData.equals(that.cellData)
                && groups.equals(that.groups);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(points) + blocks.hashCode();
    }

    @Override
    public String toString() {
        return "mesh of " + pointCount() + " points and " + cellCount() + " cells";
    }
}
