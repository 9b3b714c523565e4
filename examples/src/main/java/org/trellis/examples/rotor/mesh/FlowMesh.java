package org.trellis.examples.rotor.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The meshes of a multigrid method, finest first, in their geometry.
 *
 * @param name   what it is, for titles
 * @param levels the meshes, each with half as many edges along a line as the one before; coarser levels of a mesh from
 *               a file are agglomerates, which have nodes and a dual, but neither cells nor faces
 * @param angle by which a periodic side is turned against the other about the x axis, in radians; 0 where it is
 *               shifted
 */
public record FlowMesh(String name, List<Level> levels, double angle) {
    private static final long SEED = 20140601;
    /** Numbers of an array for a cell of the lattice at most: pieces of edges, and edges of tetrahedra. */
    private static final int HEXAHEDRAL = 24;
    private static final int CUT = 72;

    /** Copies the list. */
    public FlowMesh {
        levels = List.copyOf(levels);
    }

    /**
     * One of the meshes.
     *
     * @param mesh     nodes and cells
     * @param dual     volumes and borders
     * @param pairs    two nodes each that are the same place of a periodic flow; the second is the first one turned
     * @param transfer how the nodes of this level lie in the next coarser one; null on the coarsest
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record Level(HybridMesh mesh, MedianDual dual, int[] pairs, LevelMap transfer) {
        /**
         * Returns what of a node counts where each place counts once.
         *
         * @return 1, or 1/2 for the nodes of pairs
         */
        public double[] shares() {
            double[] shares = new double[mesh.nodes()];
            Arrays.fill(shares, 1);
            for (int node : pairs) {
                shares[node] = 0.5;
            }
            return shares;
        }

