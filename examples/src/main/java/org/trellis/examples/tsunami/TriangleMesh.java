package org.trellis.examples.tsunami;

import java.util.Arrays;
import java.util.Objects;
import org.trellis.common.Checks;

/**
 * A bed made of triangles, as files and generators give it.
 *
 * @param coordinates   x and y of each node, in metres
 * @param bed           z of each node, in metres, upwards
 * @param triangles     three nodes of each triangle, clockwise or not
 * @param boundaryNodes two nodes for each edge of the boundary that is not a {@link ShallowWater#WALL}, in any order
 * @param boundaryKinds the kinds of these edges
 */
record TriangleMesh(double[] coordinates, double[] bed, int[] triangles, int[] boundaryNodes, int[] boundaryKinds) {
    /** Nodes of a triangle. */
    static final int CORNERS = 3;

    /** Checks sizes and indices, in linear time; keeps the arrays. */
    TriangleMesh {
        Checks.length("number of coordinates of " + bed.length + " nodes", coordinates.length, 2L * bed.length);
        Checks.length("number of nodes of " + boundaryKinds.length + " boundary edges", boundaryNodes.length,
                2L * boundaryKinds.length);
        if (triangles.length == 0 || triangles.length % CORNERS != 0) {
            throw new IllegalArgumentException("triangles have " + triangles.length
                    + " nodes in all, expected three for each of at least one");
        }
        checkNodes("triangle", triangles, CORNERS, bed.length);
        checkNodes("boundary edge", boundaryNodes, 2, bed.length);
        checkFinite("coordinates", coordinates, 2);
        checkFinite("bed", bed, 1);
        for (int edge = 0; edge < boundaryKinds.length; edge++) {
            int kind = boundaryKinds[edge];
            if (kind < ShallowWater.WALL || kind > ShallowWater.SEA) {
                throw new IllegalArgumentException("kind of boundary edge " + edge + " is " + kind + ", expected "
                        + ShallowWater.WALL + " to " + ShallowWater.SEA);
            }
        }
    }

    private static void checkNodes(String what, int[] nodes, int each, int size) {
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i] < 0 || nodes[i] >= size) {
                throw new IllegalArgumentException(what + " " + i / each + " has node " + nodes[i] + ", expected 0 to "
                        + (size - 1));
            }
        }
    }

    private static void checkFinite(String what, double[] values, int each) {
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw new IllegalArgumentException(what + " of node " + i / each + " have " + values[i]
                        + ", expected finite numbers");
            }
        }
    }

    int nodes() {
        return bed.length;
    }

    int cells() {
        return triangles.length / CORNERS;
    }

    double x(int node) {
        return coordinates[2 * node];
    }

    double y(int node) {
        return coordinates[2 * node + 1];
    }

    /** The smallest rectangle around the nodes that triangles use. */
    Bounds bounds() {
        double[] box = {Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE};
        for (int node : triangles) {
            box[0] = Math.min(box[0], x(node));
            box[1] = Math.min(box[1], y(node));
            box[2] = Math.max(box[2], x(node));
            box[3] = Math.max(box[3], y(node));
        }
        return new Bounds(box[0], box[1], box[2], box[3]);
    }

    /** The same mesh with another bed. */
    TriangleMesh withBed(Field field) {
        Objects.requireNonNull(field);
        double[] z = new double[nodes()];
        Arrays.setAll(z, node -> field.at(x(node), y(node)));
        return new TriangleMesh(coordinates, z, triangles, boundaryNodes, boundaryKinds);
    }

    /** A mean value for each triangle of what is given at its nodes. */
    double[] cellMeans(double[] nodal) {
        double[] means = new double[cells()];
        Arrays.setAll(means, cell -> (nodal[triangles[CORNERS * cell]] + nodal[triangles[CORNERS * cell + 1]]
                + nodal[triangles[CORNERS * cell + 2]]) / CORNERS);
        return means;
    }

    /**
     * A rectangle.
     *
     * @param left   its smallest x
     * @param bottom its smallest y
     * @param right  its largest x
     * @param top    its largest y
     */
    record Bounds(double left, double bottom, double right, double top) {
        double width() {
            return right - left;
        }

        double height() {
            return top - bottom;
        }

        double centreX() {
            return 0.5 * (left + right);
        }

        double centreY() {
            return 0.5 * (bottom + top);
        }
    }
}
