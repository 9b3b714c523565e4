package org.trellis.examples.rotor.mesh;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Finds how one side of a periodic mesh lies on the other: shifted, or turned about the x axis. Which of both is given
 * by the areas of the sides, which are opposite vectors if they are shifted; how far, by their middles.
 *
 * @param pairs two nodes each that are the same place, the first one's on the first side
 * @param angle by which the second side is turned against the first, from z to y, in radians; 0 where it is shifted
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
record PeriodicSides(int[] pairs, double angle) {
    private static final int SPACE = HybridMesh.SPACE;
    /** How far nodes may be from where they should be, as a share of the size of the mesh. */
    private static final double TOLERANCE = 1e-6;

    /** No periodic sides. */
    static PeriodicSides none() {
        return new PeriodicSides(new int[0], 0);
    }

    /** A side: its nodes, the sum of its faces' normals times areas, and the middle of its nodes. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Side(String name, int[] nodes, double[] area, double[] middle) {
        static Side of(String name, List<int[]> faces, double[] points) {
            double[] area = new double[SPACE];
            for (int[] face : faces) {
                for (int k = 2; k < face.length; k++) {
                    double[] normal = MedianDual.halfCross(at(points, face[0]), at(points, face[k - 1]),
                            at(points, face[k]));
                    Arrays.setAll(area, d -> area[d] + normal[d]);
                }
            }
            int[] nodes = faces.stream().flatMapToInt(Arrays::stream).distinct().sorted().toArray();
            double[] middle = new double[SPACE];
            Arrays.setAll(middle,
                    d -> IntStream.of(nodes).mapToDouble(node -> points[SPACE * node + d]).average().orElse(0));
            return new Side(name, nodes, area, middle);
        }
    }

    /**
     * Finds the pairs of two sides, and moves the nodes of the second to where those of the first would be, if they are
     * nearly there.
     *
     * @param names  of the sides
     * @param first  corners of the faces of the first side, seen from outside
     * @param second of the second
     * @param points three coordinates of each node, in which those of the second side change by rounding
     * @return the pairs, by the nodes of the first side
     * @throws IllegalArgumentException if nodes of one have none on the other, or one is on both
     */
    static PeriodicSides of(List<String> names, List<int[]> first, List<int[]> second, double[] points) {
        Side one = Side.of(names.get(0), first, points);
        Side other = Side.of(names.get(1), second, points);
        double[] gap = new double[SPACE];
        Arrays.setAll(gap, d -> one.area()[d] + other.area()[d]);
        boolean shifted = square(gap) <= TOLERANCE * TOLERANCE * square(one.area());
        double angle = shifted ? 0 : angle(other.middle()) - angle(one.middle());
        double[] step = new double[SPACE];
        if (shifted) {
            Arrays.setAll(step, d -> other.middle()[d] - one.middle()[d]);
        }
        int[] pairs = new Search(points, other).pairs(one, angle, step);
        requireOnce(pairs, one, other);
        return new PeriodicSides(pairs, Math.IEEEremainder(angle, 2 * Math.PI));
    }

    /** The nodes of the second side, by x. */
    private static final class Search {
        private final double[] points;
        private final Side side;
        private final int[] nodes;
        private final double[] places;
        private final double near;

        Search(double[] points, Side side) {
            this.points = points;
            this.side = side;
            nodes = IntStream.of(side.nodes()).boxed().sorted(Comparator.comparingDouble(n -> points[SPACE * n]))
                    .mapToInt(Integer::intValue).toArray();
            places = IntStream.of(nodes).mapToDouble(n -> points[SPACE * n]).toArray();
            near = TOLERANCE * size(points);
        }

        int[] pairs(Side first, double angle, double... step) {
            if (first.nodes().length != nodes.length) {
                throw new IllegalArgumentException("the periodic sides '" + first.name() + "' and '" + side.name()
                        + "' have " + first.nodes().length + " and " + nodes.length
                        + " nodes, expected the same number");
            }
            int[] pairs = new int[2 * nodes.length];
            for (int i = 0; i < nodes.length; i++) {
                double[] image = turned(at(points, first.nodes()[i]), angle);
                for (int d = 0; d < SPACE; d++) {
                    image[d] += step[d];
                }
                int found = nearest(first, first.nodes()[i], image);
                System.arraycopy(image, 0, points, SPACE * found, SPACE);
                pairs[2 * i] = first.nodes()[i];
                pairs[2 * i + 1] = found;
            }
            return pairs;
        }

        private int nearest(Side first, int node, double... image) {
            int from = Arrays.binarySearch(places, image[0] - near);
            for (int i = from < 0 ? -from - 1 : from; i < nodes.length && places[i] <= image[0] + near; i++) {
                double[] off = at(points, nodes[i]);
                for (int d = 0; d < SPACE; d++) {
                    off[d] -= image[d];
                }
                if (square(off) <= near * near) {
                    return nodes[i];
                }
            }
            throw new IllegalArgumentException("the node at " + place(at(points, node)) + " on the periodic side '"
                    + first.name() + "' would be at " + place(image) + " on the side '" + side.name()
                    + "', expected a node there, within " + near);
        }
    }

    /** Refuses sides whose faces are cut differently: what leaves through one would not come in by the other. */
    void requireMatch(MedianDual.Boundary boundary) {
        for (int p = 0; p < pairs.length; p += 2) {
            int one = Arrays.binarySearch(boundary.nodes(), pairs[p]);
            int other = Arrays.binarySearch(boundary.nodes(), pairs[p + 1]);
            double[] normal = turned(at(boundary.normals(), one), angle);
            double[] gap = at(boundary.normals(), other);
            Arrays.setAll(gap, d -> gap[d] + normal[d]);
            if (!(square(gap) <= TOLERANCE * square(normal))) {
                throw new IllegalArgumentException("the borders of nodes " + pairs[p] + " and " + pairs[p + 1]
                        + ", a pair of the periodic sides, differ by " + place(gap) + ", expected the same faces");
            }
        }
    }

    /** A node that is in two pairs would belong to two sides. */
    private static void requireOnce(int[] pairs, Side one, Side other) {
        int[] sorted = IntStream.of(pairs).sorted().toArray();
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw new IllegalArgumentException("node " + sorted[i] + " is twice among those of the periodic sides '"
                        + one.name() + "' and '" + other.name() + "', expected sides that do not touch");
            }
        }
    }

    private static double[] at(double[] points, int node) {
        return Arrays.copyOfRange(points, SPACE * node, SPACE * node + SPACE);
    }

    private static double square(double... v) {
        return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    }

    /** From the z axis, towards y. */
    private static double angle(double... x) {
        return Math.atan2(x[1], x[2]);
    }

    private static double[] turned(double[] x, double angle) {
        double c = Math.cos(angle);
        double s = Math.sin(angle);
        return new double[]{x[0], c * x[1] + s * x[2], c * x[2] - s * x[1]};
    }

    /** The diagonal of the box about all points. */
    private static double size(double[] points) {
        double[] least = at(points, 0);
        double[] most = at(points, 0);
        for (int i = 0; i < points.length; i++) {
            least[i % SPACE] = Math.min(least[i % SPACE], points[i]);
            most[i % SPACE] = Math.max(most[i % SPACE], points[i]);
        }
        return Math.sqrt(square(most[0] - least[0], most[1] - least[1], most[2] - least[2]));
    }

    private static String place(double... x) {
        return String.format(Locale.ROOT, "(%.6g, %.6g, %.6g)", x[0], x[1], x[2]);
    }
}
