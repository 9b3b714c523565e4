package org.trellis.mesh.partition;

import java.util.Arrays;
import org.trellis.mesh.order.Graph;

/**
 * A graph without loops whose vertices stand for several vertices of a finer one.
 *
 * @param offsets       where the neighbours of each vertex start and end
 * @param neighbours    the neighbours of all vertices
 * @param edgeWeights   edges of the finest graph that each edge stands for
 * @param vertexWeights vertices of the finest graph that each vertex stands for
 */
record WeightedGraph(int[] offsets, int[] neighbours, int[] edgeWeights, int[] vertexWeights) {

    /** Gives everything the weight 1; leaves out loops. */
    static WeightedGraph of(Graph graph) {
        int[] offsets = new int[graph.offsets().length];
        int[] neighbours = new int[graph.neighbours().length];
        int count = 0;
        for (int v = 0; v < graph.vertices(); v++) {
            for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
                neighbours[count] = graph.neighbours()[i];
                count += neighbours[count] == v ? 0 : 1;
            }
            offsets[v + 1] = count;
        }
        int[] kept = count == neighbours.length ? neighbours : Arrays.copyOf(neighbours, count);
        return new WeightedGraph(offsets, kept, ones(count), ones(graph.vertices()));
    }

    private static int[] ones(int length) {
        int[] ones = new int[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    int vertices() {
        return vertexWeights.length;
    }

    long totalWeight() {
        long total = 0;
        for (int weight : vertexWeights) {
            total += weight;
        }
        return total;
    }

    int greatestVertexWeight() {
        int greatest = 0;
        for (int weight : vertexWeights) {
            greatest = Math.max(greatest, weight);
        }
        return greatest;
    }

    /** Returns the greatest sum of the weights at one vertex. */
    int greatestDegree() {
        int greatest = 0;
        for (int v = 0; v < vertices(); v++) {
            int sum = 0;
            for (int i = offsets[v]; i < offsets[v + 1]; i++) {
                sum += edgeWeights[i];
            }
            greatest = Math.max(greatest, sum);
        }
        return greatest;
    }

    /**
     * Cuts out some vertices.
     *
     * @param chosen  the vertices that the result has, in its order
     * @param numbers workspace of at least as many entries as this graph has vertices
     */
    WeightedGraph induced(int[] chosen, int[] numbers) {
        Arrays.fill(numbers, 0, vertices(), -1);
        int room = 0;
        for (int i = 0; i < chosen.length; i++) {
            numbers[chosen[i]] = i;
            room += offsets[chosen[i] + 1] - offsets[chosen[i]];
        }
        int[] newOffsets = new int[chosen.length + 1];
        int[] newNeighbours = new int[room];
        int[] newEdgeWeights = new int[room];
        int[] newVertexWeights = new int[chosen.length];
        int count = 0;
        for (int i = 0; i < chosen.length; i++) {
            newVertexWeights[i] = vertexWeights[chosen[i]];
            for (int j = offsets[chosen[i]]; j < offsets[chosen[i] + 1]; j++) {
                int neighbour = numbers[neighbours[j]];
                if (neighbour >= 0) {
                    newNeighbours[count] = neighbour;
                    newEdgeWeights[count++] = edgeWeights[j];
                }
            }
            newOffsets[i + 1] = count;
        }
        return new WeightedGraph(newOffsets, Arrays.copyOf(newNeighbours, count), Arrays.copyOf(newEdgeWeights, count),
                newVertexWeights);
    }
}
