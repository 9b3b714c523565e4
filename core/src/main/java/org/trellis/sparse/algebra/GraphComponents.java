package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The components of the graph of a square matrix, in which each entry {@code (i, j)}, whatever its value, is an edge
 * from i to j.
 *
 * @param count  how many there are
 * @param labels the component of each vertex, from 0; components are numbered by their first vertex
 */
public record GraphComponents(int count, int[] labels) {
    /**
     * Finds what hangs together when edges are followed either way. Costs a pass over the matrix, nearly linear.
     *
     * @param matrix a square matrix
     * @return the connected components, for a directed graph those that are called weak
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static GraphComponents connected(CsrMatrix matrix) {
        requireSquare(matrix);
        DisjointSets sets = new DisjointSets(matrix.rows());
        matrix.forEachEntry((row, column, value) -> sets.join(row, column));
        int[] roots = new int[matrix.rows()];
        Arrays.setAll(roots, sets::find);
        return numbered(roots, matrix.rows());
    }

    /**
     * Finds the vertices that can be reached from each other. Costs a pass over the matrix.
     *
     * @param matrix a square matrix
     * @return the strong components
     * @throws IllegalArgumentException if the matrix is not square
     * @see <a href="https://doi.org/10.1137/0201010">R. Tarjan, Depth-first search and linear graph algorithms, SIAM
     *      Journal on Computing 1(2), 1972</a>
     */
    public static GraphComponents strong(CsrMatrix matrix) {
        requireSquare(matrix);
        StrongSearch search = new StrongSearch(matrix);
        for (int vertex = 0; vertex < matrix.rows(); vertex++) {
            search.from(vertex);
        }
        return numbered(search.component, matrix.rows());
    }

    private static void requireSquare(CsrMatrix matrix) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("components of " + matrix + ", expected a square matrix");
        }
    }

    private static GraphComponents numbered(int[] names, int most) {
        int[] numbers = new int[most];
        Arrays.fill(numbers, -1);
        int count = 0;
        int[] labels = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            if (numbers[names[i]] < 0) {
                numbers[names[i]] = count++;
            }
            labels[i] = numbers[names[i]];
        }
        return new GraphComponents(count, labels);
    }

    /**
     * Returns the sizes.
     *
     * @return the number of vertices of each component
     */
    public int[] sizes() {
        int[] sizes = new int[count];
        for (int label : labels) {
            sizes[label]++;
        }
        return sizes;
    }

    /**
     * Lists the vertices of a component, for {@link CsrMatrix#select}.
     *
     * @param component its number
     * @return its vertices in increasing order
     * @throws IndexOutOfBoundsException if there is no such component
     */
    public int[] vertices(int component) {
        if (component < 0 || component >= count) {
            throw new IndexOutOfBoundsException("component " + component + ", expected 0 to " + (count - 1));
        }
        boolean[] in = new boolean[labels.length];
        for (int i = 0; i < labels.length; i++) {
            in[i] = labels[i] == component;
        }
        return Selections.where(in);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GraphComponents components && Arrays.equals(labels, components.labels);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(labels);
    }

    @Override
    public String toString() {
        return count + " components of " + labels.length + " vertices";
    }

    /** Tarjan's search with a stack of its own: graphs may be deeper than the stack of a thread. */
    private static final class StrongSearch {
        private final CsrMatrix matrix;
        private final int[] component;
        /** When a vertex was found, from 1; 0 for not yet. */
        private final int[] found;
        /** The earliest vertex on the stack that can be reached. */
        private final int[] low;
        private final int[] path;
        private final int[] next;
        private final int[] stack;
        private int depth;
        private int stacked;
        private int clock;

        StrongSearch(CsrMatrix matrix) {
            int n = matrix.rows();
            this.matrix = matrix;
            this.component = new int[n];
            this.found = new int[n];
            this.low = new int[n];
            this.path = new int[n];
            this.next = new int[n];
            this.stack = new int[n];
            Arrays.fill(component, -1);
        }

        void from(int start) {
            if (found[start] != 0) {
                return;
            }
            push(start);
            while (depth > 0) {
                int vertex = path[depth - 1];
                int to = nextNeighbour(vertex);
                if (to < 0) {
                    leave(vertex);
                } else if (found[to] == 0) {
                    push(to);
                } else if (component[to] < 0) {
                    low[vertex] = Math.min(low[vertex], found[to]);
                }
            }
        }

        private void push(int vertex) {
            found[vertex] = ++clock;
            low[vertex] = clock;
            CsrSegment segment = matrix.segmentOf(vertex);
            next[vertex] = segment.rowStart(vertex);
            path[depth++] = vertex;
            stack[stacked++] = vertex;
        }

        private int nextNeighbour(int vertex) {
            CsrSegment segment = matrix.segmentOf(vertex);
            return next[vertex] < segment.rowEnd(vertex) ? segment.columnIndices()[next[vertex]++] : -1;
        }

        private void leave(int vertex) {
            depth--;
            if (depth > 0) {
                int before = path[depth - 1];
                low[before] = Math.min(low[before], low[vertex]);
            }
            if (low[vertex] == found[vertex]) {
                int member;
                do {
                    member = stack[--stacked];
                    component[member] = vertex;
                } while (member != vertex);
            }
        }
    }
}
