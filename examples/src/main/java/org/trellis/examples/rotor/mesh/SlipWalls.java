package org.trellis.examples.rotor.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which directions nodes on walls without friction cannot go: normals of the walls that meet there. Faces that are
 * nearly in one plane are one wall; where walls meet at an angle, a node has two or three directions, and keeps to the
 * edge or to the corner. Where a wall bends, by more than a few degrees from one face to the next, it gives no
 * direction.
 *
 * @param nodes      the nodes on such walls, each once, increasing
 * @param directions three unit vectors for each node, at right angles to each other; zeros in place of those that it
 *                   does not have
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record SlipWalls(int[] nodes, double[] directions) {
    /** Numbers of a node: three directions. */
    public static final int DIRECTIONS = 9;
    private static final int SPACE = HybridMesh.SPACE;
    /** Faces belong to one wall up to this cosine of the angle between their normals. */
    private static final double ONE_WALL = 0.7;
    /**
     * The least cosine of the angle between a wall at a node and its faces there. Where walls bend more, as where a
     * bump begins, neither side's direction nor their mean is that of the flow, and pressure alone has to turn it.
     */
    private static final double FLAT = 0.998;
    /** What of a direction has to be left beside the ones before, so that it counts. */
    private static final double OWN = 0.3;

    /**
     * Finds the directions of a mesh. Nodes of a pair know the faces of both, so that they move alike.
     *
     * @param level   the mesh and its pairs
     * @param angle   by which the second of a pair is turned against the first, as of {@link FlowMesh}
     * @param patches which walls
     * @return nodes and directions; cost: the faces of the boundary
     */
    public static SlipWalls of(FlowMesh.Level level, double angle, Set<Patch> patches) {
        HybridMesh mesh = level.mesh();
        Map<Integer, List<double[]>> normals = new HashMap<>();
        for (int face = 0; face < mesh.patches().size(); face++) {
            if (patches.contains(mesh.patches().get(face))) {
                double[] normal = normal(mesh, face);
                for (int k = 0; k < mesh.cornersOf(face); k++) {
                    normals.computeIfAbsent(mesh.faces()[HybridMesh.FACE * face + k], key -> new ArrayList<>())
                            .add(normal);
                }
            }
        }
        int[] second = new int[mesh.nodes()];
        Arrays.fill(second, -1);
        boolean[] isSecond = new boolean[mesh.nodes()];
        for (int p = 0; p < level.pairs().length; p += 2) {
            second[level.pairs()[p]] = level.pairs()[p + 1];
            isSecond[level.pairs()[p + 1]] = true;
        }
        int[] nodes = normals.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        double[] directions = new double[DIRECTIONS * nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            if (!isSecond[nodes[i]]) {
                List<double[]> met = new ArrayList<>(normals.get(nodes[i]));
                int other = Arrays.binarySearch(nodes, second[nodes[i]]);
                if (other >= 0) {
                    normals.get(nodes[other]).forEach(normal -> met.add(turned(normal, -angle)));
                }
                double[] found = independent(walls(met));
                System.arraycopy(found, 0, directions, DIRECTIONS * i, DIRECTIONS);
                for (int d = 0; d < DIRECTIONS && other >= 0; d += SPACE) {
                    System.arraycopy(turned(Arrays.copyOfRange(found, d, d + SPACE), angle), 0, directions,
                            DIRECTIONS * other + d, SPACE);
                }
            }
        }
        return new SlipWalls(nodes, directions);
    }

    /** The directions of some of the nodes, which get other numbers. */
    SlipWalls at(int[] places) {
        int[] found = IntStream.range(0, places.length).filter(i -> Arrays.binarySearch(nodes, places[i]) >= 0)
                .toArray();
        double[] theirs = new double[DIRECTIONS * found.length];
        for (int i = 0; i < found.length; i++) {
            System.arraycopy(directions, DIRECTIONS * Arrays.binarySearch(nodes, places[found[i]]), theirs,
                    DIRECTIONS * i, DIRECTIONS);
        }
        return new SlipWalls(found, theirs);
    }

    /** Turns a vector about the x axis, from z to y. */
    private static double[] turned(double[] v, double angle) {
        double c = Math.cos(angle);
        double s = Math.sin(angle);
        return new double[]{v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]};
    }

    /** The normal times the area: for quadrilaterals that are not flat, the mean. */
    private static double[] normal(HybridMesh mesh, int face) {
        int corners = mesh.cornersOf(face);
        double[][] x = new double[corners][];
        for (int k = 0; k < corners; k++) {
            int at = SPACE * mesh.faces()[HybridMesh.FACE * face + k];
            x[k] = Arrays.copyOfRange(mesh.points(), at, at + SPACE);
        }
        double[] first = MedianDual.halfCross(x[0], x[1], x[2]);
        if (corners > SPACE) {
            double[] rest = MedianDual.halfCross(x[0], x[2], x[SPACE]);
            Arrays.setAll(first, d -> first[d] + rest[d]);
        }
        return first;
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    private static boolean isNear(double[] wall, double[] normal, double cosine) {
        return dot(wall, normal) > cosine * Math.sqrt(dot(wall, wall) * dot(normal, normal));
    }

    /** Sums the normals of faces that are nearly in one plane with the first of them, and leaves out bends. */
    private static List<double[]> walls(List<double[]> normals) {
        List<double[]> walls = new ArrayList<>();
        for (double[] normal : normals) {
            double[] there = walls.stream().filter(wall -> isNear(wall, normal, ONE_WALL)).findFirst().orElse(null);
            if (there == null) {
                walls.add(normal.clone());
            } else {
                Arrays.setAll(there, d -> there[d] + normal[d]);
            }
        }
        walls.removeIf(wall -> normals.stream()
                .anyMatch(normal -> isNear(wall, normal, ONE_WALL) && !isNear(wall, normal, FLAT)));
        return walls;
    }

    /** Gram and Schmidt's, leaving out what hardly differs from the ones before. */
    private static double[] independent(List<double[]> walls) {
        double[] found = new double[DIRECTIONS];
        int count = 0;
        for (double[] wall : walls) {
            double size = Math.sqrt(dot(wall, wall));
            double[] rest = wall.clone();
            for (int b = 0; b < count; b++) {
                double[] before = Arrays.copyOfRange(found, SPACE * b, SPACE * b + SPACE);
                double share = dot(rest, before);
                Arrays.setAll(rest, d -> rest[d] - share * before[d]);
            }
            double left = Math.sqrt(dot(rest, rest));
            if (count < SPACE && left > OWN * size) {
                for (int d = 0; d < SPACE; d++) {
                    found[SPACE * count + d] = rest[d] / left;
                }
                count++;
            }
        }
        return found;
    }
}
