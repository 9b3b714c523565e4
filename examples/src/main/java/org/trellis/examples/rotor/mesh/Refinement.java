package org.trellis.examples.rotor.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts the edges of a mesh in half: tetrahedra, prisms and hexahedra become eight of their kind, pyramids six and four
 * tetrahedra. A new node is in the middle of its parents: the ends of an edge, or the corners of a quadrilateral or of
 * a hexahedron.
 */
public final class Refinement {
    /** Parents of a node at most. */
    public static final int PARENTS = 8;
    private static final int PLANES = 3;
    private static final int[][] CORNERS = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1},
        {0, 1, 1}};

    private static final int[][] HEXAHEDRAL = CellKind.HEXAHEDRON.faces();

    private final HybridMesh coarse;
    private final NodePairs edges;
    private final NodePairs quadrilaterals;
    private final Lattice.Ints parents = new Lattice.Ints();
    private final Lattice.Ints counts = new Lattice.Ints();
    private final Map<CellKind, Lattice.Ints> cells = new EnumMap<>(CellKind.class);
    private final Lattice.Ints faces = new Lattice.Ints();
    private final List<Patch> patches = new ArrayList<>();
    private double[] points;
    private int nodes;

    /**
     * What comes out.
     *
     * @param fine    the refined mesh; its first nodes are those of the coarse one
     * @param parents eight nodes of the coarse mesh for each of the fine one; where there are fewer, the first again
     * @param weights what each parent gives in linear interpolation; 0 for those again
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record Refined(HybridMesh fine, int[] parents, double[] weights) {}

    private Refinement(HybridMesh coarse) {
        this.coarse = coarse;
        edges = new NodePairs(coarse.nodes());
        quadrilaterals = new NodePairs(coarse.nodes());
        points = Arrays.copyOf(coarse.points(), 4 * coarse.points().length);
        for (int node = 0; node < coarse.nodes(); node++) {
            add(node);
        }
        for (CellKind kind : CellKind.values()) {
            cells.put(kind, new Lattice.Ints());
        }
    }

    /**
     * Refines a mesh once.
     *
     * @param coarse the mesh
     * @return the finer one and where its nodes come from; the coordinates are means of those of the parents
     */
    public static Refined of(HybridMesh coarse) {
        Refinement work = new Refinement(coarse);
        for (CellKind kind : CellKind.values()) {
            int[] all = coarse.cells().get(kind);
            for (int at = 0; at < all.length; at += kind.corners()) {
                work.cut(kind, Arrays.copyOfRange(all, at, at + kind.corners()));
            }
        }
        for (int face = 0; face < coarse.patches().size(); face++) {
            work.cutFace(Arrays.copyOfRange(coarse.faces(), HybridMesh.FACE * face, HybridMesh.FACE * (face + 1)),
                    coarse.patches().get(face));
        }
        return work.result();
    }

    private Refined result() {
        double[] weights = new double[PARENTS * nodes];
        int[] count = counts.toArray();
        for (int node = 0; node < nodes; node++) {
            Arrays.fill(weights, PARENTS * node, PARENTS * node + count[node], 1.0 / count[node]);
        }
        HybridMesh fine = new HybridMesh(Arrays.copyOf(points, HybridMesh.SPACE * nodes),
                Lattice.corners(cells), faces.toArray(), patches);
        return new Refined(fine, parents.toArray(), weights);
    }

    private int add(int... of) {
        int[] row = new int[PARENTS];
        Arrays.fill(row, of[0]);
        System.arraycopy(of, 0, row, 0, of.length);
        parents.add(row);
        counts.add(of.length);
        int start = HybridMesh.SPACE * nodes;
        if (start + HybridMesh.SPACE > points.length) {
            points = Arrays.copyOf(points, 2 * points.length);
        }
        for (int d = 0; d < HybridMesh.SPACE; d++) {
            double sum = 0;
            for (int parent : of) {
                sum += coarse.points()[HybridMesh.SPACE * parent + d];
            }
            points[start + d] = sum / of.length;
        }
        return nodes++;
    }

    private int middle(int a, int b) {
        int found = edges.find(a, b);
        return found >= 0 ? found : edges.put(a, b, add(a, b));
    }

    /** The middle of a quadrilateral, which the diagonal from its least corner names. */
    private int middle(int a, int b, int c, int d) {
        boolean first = Math.min(a, c) < Math.min(b, d);
        int one = first ? a : b;
        int other = first ? c : d;
        int found = quadrilaterals.find(one, other);
        return found >= 0 ? found : quadrilaterals.put(one, other, add(a, b, c, d));
    }

    private void cell(CellKind kind, int... corners) {
        cells.get(kind).add(corners);
    }

    /** A tetrahedron whose corners may be turned the wrong way. */
    private void tetrahedron(int a, int b, int c, int d) {
        double[] u = between(a, b);
        double[] v = between(a, c);
        double[] w = between(a, d);
        double volume = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2])
                + u[2] * (v[0] * w[1] - v[1] * w[0]);
        if (volume > 0) {
            cell(CellKind.TETRAHEDRON, a, b, c, d);
        } else {
            cell(CellKind.TETRAHEDRON, a, c, b, d);
        }
    }

    private double[] between(int a, int b) {
        double[] difference = new double[HybridMesh.SPACE];
        for (int d = 0; d < difference.length; d++) {
            difference[d] = points[HybridMesh.SPACE * b + d] - points[HybridMesh.SPACE * a + d];
        }
        return difference;
    }

    private void cut(CellKind kind, int[] c) {
        switch (kind) {
            case TETRAHEDRON -> cutTetrahedron(c);
            case PYRAMID -> cutPyramid(c);
            case PRISM -> cutPrism(c);
            case HEXAHEDRON -> cutHexahedron(c);
        }
    }

    private void cutTetrahedron(int[] c) {
        int ab = middle(c[0], c[1]);
        int bc = middle(c[1], c[2]);
        int ca = middle(c[2], c[0]);
        int ad = middle(c[0], c[3]);
        int bd = middle(c[1], c[3]);
        int cd = middle(c[2], c[3]);
        cell(CellKind.TETRAHEDRON, c[0], ab, ca, ad);
        cell(CellKind.TETRAHEDRON, ab, c[1], bc, bd);
        cell(CellKind.TETRAHEDRON, ca, bc, c[2], cd);
        cell(CellKind.TETRAHEDRON, ad, bd, cd, c[3]);
        int[] ring = {ab, bc, cd, ad};
        for (int k = 0; k < ring.length; k++) {
            tetrahedron(ca, bd, ring[k], ring[(k + 1) % ring.length]);
        }
    }

    private void cutPyramid(int[] c) {
        int apex = c[4];
        int base = middle(c[0], c[1], c[2], c[3]);
        int[] up = new int[4];
        for (int k = 0; k < up.length; k++) {
            up[k] = middle(c[k], apex);
        }
        for (int k = 0; k < up.length; k++) {
            int next = middle(c[k], c[(k + 1) % 4]);
            int last = middle(c[(k + 3) % 4], c[k]);
            cell(CellKind.PYRAMID, c[k], next, base, last, up[k]);
            tetrahedron(next, up[k], up[(k + 1) % 4], base);
        }
        cell(CellKind.PYRAMID, up[0], up[1], up[2], up[3], apex);
        cell(CellKind.PYRAMID, up[0], up[3], up[2], up[1], base);
    }

    private void cutPrism(int[] c) {
        int[][] plane = new int[PLANES][2 * PLANES];
        for (int k = 0; k < PLANES; k++) {
            int next = (k + 1) % PLANES;
            plane[0][k] = c[k];
            plane[0][PLANES + k] = middle(c[k], c[next]);
            plane[1][k] = middle(c[k], c[PLANES + k]);
            plane[1][PLANES + k] = middle(c[k], c[next], c[PLANES + next], c[PLANES + k]);
            plane[2][k] = c[PLANES + k];
            plane[2][PLANES + k] = middle(c[PLANES + k], c[PLANES + next]);
        }
        int[][] triangles = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
        for (int layer = 0; layer < 2; layer++) {
            int[] below = plane[layer];
            int[] above = plane[layer + 1];
            for (int[] t : triangles) {
                cell(CellKind.PRISM, below[t[0]], below[t[1]], below[t[2]], above[t[0]], above[t[1]], above[t[2]]);
            }
        }
    }

    private void cutHexahedron(int[] c) {
        int centre = add(c);
        int[][][] grid = new int[PLANES][PLANES][PLANES];
        grid[1][1][1] = centre;
        for (int k = 0; k < CORNERS.length; k++) {
            grid[2 * CORNERS[k][0]][2 * CORNERS[k][1]][2 * CORNERS[k][2]] = c[k];
        }
        for (int[] face : HEXAHEDRAL) {
            put(grid, middle(c[face[0]], c[face[1]], c[face[2]], c[face[3]]), face[0], face[2]);
            for (int k = 0; k < face.length; k++) {
                int next = face[(k + 1) % face.length];
                put(grid, middle(c[face[k]], c[next]), face[k], next);
            }
        }
        for (int[] at : CORNERS) {
            int[] sub = new int[CORNERS.length];
            for (int k = 0; k < sub.length; k++) {
                sub[k] = grid[at[0] + CORNERS[k][0]][at[1] + CORNERS[k][1]][at[2] + CORNERS[k][2]];
            }
            cell(CellKind.HEXAHEDRON, sub);
        }
    }

    /** Puts a node half-way between two corners of a hexahedron. */
    private static void put(int[][][] grid, int node, int from, int to) {
        grid[CORNERS[from][0] + CORNERS[to][0]][CORNERS[from][1] + CORNERS[to][1]][CORNERS[from][2]
                + CORNERS[to][2]] = node;
    }

    private void face(Patch patch, int a, int b, int c, int d) {
        faces.add(a, b, c, d);
        patches.add(patch);
    }

    private void cutFace(int[] c, Patch patch) {
        if (c[3] < 0) {
            int ab = middle(c[0], c[1]);
            int bc = middle(c[1], c[2]);
            int ca = middle(c[2], c[0]);
            face(patch, c[0], ab, ca, -1);
            face(patch, ab, c[1], bc, -1);
            face(patch, ca, bc, c[2], -1);
            face(patch, ab, bc, ca, -1);
            return;
        }
        int centre = middle(c[0], c[1], c[2], c[3]);
        for (int k = 0; k < c.length; k++) {
            face(patch, c[k], middle(c[k], c[(k + 1) % 4]), centre, middle(c[(k + 3) % 4], c[k]));
        }
    }
}
