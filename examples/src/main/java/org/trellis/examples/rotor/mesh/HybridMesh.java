package org.trellis.examples.rotor.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.common.Checks;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;

/**
 * A conforming mesh of cells of four kinds. Arrays are not copied and not to be changed.
 *
 * @param points  three coordinates of each node
 * @param cells   the corners of all cells of each kind, perhaps none, of every kind
 * @param faces   the corners of each face on the boundary, seen anticlockwise from outside, four numbers each; the last
 *                is -1 for a triangle
 * @param patches what each of those faces is
 */
public record HybridMesh(double[] points, Map<CellKind, int[]> cells, int[] faces, List<Patch> patches) {
    /** Numbers of a face. */
    public static final int FACE = 4;
    /** Coordinates. */
    public static final int SPACE = 3;

    /**
     * Checks lengths.
     *
     * @throws IllegalArgumentException if one does not fit
     */
    public HybridMesh {
        cells = Map.copyOf(cells);
        patches = List.copyOf(patches);
        Checks.length("number of kinds of cells", cells.size(), CellKind.values().length);
        Checks.length("number of corners of faces", faces.length, (long) FACE * patches.size());
        for (CellKind kind : CellKind.values()) {
            Checks.length("remainder of the corners of " + kind, cells.get(kind).length % kind.corners(), 0);
        }
    }

    /**
     * Returns the number of nodes.
     *
     * @return at least 0
     */
    public int nodes() {
        return points.length / SPACE;
    }

    /**
     * Returns the number of cells of one kind.
     *
     * @param kind which
     * @return at least 0
     */
    public int count(CellKind kind) {
        return cells.get(kind).length / kind.corners();
    }

    /**
     * Returns the number of cells of all kinds.
     *
     * @return at least 0
     */
    public int cellCount() {
        int sum = 0;
        for (CellKind kind : CellKind.values()) {
            sum += count(kind);
        }
        return sum;
    }

    /**
     * Moves the nodes.
     *
     * @param places the new coordinates, three each
     * @return a mesh with the same cells and faces
     * @throws IllegalArgumentException if there are not three for each node
     */
    public HybridMesh at(double[] places) {
        Checks.length("number of coordinates", places.length, points.length);
        return new HybridMesh(places, cells, faces, patches);
    }

    /**
     * Gives nodes other numbers.
     *
     * @param numbers the new number of each node, all different
     * @return a mesh with the same cells and faces in the same order
     * @throws IllegalArgumentException if there is not one for each node
     */
    public HybridMesh numbered(int[] numbers) {
        Checks.length("number of new numbers", numbers.length, nodes());
        double[] places = new double[points.length];
        for (int node = 0; node < numbers.length; node++) {
            System.arraycopy(points, SPACE * node, places, SPACE * numbers[node], SPACE);
        }
        Map<CellKind, int[]> theirs = new EnumMap<>(CellKind.class);
        cells.forEach((kind, corners) -> theirs.put(kind,
                Arrays.stream(corners).parallel().map(node -> numbers[node]).toArray()));
        return new HybridMesh(places, theirs,
                Arrays.stream(faces).map(node -> node < 0 ? node : numbers[node]).toArray(), patches);
    }

    /**
     * Returns how many corners a face on the boundary has.
     *
     * @param face its number
     * @return 3 or 4
     */
    public int cornersOf(int face) {
        return faces[FACE * face + FACE - 1] < 0 ? FACE - 1 : FACE;
    }

    /**
     * Makes what files and pictures are made from.
     *
     * @param data values on nodes
     * @return the cells with the values
     */
    public MeshData toMeshData(List<DataArray> data) {
        List<CellBlock> blocks = new ArrayList<>();
        int next = 0;
        for (CellKind kind : CellKind.values()) {
            int[] numbers = new int[count(kind)];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = next++;
            }
            if (numbers.length > 0) {
                int[] nodes = cells.get(kind);
                blocks.add(new CellBlock(kind.shape(), kind.corners(), kind == CellKind.PRISM ? turned(nodes) : nodes,
                        numbers));
            }
        }
        return new MeshData(SPACE, points, blocks, data, List.of(), List.of());
    }

    /** VTK sees the first triangle of a prism anticlockwise from outside. */
    private static int[] turned(int[] prisms) {
        int[] other = prisms.clone();
        for (int i = 0; i < prisms.length; i += SPACE) {
            other[i + 1] = prisms[i + 2];
            other[i + 2] = prisms[i + 1];
        }
        return other;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return "mesh of " + nodes() + " nodes and " + cellCount() + " cells";
    }
}
