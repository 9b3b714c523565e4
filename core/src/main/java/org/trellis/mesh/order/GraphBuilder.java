package org.trellis.mesh.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;

/**
 * Makes the union of graphs that mapping tables define on one set of vertices. A table of fixed arity joins its targets
 * (each element becomes a clique of its points, Sulyok et al., "Locality optimised unstructured mesh algorithms on
 * GPUs", on Gibbs-Poole-Stockmeyer) or its elements (joined where they touch the same datum, ibid. on partitioning).
 *
 * <p>{@link #build} takes time proportional to the number of pairs that meet: for each vertex, each hub it belongs to,
 * each member of that hub. That is linear in the size of a mesh, but quadratic in the number of elements at one target
 * when elements are joined.
 */
public final class GraphBuilder {
    private final int vertices;
    private final List<Incidence> incidences = new ArrayList<>();

    /** Which vertices meet at which hubs; arrays of one entry a vertex and membership, in both directions. */
    private record Incidence(int[] vertexOffsets, int[] hubs, int[] hubOffsets, int[] members) {}

    /**
     * Starts a graph without edges.
     *
     * @param vertices number of vertices, 0 or more
     * @throws IllegalArgumentException if the number is negative
     */
    public GraphBuilder(int vertices) {
        this.vertices = Checks.notNegative("number of vertices", vertices);
    }

    /**
     * Joins the targets of each element with each other; the vertices are the targets.
     *
     * @param name  the table, for messages
     * @param table targets of the elements, {@code arity} each; kept, not to be changed before {@link #build}
     * @param arity targets of an element, at least 1
     * @return this
     * @throws IllegalArgumentException if the table has no whole number of elements or an entry is no vertex
     */
    public GraphBuilder joinTargets(String name, int[] table, int arity) {
        int elements = checked(name, table, arity, vertices);
        int[] hubOffsets = rows(elements, arity);
        int[] vertexOffsets = new int[vertices + 1];
        int[] hubs = transposed(table, arity, vertexOffsets);
        incidences.add(new Incidence(vertexOffsets, hubs, hubOffsets, table));
        return this;
    }

    /**
     * Joins elements that have a target in common; the vertices are the elements.
     *
     * @param name    the table, for messages
     * @param table   targets of the elements, {@code arity} each; kept, not to be changed before {@link #build}
     * @param arity   targets of an element, at least 1
     * @param targets number of targets
     * @return this
     * @throws IllegalArgumentException if the table has not one row a vertex or an entry is no target
     */
    public GraphBuilder joinElements(String name, int[] table, int arity, int targets) {
        int elements = checked(name, table, arity, Checks.notNegative("number of targets", targets));
        Checks.length("number of elements of " + name, elements, vertices);
        int[] hubOffsets = new int[targets + 1];
        int[] members = transposed(table, arity, hubOffsets);
        incidences.add(new Incidence(rows(elements, arity), table, hubOffsets, members));
        return this;
    }

    private static int checked(String name, int[] table, int arity, int targets) {
        Checks.positive("arity of " + name, arity);
        if (table.length % arity != 0) {
            throw new IllegalArgumentException(name + " has " + table.length + " entries, expected a multiple of "
                    + arity + ", its arity");
        }
        for (int i = 0; i < table.length; i++) {
            if (table[i] < 0 || table[i] >= targets) {
                throw new IllegalArgumentException(name + ": target " + i % arity + " of element " + i / arity + " is "
                        + table[i] + ", expected 0 to " + (targets - 1));
            }
        }
        return table.length / arity;
    }

    private static int[] rows(int elements, int arity) {
        int[] offsets = new int[elements + 1];
        for (int i = 1; i <= elements; i++) {
            offsets[i] = i * arity;
        }
        return offsets;
    }

    /** Lists the elements at each target; fills where each list starts. */
    private static int[] transposed(int[] table, int arity, int[] offsets) {
        for (int target : table) {
            offsets[target + 1]++;
        }
        for (int i = 1; i < offsets.length; i++) {
            offsets[i] += offsets[i - 1];
        }
        int[] at = Arrays.copyOf(offsets, offsets.length - 1);
        int[] elements = new int[table.length];
        for (int i = 0, element = 0; i < table.length; element++) {
            for (int end = i + arity; i < end; i++) {
                elements[at[table[i]]++] = element;
            }
        }
        return elements;
    }

    /**
     * Makes the graph.
     *
     * @return the union of everything that was joined: symmetric, no edge twice, no vertex joined with itself
     * @throws IllegalArgumentException if there are more than 2147483639 neighbours
     */
    public Graph build() {
        int[] offsets = new int[vertices + 1];
        int[] neighbours = new int[Math.max(16, firstGuess())];
        int[] lastSeenAt = new int[vertices];
        Arrays.fill(lastSeenAt, -1);
        int count = 0;
        for (int v = 0; v < vertices; v++) {
            lastSeenAt[v] = v;
            for (Incidence incidence : incidences) {
                for (int i = incidence.vertexOffsets[v]; i < incidence.vertexOffsets[v + 1]; i++) {
                    int hub = incidence.hubs[i];
                    int end = incidence.hubOffsets[hub + 1];
                    neighbours = withRoom(neighbours, count, end - incidence.hubOffsets[hub]);
                    for (int j = incidence.hubOffsets[hub]; j < end; j++) {
                        int other = incidence.members[j];
                        neighbours[count] = other;
                        // Stored in any case and kept only if it is new: no branch that cannot be foreseen.
                        count += lastSeenAt[other] == v ? 0 : 1;
                        lastSeenAt[other] = v;
                    }
                }
            }
            offsets[v + 1] = count;
        }
        return new Graph(offsets, Arrays.copyOf(neighbours, count));
    }

    private int firstGuess() {
        long memberships = incidences.stream().mapToLong(incidence -> incidence.hubs.length).sum();
        return (int) Math.min(1 << 28, 2 * memberships);
    }

    private static int[] withRoom(int[] neighbours, int count, int more) {
        if (neighbours.length - count >= more) {
            return neighbours;
        }
        long wanted = Math.max(count + (long) more, count * 3L / 2);
        if (count + (long) more > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("the graph has more than " + count
                    + " neighbours, expected at most 2147483639: too many elements meet at one target");
        }
        return Arrays.copyOf(neighbours, (int) Math.min(Integer.MAX_VALUE - 8, wanted));
    }
}
