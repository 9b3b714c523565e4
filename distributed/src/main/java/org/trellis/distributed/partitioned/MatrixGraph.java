package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.mesh.order.Graph;
import org.trellis.sparse.CsrMatrix;

/** The graphs of square matrices that partitioners divide: those of A + Aᵀ without the diagonal. */
public final class MatrixGraph {
    private static final String WHAT = "graph of the whole matrix";

    private MatrixGraph() {}

    /** Gives the ends of all edges, some perhaps twice or in both directions; does the same each time. */
    @FunctionalInterface
    interface Edges {
        void forEach(End end);
    }

    /** Receives both ends of an edge. */
    @FunctionalInterface
    interface End {
        void accept(int row, int column);
    }

    /**
     * Makes the graph of a matrix. Takes about 24 bytes a non-zero.
     *
     * @param matrix a square matrix
     * @return its rows with an edge in both directions for each entry off the diagonal
     * @throws IllegalArgumentException if the matrix is not square, or the graph does not fit arrays
     */
    public static Graph of(CsrMatrix matrix) {
        Checks.length("columns of a matrix to partition", matrix.columns(), matrix.rows());
        return of(matrix.rows(), end -> matrix.segments().forEach(segment -> {
            for (int row = 0; row < segment.rows(); row++) {
                for (int k = segment.rowOffsets()[row]; k < segment.rowOffsets()[row + 1]; k++) {
                    if (segment.columnIndices()[k] != segment.firstRow() + row) {
                        end.accept(segment.firstRow() + row, segment.columnIndices()[k]);
                    }
                }
            }
        }));
    }

    static Graph of(int vertices, Edges edges) {
        int[] offsets = new int[vertices + 1];
        edges.forEach((row, column) -> {
            offsets[row + 1]++;
            offsets[column + 1]++;
        });
        long ends = 0;
        for (int v = 0; v < vertices; v++) {
            ends += offsets[v + 1];
            offsets[v + 1] = Checks.arrayLength(WHAT, ends);
        }
        int[] neighbours = new int[(int) ends];
        int[] at = offsets.clone();
        edges.forEach((row, column) -> {
            neighbours[at[row]++] = column;
            neighbours[at[column]++] = row;
        });
        return withoutRepetition(offsets, neighbours);
    }

    private static Graph withoutRepetition(int[] offsets, int[] neighbours) {
        int[] kept = new int[offsets.length];
        int count = 0;
        for (int v = 0; v + 1 < offsets.length; v++) {
            Arrays.sort(neighbours, offsets[v], offsets[v + 1]);
            int begin = count;
            for (int k = offsets[v]; k < offsets[v + 1]; k++) {
                if (count == begin || neighbours[count - 1] != neighbours[k]) {
                    neighbours[count++] = neighbours[k];
                }
            }
            kept[v + 1] = count;
        }
        return new Graph(kept, Arrays.copyOf(neighbours, count));
    }
}
