package org.trellis.cuda.sparse;

import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/** How the parameters of the SELL-C-σ families are read. */
final class Chunked {
    private Chunked() {}

    /** Returns the shape of the chunks that parameters ask for. */
    static ChunkShape shape(SpmvParameters parameters) {
        return new ChunkShape(parameters.cooperatingThreads(), parameters.rowsPerGroup());
    }

    /** Returns parameters; C follows from the threads that share a row and the rows of a thread. */
    static SpmvParameters parameters(SpmvFamily family, ChunkShape shape, int sortingWindow, int blockSize,
            int indexBits) {
        return SpmvParameters.of(family)
                .withCooperatingThreads(shape.cooperating()).withRowsPerGroup(shape.perThread())
                .withChunks(shape.rows(), sortingWindow).withBlockSize(blockSize).withIndexBits(indexBits);
    }

    /** Returns whether diagonals and runs are looked for. */
    static boolean detects(SpmvParameters parameters) {
        return parameters.family() == SpmvFamily.SELL_RUNS;
    }
}
