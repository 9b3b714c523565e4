package org.trellis.examples.rotor.mesh;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Joins the volumes of a level to larger ones, for meshes that were not made by refinement (M. H. Lallemand, H. Steve,
 * A. Dervieux, "Unstructured multigridding by volume agglomeration", Computers and Fluids 21, 1992). A volume on a
 * corner, an edge or a side of the boundary, in this order, or else the next one takes the neighbours that nobody has,
 * those first between whom and it the border is large and the distance small; what stays alone joins a neighbour.
 * Normals of joined borders are sums, so the volumes are as closed as those they consist of.
 */
final class Agglomeration {
    private static final int SPACE = HybridMesh.SPACE;
    /** Volumes that are joined at most by growing. */
    private static final int MOST = 8;
    /** Volumes are joined where the border over the distance is at least this share of the largest one's. */
    private static final double STRONG = 0.25;

    private final FlowMesh.Level fine;
    private final int[] owner;
    private final int[][] neighbours;
    private final Map<Long, Double> strengths = new HashMap<>();

    private Agglomeration(FlowMesh.Level fine) {
        this.fine = fine;
        owner = new int[fine.mesh().nodes()];
        Arrays.fill(owner, -1);
        neighbours = neighbours(fine.dual().edges(), owner.length);
        int[] edges = fine.dual().edges();
        for (int e = 0; e < edges.length / 2; e++) {
            strengths.put(MedianDual.key(edges[2 * e], edges[2 * e + 1]), strength(e));
        }
    }

    /**
     * Adds a coarser level to a mesh.
     *
     * @param fine a level without pairs and without a coarser one
     * @return that level with its map, and the coarser one
     */
    static List<FlowMesh.Level> of(FlowMesh.Level fine) {
        Agglomeration work = new Agglomeration(fine);
        int[] seeds = work.grow();
        double[] places = new double[SPACE * seeds.length];
        for (int i = 0; i < seeds.length; i++) {
            System.arraycopy(fine.mesh().points(), SPACE * seeds[i], places, SPACE * i, SPACE);
        }
        Map<CellKind, int[]> none = new EnumMap<>(CellKind.class);
        for (CellKind kind : CellKind.values()) {
            none.put(kind, new int[0]);
        }
        return List.of(
                new FlowMesh.Level(fine.mesh(), fine.dual(), fine.pairs(), LevelMap.of(work.owner, seeds)),
                new FlowMesh.Level(new HybridMesh(places, none, new int[0], List.of()),
                        fine.dual().joined(work.owner, seeds.length), new int[0], null));
    }

    private static int[][] neighbours(int[] edges, int nodes) {
        int[] counts = new int[nodes];
        for (int node : edges) {
            counts[node]++;
        }
        int[][] rows = new int[nodes][];
        Arrays.setAll(rows, node -> new int[counts[node]]);
        for (int e = edges.length - 2; e >= 0; e -= 2) {
            rows[edges[e]][--counts[edges[e]]] = edges[e + 1];
            rows[edges[e + 1]][--counts[edges[e + 1]]] = edges[e];
        }
        return rows;
    }

    private double strength(int edge) {
        double area = 0;
        double distance = 0;
        double[] x = fine.mesh().points();
        for (int d = 0; d < SPACE; d++) {
            double n = fine.dual().normals()[SPACE * edge + d];
            double step = x[SPACE * fine.dual().edges()[2 * edge] + d]
                    - x[SPACE * fine.dual().edges()[2 * edge + 1] + d];
            area += n * n;
            distance += step * step;
        }
        return Math.sqrt(area / distance);
    }

    private double strength(int a, int b) {
        return strengths.get(MedianDual.key(a, b));
    }

    private int[] strongestFirst(int node) {
        return Arrays.stream(neighbours[node]).boxed()
                .sorted(Comparator.comparingDouble((Integer other) -> -strength(node, other)).thenComparing(n -> n))
                .mapToInt(Integer::intValue).toArray();
    }

    /** Nodes in the order in which they may begin: those on most kinds of walls first. */
    private int[] order() {
        int[] ranks = new int[owner.length];
        SlipWalls walls = SlipWalls.of(fine, 0, Patch.all());
        for (int i = 0; i < walls.nodes().length; i++) {
            for (int d = 0; d < SlipWalls.DIRECTIONS; d += SPACE) {
                double[] v = Arrays.copyOfRange(walls.directions(), SlipWalls.DIRECTIONS * i + d,
                        SlipWalls.DIRECTIONS * i + d + SPACE);
                ranks[walls.nodes()[i]] += v[0] != 0 || v[1] != 0 || v[2] != 0 ? 1 : 0;
            }
        }
        return IntStream.range(0, owner.length).boxed()
                .sorted(Comparator.comparingInt((Integer node) -> -ranks[node]).thenComparing(n -> n))
                .mapToInt(Integer::intValue).toArray();
    }

    /** Makes the agglomerates, and returns where they began. */
    private int[] grow() {
        int[] seeds = new int[owner.length];
        int[] sizes = new int[owner.length];
        int count = 0;
        for (int node : order()) {
            if (owner[node] >= 0) {
                continue;
            }
            int[] near = strongestFirst(node);
            double least = STRONG * strength(node, near[0]);
            int[] free = Arrays.stream(near).filter(other -> owner[other] < 0 && strength(node, other) >= least)
                    .limit(MOST - 1).toArray();
            if (free.length == 0 && join(node, near, least, sizes)) {
                continue;
            }
            owner[node] = count;
            for (int other : free) {
                owner[other] = count;
            }
            seeds[count] = node;
            sizes[count++] = 1 + free.length;
        }
        return Arrays.copyOf(seeds, count);
    }

    /** Gives a node to the least of the agglomerates among its neighbours that have a strong border with it, if any. */
    private boolean join(int node, int[] near, double least, int[] sizes) {
        int best = -1;
        for (int other : near) {
            int there = owner[other];
            if (there >= 0 && strength(node, other) >= least && (best < 0 || sizes[there] < sizes[best])) {
                best = there;
            }
        }
        if (best >= 0) {
            owner[node] = best;
            sizes[best]++;
        }
        return best >= 0;
    }

    /** Sums what nodes have of the boundary over agglomerates. */
    static MedianDual.Boundary joined(MedianDual.Boundary fine, int[] owner) {
        Map<Integer, double[]> sums = new TreeMap<>();
        for (int i = 0; i < fine.nodes().length; i++) {
            double[] sum = sums.computeIfAbsent(owner[fine.nodes()[i]], key -> new double[SPACE + 1]);
            for (int d = 0; d < SPACE; d++) {
                sum[d] += fine.normals()[SPACE * i + d];
            }
            sum[SPACE] += fine.sweeps()[i];
        }
        return MedianDual.boundary(sums);
    }
}
