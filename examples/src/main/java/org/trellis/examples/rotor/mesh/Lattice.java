package org.trellis.examples.rotor.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.common.Checks;

/**
 * Makes the coarsest mesh: a lattice of cells, each left as it is or cut. The coordinates of its nodes are the numbers
 * of the lattice's planes, so that those of refined meshes are exact.
 */
public final class Lattice {
    private static final int[][] CORNERS = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1},
        {0, 1, 1}};
    private static final int SIDES = 6;

    private final int[] size;
    private final CellMix mix;
    private final Sides sides;
    private final Map<CellKind, Ints> cells = new EnumMap<>(CellKind.class);
    private final Ints faces = new Ints();
    private final List<Patch> patches = new ArrayList<>();
    private double[] points;
    private int nodes;

    /** Says what the boundary is. */
    @FunctionalInterface
    public interface Sides {
        /**
         * Returns what a face of the lattice is.
         *
         * @param direction 0 to 2
         * @param end       0 where the coordinate of that direction is least, 1 where it is greatest
         * @param i         place of the face's cell in the first direction
         * @param j         in the second
         * @param k         in the third
         * @return its kind
         */
        Patch patch(int direction, int end, int i, int j, int k);
    }

    /** A growing list. */
    static final class Ints {
        private int[] values = new int[64];
        private int count;

        void add(int... more) {
            if (count + more.length > values.length) {
                values = Arrays.copyOf(values, 2 * (count + more.length));
            }
            System.arraycopy(more, 0, values, count, more.length);
            count += more.length;
        }

        int[] toArray() {
            return Arrays.copyOf(values, count);
        }
    }

    private Lattice(int[] size, CellMix mix, Sides sides) {
        this.size = size;
        this.mix = mix;
        this.sides = sides;
        for (CellKind kind : CellKind.values()) {
            cells.put(kind, new Ints());
        }
    }

    /**
     * Makes a mesh.
     *
     * @param nx    cells of the lattice in the first direction, at least 1
     * @param ny    in the second
     * @param nz    in the third
     * @param mix   what they are cut into
     * @param sides what the boundary is
     * @return the mesh, with the lattice's coordinates
     * @throws IllegalArgumentException if a number is below 1
     */
    public static HybridMesh of(int nx, int ny, int nz, CellMix mix, Sides sides) {
        Checks.positive("nx", nx);
        Checks.positive("ny", ny);
        Checks.positive("nz", nz);
        return new Lattice(new int[]{nx, ny, nz}, mix, sides).make();
    }

    private HybridMesh make() {
        nodes = (size[0] + 1) * (size[1] + 1) * (size[2] + 1);
        points = new double[HybridMesh.SPACE * nodes];
        for (int node = 0; node < nodes; node++) {
            int row = node / (size[0] + 1);
            int plane = row / (size[1] + 1);
            place(node, node % (size[0] + 1), row % (size[1] + 1), plane);
        }
        for (int k = 0; k < size[2]; k++) {
            for (int j = 0; j < size[1]; j++) {
                for (int i = 0; i < size[0]; i++) {
                    cell(new int[]{i, j, k});
                }
            }
        }
        return new HybridMesh(Arrays.copyOf(points, HybridMesh.SPACE * nodes),
                corners(cells), faces.toArray(), patches);
    }

    /** The corners of the cells of each kind. */
    static Map<CellKind, int[]> corners(Map<CellKind, Ints> lists) {
        Map<CellKind, int[]> all = new EnumMap<>(CellKind.class);
        lists.forEach((kind, list) -> all.put(kind, list.toArray()));
        return all;
    }

    private void place(int node, double x, double y, double z) {
        points[HybridMesh.SPACE * node] = x;
        points[HybridMesh.SPACE * node + 1] = y;
        points[HybridMesh.SPACE * node + 2] = z;
    }

    private int node(int i, int j, int k) {
        return (k * (size[1] + 1) + j) * (size[0] + 1) + i;
    }

    private void cell(int[] at) {
        int[] corners = new int[CORNERS.length];
        for (int c = 0; c < corners.length; c++) {
            corners[c] = node(at[0] + CORNERS[c][0], at[1] + CORNERS[c][1], at[2] + CORNERS[c][2]);
        }
        switch (mix.at(at[0], size[0])) {
            case HEX -> cells.get(CellKind.HEXAHEDRON).add(corners);
            case PRISM -> prisms(corners);
            default -> aboutCentre(at, corners);
        }
        for (int side = 0; side < SIDES; side++) {
            if (isOuter(at, side)) {
                boundary(at, side, corners);
            }
        }
    }

    /** The third direction is the prisms'; the diagonal runs from the least corner to the greatest. */
    private void prisms(int[] c) {
        cells.get(CellKind.PRISM).add(c[0], c[1], c[2], c[4], c[5], c[6]);
        cells.get(CellKind.PRISM).add(c[0], c[2], c[3], c[4], c[6], c[7]);
    }

    private void aboutCentre(int[] at, int[] corners) {
        int centre = nodes++;
        if (HybridMesh.SPACE * nodes > points.length) {
            points = Arrays.copyOf(points, 2 * points.length);
        }
        place(centre, at[0] + 0.5, at[1] + 0.5, at[2] + 0.5);
        for (int side = 0; side < SIDES; side++) {
            int[] face = face(side, corners);
            // Seen from the centre, the base has to be anticlockwise, so clockwise from outside.
            if (isCut(at, side)) {
                for (int[] triangle : cut(face)) {
                    cells.get(CellKind.TETRAHEDRON).add(triangle[0], triangle[2], triangle[1], centre);
                }
            } else {
                cells.get(CellKind.PYRAMID).add(face[0], face[3], face[2], face[1], centre);
            }
        }
    }

    /** The sides of a cell, in the order of {@link CellKind#HEXAHEDRON}, are 2 × direction + end. */
    private static int[] face(int side, int[] corners) {
        int hexahedral = switch (side) {
            case 0 -> 5;
            case 1 -> 3;
            case 2 -> 2;
            case 3 -> 4;
            case 4 -> 0;
            default -> 1;
        };
        int[] local = CellKind.HEXAHEDRON.faces()[hexahedral];
        return new int[]{corners[local[0]], corners[local[1]], corners[local[2]], corners[local[3]]};
    }

    /** Two triangles, along the diagonal from the least corner, which is that of the least number. */
    private static int[][] cut(int[] face) {
        int first = 0;
        for (int k = 1; k < face.length; k++) {
            if (face[k] < face[first]) {
                first = k;
            }
        }
        int a = face[first];
        int c = face[(first + 2) % face.length];
        return new int[][]{{a, face[(first + 1) % face.length], c}, {a, c, face[(first + 3) % face.length]}};
    }

    private boolean isOuter(int[] at, int side) {
        return side % 2 == 0 ? at[side / 2] == 0 : at[side / 2] == size[side / 2] - 1;
    }

    /** Says whether a side of a cell is two triangles: both of its cells want that, or one has to. */
    private boolean isCut(int[] at, int side) {
        CellMix here = mix.at(at[0], size[0]);
        if (isOuter(at, side)) {
            return here == CellMix.TET || (here == CellMix.PRISM && side >= 4);
        }
        int[] other = at.clone();
        other[side / 2] += side % 2 == 0 ? -1 : 1;
        CellMix there = mix.at(other[0], size[0]);
        return (here == CellMix.TET && there == CellMix.TET) || (here == CellMix.PRISM && side >= 4);
    }

    private void boundary(int[] at, int side, int[] corners) {
        int[] face = face(side, corners);
        Patch patch = sides.patch(side / 2, side % 2, at[0], at[1], at[2]);
        if (isCut(at, side)) {
            for (int[] triangle : cut(face)) {
                faces.add(triangle[0], triangle[1], triangle[2], -1);
                patches.add(patch);
            }
        } else {
            faces.add(face);
            patches.add(patch);
        }
    }
}
