package org.trellis.sparse;

import java.util.Optional;

/** Finds out whether a matrix equals its transpose. */
final class SymmetryCheck {
    private SymmetryCheck() {}

    /** Returns the first pair of entries that breaks the symmetry of structure or values, if there is one. */
    static Optional<String> firstAsymmetry(CsrMatrix a) {
        if (a.rows() != a.columns()) {
            return Optional.of("it has " + a.rows() + " rows and " + a.columns() + " columns");
        }
        return firstDifference(a, a.transpose(), true);
    }

    static boolean isPatternSymmetric(CsrMatrix a, CsrMatrix transpose) {
        return a.rows() == a.columns() && firstDifference(a, transpose, false).isEmpty();
    }

    static boolean isSymmetric(CsrMatrix a, CsrMatrix transpose) {
        return a.rows() == a.columns() && firstDifference(a, transpose, true).isEmpty();
    }

    private static Optional<String> firstDifference(CsrMatrix a, CsrMatrix transpose, boolean values) {
        for (int row = 0; row < a.rows(); row++) {
            Optional<String> difference = inRow(a.segmentOf(row), transpose.segmentOf(row), row, values);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> inRow(CsrSegment a, CsrSegment t, int row, boolean values) {
        int i = a.rowOffsets()[row - a.firstRow()];
        int iEnd = a.rowOffsets()[row - a.firstRow() + 1];
        int j = t.rowOffsets()[row - t.firstRow()];
        int jEnd = t.rowOffsets()[row - t.firstRow() + 1];
        for (; i < iEnd && j < jEnd; i++, j++) {
            int column = a.columnIndices()[i];
            if (column != t.columnIndices()[j]) {
                return Optional.of(lonely(row, column, t.columnIndices()[j]));
            }
            if (values && a.values().get(i) != t.values().get(j)) {
                return Optional.of("entry (" + row + ", " + column + ") is " + a.values().get(i) + ", entry (" + column
                        + ", " + row + ") is " + t.values().get(j));
            }
        }
        if (i < iEnd) {
            return Optional.of(lonely(row, a.columnIndices()[i], Integer.MAX_VALUE));
        }
        return j < jEnd ? Optional.of(lonely(row, Integer.MAX_VALUE, t.columnIndices()[j])) : Optional.empty();
    }

    private static String lonely(int row, int inMatrix, int inTranspose) {
        return inMatrix < inTranspose
                ? "there is an entry (" + row + ", " + inMatrix + ") but none at (" + inMatrix + ", " + row + ")"
                : "there is an entry (" + inTranspose + ", " + row + ") but none at (" + row + ", " + inTranspose + ")";
    }
}
