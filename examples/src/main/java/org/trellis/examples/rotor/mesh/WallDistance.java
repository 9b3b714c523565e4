package org.trellis.examples.rotor.mesh;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** How far nodes are from walls that the fluid sticks to. */
public final class WallDistance {
    private static final int SPACE = HybridMesh.SPACE;

    private WallDistance() {}

    /**
     * Computes the distance of each node from the triangles that make the walls; quadrilaterals are cut at their least
     * corner.
     *
     * @param mesh the mesh
     * @return a distance for each node; infinite without walls; cost: for each node the faces of walls that are as near
     *         along x
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
        double[] x = mesh.points();
        Integer[] order = IntStream.range(0, walls.length / SPACE).boxed()
                .sorted(Comparator.comparingDouble(t -> x[SPACE * walls[SPACE * t]])).toArray(Integer[]::new);
        double[] places = Arrays.stream(order).mapToDouble(t -> x[SPACE * walls[SPACE * t]]).toArray();
        double reach = IntStream.range(0, walls.length / SPACE).mapToDouble(t -> extent(x, walls, t)).max().orElse(0);
        return IntStream.range(0, mesh.nodes()).parallel().mapToDouble(node -> {
            int found = Arrays.binarySearch(places, x[SPACE * node]);
            int right = found < 0 ? -found - 1 : found;
            int left = right - 1;
            double least = Double.POSITIVE_INFINITY;
            // Triangles are sorted by x of a corner: those further off along x than the nearest one cannot be nearer.
            while (left >= 0 || right < places.length) {
                double back = left >= 0 ? x[SPACE * node] - places[left] : Double.POSITIVE_INFINITY;
                double ahead = right < places.length ? places[right] - x[SPACE * node] : Double.POSITIVE_INFINITY;
                double off = Math.max(0, Math.min(back, ahead) - reach);
                if (off * off > least) {
                    break;
                }
                int t = SPACE * order[back < ahead ? left-- : right++];
                least = Math.min(least, squared(x, SPACE * node, SPACE * walls[t], SPACE * walls[t + 1],
                        SPACE * walls[t + 2]));
            }
            return Math.sqrt(least);
        }).toArray();
    }

    /** How far a triangle reaches along x from its first corner. */
    private static double extent(double[] x, int[] walls, int triangle) {
        double first = x[SPACE * walls[SPACE * triangle]];
        return Math.max(Math.abs(x[SPACE * walls[SPACE * triangle + 1]] - first),
                Math.abs(x[SPACE * walls[SPACE * triangle + 2]] - first));
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
