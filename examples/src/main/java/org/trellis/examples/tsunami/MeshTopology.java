package org.trellis.examples.tsunami;

import java.util.Arrays;

/**
 * Cells, edges and boundary of a mesh of triangles, found in linear time: the sides of all triangles are sorted by
 * their nodes in two passes of counting, so that the two sides of an edge come together. Edges are numbered as the
 * triangles reach them first.
 */
final class MeshTopology {
    private static final int CORNERS = TriangleMesh.CORNERS;

    private final TriangleMesh mesh;
    private final int[] cellNodes;
    private final int[] cellEdges;
    private final double[] areas;
    private int edges;
    private int[] edgeNodes;
    private int[] edgeCells;
    private int[] kinds;

    private MeshTopology(TriangleMesh mesh) {
        this.mesh = mesh;
        this.cellNodes = mesh.triangles().clone();
        this.cellEdges = new int[cellNodes.length];
        this.areas = new double[mesh.cells()];
    }

    /**
     * Finds the edges of a mesh.
     *
     * @param mesh the mesh
     * @return its topology
     * @throws IllegalArgumentException if a triangle has no area, an edge more than two triangles, triangles overlap,
     *                                  or an edge of another kind than a wall is not on the boundary; names it
     */
    static MeshTopology of(TriangleMesh mesh) {
        MeshTopology topology = new MeshTopology(mesh);
        topology.orient();
        topology.number(topology.partners());
        topology.markBoundary();
        return topology;
    }

