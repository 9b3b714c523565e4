package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.mesh.ColourSweep;

/**
 * What surrounds each vertex of a mesh, for loops over colours. Vertices are numbered by colours, in the mesh's
 * order within each, so that those of a loop lie side by side.
 *
 * @param dimension   2 for triangles, 3 for tetrahedra
 * @param order       the number in the mesh of each vertex
 * @param coordinates of the vertices
 * @param classes     0 for free vertices, 1 for those bound to a line or plane, or fixed
 * @param traits      in the plane four for each vertex: the direction of its line, zero if it has none; whether it is
 *                    free; and whether neighbours do not go all around. In space nine: three, two or one orthogonal
 *                    directions of unit length, and zeros
 * @param offsets     where the neighbours of each vertex start
 * @param neighbours  the neighbours
 * @param ringOffsets where the ring of each vertex starts
 * @param rings       in the plane the neighbours of vertices that may move in turn, against the clock; the first again
 *                    at the end where they go all around. In space the other three corners of each tetrahedron around
 *                    them, such that the vertex and they are oriented
 * @param shapes      what vertices slide along if any is on something curved, or else empty: centre and radius of a
 *                    circle in the plane, twice a kind and seven numbers in space, zeros for vertices on none
 */
public record SweepCavities(int dimension, int[] order, double[] coordinates, int[] classes, double[] traits,
        int[] offsets,
        int[] neighbours, int[] ringOffsets, int[] rings, double[] shapes) {
    /** Numbers of a vertex of a plane mesh in traits. */
    public static final int TRAITS = 4;
    /** Corners after each other one in a tetrahedron, such that all four are in an even order. */
    private static final int[][] OTHERS = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    private static final int FREE = 2;
    private static final int OPEN = 3;

    /**
     * Finds the surroundings of all vertices.
     *
     * @param mesh the mesh
     * @return the surroundings
     * @throws IllegalArgumentException if a side or facet stands for something else than a circle, or a sphere,
     *                                  cylinder or plane
     */
    public static SweepCavities of(SimplexMesh mesh) {
        try (Team team = new Team(Runtime.getRuntime().availableProcessors())) {
            return of(new CavityMesh(mesh, AnalyticMetrics.uniform(mesh.dimension(), 1), team), team);
        }
    }

    /** Finds the surroundings of all vertices of a mesh in adaptation; those without elements stay. */
    static SweepCavities of(CavityMesh mesh, Team team) {
        return new Builder(mesh, new Mobility(mesh, team)).numbered();
    }

    /**
     * Returns how many numbers of traits a vertex has.
     *
     * @return 4 in the plane, 9 in space
     */
    public int traitCount() {
        return dimension == 2 ? TRAITS : SpaceSweepKernels.DIRECTIONS;
    }

    /** Tells whether vertices slide along something curved. */
    boolean isCurved() {
        return shapes.length > 0;
    }

    /** Returns how many bytes loops that try moves take: coordinates, traits, rows and where they start. */
    long bytes() {
        long rows = (long) ringOffsets.length + rings.length;
        rows += dimension == 2 ? 0 : (long) offsets.length + neighbours.length;
        return Double.BYTES * ((long) coordinates.length + traits.length + shapes.length) + Integer.BYTES * rows;
    }

    /**
     * Puts values of vertices in the order of the mesh.
     *
     * @param values values in this order, as many for each vertex
     * @return the same values in another array
     */
    public double[] inMeshOrder(double[] values) {
        int size = values.length / order.length;
        double[] result = new double[values.length];
        for (int v = 0; v < order.length; v++) {
            System.arraycopy(values, v * size, result, order[v] * size, size);
        }
        return result;
    }

    /** Rings in the order of the mesh, and then by colours. */
    private static final class Builder {
        private final CavityMesh mesh;
        private final int n;
        private final int size;
        private final int[] classes;
        private final double[] traits;
        private final int[] offsets;
        private final int[] neighbours;
        private final int[] ringOffsets;
        private final int[] rings;
        private final double[] shapes;

        Builder(CavityMesh mesh, Mobility mobility) {
            this.mesh = mesh;
            n = mesh.vertices;
            classes = new int[n];
            size = mesh.dimension == 2 ? TRAITS : SpaceSweepKernels.DIRECTIONS;
            traits = new double[size * n];
            offsets = new int[n + 1];
            ringOffsets = new int[n + 1];
            int most = mesh.elements * mesh.width * Math.max(2, mesh.dimension);
            int[] around = new int[most];
            int[] rows = new int[most];
            mesh.freeScratch();
            Cavity cavity = new Cavity(mesh);
            for (int v = 0; v < n; v++) {
                int freedom = mobility.freedom(v);
                boolean free = freedom == mesh.dimension;
                classes[v] = free ? 0 : 1;
                int end = ringOffsets[v];
                if (freedom > 0) {
                    end = mesh.dimension == 2 ? ring(v, rows, end) : corners(v, rows, end);
                }
                if (mesh.dimension == 2) {
                    boolean closed = end > ringOffsets[v] && rows[end - 1] == rows[ringOffsets[v]];
                    traits[size * v + FREE] = free ? 1 : 0;
                    traits[size * v + OPEN] = closed ? 0 : 1;
                }
                for (int k = 0; k < freedom * mesh.dimension && !(free && mesh.dimension == 2); k++) {
                    traits[size * v + k] = mobility.direction(v, k / mesh.dimension, k % mesh.dimension);
                }
                ringOffsets[v + 1] = end;
                cavity.collectNeighbours(v);
                System.arraycopy(cavity.vertices, 0, around, offsets[v], cavity.vertexCount);
                offsets[v + 1] = offsets[v] + cavity.vertexCount;
            }
            neighbours = Arrays.copyOf(around, offsets[n]);
            rings = Arrays.copyOf(rows, ringOffsets[n]);
            shapes = SweepShapes.of(mesh, mobility);
        }

        /** Lists the other corners of all tetrahedra around a vertex. */
        private int corners(int vertex, int[] rows, int from) {
            int place = from;
            for (int i = 0; i < mesh.degrees[vertex]; i++) {
                int element = mesh.stars[vertex][i];
                for (int other : OTHERS[mesh.cornerOf(element, vertex)]) {
                    rows[place++] = mesh.corners[element * mesh.width + other];
                }
            }
            return place;
        }

        /** Follows the sides opposite to a vertex from the one that none comes before, if there is one. */
        private int ring(int vertex, int[] rows, int from) {
            int count = mesh.degrees[vertex];
            int at = mesh.stars[vertex][0];
            for (int i = 0; i < count; i++) {
                if (elementFrom(vertex, end(mesh.stars[vertex][i], vertex, 1), 2) < 0) {
                    at = mesh.stars[vertex][i];
                }
            }
            int place = from;
            rows[place++] = end(at, vertex, 1);
            for (int i = 0; i < count; i++) {
                int next = end(at, vertex, 2);
                rows[place++] = next;
                at = elementFrom(vertex, next, 1);
            }
            return place;
        }

        /** Returns the corner that comes so many after a vertex in an element. */
        private int end(int element, int vertex, int after) {
            return mesh.corners[element * mesh.width + (mesh.cornerOf(element, vertex) + after) % mesh.width];
        }

        /** Returns the element around a vertex whose corner so many after that is another vertex, or -1. */
        private int elementFrom(int vertex, int other, int after) {
            for (int i = 0; i < mesh.degrees[vertex]; i++) {
                if (end(mesh.stars[vertex][i], vertex, after) == other) {
                    return mesh.stars[vertex][i];
                }
            }
            return -1;
        }

        SweepCavities numbered() {
            int[] order = byColours(ColourSweep.colours(offsets, neighbours, classes));
            int[] numbers = new int[n];
            int d = mesh.dimension;
            double[] coordinates = new double[d * n];
            double[] newTraits = new double[traits.length];
            int[] newClasses = new int[n];
            for (int i = 0; i < n; i++) {
                numbers[order[i]] = i;
                System.arraycopy(mesh.coordinates, d * order[i], coordinates, d * i, d);
                System.arraycopy(traits, size * order[i], newTraits, size * i, size);
                newClasses[i] = classes[order[i]];
            }
            int[] newOffsets = new int[n + 1];
            int[] newNeighbours = moved(order, numbers, offsets, neighbours, newOffsets);
            int[] newRingOffsets = new int[n + 1];
            int[] newRings = moved(order, numbers, ringOffsets, rings, newRingOffsets);
            double[] newShapes = new double[shapes.length];
            int room = shapes.length / Math.max(1, n);
            for (int i = 0; i < n; i++) {
                System.arraycopy(shapes, room * order[i], newShapes, room * i, room);
            }
            return new SweepCavities(d, order, coordinates, newClasses, newTraits, newOffsets, newNeighbours,
                    newRingOffsets, newRings, newShapes);
        }

        private static int[] byColours(int[] colours) {
            int[] starts = new int[Arrays.stream(colours).max().orElse(0) + 2];
            for (int colour : colours) {
                starts[colour + 1]++;
            }
            Arrays.parallelPrefix(starts, Integer::sum);
            int[] order = new int[colours.length];
            for (int v = 0; v < colours.length; v++) {
                order[starts[colours[v]]++] = v;
            }
            return order;
        }

        private static int[] moved(int[] order, int[] numbers, int[] from, int[] targets, int[] starts) {
            int[] result = new int[targets.length];
            for (int i = 0; i < order.length; i++) {
                int place = starts[i];
                for (int p = from[order[i]]; p < from[order[i] + 1]; p++) {
                    result[place++] = numbers[targets[p]];
                }
                starts[i + 1] = place;
            }
            return result;
        }
    }
}