        /**
         * Returns volumes, those of both parts for the nodes of pairs.
         *
         * @return one for each node
         */
        public double[] volumes() {
            double[] volumes = dual.volumes().clone();
            for (int p = 0; p < pairs.length; p += 2) {
                double sum = volumes[pairs[p]] + volumes[pairs[p + 1]];
                volumes[pairs[p]] = sum;
                volumes[pairs[p + 1]] = sum;
            }
            return volumes;
        }
    }

    /** Where nodes of a lattice are. */
    @FunctionalInterface
    public interface Geometry {
        /**
         * Places a node.
         *
         * @param s how far it is along the first direction, 0 to 1
         * @param t along the second
         * @param r along the third
         * @return x, y and z
         */
        double[] place(double s, double t, double r);
    }

    /**
     * What the meshes are made of.
     *
     * @param name     what it is
     * @param size     cells of the finest lattice in the three directions
     * @param mix      what they are cut into
     * @param sides    the boundary, by the coarsest lattice
     * @param geometry where nodes are
     * @param angle    as of the meshes
     * @param distort  how far inner nodes are moved at random, as a share of the lattice's width; 0 for not
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    public record Plan(String name, int[] size, CellMix mix, Lattice.Sides sides, Geometry geometry, double angle,
            double distort) {}

    /**
     * Makes the meshes.
     *
     * @param plan      what they are made of
     * @param numbering how the nodes of each level are numbered
     * @param levels    how many, at least 1
     * @return the meshes
     * @throws IllegalArgumentException if a size is not a multiple of 2 to the levels but one, there are more cells
     *                                  than arrays can hold, or cells are turned inside out
     */
    public static FlowMesh of(Plan plan, LatticeNumbering numbering, int levels) {
        int step = 1 << (levels - 1);
        int[] coarsest = new int[HybridMesh.SPACE];
        for (int d = 0; d < coarsest.length; d++) {
            if (plan.size()[d] % step != 0) {
                throw new IllegalArgumentException("the number of cells in direction " + (d + 1) + " is "
                        + plan.size()[d] + ", expected a multiple of " + step + " for " + levels + " levels");
            }
            coarsest[d] = plan.size()[d] / step;
        }
        long cells = (long) plan.size()[0] * plan.size()[1] * plan.size()[2];
        long most = Integer.MAX_VALUE / (plan.mix() == CellMix.HEX ? HEXAHEDRAL : CUT);
        if (cells > most) {
            throw new IllegalArgumentException("mesh " + plan.name() + " has " + cells
                    + " cells of the lattice, expected at most " + most);
        }
        HybridMesh lattice = Lattice.of(coarsest[0], coarsest[1], coarsest[2], plan.mix(), plan.sides());
        List<Level> made = new ArrayList<>();
        int[] numbers = numbering.of(lattice.points(), coarsest, 0);
        made.add(level(plan, coarsest, lattice, 0, numbers, null));
        for (int l = 1; l < levels; l++) {
            Refinement.Refined refined = Refinement.of(lattice);
            int[] coarser = numbers;
            LevelMap map = LevelMap.of(refined, lattice.nodes());
            lattice = refined.fine();
            numbers = numbering.of(lattice.points(), coarsest, l);
            made.add(level(plan, coarsest, lattice, l, numbers, map.numbered(numbers, coarser)));
        }
        return new FlowMesh(plan.name(), made.reversed(), plan.angle());
    }

    /**
     * Makes the levels of one mesh, by joining volumes.
     *
     * @param name   what it is
     * @param mesh   the finest
     * @param sides  its periodic sides
     * @param levels how many, at least 1
     * @return the meshes
     * @throws IllegalArgumentException if volumes are not above zero, borders of periodic sides do not match, or a
     *                                  level has so few nodes that there is none
     *                                  below
     */
    static FlowMesh agglomerated(String name, HybridMesh mesh, PeriodicSides sides, int levels) {
        List<Level> made = new ArrayList<>();
        made.add(new Level(mesh, MedianDual.of(mesh), sides.pairs(), null));
        sides.requireMatch(made.getFirst().dual().boundary(Patch.PERIODIC));
        while (made.size() < levels) {
            Level last = made.removeLast();
            made.addAll(Agglomeration.of(last, sides.angle()));
            if (made.getLast().mesh().nodes() == last.mesh().nodes() || made.getLast().mesh().nodes() < 2) {
                throw new IllegalArgumentException("level " + made.size() + " of " + name + " would have "
                        + made.getLast().mesh().nodes() + " nodes, expected more than 1 and fewer than "
                        + last.mesh().nodes() + ": take fewer levels");
            }
        }
        return new FlowMesh(name, made, sides.angle());
    }

    /**
     * Finds which directions the nodes of a level cannot go.
     *
     * @param level   its number, 0 for the finest
     * @param patches walls without friction
     * @return of the level's faces; of agglomerates those of the nodes that they grew from
     */
    public SlipWalls walls(int level, Set<Patch> patches) {
        Level here = levels.get(level);
        return level == 0 || here.mesh().cellCount() > 0
                ? SlipWalls.of(here, angle, patches)
                : walls(level - 1, patches).at(levels.get(level - 1).transfer().same());
    }

    private static Level level(Plan plan, int[] size, HybridMesh lattice, int depth, int[] numbers,
            LevelMap transfer) {
        double[] places = lattice.points().clone();
        if (plan.distort() != 0) {
            distort(places, size, SEED + depth, plan.distort() / (1 << depth));
        }
        IntStream.range(0, lattice.nodes()).parallel().forEach(node -> {
            int at = HybridMesh.SPACE * node;
            double[] place = plan.geometry().place(places[at] / size[0], places[at + 1] / size[1],
                    places[at + 2] / size[2]);
            System.arraycopy(place, 0, places, at, HybridMesh.SPACE);
        });
        HybridMesh placed = lattice.at(places).numbered(numbers);
        return new Level(placed, MedianDual.of(placed), pairs(lattice.numbered(numbers), size[1]), transfer);
    }

    /** Moves nodes inside of a lattice at random. */
    private static void distort(double[] places, int[] size, long seed, double width) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int node = 0; node < places.length; node += HybridMesh.SPACE) {
            boolean inside = true;
            for (int d = 0; d < HybridMesh.SPACE; d++) {
                inside &= places[node + d] > 0 && places[node + d] < size[d];
            }
            for (int d = 0; d < HybridMesh.SPACE && inside; d++) {
                places[node + d] += width * (random.nextDouble() - 0.5);
            }
        }
    }

    /** The nodes of periodic faces, which are those of the second direction, that have the other coordinates alike. */
    private static int[] pairs(HybridMesh lattice, int far) {
        Map<List<Double>, Integer> left = new HashMap<>();
        boolean[] right = new boolean[lattice.nodes()];
        for (int face = 0; face < lattice.patches().size(); face++) {
            if (lattice.patches().get(face) == Patch.PERIODIC) {
                for (int k = 0; k < lattice.cornersOf(face); k++) {
                    int node = lattice.faces()[HybridMesh.FACE * face + k];
                    if (lattice.points()[HybridMesh.SPACE * node + 1] == far) {
                        right[node] = true;
                    } else {
                        left.put(key(lattice, node), node);
                    }
                }
            }
        }
        Lattice.Ints pairs = new Lattice.Ints();
        for (int node = 0; node < right.length; node++) {
            if (right[node]) {
                pairs.add(left.get(key(lattice, node)), node);
            }
        }
        return pairs.toArray();
    }

    private static List<Double> key(HybridMesh lattice, int node) {
        return List.of(lattice.points()[HybridMesh.SPACE * node], lattice.points()[HybridMesh.SPACE * node + 2]);
    }
}
