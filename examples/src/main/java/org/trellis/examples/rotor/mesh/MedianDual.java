package org.trellis.examples.rotor.mesh;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The volumes around the nodes of a mesh: each cell, face and edge has a middle, the mean of its corners, and the
 * border between the volumes of an edge's ends consists of the triangles of its middle with those of a cell and of one
 * of the cell's faces. Normals are integrals over borders, so the sum over those of a volume is zero to rounding,
 * whatever the shape of the cells. So it is for {@code sweeps}, the integrals of {@code (1, 0, 0) × x} times the
 * normal, by which a turning frame crosses borders.
 */
public final class MedianDual {
    private static final int SPACE = HybridMesh.SPACE;
    /** Cells whose pieces are computed at once. */
    private static final int BATCH = 1 << 14;
    /** Numbers of a piece: three of the normal, the sweep, the volume. */
    private static final int PIECE = SPACE + 2;

    private final HybridMesh mesh;
    private final int[] edges;
    private final long[] keys;
    /** Where the edges of each node begin, of which it is the lesser end. */
    private final int[] starts;
    private final double[] normals;
    private final double[] sweeps;
    private final double[] volumes;
    private final Map<Patch, Boundary> boundaries = new EnumMap<>(Patch.class);

    /**
     * What nodes have of the boundary of one kind.
     *
     * @param nodes   the nodes, each once, increasing
     * @param normals out of the volume, times the area, three numbers for each
     * @param sweeps  as of edges
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record Boundary(int[] nodes, double[] normals, double[] sweeps) {}

    /** Volumes of cells yet to be added; or none, of a dual that is made of another one. */
    private MedianDual(HybridMesh mesh, long[] keys, int nodes) {
        this.mesh = mesh;
        this.keys = keys;
        edges = new int[2 * keys.length];
        starts = new int[nodes + 1];
        for (int e = 0; e < keys.length; e++) {
            edges[2 * e] = (int) (keys[e] >>> Integer.SIZE);
            edges[2 * e + 1] = (int) keys[e];
            starts[edges[2 * e] + 1] = e + 1;
        }
        for (int node = 0; node < nodes; node++) {
            starts[node + 1] = Math.max(starts[node], starts[node + 1]);
        }
        normals = new double[SPACE * keys.length];
        sweeps = new double[keys.length];
        volumes = new double[nodes];
    }

    /** Joins volumes, and the borders between those that are joined to different ones. */
    MedianDual joined(int[] owner, int count) {
        long[] coarse = new long[keys.length];
        int next = 0;
        for (int e = 0; e < keys.length; e++) {
            if (owner[edges[2 * e]] != owner[edges[2 * e + 1]]) {
                coarse[next++] = key(owner[edges[2 * e]], owner[edges[2 * e + 1]]);
            }
        }
        MedianDual made = new MedianDual(null, unique(Arrays.copyOf(coarse, next)), count);
        for (int e = 0; e < keys.length; e++) {
            int a = owner[edges[2 * e]];
            int b = owner[edges[2 * e + 1]];
            if (a != b) {
                int edge = made.edge(a, b);
                double sign = a < b ? 1 : -1;
                for (int d = 0; d < SPACE; d++) {
                    made.normals[SPACE * edge + d] += sign * normals[SPACE * e + d];
                }
                made.sweeps[edge] += sign * sweeps[e];
            }
        }
        for (int node = 0; node < owner.length; node++) {
            made.volumes[owner[node]] += volumes[node];
        }
        boundaries.forEach((patch, boundary) -> made.boundaries.put(patch, Agglomeration.joined(boundary, owner)));
        return made;
    }

    /**
     * Computes the volumes and borders of a mesh.
     *
     * @param mesh the mesh
     * @return its median dual; cost: the sorting of its edges
     * @throws IllegalArgumentException if a volume is not above zero
     */
    public static MedianDual of(HybridMesh mesh) {
        MedianDual dual = new MedianDual(mesh, edgeKeys(mesh), mesh.nodes());
        for (CellKind kind : CellKind.values()) {
            dual.addCells(kind);
        }
        for (int node = 0; node < dual.volumes.length; node++) {
            if (!(dual.volumes[node] > 0)) {
                throw new IllegalArgumentException("the volume of node " + node + " is " + dual.volumes[node]
                        + ", expected more than 0: cells are turned inside out");
            }
        }
        for (Patch patch : Patch.values()) {
            dual.addBoundary(patch);
        }
        return dual;
    }

    /** Returns the number of an edge, by its ends in any order. */
    private int edge(int a, int b) {
        int lesser = Math.min(a, b);
        return Arrays.binarySearch(keys, starts[lesser], starts[lesser + 1], key(a, b));
    }

