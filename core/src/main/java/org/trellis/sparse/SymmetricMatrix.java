package org.trellis.sparse;

import java.util.Optional;
import org.trellis.common.Precision;

/**
 * A symmetric matrix of which one triangle is stored: a view of a lower triangular {@link CsrMatrix} as the whole
 * matrix. Its product reads half the memory of the full matrix. Immutable.
 */
public final class SymmetricMatrix implements SparseMatrix {
    private final CsrMatrix lower;
    private final long nonZeros;

    private SymmetricMatrix(CsrMatrix lower, long diagonalEntries) {
        this.lower = lower;
        this.nonZeros = 2 * lower.nonZeros() - diagonalEntries;
    }

    /**
     * Views a lower triangle as a symmetric matrix. Costs one pass.
     *
     * @param lower a square matrix without entries above the diagonal; not copied
     * @return the view
     * @throws IllegalArgumentException if it is not square or has an entry above the diagonal; names the first
     */
    public static SymmetricMatrix ofLower(CsrMatrix lower) {
        if (lower.rows() != lower.columns()) {
            throw new IllegalArgumentException("symmetric matrix from a triangle of " + lower.rows() + " x "
                    + lower.columns() + ", expected a square one");
        }
        firstAboveDiagonal(lower).ifPresent(violation -> {
            throw new IllegalArgumentException("symmetric matrix from a lower triangle: " + violation);
        });
        return new SymmetricMatrix(lower, diagonalEntries(lower));
    }

    /**
     * Takes the lower triangle of a matrix that is symmetric in structure and values.
     *
     * @param matrix a symmetric matrix
     * @return a new matrix of half the memory
     * @throws IllegalArgumentException if the matrix is not symmetric; names a pair of entries that differ
     */
    public static SymmetricMatrix from(CsrMatrix matrix) {
        SymmetryCheck.firstAsymmetry(matrix).ifPresent(violation -> {
            throw new IllegalArgumentException(matrix + " is not symmetric: " + violation);
        });
        CsrBuilder lower = new CsrBuilder(matrix.columns(), matrix.precision(), matrix.nonZeros() / 2 + matrix.rows());
        for (CsrSegment segment : matrix.segments()) {
            for (int i = 0; i < segment.rows(); i++) {
                int row = segment.firstRow() + i;
                int end = segment.rowOffsets()[i + 1];
                for (int k = segment.rowOffsets()[i]; k < end && segment.columnIndices()[k] <= row; k++) {
                    lower.add(segment.columnIndices()[k], segment.values().get(k));
                }
                lower.endRow();
            }
        }
        return ofLower(lower.build());
    }

    private static Optional<String> firstAboveDiagonal(CsrMatrix lower) {
        for (CsrSegment segment : lower.segments()) {
            for (int i = 0; i < segment.rows(); i++) {
                int row = segment.firstRow() + i;
                int end = segment.rowOffsets()[i + 1];
                if (end > segment.rowOffsets()[i] && segment.columnIndices()[end - 1] > row) {
                    return Optional.of("row " + row + " has an entry in column " + segment.columnIndices()[end - 1]
                            + ", expected columns up to " + row);
                }
            }
        }
        return Optional.empty();
    }

    private static long diagonalEntries(CsrMatrix lower) {
        long count = 0;
        for (CsrSegment segment : lower.segments()) {
            for (int i = 0; i < segment.rows(); i++) {
                int end = segment.rowOffsets()[i + 1];
                if (end > segment.rowOffsets()[i] && segment.columnIndices()[end - 1] == segment.firstRow() + i) {
                    count++;
                }
            }
        }
        return count;
    }

    /**
     * Returns the stored triangle.
     *
     * @return the lower triangle with the diagonal
     */
    public CsrMatrix lower() {
        return lower;
    }

    @Override
    public int rows() {
        return lower.rows();
    }

    @Override
    public int columns() {
        return lower.columns();
    }

    @Override
    public long nonZeros() {
        return nonZeros;
    }

    @Override
    public Precision precision() {
        return lower.precision();
    }

    @Override
    public SparseFormat format() {
        return SparseFormat.SYMMETRIC;
    }

    @Override
    public long storedBytes() {
        return lower.storedBytes();
    }

    @Override
    public void forEachEntry(EntryConsumer consumer) {
        lower.forEachEntry((row, column, value) -> {
            consumer.accept(row, column, value);
            if (row != column) {
                consumer.accept(column, row, value);
            }
        });
    }

    @Override
    public Optional<String> firstViolation() {
        return lower.firstViolation().or(() -> firstAboveDiagonal(lower));
    }

    @Override
    public CsrMatrix toCsr() {
        CsrMatrix upper = lower.transpose();
        CsrBuilder full = new CsrBuilder(columns(), precision(), nonZeros);
        for (int row = 0; row < rows(); row++) {
            CsrSegment below = lower.segmentOf(row);
            for (int k = below.rowOffsets()[row - below.firstRow()]; k < below.rowOffsets()[row - below.firstRow()
                    + 1]; k++) {
                full.add(below.columnIndices()[k], below.values().get(k));
            }
            CsrSegment above = upper.segmentOf(row);
            for (int k = above.rowOffsets()[row - above.firstRow()]; k < above.rowOffsets()[row - above.firstRow()
                    + 1]; k++) {
                if (above.columnIndices()[k] > row) {
                    full.add(above.columnIndices()[k], above.values().get(k));
                }
            }
            full.endRow();
        }
        return full.build();
    }

    @Override
    public String toString() {
        return "symmetric matrix " + rows() + " x " + columns() + ", " + nonZeros + " non-zeros from one triangle, "
                + precision().label();
    }
}
