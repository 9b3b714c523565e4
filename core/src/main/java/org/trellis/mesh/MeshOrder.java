package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.trellis.common.Permutation;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.GraphBuilder;
import org.trellis.mesh.order.Orderings;
import org.trellis.mesh.partition.PartitionOrder;
import org.trellis.mesh.partition.Partitioner;

/**
 * Renumbers all sets of a mesh together, so that what is used together lies together. Values keep coming and going in
 * the user's numbering; {@link #restore} brings that back inside too. Sets that are {@link MeshSet#pinned} follow.
 */
public final class MeshOrder {
    private final Mesh mesh;
    private final List<MeshSet> ordered = new ArrayList<>();

    private MeshOrder(Mesh mesh) {
        this.mesh = mesh;
    }

    /**
     * Orders one set by the graph that the maps make of it, and the others after it: a set with a map to one that has
     * its order gets the lexicographic order of its targets, a set that is only led to gets the order in which it is
     * first touched. Sets that no chain of maps connects stay as they are.
     *
     * @param base     the set to start from, for example the nodes
     * @param ordering for example {@link Orderings#gibbsPooleStockmeyer} or {@link Orderings#reverseCuthillMcKee}
     * @throws IllegalArgumentException if the base set is {@link MeshSet#pinned}
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public static void reorder(MeshSet base, Function<Graph, Permutation> ordering) {
        MeshOrder order = new MeshOrder(base.mesh());
        base.mesh().renumber(base, ordering.apply(graph(base)));
        order.ordered.add(base);
        order.spread();
    }

    /**
     * Divides a set into blocks that share few targets, puts the elements of each block together, and orders the
     * targets by the blocks that touch them (Sulyok et al., on partition-based reordering). Loops over the set whose
     * {@link LoopParameters#blockSize} is 0 then run these blocks. Sets that the set does not lead to follow as in
     * {@link #reorder}.
     *
     * @param through     the map whose targets the blocks should share as little as possible, of fixed arity; the one
     *                    that loops add through
     * @param blockSize   the most elements of a block
     * @param partitioner divides the elements
     * @return the number of blocks
     * @throws IllegalArgumentException if the map has variable arity
     */
    public static int blocks(MeshMap through, int blockSize, Partitioner partitioner) {
        MeshSet set = through.from();
        if (through.arity() == MeshMap.VARIABLE) {
            throw new IllegalArgumentException("blocks of " + set + " through " + through
                    + ", expected a map of fixed arity");
        }
        MeshOrder order = new MeshOrder(set.mesh());
        Graph elements = Graph.ofElements(table(through), through.arity(), through.to().size());
        PartitionOrder blocks =
                PartitionOrder.of(elements, blockSize, PartitionOrder.DEFAULT_IMBALANCE, partitioner);
        order.ordered.add(set);
        order.followBlocks(through, blocks);
        for (MeshMap map : set.mesh().maps()) {
            if (map.from() == set && map.arity() != MeshMap.VARIABLE) {
                order.followBlocks(map, blocks);
            }
        }
        set.mesh().renumber(set, blocks.order());
        set.blocks(blocks.blockOffsets());
        order.spread();
        return blocks.blocks();
    }

    private void followBlocks(MeshMap map, PartitionOrder blocks) {
        if (!ordered.contains(map.to()) && !map.to().pinned()) {
            mesh.renumber(map.to(), blocks.targetOrder(table(map), map.arity(), map.to().size()));
            ordered.add(map.to());
        }
    }

    /**
     * Returns the graph that the maps make of a set, in its current numbering: elements are joined where an element of
     * another set leads to both, or where one leads to the other. If no map leads to the set, they are joined where
     * they lead to the same element.
     *
     * @param set the set
     * @return its graph
     */
    public static Graph graph(MeshSet set) {
        GraphBuilder graph = new GraphBuilder(set.size());
        boolean joined = false;
        for (MeshMap map : set.mesh().maps()) {
            if (map.to() == set) {
                joined = true;
                if (map.from() == set) {
                    graph.joinTargets(map.toString(), links(map), 2);
                } else if (map.arity() == MeshMap.VARIABLE) {
                    graph.joinTargets(map.toString(), chains(map), 2);
                } else {
                    graph.joinTargets(map.toString(), table(map), map.arity());
                }
            }
        }
        if (!joined) {
            for (MeshMap map : set.mesh().maps()) {
                if (map.from() == set && map.arity() != MeshMap.VARIABLE && !map.to().pinned()) {
                    graph.joinElements(map.toString(), table(map), map.arity(), map.to().size());
                }
            }
        }
        return graph.build();
    }