    private static long[] edgeKeys(HybridMesh mesh) {
        Map<CellKind, int[]> local = new EnumMap<>(CellKind.class);
        int count = 0;
        for (CellKind kind : CellKind.values()) {
            local.put(kind, localEdges(kind));
            count = Math.addExact(count, Math.multiplyExact(mesh.count(kind), local.get(kind).length / 2));
        }
        long[] all = new long[count];
        int first = 0;
        for (CellKind kind : CellKind.values()) {
            int[] nodes = mesh.cells().get(kind);
            int[] pairs = local.get(kind);
            int start = first;
            IntStream.range(0, mesh.count(kind)).parallel().forEach(cell -> {
                int at = cell * kind.corners();
                for (int k = 0; k < pairs.length; k += 2) {
                    all[start + (cell * pairs.length + k) / 2] = key(nodes[at + pairs[k]], nodes[at + pairs[k + 1]]);
                }
            });
            first += mesh.count(kind) * pairs.length / 2;
        }
        return unique(all);
    }

    /** Two corners for each edge of a cell: faces on both sides of it go along it, the one back, the other ahead. */
    private static int[] localEdges(CellKind kind) {
        Lattice.Ints found = new Lattice.Ints();
        for (int[] face : kind.faces()) {
            for (int k = 0; k < face.length; k++) {
                int next = face[(k + 1) % face.length];
                if (face[k] < next) {
                    found.add(face[k], next);
                }
            }
        }
        return found.toArray();
    }

