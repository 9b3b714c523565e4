package org.trellis.matrices.catalogue;

import java.util.Arrays;
import org.trellis.matrices.generate.RowBuffer;
import org.trellis.matrices.generate.RowSource;

/**
 * Rows of given lengths whose columns are the nearest points of a lattice around the (scaled) diagonal. With several
 * unknowns a node, whole blocks are taken, the node itself is left out, and the lattice is periodic, as that of the
 * original of this kind is.
 */
final class LatticeRows implements RowSource {
    private final ThesisMatrix facts;
    private final int unknowns;
    private final int[] lengths;
    private final int[] steps;
    private final SurrogateValues values;

    LatticeRows(ThesisMatrix facts, int[] lengths, long seed) {
        this.facts = facts;
        this.unknowns = facts.recipe().unknowns();
        this.lengths = lengths;
        int dimensions = facts.recipe().structure() == ThesisMatrix.Structure.LATTICE2D ? 2 : 3;
        int longest = Arrays.stream(lengths).max().orElse(0) / unknowns;
        // A point in a corner of the matrix has a half or less of the steps.
        int wanted = 4 * longest + 8;
        int[] all =
                LatticeSteps.make(facts.columns() / unknowns, dimensions, facts.bandwidth() / unknowns, wanted, true);
        this.steps = unknowns > 1 ? Arrays.stream(all).filter(step -> step != 0).toArray() : all;
        this.values = new SurrogateValues(facts, seed);
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
        return lengths[row];
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int[] columns = new int[lengths[row]];
        int nodes = facts.columns() / unknowns;
        int centre = (int) ((long) (row / unknowns) * facts.columns() / facts.rows());
        int size = 0;
        for (int k = 0; size < columns.length; k++) {
            int node = centre + steps[k];
            if (unknowns > 1) {
                node = Math.floorMod(node, nodes);
            }
            if (node >= 0 && node < nodes) {
                for (int j = 0; j < unknowns; j++) {
                    columns[size++] = node * unknowns + j;
                }
            }
        }
        Arrays.sort(columns);
        values.fill(row, columns, buffer);
    }
}
