package org.trellis.bench.adapters.direct;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** A matrix in compressed columns outside of the heap. */
record Columns(int n, int nonZeros, MemorySegment start, MemorySegment rows, MemorySegment values) {
    static Columns of(CsrMatrix matrix, Arena arena) {
        CsrSegment columns = matrix.transpose().onlySegment();
        int n = matrix.rows();
        MemorySegment start = arena.allocate(JAVA_INT, n + 1L);
        MemorySegment.copy(columns.rowOffsets(), 0, start, JAVA_INT, 0, n + 1);
        MemorySegment rows = arena.allocate(JAVA_INT, Math.max(1, columns.nonZeros()));
        MemorySegment.copy(columns.columnIndices(), 0, rows, JAVA_INT, 0, columns.nonZeros());
        MemorySegment values = arena.allocate(JAVA_DOUBLE, Math.max(1, columns.nonZeros()));
        MemorySegment.copy(columns.values().doubleStorage(), 0, values, JAVA_DOUBLE, 0, columns.nonZeros());
        return new Columns(n, columns.nonZeros(), start, rows, values);
    }

    /** Takes the values of another matrix of the same structure. */
    void take(CsrMatrix matrix) {
        MemorySegment.copy(matrix.transpose().onlySegment().values().doubleStorage(), 0, values, JAVA_DOUBLE, 0,
                nonZeros);
    }
}
