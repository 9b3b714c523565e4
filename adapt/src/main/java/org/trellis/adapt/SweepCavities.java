package org.trellis.adapt;

import java.util.Arrays;
import java.util.stream.IntStream;
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
 * @param host        vertices on curves and surfaces that kernels do not know, which only the host can move: their
 *                    traits and shapes are zero, and they have no ring
 * @param colours     the first-fit colour of each vertex; those of free ones first, unless they share theirs
 *                    with bound ones
 */
public record SweepCavities(int dimension, int[] order, double[] coordinates, int[] classes, double[] traits,
        int[] offsets,
        int[] neighbours, int[] ringOffsets, int[] rings, double[] shapes, int[] host, int[] colours) {
    /** Numbers of a vertex of a plane mesh in traits. */
    public static final int TRAITS = 4;
    /** Corners after each other one in a tetrahedron, such that all four are in an even order. */
    private static final int[][] OTHERS = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    private static final int GRAIN = 256;
    private static final int FREE = 2;
    private static final int OPEN = 3;

    /**
     * Finds the surroundings of all vertices.
     *
     * @param mesh the mesh
     * @return the surroundings
     */
    public static SweepCavities of(SimplexMesh mesh) {
        try (Team team = new Team(Runtime.getRuntime().availableProcessors())) {
            return of(new CavityMesh(mesh, AnalyticMetrics.uniform(mesh.dimension(), 1), team), team);
        }
    }

    /**
     * Finds the surroundings of all vertices with fewer colours, which free and bound vertices share: a sweep has fewer
     * loops, each of which decides for each vertex how it moves. Faster on devices where meshes are so small that
     * launches of loops cost more than the work in them. Moves come in another order than with colours of their own.
     *
     * @param mesh the mesh
     * @return the surroundings
     */
    public static SweepCavities sharingColours(SimplexMesh mesh) {
        try (Team team = new Team(Runtime.getRuntime().availableProcessors())) {
            CavityMesh cavities = new CavityMesh(mesh, AnalyticMetrics.uniform(mesh.dimension(), 1), team);
            return new Builder(cavities, new Mobility(cavities, team), team).numbered(true);
        }
    }

    /** Finds the surroundings of all vertices of a mesh in adaptation; those without elements stay. */
    static SweepCavities of(CavityMesh mesh, Team team) {
        return new Builder(mesh, new Mobility(mesh, team), team).numbered(false);
    }

    /** Says whether any of some vertices is free, or bound. */
    boolean hasClass(int wanted, int[] vertices) {
        return Arrays.stream(vertices).anyMatch(v -> classes[v] == wanted);
    }

    /**
     * Returns how many numbers of traits a vertex has.
     *
     * @return 4 in the plane, 9 in space
     */
    public int traitCount() {
        return dimension == 2 ? TRAITS : SpaceSweepKernels.DIRECTIONS;
    }

    /** Says whether vertices slide along something curved. */
    boolean isCurved() {
        return shapes.length > 0 || host.length > 0;
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

    /** Rows of some vertices that follow each other, and how many numbers each row has. */
    private static final class Rows {
        private int[] targets = new int[8 * GRAIN];
        private int filled;
        private boolean isCurved;
        private final int[] ends = new int[GRAIN];

        void add(int target) {
            if (filled == targets.length) {
                targets = Arrays.copyOf(targets, 2 * filled);
            }
            targets[filled++] = target;
        }

        /** Joins the rows of all pieces; writes where each row starts. */
        static int[] joined(Team team, Rows[] pieces, int[] offsets) {
            int[] before = new int[pieces.length + 1];
            for (int piece = 0; piece < pieces.length; piece++) {
                before[piece + 1] = before[piece] + pieces[piece].filled;
            }
            int[] all = new int[before[pieces.length]];
            int vertices = offsets.length - 1;
            team.run(pieces.length, 1, () -> all, (from, to, targets) -> {
                for (int piece = from; piece < to; piece++) {
                    System.arraycopy(pieces[piece].targets, 0, targets, before[piece], pieces[piece].filled);
                    int first = piece * GRAIN;
                    for (int v = first; v < Math.min(vertices, first + GRAIN); v++) {
                        offsets[v + 1] = before[piece] + pieces[piece].ends[v - first];
                    }
                }
            });
            return all;
        }
    }

    /** Rings in the order of the mesh, and then by colours. Pieces of vertices at once. */
    private static final class Builder {
        private final CavityMesh mesh;
        private final Mobility mobility;
        private final Team team;
        private final int n;
        private final int size;
        private final int[] classes;
        private final double[] traits;
        private final int[] offsets;
        private final int[] neighbours;
        private final int[] ringOffsets;
        private final int[] rings;
        private final double[] shapes;

        Builder(CavityMesh mesh, Mobility mobility, Team team) {
            this.mesh = mesh;
            this.mobility = mobility;
            this.team = team;
            n = mesh.vertices;
            classes = new int[n];
            size = mesh.dimension == 2 ? TRAITS : SpaceSweepKernels.DIRECTIONS;
            traits = new double[size * n];
            offsets = new int[n + 1];
            ringOffsets = new int[n + 1];
            Rows[] around = new Rows[Math.ceilDiv(n, GRAIN)];
            Rows[] rows = new Rows[around.length];
            mesh.freeScratch();
            team.run(around.length, 1, () -> new Cavity(mesh), (from, to, cavity) -> {
                for (int piece = from; piece < to; piece++) {
                    around[piece] = new Rows();
                    rows[piece] = new Rows();
                    list(piece, cavity, around[piece], rows[piece]);
                }
            });
            neighbours = Rows.joined(team, around, offsets);
            rings = Rows.joined(team, rows, ringOffsets);
            shapes = shapes(rows);
        }

        /** Lists the shapes of all vertices, if one is on any that kernels know. */
        private double[] shapes(Rows[] rows) {
            if (Arrays.stream(rows).noneMatch(piece -> piece.isCurved)) {
                return new double[0];
            }
            int room = SweepShapes.size(mesh.dimension);
            double[] all = new double[room * n];
            team.run(n, GRAIN, () -> all, (from, to, values) -> {
                for (int v = from; v < to; v++) {
                    if (mobility.shape(v) != null && !isHost(v)) {
                        SweepShapes.write(mobility.shape(v), values, room * v);
                    }
                }
            });
            return all;
        }

        /** Says whether only the host can move a vertex. */
        private boolean isHost(int vertex) {
            return mobility.shape(vertex) != null && !SweepShapes.isKnown(mobility.shape(vertex));
        }

        private void list(int piece, Cavity cavity, Rows around, Rows rows) {
            int first = piece * GRAIN;
            for (int v = first; v < Math.min(n, first + GRAIN); v++) {
                int freedom = isHost(v) ? 0 : mobility.freedom(v);
                boolean free = freedom == mesh.dimension;
                rows.isCurved |= freedom > 0 && mobility.shape(v) != null;
                classes[v] = free ? 0 : 1;
                int start = rows.filled;
                if (freedom > 0 && mesh.dimension == 2) {
                    ring(v, cavity, rows);
                } else if (freedom > 0) {
                    corners(v, rows);
                }
                if (mesh.dimension == 2) {
                    boolean closed = rows.filled > start && rows.targets[rows.filled - 1] == rows.targets[start];
                    traits[size * v + FREE] = free ? 1 : 0;
                    traits[size * v + OPEN] = closed ? 0 : 1;
                }
                for (int k = 0; k < freedom * mesh.dimension && !(free && mesh.dimension == 2); k++) {
                    traits[size * v + k] = mobility.direction(v, k / mesh.dimension, k % mesh.dimension);
                }
                rows.ends[v - first] = rows.filled;
                cavity.collectNeighbours(v);
                for (int i = 0; i < cavity.vertexCount; i++) {
                    around.add(cavity.vertices[i]);
                }
                around.ends[v - first] = around.filled;
            }
        }

        /** Lists the other corners of all tetrahedra around a vertex. */
        private void corners(int vertex, Rows rows) {
            for (int i = 0; i < mesh.degrees[vertex]; i++) {
                int element = mesh.stars[vertex][i];
                for (int other : OTHERS[mesh.cornerOf(element, vertex)]) {
                    rows.add(mesh.corners[element * mesh.width + other]);
                }
            }
        }

        /** Follows the sides opposite to a vertex from the one that none comes before, if there is one. */
        private void ring(int vertex, Cavity cavity, Rows rows) {
            int count = mesh.degrees[vertex];
            cavity.vertexRoom(2 * count);
            int[] sides = cavity.vertices;
            for (int i = 0; i < count; i++) {
                int element = mesh.stars[vertex][i];
                int corner = mesh.cornerOf(element, vertex);
                sides[2 * i] = mesh.corners[element * mesh.width + (corner + 1) % mesh.width];
                sides[2 * i + 1] = mesh.corners[element * mesh.width + (corner + 2) % mesh.width];
            }
            int at = 0;
            for (int i = 0; i < count; i++) {
                if (sideWith(sides, count, 1, sides[2 * i]) < 0) {
                    at = i;
                }
            }
            rows.add(sides[2 * at]);
            for (int i = 0; i < count; i++) {
                int next = sides[2 * at + 1];
                rows.add(next);
                at = sideWith(sides, count, 0, next);
            }
        }

        /** Returns which side begins (0) or ends (1) at a vertex, or -1. */
        private static int sideWith(int[] sides, int count, int end, int vertex) {
            for (int i = 0; i < count; i++) {
                if (sides[2 * i + end] == vertex) {
                    return i;
                }
            }
            return -1;
        }

        SweepCavities numbered(boolean shared) {
            int[] colours = ColourSweep.colours(offsets, neighbours, shared ? new int[n] : classes);
            int[] order = byColours(colours);
            int[] numbers = new int[n];
            int d = mesh.dimension;
            double[] coordinates = new double[d * n];
            double[] newTraits = new double[traits.length];
            int[] newClasses = new int[n];
            int[] newColours = new int[n];
            double[] newShapes = new double[shapes.length];
            int room = shapes.length / Math.max(1, n);
            team.run(n, GRAIN, () -> order, (from, to, all) -> {
                for (int i = from; i < to; i++) {
                    numbers[all[i]] = i;
                    System.arraycopy(mesh.coordinates, d * all[i], coordinates, d * i, d);
                    System.arraycopy(traits, size * all[i], newTraits, size * i, size);
                    newClasses[i] = classes[all[i]];
                    newColours[i] = colours[all[i]];
                    System.arraycopy(shapes, room * all[i], newShapes, room * i, room);
                }
            });
            int[] newOffsets = new int[n + 1];
            int[] newNeighbours = moved(order, numbers, offsets, neighbours, newOffsets);
            int[] newRingOffsets = new int[n + 1];
            int[] newRings = moved(order, numbers, ringOffsets, rings, newRingOffsets);
            return new SweepCavities(d, order, coordinates, newClasses, newTraits, newOffsets, newNeighbours,
                    newRingOffsets, newRings, newShapes, IntStream.range(0, n).filter(i -> isHost(order[i])).toArray(),
                    newColours);
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

        private int[] moved(int[] order, int[] numbers, int[] from, int[] targets, int[] starts) {
            for (int i = 0; i < n; i++) {
                starts[i + 1] = starts[i] + from[order[i] + 1] - from[order[i]];
            }
            int[] result = new int[targets.length];
            team.run(n, GRAIN, () -> result, (first, last, all) -> {
                for (int i = first; i < last; i++) {
                    int row = from[order[i]];
                    for (int p = starts[i]; p < starts[i + 1]; p++) {
                        all[p] = numbers[targets[row + p - starts[i]]];
                    }
                }
            });
            return result;
        }
    }
}
