package org.trellis.sparse.algebra;

import java.util.Arrays;
import java.util.Comparator;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;

/** Trees of least weight that connect what is connected in the graph of a matrix. */
public final class SpanningForest {
    private SpanningForest() {}

    /**
     * Finds edges of least total weight that connect each component, by Kruskal's method. An entry {@code (i, j)} is an
     * edge between i and j of the entry's value as weight, also if it is 0; of several between the same vertices the
     * lightest counts. Costs a sort of the entries.
     *
     * @param matrix a square matrix of fewer than 2³¹ entries, symmetric or not
     * @return a matrix with one entry for each edge of the forest, at the place and with the value that it has in
     *         {@code matrix}; vertices less components of them
     * @throws IllegalArgumentException if the matrix is not square or a weight is NaN
     * @throws IllegalStateException    if it has more entries
     */
    public static CsrMatrix minimum(CsrMatrix matrix) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("spanning forest of " + matrix + ", expected a square matrix");
        }
        CooMatrix edges = CooMatrix.from(matrix);
        Integer[] order = new Integer[edges.rowIndices().length];
        Arrays.setAll(order, k -> {
            if (Double.isNaN(edges.values().get(k))) {
                throw new IllegalArgumentException("weight of edge (" + edges.rowIndices()[k] + ", "
                        + edges.columnIndices()[k] + ") is NaN, expected a number");
            }
            return k;
        });
        Arrays.sort(order, Comparator.comparingDouble(k -> edges.values().get(k)));
        DisjointSets trees = new DisjointSets(matrix.rows());
        int[] chosen = Arrays.stream(order).mapToInt(k -> k)
                .filter(k -> trees.join(edges.rowIndices()[k], edges.columnIndices()[k])).toArray();
        Precision precision = matrix.precision();
        return CooMatrix.of(matrix.rows(), matrix.columns(),
                Arrays.stream(chosen).map(k -> edges.rowIndices()[k]).toArray(),
                Arrays.stream(chosen).map(k -> edges.columnIndices()[k]).toArray(),
                HostVector.of(precision, chosen.length, k -> edges.values().get(chosen[k]))).toCsr();
    }
}
