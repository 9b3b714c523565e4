package org.trellis.mesh.order;

import java.util.Locale;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;

/**
 * How far apart the numbers of neighbours are.
 *
 * @param bandwidth    greatest difference between the numbers of two neighbours; 0 without edges
 * @param profile      sum over all vertices of the distance to the neighbour with the lowest number, where that is
 * lower
 *                     than the vertex's own (the area of the envelope of the matrix)
 * @param meanDistance mean difference between the numbers of two neighbours; 0 without edges
 */
public record OrderMeasures(int bandwidth, long profile, double meanDistance) {

    /**
     * Measures the numbers that the vertices of a graph have.
     *
     * @param graph the graph
     * @return its measures
     */
    public static OrderMeasures of(Graph graph) {
        return of(graph, Permutation.identity(graph.vertices()));
    }

    /**
     * Measures the numbers that the vertices of a graph would get.
     *
     * @param graph the graph
     * @param order where each vertex goes
     * @return its measures
     * @throws IllegalArgumentException if the permutation has another size
     */
    public static OrderMeasures of(Graph graph, Permutation order) {
        Checks.length("permutation size", order.size(), graph.vertices());
        int[] numbers = order.toArray();
        int bandwidth = 0;
        long profile = 0;
        double distances = 0;
        for (int v = 0; v < numbers.length; v++) {
            int own = numbers[v];
            int lowest = own;
            long sum = 0;
            for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
                int other = numbers[graph.neighbours()[i]];
                lowest = Math.min(lowest, other);
                sum += Math.abs(other - own);
            }
            distances += sum;
            bandwidth = Math.max(bandwidth, own - lowest);
            profile += own - lowest;
        }
        return new OrderMeasures(bandwidth, profile, distances / Math.max(1, graph.neighbours().length));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "bandwidth %,d, profile %,d, mean distance of neighbours %,.1f", bandwidth,
                profile, meanDistance);
    }
}
