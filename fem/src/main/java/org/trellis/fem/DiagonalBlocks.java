package org.trellis.fem;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.sparse.CsrMatrix;

/**
 * The blocks on the diagonal of a form's matrix: what couples the fields of a node with each other. Integrated without
 * the rest of the matrix, so that every storage has them.
 */
final class DiagonalBlocks {
    private final FormMesh form;
    private final FacetTerms facets;
    private final int fields;
    /** For each unknown those of its node, field by field. */
    private final int[] mates;

    private final Dat blocks;
    private final ParallelLoop loop;

    @SuppressWarnings("MustBeClosed") // closed with the form's mesh
    DiagonalBlocks(FormMesh form, FacetTerms facets) {
        this.form = form;
        this.facets = facets;
        this.fields = form.kernels().fields();
        int[] ofCells = form.unknowns().ofCells();
        this.mates = new int[Checks.arrayLength("blocks of nodes", (long) form.unknowns().total() * fields)];
        for (int k = 0; k < ofCells.length; k++) {
            for (int f = 0; f < fields; f++) {
                mates[ofCells[k] * fields + f] = ofCells[k - k % fields + f];
            }
        }
        int[] places = new int[Checks.arrayLength("entries of blocks", (long) ofCells.length * fields)];
        Arrays.parallelSetAll(places, k -> ofCells[k / fields] * fields + k % fields);
        MeshSet entries = form.mesh().set("entries of blocks", mates.length);
        MeshMap map = form.mesh().map("blocks of cells", form.cells(), entries, form.unknowns().perCell() * fields,
                places);
        this.blocks = form.mesh().dat("blocks", entries, 1, form.options().precision());
        this.loop = form.rareOfCells(form.kernels().diagonalBlocks(), blocks.at(map));
    }

    /** Integrates the blocks of the first unknowns, with the coefficients of now. */
    CsrMatrix integrate(int rows) {
        blocks.fill(0);
        loop.run();
        double[] values = blocks.toArray();
        facets.addBlocks(values, mates, fields);
        return matrix(rows, values);
    }

    /** Takes rows and columns of free unknowns. */
    private CsrMatrix matrix(int free, double... values) {
        int[] offsets = new int[free + 1];
        int[] columns = new int[free * fields];
        double[] kept = new double[free * fields];
        int next = 0;
        for (int row = 0; row < free; row++) {
            for (int f = 0; f < fields; f++) {
                int column = mates[row * fields + f];
                if (column < free) {
                    columns[next] = column;
                    kept[next++] = values[row * fields + f];
                }
            }
            offsets[row + 1] = next;
        }
        int nonZeros = next;
        return CsrMatrix.of(free, free, offsets, Arrays.copyOf(columns, nonZeros),
                form.options().precision() == Precision.F64
                        ? HostVector.of(Arrays.copyOf(kept, nonZeros))
                        : HostVector.of(Precision.F32, nonZeros, k -> kept[k]));
    }
}
