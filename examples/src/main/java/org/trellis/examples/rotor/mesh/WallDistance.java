package org.trellis.examples.rotor.mesh;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How far nodes are from walls that the fluid sticks to: a tree of boxes over the triangles that make the walls, where
 * boxes that are further away than the nearest triangle yet are left out.
 */
public final class WallDistance {
    private static final int SPACE = HybridMesh.SPACE;
    /** Triangles of a box that has no parts. */
    private static final int LEAF = 4;
    private static final int BOX = 2 * SPACE;

    private final double[] x;
    private final int[] walls;
    private final int count;
    /** Triangles in the order of the leaves. */
    private final int[] order;
    /** Of each box the least and then the greatest coordinates; parts of box b are 2 b + 1 and 2 b + 2. */
    private final double[] boxes;

    private WallDistance(double[] x, int[] walls) {
        this.x = x;
        this.walls = walls;
        count = walls.length / SPACE;
        int depth = 0;
        while (count > LEAF << depth) {
            depth++;
        }
        boxes = new double[BOX * ((2 << depth) - 1)];
        long[] keys = new long[count];
        order = IntStream.range(0, count).toArray();
        divide(0, 0, count, keys);
    }

    /**
     * Computes the distance of each node from the triangles that make the walls; quadrilaterals are cut at their least
     * corner.
     *
     * @param mesh the mesh
     * @return a distance for each node; infinite without walls; cost: for each node a few times the logarithm of the
     *         number of triangles, on all processors
     */
    public static double[] of(HybridMesh mesh) {
        Lattice.Ints triangles = new Lattice.Ints();
        for (int face = 0; face < mesh.patches().size(); face++) {
            if (mesh.patches().get(face) == Patch.NO_SLIP) {
                int[] corners = Arrays.copyOfRange(mesh.faces(), HybridMesh.FACE * face, HybridMesh.FACE * (face + 1));
                triangles.add(corners[0], corners[1], corners[2]);
                if (corners[3] >= 0) {
                    triangles.add(corners[0], corners[2], corners[3]);
                }
            }
        }
        int[] walls = triangles.toArray();
        double[] distances = new double[mesh.nodes()];
        if (walls.length == 0) {
            Arrays.fill(distances, Double.POSITIVE_INFINITY);
            return distances;
        }
        WallDistance tree = new WallDistance(mesh.points(), walls);
        Arrays.parallelSetAll(distances, node -> Math.sqrt(tree.nearest(SPACE * node, 0, Double.POSITIVE_INFINITY)));
        return distances;
    }

    private boolean isLeaf(int box) {
        return 2 * box + 1 >= boxes.length / BOX;
    }

    /** Fills a box with triangles of the order, and divides them by the middle of those along its longest side. */
    private void divide(int box, int from, int to, long[] keys) {
        for (int d = 0; d < SPACE; d++) {
            double least = Double.POSITIVE_INFINITY;
            double greatest = Double.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                for (int k = 0; k < SPACE; k++) {
                    double at = x[SPACE * walls[SPACE * order[i] + k] + d];
                    least = Math.min(least, at);
                    greatest = Math.max(greatest, at);
                }
            }
            boxes[BOX * box + d] = least;
            boxes[BOX * box + SPACE + d] = greatest;
        }
        if (isLeaf(box)) {
            return;
        }
        int longest = 0;
        for (int d = 1; d < SPACE; d++) {
            longest = length(box, d) > length(box, longest) ? d : longest;
        }
        sort(box, longest, from, to, keys);
        int middle = middle(from, to);
        divide(2 * box + 1, from, middle, keys);
        divide(2 * box + 2, middle, to, keys);
    }

    private static int middle(int from, int to) {
        return (from + to) >>> 1;
    }

    private double length(int box, int direction) {
        return boxes[BOX * box + SPACE + direction] - boxes[BOX * box + direction];
    }

    /** Sorts triangles by their places along a side of a box, as whole numbers, in front of their own numbers. */
    private void sort(int box, int d, int from, int to, long[] keys) {
        double scale = Integer.MAX_VALUE / Math.max(SPACE * length(box, d), Double.MIN_NORMAL);
        double least = boxes[BOX * box + d];
        for (int i = from; i < to; i++) {
            double sum = 0;
            for (int k = 0; k < SPACE; k++) {
                sum += x[SPACE * walls[SPACE * order[i] + k] + d] - least;
            }
            keys[i] = ((long) (sum * scale) << Integer.SIZE) | order[i];
        }
        Arrays.parallelSort(keys, from, to);
        for (int i = from; i < to; i++) {
            order[i] = (int) keys[i];
        }
    }

    /** The square of the distance of a point from a box, 0 inside. */
    private double away(int p, int box) {
        double sum = 0;
        for (int d = 0; d < SPACE; d++) {
            double off =
                    Math.max(0, Math.max(boxes[BOX * box + d] - x[p + d], x[p + d] - boxes[BOX * box + SPACE + d]));
            sum += off * off;
        }
        return sum;
    }

    private double nearest(int p, int box, double least) {
        return nearest(p, box, 0, count, least);
    }

    private double nearest(int p, int box, int from, int to, double least) {
        double found = least;
        if (isLeaf(box)) {
            for (int i = from; i < to; i++) {
                int t = SPACE * order[i];
                found = Math.min(found, squared(x, p, SPACE * walls[t], SPACE * walls[t + 1], SPACE * walls[t + 2]));
            }
            return found;
        }
        double left = away(p, 2 * box + 1);
        double right = away(p, 2 * box + 2);
        int middle = middle(from, to);
        boolean leftFirst = left <= right;
        if (leftFirst && left < found) {
            found = nearest(p, 2 * box + 1, from, middle, found);
        }
        if (right < found) {
            found = nearest(p, 2 * box + 2, middle, to, found);
        }
        if (!leftFirst && left < found) {
            found = nearest(p, 2 * box + 1, from, middle, found);
        }
        return found;
    }

    private static double dot(double[] x, int a, int b, int c, int d) {
        double sum = 0;
        for (int k = 0; k < SPACE; k++) {
            sum += (x[b + k] - x[a + k]) * (x[d + k] - x[c + k]);
        }
        return sum;
    }

    /** The square of the distance of a point from a triangle: within it, or from the nearest of its sides. */
    private static double squared(double[] x, int p, int a, int b, int c) {
        double bb = dot(x, a, b, a, b);
        double bc = dot(x, a, b, a, c);
        double cc = dot(x, a, c, a, c);
        double pb = dot(x, a, p, a, b);
        double pc = dot(x, a, p, a, c);
        double determinant = bb * cc - bc * bc;
        double u = (cc * pb - bc * pc) / determinant;
        double v = (bb * pc - bc * pb) / determinant;
        if (u >= 0 && v >= 0 && u + v <= 1) {
            double pp = dot(x, a, p, a, p);
            return Math.max(0, pp - u * pb - v * pc);
        }
        return Math.min(side(x, p, a, b), Math.min(side(x, p, b, c), side(x, p, c, a)));
    }

    private static double side(double[] x, int p, int a, int b) {
        double share = Math.clamp(dot(x, a, p, a, b) / dot(x, a, b, a, b), 0, 1);
        double sum = 0;
        for (int k = 0; k < SPACE; k++) {
            double difference = x[p + k] - x[a + k] - share * (x[b + k] - x[a + k]);
            sum += difference * difference;
        }
        return sum;
    }
}
