package org.trellis.examples.tsunami;

import java.util.List;
import java.util.Locale;
import org.trellis.examples.tsunami.TsunamiSolver.Loop;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.order.Orderings;
import org.trellis.mesh.partition.MultilevelPartitioner;

/** How cells and edges are numbered. */
enum TsunamiOrder {
    /** As the mesh came; edges as cells reach them first. */
    FILE,
    /** Cells by reverse Cuthill-McKee, edges by their cells. */
    RCM,
    /** Cells by Gibbs, Poole and Stockmeyer, edges by their cells. */
    GPS,
    /** Edges in blocks that share few cells, cells by the blocks that touch them. */
    PARTITION;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }

    /**
     * Renumbers. Where there are blocks, the loops over edges run them.
     *
     * @param solver    what is on the mesh
     * @param blockSize edges of a block, for {@link #PARTITION}
     * @return the seconds that took
     */
    double apply(TsunamiSolver solver, int blockSize) {
        long start = System.nanoTime();
        MeshMap edgeCells = solver.edgeCells();
        switch (this) {
            case FILE -> {
                // As it came.
            }
            case RCM -> MeshOrder.reorder(edgeCells.to(), Orderings::reverseCuthillMcKee);
            case GPS -> MeshOrder.reorder(edgeCells.to(), Orderings::gibbsPooleStockmeyer);
            case PARTITION -> {
                MeshOrder.partition(edgeCells, blockSize, new MultilevelPartitioner());
                for (Loop loop : List.of(Loop.FLUX_1, Loop.SPACE, Loop.FLUX_2)) {
                    solver.loop(loop).parameters(solver.loop(loop).parameters().withBlockSize(0));
                }
            }
        }
        return 1e-9 * (System.nanoTime() - start);
    }
}
