package org.trellis.mesh.partition;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.mesh.order.Graph;

/**
 * Divides the vertices of a graph into parts of about equal size with few edges between them. Those that are not built
 * in are registered both in {@code META-INF/services} and in the module descriptor, and have a public constructor
 * without parameters that does nothing.
 */
public interface Partitioner {
    /**
     * Returns the name by which users ask for the partitioner.
     *
     * @return a short lower-case word
     */
    String name();

    /**
     * Finds out whether the partitioner can be used here. Does not throw, print or change anything.
     *
     * @return the answer with a reason
     */
    Availability probe();

    /**
     * Divides a graph. The same arguments give the same parts.
     *
     * @param graph     a graph with each edge in both directions
     * @param parts     number of parts, at least 1
     * @param tolerance the size of the largest part may be this times that of parts of equal size, 1 or more; kept
     *                  unless that is impossible (a part has a whole number of vertices) or the method fails to; see
     *                  {@link Partition#imbalance}
     * @return a part for each vertex
     * @throws IllegalArgumentException if {@code parts} or {@code tolerance} is less than 1
     * @throws org.trellis.common.BackendUnavailableException if it cannot be used here
     */
    Partition partition(Graph graph, int parts, double tolerance);

    /**
     * Divides a graph into parts of different sizes. The same arguments give the same parts.
     *
     * @param graph     a graph with each edge in both directions
     * @param shares    for each part, what share of the vertices it is to have: numbers above 0, relative to their sum
     * @param tolerance a part may have this times as many vertices, 1 or more; as in the other method
     * @return a part for each vertex
     * @throws IllegalArgumentException if there are no shares, one is not above 0, the tolerance is less than 1, or the
     *                                  method makes equal parts only
     */
    default Partition partition(Graph graph, double[] shares, double tolerance) {
        throw new IllegalArgumentException("partitioner " + name() + " was asked for parts of shares "
                + Arrays.toString(shares) + ", expected equal parts, or another partitioner: multilevel");
    }

    /**
     * Orders the vertices of a graph for elimination by nested dissection.
     *
     * @param graph a graph with each edge in both directions
     * @return the vertices in the order of elimination; empty if the method has no such order
     * @throws org.trellis.common.BackendUnavailableException if it cannot be used here
     */
    default Optional<int[]> eliminationOrder(Graph graph) {
        return Optional.empty();
    }

    /**
     * Checks shares of parts.
     *
     * @param shares numbers above 0
     * @return the same, with sum 1
     * @throws IllegalArgumentException if there are none or one is not above 0
     */
    static double[] checkedShares(double... shares) {
        double sum = Arrays.stream(shares).sum();
        if (shares.length == 0 || !Arrays.stream(shares).allMatch(share -> share > 0) || !(sum < Double.MAX_VALUE)) {
            throw new IllegalArgumentException("shares of parts are " + Arrays.toString(shares)
                    + ", expected at least one number and all of them above 0");
        }
        return Arrays.stream(shares).map(share -> share / sum).toArray();
    }
}
