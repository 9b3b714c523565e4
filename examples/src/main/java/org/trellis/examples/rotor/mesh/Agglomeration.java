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
 * corner, an edge or a side of the boundary, in this order, or else the next one takes the neighbours that no group
 * has, those first between whom and it the border is large and the distance small; what stays alone joins a neighbour.
 * Normals of joined borders are sums, so the volumes are as closed as those they consist of.
 *
 * <p>Nodes of periodic sides begin, so that no other takes them: what is joined on one side is on the other, too, where
 * it makes the second of a pair.
 */
final class Agglomeration {
    private static final int SPACE = HybridMesh.SPACE;
    /** Volumes that are joined at most by growing. */
    private static final int MAX_JOINED = 8;
    /** Volumes are joined where the border over the distance is at least this share of the largest one's. */
    private static final double STRONG = 0.25;

    private final FlowMesh.Level fine;
    private final int[] owner;
    private final int[][] neighbours;
    private final Map<Long, Double> strengths = new HashMap<>();
    private final double angle;
    /** The other node of a pair; -1 for nodes that are in none. */
    private final int[] partner;
    private final boolean[] isSecond;
    private final int[] seeds;
    private final int[] sizes;
    /** The other agglomerate of a pair; -1 for those that are in none. */
    private final int[] mirror;
    private int count;

    private Agglomeration(FlowMesh.Level fine, double angle) {
        this.fine = fine;
        this.angle = angle;
        int nodes = fine.mesh().nodes();
        seeds = new int[nodes];
        sizes = new int[nodes];
        mirror = new int[nodes];
        Arrays.fill(mirror, -1);
        partner = new int[nodes];
        Arrays.fill(partner, -1);
        isSecond = new boolean[nodes];
        for (int p = 0; p < fine.pairs().length; p += 2) {
            partner[fine.pairs()[p]] = fine.pairs()[p + 1];
            partner[fine.pairs()[p + 1]] = fine.pairs()[p];
            isSecond[fine.pairs()[p + 1]] = true;
        }
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
     * @param fine  a level without a coarser one
     * @param angle by which the second of a pair is turned against the first
     * @return that level with its map, and the coarser one
     */
    static List<FlowMesh.Level> of(FlowMesh.Level fine, double angle) {
        Agglomeration work = new Agglomeration(fine, angle);
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
                        fine.dual().joined(work.owner, seeds.length), work.pairs(), null));
    }

    /** The agglomerates that are the same place. */
    private int[] pairs() {
        return IntStream.range(0, count).filter(one -> mirror[one] > one)
                .flatMap(one -> IntStream.of(one, mirror[one])).toArray();
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

    /** Nodes in the order in which they may begin: those of pairs, and those on most kinds of walls first. */
    private int[] order() {
        int[] ranks = new int[owner.length];
        SlipWalls walls = SlipWalls.of(fine, angle, Patch.all());
        for (int i = 0; i < walls.nodes().length; i++) {
            for (int d = 0; d < SlipWalls.DIRECTIONS; d += SPACE) {
                double[] v = Arrays.copyOfRange(walls.directions(), SlipWalls.DIRECTIONS * i + d,
                        SlipWalls.DIRECTIONS * i + d + SPACE);
                ranks[walls.nodes()[i]] += v[0] != 0 || v[1] != 0 || v[2] != 0 ? 1 : 0;
            }
        }
        return IntStream.range(0, owner.length).boxed()
                .sorted(Comparator.comparingInt((Integer node) -> partner[node] >= 0 ? 0 : 1)
                        .thenComparingInt(node -> -ranks[node]).thenComparing(n -> n))
                .mapToInt(Integer::intValue).toArray();
    }

    /** Makes the agglomerates, and returns where they began. */
    private int[] grow() {
        for (int node : order()) {
            if (owner[node] >= 0 || isSecond[node]) {
                continue;
            }
            int[] near = strongestFirst(node);
            double least = STRONG * strength(node, near[0]);
            int[] free = free(node, near, least);
            if (free.length > 0 || !join(node, near, least)) {
                begin(node, free);
                if (partner[node] >= 0) {
                    beginOther(node, free);
                }
            }
        }
        return Arrays.copyOf(seeds, count);
    }

    /** The neighbours that a node may take: those of its side of a periodic mesh, or none of a side. */
    private int[] free(int node, int[] near, double least) {
        return Arrays.stream(near)
                .filter(other -> owner[other] < 0 && strength(node, other) >= least
                        && (partner[other] < 0 || (partner[node] >= 0 && isSecond[node] == isSecond[other])))
                .limit(MAX_JOINED - 1).toArray();
    }

    private void begin(int node, int... others) {
        seeds[count] = node;
        own(node, count);
        for (int other : others) {
            own(other, count);
        }
        count++;
    }

    private void own(int node, int agglomerate) {
        owner[node] = agglomerate;
        sizes[agglomerate]++;
    }

    /** Joins on the other side what has been joined on this one, and neighbours of its own that are on none. */
    private void beginOther(int node, int... free) {
        int there = partner[node];
        int[] same = Arrays.stream(free).filter(other -> partner[other] >= 0).map(other -> partner[other]).toArray();
        mirror[count - 1] = count;
        mirror[count] = count - 1;
        int made = count;
        begin(there, same);
        int[] near = strongestFirst(there);
        double least = STRONG * strength(there, near[0]);
        Arrays.stream(free(there, near, least)).filter(other -> partner[other] < 0)
                .limit(Math.max(0, MAX_JOINED - 1 - same.length)).forEach(other -> own(other, made));
    }

    /** Gives a node to the least of the agglomerates among its neighbours that have a strong border with it, if any. */
    private boolean join(int node, int[] near, double least) {
        int best = -1;
        for (int other : near) {
            int there = owner[other];
            boolean fits = partner[node] < 0 || (partner[other] >= 0 && isSecond[other] == isSecond[node]);
            if (there >= 0 && fits && strength(node, other) >= least && (best < 0 || sizes[there] < sizes[best])) {
                best = there;
            }
        }
        if (best >= 0) {
            own(node, best);
            if (partner[node] >= 0) {
                own(partner[node], mirror[best]);
            }
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
