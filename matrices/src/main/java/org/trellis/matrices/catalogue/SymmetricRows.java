package org.trellis.matrices.catalogue;

import org.trellis.matrices.generate.RowBuffer;
import org.trellis.matrices.generate.RowSource;
import org.trellis.matrices.generate.SymmetricPattern;

/** The rows of a {@link SymmetricSurrogate}, once its graph is made. */
final class SymmetricRows implements RowSource {
    private final ThesisMatrix facts;
    private final SymmetricPattern graph;
    private final int unknowns;
    private final int missingDiagonal;
    /** Couplings left out between a node and its last neighbour, on either side of the diagonal. */
    private final int dropped;
    private final int droppedNode;
    private final int droppedNeighbour;
    private final SurrogateValues values;

    SymmetricRows(ThesisMatrix facts, SymmetricPattern graph, int dropped, long seed) {
        this.facts = facts;
        this.graph = graph;
        this.unknowns = facts.recipe().unknowns();
        this.missingDiagonal = facts.rows() - facts.diagonal();
        this.dropped = dropped;
        int node = graph.vertices() / 2;
        while (dropped > 0 && graph.degree(node) == 0) {
            node++;
        }
        this.droppedNode = node;
        this.droppedNeighbour = dropped > 0 ? graph.neighbour(node, graph.degree(node) - 1) : -1;
        this.values = new SurrogateValues(facts, seed);
    }

    /** Whether a row has no diagonal entry: so many rows, evenly spread. */
    static boolean lacksDiagonal(int row, int missing, int rows) {
        return (row + 1L) * missing / rows > (long) row * missing / rows;
    }

    @Override
    public int rows() {
        return facts.rows();
    }

    @Override
    public int columns() {
        return facts.columns();
    }

    @Override
    public int length(int row) {
        int node = row / unknowns;
        int own = node < graph.vertices() ? unknowns : facts.rows() % unknowns;
        int length = own - (lacksDiagonal(row, missingDiagonal, facts.rows()) ? 1 : 0);
        if (node < graph.vertices()) {
            length += graph.degree(node) * unknowns;
        }
        if (node == droppedNode || node == droppedNeighbour) {
            int other = node == droppedNode ? droppedNeighbour : droppedNode;
            for (int j = 0; j < unknowns; j++) {
                length -= isDropped(row, other * unknowns + j) ? 1 : 0;
            }
        }
        return length;
    }

    /** The standard deviation of the row lengths. */
    double deviation() {
        double squares = 0;
        for (int row = 0; row < facts.rows(); row++) {
            double distance = length(row) - facts.mean();
            squares += distance * distance;
        }
        return Math.sqrt(squares / facts.rows());
    }

    private boolean isDropped(int row, int column) {
        boolean there = row / unknowns == droppedNode && column / unknowns == droppedNeighbour;
        boolean back = column / unknowns == droppedNode && row / unknowns == droppedNeighbour;
        int own = there ? row : column;
        int other = there ? column : row;
        return (there || back) && own % unknowns * unknowns + other % unknowns < dropped;
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int node = row / unknowns;
        int degree = node < graph.vertices() ? graph.degree(node) : 0;
        int[] columns = new int[length(row)];
        int size = 0;
        boolean ownDone = false;
        for (int k = 0; k <= degree; k++) {
            int neighbour = k < degree ? graph.neighbour(node, k) : Integer.MAX_VALUE;
            if (!ownDone && neighbour > node) {
                size = addBlock(row, node, columns, size);
                ownDone = true;
            }
            if (k < degree) {
                size = addBlock(row, neighbour, columns, size);
            }
        }
        values.fill(row, columns, buffer);
    }

    private int addBlock(int row, int block, int[] columns, int size) {
        int end = Math.min(facts.rows(), (block + 1) * unknowns);
        int next = size;
        for (int column = block * unknowns; column < end; column++) {
            boolean absent = column == row
                    ? lacksDiagonal(row, missingDiagonal, facts.rows())
                    : dropped > 0 && isDropped(row, column);
            if (!absent) {
                columns[next++] = column;
            }
        }
        return next;
    }
}
