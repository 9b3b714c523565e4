package org.trellis.examples.tsunami;

/**
 * Cuts each side of every triangle into k parts, and the triangle into k² that are similar to it; the bed in between is
 * linear. With k = 2ⁿ it is what cutting each triangle into four gives after n times. Linear time in the result.
 *
 * <p>Nodes come in the order: those of the coarse mesh; those on its edges; those within its triangles. The parts of a
 * triangle follow each other.
 */
final class Subdivision {
    private final MeshTopology coarse;
    private final int parts;
    private final int onEdge;
    private final int within;
    private final int nodes;

    private Subdivision(MeshTopology coarse, int parts) {
        this.coarse = coarse;
        this.parts = parts;
        this.onEdge = parts - 1;
        this.within = (parts - 1) * (parts - 2) / 2;
        long all = coarse.mesh().nodes() + (long) onEdge * coarse.edges() + (long) within * coarse.cells();
        long corners = (long) TriangleMesh.CORNERS * parts * parts * coarse.cells();
        if (2 * all > Integer.MAX_VALUE || corners > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("cutting " + coarse.cells() + " triangles into " + (long) parts * parts
                    + " each gives " + corners / TriangleMesh.CORNERS + " triangles and " + all
                    + " nodes, expected at most " + Integer.MAX_VALUE / TriangleMesh.CORNERS + " and "
                    + Integer.MAX_VALUE / 2);
        }
        this.nodes = (int) all;
    }

    /**
     * Cuts a mesh.
     *
     * @param mesh  the mesh
     * @param parts into how many parts a side is cut, at least 1
     * @return a mesh of parts² times as many triangles; the same if parts is 1
     */
    static TriangleMesh of(TriangleMesh mesh, int parts) {
        if (parts < 1 || parts > 1 << 14) {
            throw new IllegalArgumentException("sides are to be cut into " + parts + " parts, expected 1 to 16384");
        }
        return parts == 1 ? mesh : new Subdivision(MeshTopology.of(mesh), parts).mesh();
    }

    private TriangleMesh mesh() {
        TriangleMesh mesh = coarse.mesh();
        int[] triangles = new int[TriangleMesh.CORNERS * parts * parts * coarse.cells()];
        double[] coordinates = new double[2 * nodes];
        double[] bed = new double[nodes];
        int at = 0;
        for (int cell = 0; cell < coarse.cells(); cell++) {
            for (int j = 0; j <= parts; j++) {
                for (int i = 0; i + j <= parts; i++) {
                    place(cell, i, j, coordinates, bed);
                }
            }
            for (int j = 0; j < parts; j++) {
                for (int i = 0; i + j < parts; i++) {
                    at = put(triangles, at, node(cell, i, j), node(cell, i + 1, j), node(cell, i, j + 1));
                    if (i + j < parts - 1) {
                        at = put(triangles, at, node(cell, i + 1, j), node(cell, i + 1, j + 1), node(cell, i, j + 1));
                    }
                }
            }
        }
        // Nodes of the coarse mesh that no triangle uses stay where they are.
        System.arraycopy(mesh.coordinates(), 0, coordinates, 0, mesh.coordinates().length);
        System.arraycopy(mesh.bed(), 0, bed, 0, mesh.bed().length);
        return withBoundary(coordinates, bed, triangles);
    }

    private static int put(int[] triangles, int at, int a, int b, int c) {
        triangles[at] = a;
        triangles[at + 1] = b;
        triangles[at + 2] = c;
        return at + TriangleMesh.CORNERS;
    }

    /** The node i parts towards the second corner and j parts towards the third. */
    private int node(int cell, int i, int j) {
        int corner = TriangleMesh.CORNERS * cell;
        int[] corners = coarse.cellNodes();
        if (i == 0 && j == 0) {
            return corners[corner];
        }
        if (i == parts) {
            return corners[corner + 1];
        }
        if (j == parts) {
            return corners[corner + 2];
        }
        if (j == 0) {
            return onSide(corner, i);
        }
        if (i + j == parts) {
            return onSide(corner + 1, j);
        }
        if (i == 0) {
            return onSide(corner + 2, parts - j);
        }
        int row = (j - 1) * (parts - 2) - (j - 1) * (j - 2) / 2;
        return coarse.mesh().nodes() + onEdge * coarse.edges() + within * cell + row + i - 1;
    }

    private int onSide(int side, int part) {
        int edge = coarse.cellEdges()[side];
        boolean forward = coarse.edgeNodes()[2 * edge] == coarse.cellNodes()[side];
        return coarse.mesh().nodes() + onEdge * edge + (forward ? part : parts - part) - 1;
    }

    /** Computes a node; one on an edge twice, first by one triangle and then by the other. */
    private void place(int cell, int i, int j, double[] coordinates, double[] bed) {
        TriangleMesh mesh = coarse.mesh();
        int corner = TriangleMesh.CORNERS * cell;
        int a = coarse.cellNodes()[corner];
        int b = coarse.cellNodes()[corner + 1];
        int c = coarse.cellNodes()[corner + 2];
        double toB = (double) i / parts;
        double toC = (double) j / parts;
        double toA = (double) (parts - i - j) / parts;
        int node = node(cell, i, j);
        coordinates[2 * node] = toA * mesh.x(a) + toB * mesh.x(b) + toC * mesh.x(c);
        coordinates[2 * node + 1] = toA * mesh.y(a) + toB * mesh.y(b) + toC * mesh.y(c);
        bed[node] = toA * mesh.bed()[a] + toB * mesh.bed()[b] + toC * mesh.bed()[c];
    }

    private TriangleMesh withBoundary(double[] coordinates, double[] bed, int[] triangles) {
        int marked = 0;
        for (int kind : coarse.kinds()) {
            marked += kind > ShallowWater.WALL ? 1 : 0;
        }
        int[] boundaryNodes = new int[2 * marked * parts];
        int[] boundaryKinds = new int[marked * parts];
        int at = 0;
        for (int side = 0; side < coarse.cellEdges().length; side++) {
            int kind = coarse.kinds()[coarse.cellEdges()[side]];
            for (int part = 0; kind > ShallowWater.WALL && part < parts; part++) {
                boundaryNodes[2 * at] = alongSide(side, part);
                boundaryNodes[2 * at + 1] = alongSide(side, part + 1);
                boundaryKinds[at++] = kind;
            }
        }
        return new TriangleMesh(coordinates, bed, triangles, boundaryNodes, boundaryKinds);
    }

    private int alongSide(int side, int part) {
        int first = side - side % TriangleMesh.CORNERS;
        if (part == 0) {
            return coarse.cellNodes()[side];
        }
        if (part == parts) {
            return coarse.cellNodes()[first + (side - first + 1) % TriangleMesh.CORNERS];
        }
        return onSide(side, part);
    }
}
