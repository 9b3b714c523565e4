package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.mesh.ColourSweep;

/**
 * What surrounds each vertex of a plane mesh, for loops over colours. Vertices are numbered by colours, in the mesh's
 * order within each, so that those of a loop lie side by side.
 *
 * @param order       the number in the mesh of each vertex
 * @param coordinates of the vertices
 * @param classes     0 for free vertices, 1 for those bound to a line or fixed
 * @param traits      four for each vertex: the direction of its line, zero if it has none; whether it is free; and
 *                    whether neighbours do not go all around
 * @param offsets     where the neighbours of each vertex start
 * @param neighbours  the neighbours
 * @param ringOffsets where the ring of each vertex starts
 * @param rings       the neighbours of vertices that may move in turn, against the clock; the first again at
 *                    the end where they go all around
 */
public record SweepCavities(int[] order, double[] coordinates, int[] classes, double[] traits, int[] offsets,
        int[] neighbours, int[] ringOffsets, int[] rings) {
    /** Numbers of a vertex in traits. */
    public static final int TRAITS = 4;
    private static final int FREE = 2;
    private static final int OPEN = 3;

    /**
     * Finds the surroundings of all vertices.
     *
     * @param mesh a mesh of triangles with straight sides
     * @return the surroundings
     * @throws IllegalArgumentException if the mesh is one of tetrahedra, or a side is on a curve
     */
    public static SweepCavities of(SimplexMesh mesh) {
        if (mesh.dimension() != 2) {
            throw new IllegalArgumentException(mesh + ", expected one of triangles");
        }
        for (BoundaryShape shape : mesh.shapes()) {
            if (shape != null) {
                throw new IllegalArgumentException(mesh + " has a side on " + shape
                        + ", expected straight sides: loops over colours move vertices along lines");
            }
        }
        try (Team team = new Team(Runtime.getRuntime().availableProcessors())) {
            CavityMesh cavities = new CavityMesh(mesh, AnalyticMetrics.uniform(2, 1), team);
            Builder builder = new Builder(cavities, new Mobility(cavities, team));
            return builder.numbered();
        }
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
        private final int[] classes;
        private final double[] traits;
        private final int[] offsets;
        private final int[] neighbours;
        private final int[] ringOffsets;
        private final int[] rings;

        Builder(CavityMesh mesh, Mobility mobility) {
            this.mesh = mesh;
            n = mesh.vertices;
            classes = new int[n];
            traits = new double[TRAITS * n];
            offsets = new int[n + 1];
            ringOffsets = new int[n + 1];
            int[] around = new int[2 * mesh.elements * mesh.width];
            int[] rows = new int[2 * mesh.elements * mesh.width];
            Cavity cavity = new Cavity(mesh);
            for (int v = 0; v < n; v++) {
                int freedom = mobility.freedom(v);
                classes[v] = freedom == 2 ? 0 : 1;
                int end = freedom > 0 ? ring(v, rows, ringOffsets[v]) : ringOffsets[v];
                boolean closed = end > ringOffsets[v] && rows[end - 1] == rows[ringOffsets[v]];
                ringOffsets[v + 1] = end;
                traits[TRAITS * v + FREE] = freedom == 2 ? 1 : 0;
                traits[TRAITS * v + OPEN] = closed ? 0 : 1;
                for (int k = 0; k < 2 && freedom == 1; k++) {
                    traits[TRAITS * v + k] = mobility.direction(v, 0, k);
                }
                cavity.collectNeighbours(v);
                System.arraycopy(cavity.vertices, 0, around, offsets[v], cavity.vertexCount);
                offsets[v + 1] = offsets[v] + cavity.vertexCount;
            }
            neighbours = Arrays.copyOf(around, offsets[n]);
            rings = Arrays.copyOf(rows, ringOffsets[n]);
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
            double[] coordinates = new double[2 * n];
            double[] newTraits = new double[traits.length];
            int[] newClasses = new int[n];
            for (int i = 0; i < n; i++) {
                numbers[order[i]] = i;
                System.arraycopy(mesh.coordinates, 2 * order[i], coordinates, 2 * i, 2);
                System.arraycopy(traits, TRAITS * order[i], newTraits, TRAITS * i, TRAITS);
                newClasses[i] = classes[order[i]];
            }
            int[] newOffsets = new int[n + 1];
            int[] newNeighbours = moved(order, numbers, offsets, neighbours, newOffsets);
            int[] newRingOffsets = new int[n + 1];
            int[] newRings = moved(order, numbers, ringOffsets, rings, newRingOffsets);
            return new SweepCavities(order, coordinates, newClasses, newTraits, newOffsets, newNeighbours,
                    newRingOffsets, newRings);
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