    /** Turns clockwise triangles round. */
    private void orient() {
        for (int cell = 0; cell < areas.length; cell++) {
            int first = CORNERS * cell;
            int a = cellNodes[first];
            int b = cellNodes[first + 1];
            int c = cellNodes[first + 2];
            double area = 0.5 * ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
                    - (mesh.x(c) - mesh.x(a)) * (mesh.y(b) - mesh.y(a)));
            if (area < 0) {
                cellNodes[first + 1] = c;
                cellNodes[first + 2] = b;
            } else if (!(area > 0)) {
                throw new IllegalArgumentException("triangle " + cell + " with nodes " + a + ", " + b + " and " + c
                        + " has the area " + area + ", expected more than 0");
            }
            areas[cell] = Math.abs(area);
        }
    }

    private int start(int side) {
        return cellNodes[side];
    }

    private int end(int side) {
        int corner = side % CORNERS;
        return cellNodes[corner == CORNERS - 1 ? side - corner : side + 1];
    }

    private int lower(int side) {
        return Math.min(start(side), end(side));
    }

    private int higher(int side) {
        return Math.max(start(side), end(side));
    }

    /** The side of another triangle on the same edge, for each side, or −1. */
    private int[] partners() {
        int[] sorted = sortedByLower(sortedByHigher());
        int[] partners = new int[sorted.length];
        Arrays.fill(partners, -1);
        for (int i = 1; i < sorted.length; i++) {
            int one = sorted[i - 1];
            int other = sorted[i];
            if (lower(one) == lower(other) && higher(one) == higher(other)) {
                if (partners[one] >= 0) {
                    throw new IllegalArgumentException(edge(one) + " belongs to triangles " + one / CORNERS + ", "
                            + partners[one] / CORNERS + " and " + other / CORNERS + ", expected at most two");
                }
                if (start(one) == start(other)) {
                    throw new IllegalArgumentException("triangles " + one / CORNERS + " and " + other / CORNERS
                            + " lie on the same side of " + edge(one) + ", expected none to overlap");
                }
                partners[one] = other;
                partners[other] = one;
            }
        }
        return partners;
    }

    private String edge(int side) {
        return "the edge of nodes " + lower(side) + " and " + higher(side);
    }

    private int[] sortedByHigher() {
        int[] places = new int[mesh.nodes() + 1];
        for (int side = 0; side < cellNodes.length; side++) {
            places[higher(side) + 1]++;
        }
        Arrays.parallelPrefix(places, Integer::sum);
        int[] sorted = new int[cellNodes.length];
        for (int side = 0; side < sorted.length; side++) {
            sorted[places[higher(side)]++] = side;
        }
        return sorted;
    }

    private int[] sortedByLower(int[] sides) {
        int[] places = new int[mesh.nodes() + 1];
        for (int side : sides) {
            places[lower(side) + 1]++;
        }
        Arrays.parallelPrefix(places, Integer::sum);
        int[] sorted = new int[sides.length];
        for (int side : sides) {
            sorted[places[lower(side)]++] = side;
        }
        return sorted;
    }

    private void number(int[] partners) {
        for (int side = 0; side < partners.length; side++) {
            cellEdges[side] = partners[side] >= 0 && partners[side] < side ? cellEdges[partners[side]] : edges++;
        }
        edgeNodes = new int[2 * edges];
        edgeCells = new int[2 * edges];
        kinds = new int[edges];
        for (int side = 0; side < partners.length; side++) {
            int edge = cellEdges[side];
            int partner = partners[side];
            if (partner < 0 || partner > side) {
                edgeNodes[2 * edge] = start(side);
                edgeNodes[2 * edge + 1] = end(side);
                edgeCells[2 * edge] = side / CORNERS;
                edgeCells[2 * edge + 1] = (partner < 0 ? side : partner) / CORNERS;
                kinds[edge] = partner < 0 ? ShallowWater.WALL : ShallowWater.INTERIOR;
            }
        }
    }

    /** Finds the marked edges among those of the boundary through lists of the edges that start at a node. */
    private void markBoundary() {
        int[] marked = mesh.boundaryNodes();
        if (marked.length == 0) {
            return;
        }
        int[] first = new int[mesh.nodes()];
        int[] next = new int[edges];
        Arrays.fill(first, -1);
        for (int edge = 0; edge < edges; edge++) {
            if (kinds[edge] != ShallowWater.INTERIOR) {
                next[edge] = first[edgeNodes[2 * edge]];
                first[edgeNodes[2 * edge]] = edge;
            }
        }
        for (int i = 0; i < marked.length; i += 2) {
            int edge = find(first, next, marked[i], marked[i + 1]);
            edge = edge >= 0 ? edge : find(first, next, marked[i + 1], marked[i]);
            if (edge < 0) {
                throw new IllegalArgumentException("nodes " + marked[i] + " and " + marked[i + 1]
                        + " of boundary edge " + i / 2 + " are not joined by an edge of the boundary");
            }
            kinds[edge] = mesh.boundaryKinds()[i / 2];
        }
    }

    private int find(int[] first, int[] next, int from, int to) {
        int edge = first[from];
        while (edge >= 0 && edgeNodes[2 * edge + 1] != to) {
            edge = next[edge];
        }
        return edge;
    }

    TriangleMesh mesh() {
        return mesh;
    }

    int cells() {
        return areas.length;
    }

    int edges() {
        return edges;
    }

    int boundaryEdges() {
        return (int) Arrays.stream(kinds).filter(kind -> kind != ShallowWater.INTERIOR).count();
    }

    /** Three nodes of each cell, counter-clockwise. Not copied. */
    int[] cellNodes() {
        return cellNodes;
    }

    /** Three edges of each cell: from its first node to its second, and so on. Not copied. */
    int[] cellEdges() {
        return cellEdges;
    }

    /** Two nodes of each edge, counter-clockwise around the first of its cells. Not copied. */
    int[] edgeNodes() {
        return edgeNodes;
    }

    /** The two cells of each edge; on the boundary twice the same. Not copied. */
    int[] edgeCells() {
        return edgeCells;
    }

    /** The kind of each edge. Not copied. */
    int[] kinds() {
        return kinds;
    }

    /** The area of each cell. Not copied. */
    double[] areas() {
        return areas;
    }

    /** For each edge the normal that points out of its first cell, of length one, and the length of the edge. */
    double[] faces() {
        double[] faces = new double[3 * edges];
        for (int edge = 0; edge < edges; edge++) {
            int from = edgeNodes[2 * edge];
            int to = edgeNodes[2 * edge + 1];
            double dx = mesh.x(to) - mesh.x(from);
            double dy = mesh.y(to) - mesh.y(from);
            double length = Math.hypot(dx, dy);
            faces[3 * edge] = dy / length;
            faces[3 * edge + 1] = -dx / length;
            faces[3 * edge + 2] = length;
        }
        return faces;
    }

    /** x and y of the centre of each cell. */
    double[] centres() {
        double[] centres = new double[2 * cells()];
        for (int cell = 0; cell < cells(); cell++) {
            for (int corner = 0; corner < CORNERS; corner++) {
                int node = cellNodes[CORNERS * cell + corner];
                centres[2 * cell] += mesh.x(node) / CORNERS;
                centres[2 * cell + 1] += mesh.y(node) / CORNERS;
            }
        }
        return centres;
    }
}