    private static long[] unique(long[] all) {
        Arrays.parallelSort(all);
        int unique = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[unique++] = all[i];
            }
        }
        return Arrays.copyOf(all, unique);
    }

    /** One number for two nodes, whichever comes first. */
    static long key(int a, int b) {
        return (long) Math.min(a, b) << Integer.SIZE | Math.max(a, b);
    }

    private double[] middle(int[] nodes) {
        double[] sum = new double[SPACE];
        for (int node : nodes) {
            for (int d = 0; d < SPACE; d++) {
                sum[d] += mesh.points()[SPACE * node + d] / nodes.length;
            }
        }
        return sum;
    }

    /** Computes the pieces of many cells on all processors, then adds them up in the order of the cells. */
    private void addCells(CellKind kind) {
        int[] nodes = mesh.cells().get(kind);
        int[][] faces = kind.faces();
        int each = Arrays.stream(faces).mapToInt(face -> face.length).sum();
        int cells = mesh.count(kind);
        int[] ends = new int[2 * each * Math.min(cells, BATCH)];
        double[] pieces = new double[PIECE * each * Math.min(cells, BATCH)];
        for (int start = 0; start < cells; start += BATCH) {
            int from = start;
            int many = Math.min(BATCH, cells - start);
            IntStream.range(0, many).parallel().forEach(i -> pieces(
                    Arrays.copyOfRange(nodes, (from + i) * kind.corners(), (from + i + 1) * kind.corners()), faces,
                    i * each, ends, pieces));
            for (int piece = 0; piece < many * each; piece++) {
                add(ends[2 * piece], ends[2 * piece + 1], pieces, PIECE * piece);
            }
        }
    }

    /** Computes the pieces of one cell, each with its edge, turned round where the edge is, and the node behind it. */
    private void pieces(int[] cell, int[][] faces, int first, int[] ends, double[] pieces) {
        double[] centre = middle(cell);
        int piece = first;
        for (int[] local : faces) {
            int[] face = new int[local.length];
            for (int k = 0; k < face.length; k++) {
                face[k] = cell[local[k]];
            }
            double[] faceCentre = middle(face);
            for (int k = 0; k < face.length; k++) {
                int a = face[k];
                int b = face[(k + 1) % face.length];
                int edge = edge(a, b);
                ends[2 * piece] = a < b ? edge : ~edge;
                ends[2 * piece + 1] = a;
                piece(a, b, faceCentre, centre, pieces, PIECE * piece);
                piece++;
            }
        }
    }

    /** The triangle between two nodes in one cell on one side of one of its faces, and the tetrahedra to the nodes. */
    private void piece(int a, int b, double[] face, double[] centre, double[] pieces, int to) {
        double[] middle = middle(new int[]{a, b});
        double[] normal = halfCross(middle, centre, face);
        double height = 0;
        for (int d = 0; d < SPACE; d++) {
            pieces[to + d] = normal[d];
            height += normal[d] * (middle[d] - mesh.points()[SPACE * a + d]);
        }
        pieces[to + SPACE] = sweep(normal, middle, centre, face);
        pieces[to + SPACE + 1] = height / SPACE;
    }

    private void add(int directed, int a, double[] pieces, int from) {
        int edge = directed < 0 ? ~directed : directed;
        double sign = directed < 0 ? -1 : 1;
        for (int d = 0; d < SPACE; d++) {
            normals[SPACE * edge + d] += sign * pieces[from + d];
        }
        sweeps[edge] += sign * pieces[from + SPACE];
        volumes[a] += pieces[from + SPACE + 1];
        volumes[edges[2 * edge] == a ? edges[2 * edge + 1] : edges[2 * edge]] += pieces[from + SPACE + 1];
    }

    static double[] halfCross(double[] at, double[] to, double[] next) {
        double ux = to[0] - at[0];
        double uy = to[1] - at[1];
        double uz = to[2] - at[2];
        double vx = next[0] - at[0];
        double vy = next[1] - at[1];
        double vz = next[2] - at[2];
        return new double[]{0.5 * (uy * vz - uz * vy), 0.5 * (uz * vx - ux * vz), 0.5 * (ux * vy - uy * vx)};
    }

    /** What {@code (1, 0, 0) × x = (0, -z, y)} gives on a triangle: exact in its middle, being linear. */
    private static double sweep(double[] normal, double[] a, double[] b, double[] c) {
        double y = (a[1] + b[1] + c[1]) / SPACE;
        double z = (a[2] + b[2] + c[2]) / SPACE;
        return y * normal[2] - z * normal[1];
    }

    private void addBoundary(Patch patch) {
        Map<Integer, double[]> found = new TreeMap<>();
        for (int f = 0; f < mesh.patches().size(); f++) {
            if (mesh.patches().get(f) == patch) {
                int start = HybridMesh.FACE * f;
                int[] face = Arrays.copyOfRange(mesh.faces(), start, start + mesh.cornersOf(f));
                double[] centre = middle(face);
                for (int k = 0; k < face.length; k++) {
                    int a = face[k];
                    int b = face[(k + 1) % face.length];
                    double[] middle = middle(new int[]{a, b});
                    addTo(found, a, middle(new int[]{a}), middle, centre);
                    addTo(found, b, middle, middle(new int[]{b}), centre);
                }
            }
        }
        boundaries.put(patch, boundary(found));
    }

    /** Makes a boundary of what has been found for each node: a normal and a sweep. */
    static Boundary boundary(Map<Integer, double[]> found) {
        int count = found.size();
        int[] nodes = new int[count];
        double[] areas = new double[SPACE * count];
        double[] swept = new double[count];
        int next = 0;
        for (Map.Entry<Integer, double[]> entry : found.entrySet()) {
            nodes[next] = entry.getKey();
            System.arraycopy(entry.getValue(), 0, areas, SPACE * next, SPACE);
            swept[next++] = entry.getValue()[SPACE];
        }
        return new Boundary(nodes, areas, swept);
    }

    private static void addTo(Map<Integer, double[]> found, int node, double[] a, double[] b, double[] c) {
        double[] normal = halfCross(a, b, c);
        double[] sum = found.computeIfAbsent(node, key -> new double[SPACE + 1]);
        for (int d = 0; d < SPACE; d++) {
            sum[d] += normal[d];
        }
        sum[SPACE] += sweep(normal, a, b, c);
    }

    /**
     * Returns the edges.
     *
     * @return two nodes each, the lesser first, in increasing order; not to be changed
     */
    public int[] edges() {
        return edges;
    }

    /**
     * Returns the integral of the normal over the border between the ends of each edge.
     *
     * @return three numbers each, pointing from the first end to the second; not to be changed
     */
    public double[] normals() {
        return normals;
    }

    /**
     * Returns how much volume a frame that turns about the x axis by one radian for each unit of time carries through
     * each border.
     *
     * @return one number for each edge, from the first end to the second; not to be changed
     */
    public double[] sweeps() {
        return sweeps;
    }

    /**
     * Returns the volumes.
     *
     * @return one for each node; not to be changed
     */
    public double[] volumes() {
        return volumes;
    }

    /**
     * Returns the boundary of one kind.
     *
     * @param patch the kind
     * @return its nodes, perhaps none
     */
    public Boundary boundary(Patch patch) {
        return boundaries.get(patch);
    }

    /**
     * Measures how far the borders are from closed.
     *
     * @return the largest sum over the borders of a volume, of a component of the normal or of the sweep, in absolute
     *         value
     */
    public double largestGap() {
        double[] sums = new double[(SPACE + 1) * volumes.length];
        for (int e = 0; e < keys.length; e++) {
            for (int end = 0; end < 2; end++) {
                int to = (SPACE + 1) * edges[2 * e + end];
                double sign = end == 0 ? 1 : -1;
                for (int d = 0; d < SPACE; d++) {
                    sums[to + d] += sign * normals[SPACE * e + d];
                }
                sums[to + SPACE] += sign * sweeps[e];
            }
        }
        for (Boundary boundary : boundaries.values()) {
            for (int i = 0; i < boundary.nodes().length; i++) {
                int to = (SPACE + 1) * boundary.nodes()[i];
                for (int d = 0; d < SPACE; d++) {
                    sums[to + d] += boundary.normals()[SPACE * i + d];
                }
                sums[to + SPACE] += boundary.sweeps()[i];
            }
        }
        return Arrays.stream(sums).map(Math::abs).max().orElse(0);
    }
}
