package org.trellis.matrices.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.MatrixFormatException;

/**
 * The mesh of OP2's Airfoil benchmark: quadrilaterals with tables of their edges, all indices from 0. The arrays are
 * not copied and not to be changed.
 *
 * @param coordinates   x and y of each node
 * @param cellNodes     four nodes of each cell, in turn
 * @param edgeNodes     two nodes of each interior edge
 * @param edgeCells     two cells of each interior edge
 * @param boundaryNodes two nodes of each boundary edge
 * @param boundaryCells the cell of each boundary edge
 * @param boundaryKinds what each boundary edge is: {@link #WALL} or {@link #FAR_FIELD}
 */
public record AirfoilMesh(double[] coordinates, int[] cellNodes, int[] edgeNodes, int[] edgeCells, int[] boundaryNodes,
        int[] boundaryCells, int[] boundaryKinds) {
    /** The kind of boundary edges on the aerofoil. */
    public static final int WALL = 1;
    /** The kind of boundary edges far away. */
    public static final int FAR_FIELD = 2;

    private static final int CELL_NODES = 4;

    /**
     * Checks lengths and indices.
     *
     * @throws IllegalArgumentException if an array has another length than the others ask for, or an entry is out of
     *                                  range; names it
     */
    public AirfoilMesh {
        Checks.length("remainder of the number of coordinates by 2", coordinates.length % 2, 0);
        Checks.length("remainder of the number of cell nodes by 4", cellNodes.length % CELL_NODES, 0);
        Checks.length("remainder of the number of edge nodes by 2", edgeNodes.length % 2, 0);
        Checks.length("number of edge cells", edgeCells.length, edgeNodes.length);
        Checks.length("number of boundary nodes", boundaryNodes.length, 2L * boundaryCells.length);
        Checks.length("number of boundary kinds", boundaryKinds.length, boundaryCells.length);
        int nodes = coordinates.length / 2;
        int cells = cellNodes.length / CELL_NODES;
        checkRange("cell node", cellNodes, 0, nodes - 1);
        checkRange("edge node", edgeNodes, 0, nodes - 1);
        checkRange("edge cell", edgeCells, 0, cells - 1);
        checkRange("boundary node", boundaryNodes, 0, nodes - 1);
        checkRange("boundary cell", boundaryCells, 0, cells - 1);
        checkRange("boundary kind", boundaryKinds, WALL, FAR_FIELD);
    }

    private static void checkRange(String what, int[] table, int low, int high) {
        for (int i = 0; i < table.length; i++) {
            if (table[i] < low || table[i] > high) {
                throw new IllegalArgumentException(what + " " + i + " is " + table[i] + ", expected " + low + " to "
                        + high);
            }
        }
    }

    /**
     * Reads a {@code new_grid.dat}, plain or compressed with gzip.
     *
     * @param file the file
     * @return the mesh
     * @throws MatrixFormatException if the contents are wrong
     * @throws IOException if the file cannot be read
     */
    public static AirfoilMesh read(Path file) throws IOException {
        return AirfoilFile.read(MeshText.read(file, (char) 0));
    }

    /**
     * Writes a {@code new_grid.dat}; coordinates have six decimals, as the benchmark asks for, and lose others.
     *
     * @param file replaced if it exists; compressed if its name ends in {@code .gz}
     * @throws IOException if it cannot be written
     */
    public void write(Path file) throws IOException {
        AirfoilFile.write(this, file);
    }

    /**
     * Rounds a coordinate to what a file keeps of it.
     *
     * @param value a coordinate
     * @return the nearest number of six decimals, to even where the value lies exactly between two
     */
    public static double rounded(double value) {
        return AirfoilFile.millionths(value) / AirfoilFile.SCALE;
    }

    /**
     * Returns the number of nodes.
     *
     * @return pairs of coordinates
     */
    public int nodes() {
        return coordinates.length / 2;
    }

    /**
     * Returns the number of cells.
     *
     * @return quadrilaterals
     */
    public int cells() {
        return cellNodes.length / CELL_NODES;
    }

    /**
     * Returns the number of interior edges.
     *
     * @return edges between two cells
     */
    public int edges() {
        return edgeNodes.length / 2;
    }

    /**
     * Returns the number of boundary edges.
     *
     * @return edges of one cell
     */
    public int boundaryEdges() {
        return boundaryCells.length;
    }

    /**
     * Returns the cells, followed by the boundary edges as line cells; cell data {@code kind} is 0 for cells and the
     * kind
     * for boundary edges.
     *
     * @return the mesh in the general model, which shares the coordinates
     */
    public MeshData toMeshData() {
        int[] cellNumbers = new int[cells()];
        Arrays.setAll(cellNumbers, k -> k);
        int[] lineNumbers = new int[boundaryEdges()];
        Arrays.setAll(lineNumbers, k -> cells() + k);
        double[] kinds = new double[cells() + boundaryEdges()];
        for (int k = 0; k < boundaryEdges(); k++) {
            kinds[cells() + k] = boundaryKinds[k];
        }
        return new MeshData(2, coordinates,
                List.of(new CellBlock(CellShape.QUADRILATERAL, CELL_NODES, cellNodes, cellNumbers),
                        new CellBlock(CellShape.LINE, 2, boundaryNodes, lineNumbers)),
                List.of(), List.of(new DataArray("kind", 1, NumberType.INT32, kinds)), List.of());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AirfoilMesh that && Arrays.equals(coordinates, that.coordinates)
                && Arrays.equals(cellNodes, that.cellNodes)
                && Arrays.equals(edgeNodes, that.edgeNodes)
                && Arrays.equals(edgeCells, that.edgeCells)
                && Arrays.equals(boundaryNodes, that.boundaryNodes)
                && Arrays.equals(boundaryCells, that.boundaryCells)
                && Arrays.equals(boundaryKinds, that.boundaryKinds);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(coordinates) + Arrays.hashCode(cellNodes);
    }

    @Override
    public String toString() {
        return "airfoil mesh of " + nodes() + " nodes, " + cells() + " cells, " + edges() + " edges and "
                + boundaryEdges() + " boundary edges";
    }
}
