package org.trellis.examples.airfoil;

import java.util.Locale;
import org.trellis.common.Permutation;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.Orderings;
import org.trellis.mesh.partition.PartitionOrder;
import org.trellis.mesh.partition.Partitioners;

/** How the sets of the mesh are numbered. */
enum AirfoilOrder {
    /** As in the file. */
    FILE,
    /** Reverse Cuthill-McKee of the cells, and the other sets after them. */
    RCM,
    /** Gibbs-Poole-Stockmeyer of the cells, and the other sets after them. */
    GPS,
    /** Edges in the blocks of a partition, cells by the blocks that touch them (Sulyok et al.). */
    PARTITION;

    /** Edges of a block where nobody says otherwise: what a thread block of a GPU takes. */
    private static final int DEFAULT_BLOCK = 256;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Renumbers a mesh.
     *
     * @param mesh      the mesh of the solver
     * @param solver    its sets
     * @param blockSize the most edges of a block, or null
     * @return the seconds that it took
     */
    double apply(Mesh mesh, AirfoilSolver solver, Integer blockSize) {
        long start = System.nanoTime();
        switch (this) {
            case RCM -> MeshOrder.reorder(solver.cells(), Orderings::reverseCuthillMcKee);
            case GPS -> MeshOrder.reorder(solver.cells(), Orderings::gibbsPooleStockmeyer);
            case PARTITION -> partition(mesh, solver, blockSize == null ? DEFAULT_BLOCK : blockSize);
            case FILE -> {
                // as it is
            }
        }
        return (System.nanoTime() - start) * 1e-9;
    }

    private static void partition(Mesh mesh, AirfoilSolver solver, int blockSize) {
        MeshMap map = solver.edgeCells();
        int[] table = currentTable(map);
        int cells = map.to().size();
        PartitionOrder blocks = PartitionOrder.of(Graph.ofElements(table, map.arity(), cells), blockSize,
                PartitionOrder.DEFAULT_IMBALANCE, Partitioners.named("multilevel"));
        Permutation byBlocks = blocks.targetOrder(table, map.arity(), cells);
        mesh.renumber(map.from(), blocks.order());
        mesh.renumber(map.to(), byBlocks);
        map.from().partition(blocks.blockOffsets());
    }

    /** The targets element by element, as the sets are numbered now. */
    private static int[] currentTable(MeshMap map) {
        int[] table = new int[map.from().size() * map.arity()];
        for (int entry = 0; entry < map.arity(); entry++) {
            int[] column = map.column(entry);
            for (int element = 0; element < column.length; element++) {
                table[element * map.arity() + entry] = column[element];
            }
        }
        return table;
    }
}