    /**
     * Numbers all sets at random: what an ordering has to repair.
     *
     * @param mesh   the mesh
     * @param random source of randomness
     */
    public static void shuffle(Mesh mesh, RandomGenerator random) {
        for (MeshSet set : mesh.sets()) {
            if (!set.pinned()) {
                mesh.renumber(set, Permutation.random(set.size(), random));
            }
        }
    }

    /**
     * Brings all sets back into the user's numbering.
     *
     * @param mesh the mesh
     */
    public static void restore(Mesh mesh) {
        for (MeshSet set : mesh.sets()) {
            if (!set.inUserOrder() && !set.pinned()) {
                mesh.renumber(set, set.order().inverse());
            }
        }
    }

    /** Orders the sets that maps connect with those that have their order. */
    private void spread() {
        for (int next = 0; next < ordered.size(); next++) {
            MeshSet set = ordered.get(next);
            for (MeshMap map : mesh.maps()) {
                if (map.to() == set && !ordered.contains(map.from())) {
                    mesh.renumber(map.from(), byTargets(map));
                    ordered.add(map.from());
                }
            }
            for (MeshMap map : mesh.maps()) {
                if (map.from() == set && !ordered.contains(map.to()) && !map.to().pinned()) {
                    mesh.renumber(map.to(), byFirstTouch(map));
                    ordered.add(map.to());
                }
            }
        }
    }

    private static Permutation byTargets(MeshMap map) {
        int targets = map.to().size();
        if (map.arity() != MeshMap.VARIABLE) {
            return Orderings.lexicographic(table(map), map.arity(), targets);
        }
        int[] least = new int[map.from().size()];
        for (int e = 0; e < least.length; e++) {
            least[e] = targets;
            for (int p = map.offsets()[e]; p < map.offsets()[e + 1]; p++) {
                least[e] = Math.min(least[e], map.entries()[p]);
            }
        }
        return Orderings.lexicographic(least, 1, targets + 1);
    }

    private static Permutation byFirstTouch(MeshMap map) {
        int[] table = map.arity() == MeshMap.VARIABLE ? map.entries() : table(map);
        int[] newIndices = new int[map.to().size()];
        Arrays.fill(newIndices, -1);
        int next = 0;
        for (int target : table) {
            if (newIndices[target] < 0) {
                newIndices[target] = next++;
            }
        }
        for (int target = 0; target < newIndices.length; target++) {
            if (newIndices[target] < 0) {
                newIndices[target] = next++;
            }
        }
        return Permutation.ofNewIndices(newIndices);
    }

    /** The targets element by element. */
    private static int[] table(MeshMap map) {
        int arity = map.arity();
        int[] table = new int[map.from().size() * arity];
        for (int entry = 0; entry < arity; entry++) {
            int[] column = map.column(entry);
            for (int e = 0; e < column.length; e++) {
                table[e * arity + entry] = column[e];
            }
        }
        return table;
    }

    /** Pairs of an element and each of its targets, which are of the same set. */
    private static int[] links(MeshMap map) {
        boolean variable = map.arity() == MeshMap.VARIABLE;
        int[] targets = variable ? map.entries() : table(map);
        int[] pairs = new int[2 * targets.length];
        for (int e = 0, p = 0; e < map.from().size(); e++) {
            int end = variable ? map.offsets()[e + 1] : (e + 1) * map.arity();
            for (; p < end; p++) {
                pairs[2 * p] = e;
                pairs[2 * p + 1] = targets[p];
            }
        }
        return pairs;
    }

    /** Pairs of consecutive targets of each row: as connected as all pairs, and not quadratic. */
    private static int[] chains(MeshMap map) {
        int[] pairs = new int[2 * map.entries().length];
        int count = 0;
        for (int e = 0; e < map.from().size(); e++) {
            for (int p = map.offsets()[e] + 1; p < map.offsets()[e + 1]; p++) {
                pairs[count++] = map.entries()[p - 1];
                pairs[count++] = map.entries()[p];
            }
        }
        return Arrays.copyOf(pairs, count);
    }
}
