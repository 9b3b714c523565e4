package org.trellis.sparse;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/** Operations that make one {@link CsrMatrix} from another. */
final class CsrTransformations {
    private CsrTransformations() {}

    static CsrMatrix transpose(CsrMatrix a) {
        Checks.arrayLength("transpose of " + a, a.columns() + 1L);
        return a.segments().size() == 1 ? CsrTranspose.of(a) : CsrLargeTranspose.of(a);
    }

    /** The same structure with other values, those of row after row. */
    static CsrMatrix withValues(CsrMatrix a, HostVector values) {
        Checks.length("number of values for " + a, values.length(), a.nonZeros());
        if (values.precision() != a.precision()) {
            throw new IllegalArgumentException("values for " + a + " have precision " + values.precision().label()
                    + ", expected " + a.precision().label());
        }
        List<CsrSegment> segments = a.segments().stream()
                .map(s -> new CsrSegment(s.firstRow(), s.base(), s.rowOffsets(), s.columnIndices(),
                        values.part((int) s.base(), s.nonZeros()).copy()))
                .toList();
        return new CsrMatrix(a.rows(), a.columns(), a.precision(), segments);
    }

    static CsrMatrix permute(CsrMatrix a, Permutation rowOrder, Permutation columnOrder) {
        Checks.length("row permutation size", rowOrder.size(), a.rows());
        Checks.length("column permutation size", columnOrder.size(), a.columns());
        Permutation oldRows = rowOrder.inverse();
        CsrBuilder result = new CsrBuilder(a.columns(), a.precision(), a.nonZeros());
        RowSorter sorter = new RowSorter();
        for (int newRow = 0; newRow < a.rows(); newRow++) {
            int row = oldRows.newIndex(newRow);
            CsrSegment segment = a.segmentOf(row);
            int local = row - segment.firstRow();
            sorter.clear();
            for (int k = segment.rowOffsets()[local]; k < segment.rowOffsets()[local + 1]; k++) {
                sorter.add(columnOrder.newIndex(segment.columnIndices()[k]), segment.values().get(k));
            }
            sorter.sort();
            for (int k = 0; k < sorter.size(); k++) {
                result.add(sorter.column(k), sorter.value(k));
            }
            result.endRow();
        }
        return result.build();
    }

    static CsrMatrix submatrix(CsrMatrix a, int fromRow, int toRow, int fromColumn, int toColumn) {
        Checks.range("row range", fromRow, toRow, a.rows());
        Checks.range("column range", fromColumn, toColumn, a.columns());
        CsrBuilder result = new CsrBuilder(toColumn - fromColumn, a.precision(), 0);
        for (int row = fromRow; row < toRow; row++) {
            CsrSegment segment = a.segmentOf(row);
            int local = row - segment.firstRow();
            int end = segment.rowOffsets()[local + 1];
            int found = Arrays.binarySearch(segment.columnIndices(), segment.rowOffsets()[local], end, fromColumn);
            for (int k = found < 0 ? -found - 1 : found; k < end && segment.columnIndices()[k] < toColumn; k++) {
                result.add(segment.columnIndices()[k] - fromColumn, segment.values().get(k));
            }
            result.endRow();
        }
        return result.build();
    }

    static CsrSegment mapValues(CsrSegment segment, Precision precision, CsrMatrix.EntryFunction function) {
        HostVector values = HostVector.zeros(precision, segment.nonZeros());
        int[] offsets = segment.rowOffsets();
        for (int i = 0; i < segment.rows(); i++) {
            for (int k = offsets[i]; k < offsets[i + 1]; k++) {
                values.set(k,
                        function.apply(segment.firstRow() + i, segment.columnIndices()[k], segment.values().get(k)));
            }
        }
        return new CsrSegment(segment.firstRow(), segment.base(), offsets, segment.columnIndices(), values);
    }

    static boolean same(CsrMatrix a, CsrMatrix b) {
        if (a.rows() != b.rows() || a.columns() != b.columns() || a.nonZeros() != b.nonZeros()
                || a.precision() != b.precision()) {
            return false;
        }
        for (int row = 0; row < a.rows(); row++) {
            if (!sameRow(a.segmentOf(row), b.segmentOf(row), row)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameRow(CsrSegment a, CsrSegment b, int row) {
        int i = a.rowOffsets()[row - a.firstRow()];
        int j = b.rowOffsets()[row - b.firstRow()];
        int length = a.rowOffsets()[row - a.firstRow() + 1] - i;
        if (length != b.rowOffsets()[row - b.firstRow() + 1] - j) {
            return false;
        }
        for (int k = 0; k < length; k++) {
            boolean sameValue =
                    Double.doubleToLongBits(a.values().get(i + k)) == Double.doubleToLongBits(b.values().get(j + k));
            if (a.columnIndices()[i + k] != b.columnIndices()[j + k] || !sameValue) {
                return false;
            }
        }
        return true;
    }

    static boolean close(CsrMatrix a, CsrMatrix b, double relative, double absolute) {
        if (a.rows() != b.rows() || a.columns() != b.columns()) {
            return false;
        }
        for (int row = 0; row < a.rows(); row++) {
            if (!closeRow(a.segmentOf(row), b.segmentOf(row), row, relative, absolute)) {
                return false;
            }
        }
        return true;
    }

    private static boolean closeRow(CsrSegment a, CsrSegment b, int row, double relative, double absolute) {
        int i = a.rowStart(row);
        int iEnd = a.rowEnd(row);
        int j = b.rowStart(row);
        int jEnd = b.rowEnd(row);
        while (i < iEnd || j < jEnd) {
            int inA = i < iEnd ? a.columnIndices()[i] : Integer.MAX_VALUE;
            int inB = j < jEnd ? b.columnIndices()[j] : Integer.MAX_VALUE;
            double left = inA <= inB ? a.values().get(i++) : 0;
            double right = inB <= inA ? b.values().get(j++) : 0;
            double allowed = Math.max(relative * Math.max(Math.abs(left), Math.abs(right)), absolute);
            if (left != right && !(Math.abs(left - right) <= allowed)) {
                return false;
            }
        }
        return true;
    }
}
