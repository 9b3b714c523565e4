package org.trellis.tuner.product.online;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvParameters;

/** The steps of the thesis (section 4.5.2) among what a backend's kernels accept for a matrix. */
public final class KernelNeighbourhood implements Neighbourhood {
    private static final int BLOCK_STEP = 32;
    private static final int LARGEST_BLOCK = 512;
    private static final int SMALLEST_BLOCK_SINGLE = 96;
    private static final int SMALLEST_BLOCK_DOUBLE = 64;
    private static final int LARGEST_COOPERATION = 32;

    private final SparseKernels kernels;
    private final SparseMatrix matrix;
    private final Map<SpmvParameters, Boolean> known = new HashMap<>();
    private List<SpmvParameters> space;

    /**
     * Creates the neighbourhood.
     *
     * @param kernels the products of a backend
     * @param matrix  the matrix
     */
    public KernelNeighbourhood(SparseKernels kernels, SparseMatrix matrix) {
        this.kernels = Objects.requireNonNull(kernels);
        this.matrix = Objects.requireNonNull(matrix);
    }

    @Override
    public boolean fits(SpmvParameters parameters) {
        return known.computeIfAbsent(parameters, key -> kernels.constraint(matrix, key).isEmpty());
    }

    @Override
    public Optional<SpmvParameters> rows(SpmvParameters from, boolean twice) {
        int rows = twice ? from.rowsPerGroup() * 2 : from.rowsPerGroup() / 2;
        if (rows < 1 || (!twice && from.rowsPerGroup() % 2 != 0)) {
            return Optional.empty();
        }
        // Where a chunk has a row for each thread, it grows with the rows of a thread.
        int chunk = twice ? from.chunkRows() * 2 : from.chunkRows() / 2;
        return first(from.withRowsPerGroup(rows), chunk);
    }

    @Override
    public Optional<SpmvParameters> threads(SpmvParameters from, boolean twice) {
        int threads = twice ? from.cooperatingThreads() * 2 : from.cooperatingThreads() / 2;
        if (threads < 1 || threads > LARGEST_COOPERATION) {
            return Optional.empty();
        }
        int chunk = twice ? from.chunkRows() / 2 : from.chunkRows() * 2;
        return first(from.withCooperatingThreads(threads), chunk);
    }

    /** The set as it is if it fits, else with another size of chunks if that does. */
    private Optional<SpmvParameters> first(SpmvParameters parameters, int chunkRows) {
        if (fits(parameters)) {
            return Optional.of(parameters);
        }
        if (parameters.chunkRows() == 0 || chunkRows == 0) {
            return Optional.empty();
        }
        return Optional.of(parameters.withChunks(chunkRows, parameters.sortingWindow())).filter(this::fits);
    }

    @Override
    public Optional<SpmvParameters> block(SpmvParameters from, boolean more) {
        int least = matrix.precision() == Precision.F32 ? SMALLEST_BLOCK_SINGLE : SMALLEST_BLOCK_DOUBLE;
        int block = from.blockSize() + (more ? BLOCK_STEP : -BLOCK_STEP);
        return from.blockSize() == 0 || block < least || block > LARGEST_BLOCK
                ? Optional.empty()
                : Optional.of(from.withBlockSize(block)).filter(this::fits);
    }

    @Override
    public List<SpmvParameters> others(SpmvParameters from) {
        if (space == null) {
            space = kernels.parameterSpace(matrix);
        }
        return SpmvDistance.nearestFirst(space.stream().filter(other -> other.family() == from.family()).toList(),
                from);
    }
}
