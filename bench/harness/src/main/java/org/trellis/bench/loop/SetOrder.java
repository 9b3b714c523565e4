package org.trellis.bench.loop;

import java.util.Locale;
import java.util.SplittableRandom;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.order.Orderings;
import org.trellis.mesh.partition.Partitioners;

/** How the sets of a mesh are numbered. */
public enum SetOrder {
    /** As the mesh came. */
    FILE,
    /** At random, as a careless generator might. */
    SHUFFLED,
    /** Cells by reverse Cuthill-McKee, and the other sets after them. */
    RCM,
    /** Cells by Gibbs, Poole and Stockmeyer, and the other sets after them. */
    GPS,
    /** Edges in blocks that share few cells, cells by the blocks that touch them (Sulyok et al.). */
    PARTITION;

    private static final long SEED = 1;

    /**
     * Returns the name used on the command line and in files.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }

    /**
     * Renumbers all sets.
     *
     * @param edgeCells the map through which loops over edges add to cells
     * @param blockSize the most edges of a block, for {@link #PARTITION}
     * @return the seconds that it took
     */
    public double apply(MeshMap edgeCells, int blockSize) {
        long start = System.nanoTime();
        switch (this) {
            case FILE -> {
                // as it is
            }
            case SHUFFLED -> MeshOrder.shuffle(edgeCells.from().mesh(), new SplittableRandom(SEED));
            case RCM -> MeshOrder.reorder(edgeCells.to(), Orderings::reverseCuthillMcKee);
            case GPS -> MeshOrder.reorder(edgeCells.to(), Orderings::gibbsPooleStockmeyer);
            case PARTITION -> MeshOrder.blocks(edgeCells, blockSize, Partitioners.named("multilevel"));
        }
        return 1e-9 * (System.nanoTime() - start);
    }
}
