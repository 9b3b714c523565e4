package org.trellis.mesh.partition;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.mesh.order.Graph;

/**
 * A part for each vertex. Parts may be empty.
 *
 * @param partOf the part of each vertex. Not copied, and not to be changed
 * @param parts  number of parts, at least 1
 */
public record Partition(int[] partOf, int parts) {

    /**
     * Makes a partition of arrays, which are checked and kept.
     *
     * @throws IllegalArgumentException if a vertex is in no part; names it
     */
    public Partition {
        Checks.positive("number of parts", parts);
        for (int v = 0; v < partOf.length; v++) {
            if (partOf[v] < 0 || partOf[v] >= parts) {
                throw new IllegalArgumentException("vertex " + v + " is in part " + partOf[v] + ", expected 0 to "
                        + (parts - 1));
            }
        }
    }

    /**
     * Returns the number of vertices.
     *
     * @return at least 0
     */
    public int vertices() {
        return partOf.length;
    }

    /**
     * Counts the vertices of each part.
     *
     * @return the sizes, a new array
     */
    public int[] sizes() {
        int[] sizes = new int[parts];
        for (int part : partOf) {
            sizes[part]++;
        }
        return sizes;
    }

    /**
     * Returns the size of the largest part over that of parts of equal size.
     *
     * @return at least 1; 1 if there are no vertices
     */
    public double imbalance() {
        int largest = Arrays.stream(sizes()).max().orElse(0);
        return partOf.length == 0 ? 1 : (double) largest * parts / partOf.length;
    }

    /**
     * Counts the edges between parts.
     *
     * @param graph the graph whose vertices are in the parts, with each edge in both directions
     * @return edges whose ends are in different parts, each counted once
     * @throws IllegalArgumentException if the graph has another number of vertices
     */
    public long edgeCut(Graph graph) {
        Checks.length("number of vertices", graph.vertices(), partOf.length);
        long ends = 0;
        for (int v = 0; v < partOf.length; v++) {
            for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
                ends += partOf[v] == partOf[graph.neighbours()[i]] ? 0 : 1;
            }
        }
        return ends / 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Partition that && parts == that.parts && Arrays.equals(partOf, that.partOf);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(partOf) + parts;
    }

    @Override
    public String toString() {
        return "partition of " + partOf.length + " vertices into " + parts + " parts";
    }
}
