package org.trellis.solve.direct;

import java.util.Arrays;
import java.util.Locale;
import org.trellis.common.Permutation;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.Orderings;
import org.trellis.mesh.partition.Partitioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.algebra.MatrixGraphs;

/** Orders of elimination. A good one is what decides the time and memory of a sparse factorisation. */
public enum FillReduction {
    /** As the matrix is numbered. */
    NATURAL {
        @Override
        int[] eliminate(Graph graph) {
            int[] order = new int[graph.vertices()];
            Arrays.setAll(order, i -> i);
            return order;
        }
    },
    /** Reverse Cuthill and McKee: a small bandwidth. Makes more entries than others, which suits incomplete factors. */
    REVERSE_CUTHILL_MCKEE {
        @Override
        int[] eliminate(Graph graph) {
            return Orderings.reverseCuthillMcKee(graph).inverse().toArray();
        }
    },
    /** Approximate minimum degree: the quickest to find. */
    MINIMUM_DEGREE {
        @Override
        int[] eliminate(Graph graph) {
            return MinimumDegree.order(graph);
        }
    },
    /** Nested dissection with separators of the built-in method: fewest entries on large meshes, slowest to find. */
    NESTED_DISSECTION {
        @Override
        int[] eliminate(Graph graph) {
            return NestedDissection.order(graph);
        }
    },
    /** Nested dissection by METIS, where that is installed. */
    METIS {
        @Override
        int[] eliminate(Graph graph) {
            return Partitioners.named("metis").eliminationOrder(graph).orElseThrow();
        }
    },
    /** Nested dissection by Scotch, where that is installed. */
    SCOTCH {
        @Override
        int[] eliminate(Graph graph) {
            return Partitioners.named("scotch").eliminationOrder(graph).orElseThrow();
        }
    },
    /**
     * Approximate minimum degree; where each entry of its factors costs so many operations that a better order pays,
     * also nested dissection, and then the one of the fewer entries.
     */
    AUTOMATIC {
        @Override
        int[] eliminate(Graph graph) {
            int[] order = MinimumDegree.order(graph);
            SymbolicCholesky counted = counted(graph, order);
            if (counted.operations() < WORTH_DISSECTION * counted.columnEntries()) {
                return order;
            }
            int[] other = NestedDissection.order(graph);
            return counted(graph, other).columnEntries() < counted.columnEntries() ? other : order;
        }
    };

    /** Operations for each entry of a factor from which nested dissection is tried. */
    static final double WORTH_DISSECTION = 250;

    private static SymbolicCholesky counted(Graph graph, int[] order) {
        int n = graph.vertices();
        double[] ones = new double[graph.offsets()[n]];
        Arrays.fill(ones, 1);
        int[] neighbours = Arrays.copyOf(graph.neighbours(), ones.length);
        for (int v = 0; v < n; v++) {
            Arrays.sort(neighbours, graph.offsets()[v], graph.offsets()[v + 1]);
        }
        return SymbolicCholesky.sized(CsrMatrix.of(n, n, graph.offsets(), neighbours, ones), order);
    }

    /**
     * Returns whether the order can be found here.
     *
     * @return true for all that are built in; else whether the library is installed
     */
    public boolean isAvailable() {
        return (this != METIS && this != SCOTCH) || Partitioners.all().stream().anyMatch(
                library -> library.name().equals(name().toLowerCase(Locale.ROOT)) && library.probe().available());
    }

    /** Returns the vertices in the order of elimination. */
    abstract int[] eliminate(Graph graph);

    /**
     * Orders the rows and columns of a matrix.
     *
     * @param matrix a square matrix of fewer than 2³¹ non-zeros; its structure is taken with that of its transpose
     * @return where each row and column goes
     * @throws IllegalArgumentException if the matrix is not square
     * @throws org.trellis.common.BackendUnavailableException if a library that is not installed is to find it
     */
    public Permutation order(CsrMatrix matrix) {
        return Permutation.ofOldIndices(eliminate(graph(matrix)));
    }

    /** The graph of the structure of A + Aᵀ, without loops. */
    static Graph graph(CsrMatrix matrix) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("order of elimination of " + matrix + ", expected a square matrix");
        }
        CsrMatrix both = MatrixGraphs.symmetric(matrix);
        CsrSegment segment = both.onlySegment();
        int[] offsets = new int[both.rows() + 1];
        int[] neighbours = new int[segment.nonZeros()];
        int count = 0;
        for (int row = 0; row < both.rows(); row++) {
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                neighbours[count] = segment.columnIndices()[k];
                count += neighbours[count] == row ? 0 : 1;
            }
            offsets[row + 1] = count;
        }
        return new Graph(offsets, Arrays.copyOf(neighbours, count));
    }
}
