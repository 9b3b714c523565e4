package org.trellis.cuda.sparse;

import java.util.HashMap;
import java.util.Map;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SparseMatrix;

/**
 * A matrix as the rules and constraints see it. Facts are found when they are first asked for and kept. Not for several
 * threads at once.
 */
final class MatrixView {
    private final SparseMatrix source;
    private final Map<PaddingKey, Long> padded = new HashMap<>();
    private CsrMatrix csr;
    private RowProfile profile;
    private double hotShare = -1;

    private record PaddingKey(ChunkShape shape, int sortingWindow) {}

    MatrixView(SparseMatrix source) {
        this.source = source;
    }

    /** Returns whether this is a view of a given matrix. */
    @SuppressWarnings("ReferenceEquality") // matrices do not change, and one object is what is asked about
    boolean shows(SparseMatrix matrix) {
        return source == matrix;
    }

    /** Returns the matrix in compressed rows. */
    CsrMatrix csr() {
        if (csr == null) {
            csr = source.toCsr();
        }
        return csr;
    }

    /** Returns sizes and the longest row. */
    RowProfile profile() {
        if (profile == null) {
            int longest = 0;
            for (CsrSegment segment : csr().segments()) {
                int[] offsets = segment.rowOffsets();
                for (int i = 0; i < segment.rows(); i++) {
                    longest = Math.max(longest, offsets[i + 1] - offsets[i]);
                }
            }
            profile = new RowProfile(source.rows(), source.columns(), csr().nonZeros(), longest);
        }
        return profile;
    }

    /** Says whether a sample of chunks of a shape has constant coefficients. */
    boolean isLikelyStencil(ChunkShape shape) {
        return csr().segments().size() == 1 && StencilLayout.isLikely(HostCsr.of(csr()), shape.rows());
    }

    /** Estimates, by a sample, which share of the entries is in so many of the most frequent columns. */
    double hotShare(int count) {
        if (hotShare < 0) {
            hotShare = HotColumns.sampledShare(csr(), count);
        }
        return hotShare;
    }

    /** Returns the entries with padding in chunks of a shape, a number that one pass over the row offsets gives. */
    long paddedEntries(ChunkShape shape, int sortingWindow) {
        return padded.computeIfAbsent(new PaddingKey(shape, sortingWindow),
                key -> ChunkRows.of(HostCsr.of(csr()), shape, sortingWindow).paddedEntries());
    }
}
