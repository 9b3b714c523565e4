package org.trellis.examples.poisson;

import java.util.Arrays;

/**
 * Triangles in the plane with their edges. Nodes that no triangle has are left out, triangles turned counter-clockwise,
 * and edges sorted by their nodes. The arrays are not copied and not to be changed.
 */
public final class PlaneMesh {
    /** Nodes and edges of a triangle. */
    static final int CORNERS = 3;

    private final double[] coordinates;
    private final int[] cellNodes;
    private final int[] cellEdges;
    private final int[] edgeNodes;
    private final boolean[] boundary;

    private PlaneMesh(double[] coordinates, int[] cellNodes) {
        this.coordinates = coordinates;
        this.cellNodes = cellNodes;
        this.cellEdges = new int[cellNodes.length];
        this.boundary = new boolean[coordinates.length / 2];
        long[] sides = new long[cellNodes.length];
        for (int side = 0; side < sides.length; side++) {
            sides[side] = key(side);
        }
        long[] sorted = sides.clone();
        Arrays.parallelSort(sorted);
        long[] edges = Arrays.stream(sorted).distinct().toArray();
        this.edgeNodes = new int[2 * edges.length];
        for (int edge = 0; edge < edges.length; edge++) {
            edgeNodes[2 * edge] = (int) (edges[edge] >>> Integer.SIZE);
            edgeNodes[2 * edge + 1] = (int) edges[edge];
        }
        int[] sidesOf = new int[edges.length];
        for (int side = 0; side < sides.length; side++) {
            cellEdges[side] = Arrays.binarySearch(edges, sides[side]);
            sidesOf[cellEdges[side]]++;
        }
        for (int edge = 0; edge < edges.length; edge++) {
            if (sidesOf[edge] > 2) {
                throw new IllegalArgumentException("edge of nodes " + edgeNodes[2 * edge] + " and "
                        + edgeNodes[2 * edge + 1] + " belongs to " + sidesOf[edge] + " triangles, expected at most 2");
            }
            if (sidesOf[edge] == 1) {
                boundary[edgeNodes[2 * edge]] = true;
                boundary[edgeNodes[2 * edge + 1]] = true;
            }
        }
    }

    /** The nodes of a side, the smaller one in the upper half. */
    private long key(int side) {
        int first = side - side % CORNERS;
        int a = cellNodes[side];
        int b = cellNodes[first + (side - first + 1) % CORNERS];
        return (long) Math.min(a, b) << Integer.SIZE | Math.max(a, b);
    }

    /**
     * Makes a mesh.
     *
     * @param coordinates x and y of each node
     * @param triangles   three nodes of each triangle, clockwise or not
     * @return the mesh, with the nodes that triangles have, in their order
     * @throws IllegalArgumentException if there is no triangle, a node does not exist or is nowhere, a triangle has no
     *                                  area, or an edge has more than two; names it
     */
    static PlaneMesh of(double[] coordinates, int[] triangles) {
        if (triangles.length == 0 || triangles.length % CORNERS != 0) {
            throw new IllegalArgumentException("triangles have " + triangles.length
                    + " nodes in all, expected three for each of at least one");
        }
        int[] place = new int[coordinates.length / 2];
        for (int corner = 0; corner < triangles.length; corner++) {
            int node = triangles[corner];
            if (node < 0 || node >= place.length) {
                throw new IllegalArgumentException("triangle " + corner / CORNERS + " has node " + node
                        + ", expected 0 to " + (place.length - 1));
            }
            if (!Double.isFinite(coordinates[2 * node]) || !Double.isFinite(coordinates[2 * node + 1])) {
                throw new IllegalArgumentException("node " + node + " is at (" + coordinates[2 * node] + ", "
                        + coordinates[2 * node + 1] + "), expected finite coordinates");
            }
            place[node] = 1;
        }
        Arrays.parallelPrefix(place, Integer::sum);
        double[] used = new double[2 * place[place.length - 1]];
        int[] cells = new int[triangles.length];
        for (int corner = 0; corner < triangles.length; corner++) {
            int node = triangles[corner];
            cells[corner] = place[node] - 1;
            used[2 * cells[corner]] = coordinates[2 * node];
            used[2 * cells[corner] + 1] = coordinates[2 * node + 1];
        }
        orient(used, cells);
        return new PlaneMesh(used, cells);
    }

    private static void orient(double[] x, int[] cells) {
        for (int first = 0; first < cells.length; first += CORNERS) {
            double twice = twiceArea(x, cells[first], cells[first + 1], cells[first + 2]);
            if (twice == 0 || !Double.isFinite(twice)) {
                throw new IllegalArgumentException("triangle " + first / CORNERS + " has the area " + 0.5 * twice
                        + ", expected a finite one of more than 0");
            }
            if (twice < 0) {
                int last = cells[first + 2];
                cells[first + 2] = cells[first + 1];
                cells[first + 1] = last;
            }
        }
    }

    private static double twiceArea(double[] x, int a, int b, int c) {
        return (x[2 * b] - x[2 * a]) * (x[2 * c + 1] - x[2 * a + 1])
                - (x[2 * c] - x[2 * a]) * (x[2 * b + 1] - x[2 * a + 1]);
    }

    int nodes() {
        return boundary.length;
    }

    int cells() {
        return cellNodes.length / CORNERS;
    }

    int edges() {
        return edgeNodes.length / 2;
    }

    /** Returns x and y of each node. */
    double[] coordinates() {
        return coordinates;
    }

    /** Returns three nodes of each triangle, counter-clockwise. */
    int[] cellNodes() {
        return cellNodes;
    }

    /** Returns three edges of each triangle, that of corners k and k + 1 in place k. */
    int[] cellEdges() {
        return cellEdges;
    }

    /** Returns two nodes of each edge, the smaller number first; edges are sorted by them. */
    int[] edgeNodes() {
        return edgeNodes;
    }

    /** Says whether a node lies on the boundary. */
    boolean onBoundary(int node) {
        return boundary[node];
    }

    /** Returns how many nodes are not on the boundary. */
    int interiorNodes() {
        int count = 0;
        for (boolean on : boundary) {
            count += on ? 0 : 1;
        }
        return count;
    }

    /** Returns the sum of the areas of the triangles. */
    double area() {
        double sum = 0;
        for (int first = 0; first < cellNodes.length; first += CORNERS) {
            sum += 0.5 * twiceArea(coordinates, cellNodes[first], cellNodes[first + 1], cellNodes[first + 2]);
        }
        return sum;
    }

    /** Returns the least x and y, and the larger extent of both. */
    double[] frame() {
        double[] box = {Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE};
        for (int i = 0; i < coordinates.length; i += 2) {
            box[0] = Math.min(box[0], coordinates[i]);
            box[1] = Math.min(box[1], coordinates[i + 1]);
            box[2] = Math.max(box[2], coordinates[i]);
            box[3] = Math.max(box[3], coordinates[i + 1]);
        }
        return new double[]{box[0], box[1], Math.max(box[2] - box[0], box[3] - box[1])};
    }
}
