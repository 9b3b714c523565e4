package org.trellis.cuda.sparse;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * A matrix of fewer than 2³¹ non-zeros as plain arrays, from which the forms on the device are made.
 *
 * @param rows          number of rows
 * @param columns       number of columns
 * @param rowOffsets    {@code rows + 1} offsets
 * @param columnIndices columns
 * @param values        values
 */
record HostCsr(int rows, int columns, int[] rowOffsets, int[] columnIndices, HostVector values) {
    /** Uses the arrays of a matrix in one segment as they are; segments are joined in new arrays. */
    static HostCsr of(CsrMatrix matrix) {
        if (matrix.segments().size() == 1) {
            CsrSegment only = matrix.onlySegment();
            return new HostCsr(matrix.rows(), matrix.columns(), only.rowOffsets(), only.columnIndices(), only.values());
        }
        int nonZeros = Math.toIntExact(matrix.nonZeros());
        int[] rowOffsets = new int[matrix.rows() + 1];
        int[] columnIndices = new int[nonZeros];
        HostVector values = HostVector.zeros(matrix.precision(), nonZeros);
        for (CsrSegment segment : matrix.segments()) {
            int base = (int) segment.base();
            for (int i = 0; i <= segment.rows(); i++) {
                rowOffsets[segment.firstRow() + i] = base + segment.rowOffsets()[i];
            }
            System.arraycopy(segment.columnIndices(), 0, columnIndices, base, segment.nonZeros());
            segment.values().copyRange(0, values, base, segment.nonZeros());
        }
        return new HostCsr(matrix.rows(), matrix.columns(), rowOffsets, columnIndices, values);
    }

    int nonZeros() {
        return rowOffsets[rows];
    }

    double meanRowLength() {
        return rows == 0 ? 0 : (double) nonZeros() / rows;
    }

    int rowLength(int row) {
        return rowOffsets[row + 1] - rowOffsets[row];
    }

    /** Returns the bits of a value, so that zeros of both signs differ. */
    long bits(int k) {
        return precision() == Precision.F64
                ? Double.doubleToRawLongBits(values.doubles()[k])
                : Float.floatToRawIntBits(values.floats()[k]);
    }

    Precision precision() {
        return values.precision();
    }

    /**
     * Collects values in another order.
     *
     * @param source for each requested value the index of its non-zero, or a negative number for zero
     * @return a new array of doubles or floats as memory
     */
    MemorySegment gather(int[] source) {
        if (precision() == Precision.F64) {
            double[] from = values.doubles();
            double[] to = new double[source.length];
            IntStream.range(0, source.length).parallel().forEach(i -> to[i] = source[i] < 0 ? 0 : from[source[i]]);
            return MemorySegment.ofArray(to);
        }
        float[] from = values.floats();
        float[] to = new float[source.length];
        IntStream.range(0, source.length).parallel().forEach(i -> to[i] = source[i] < 0 ? 0 : from[source[i]]);
        return MemorySegment.ofArray(to);
    }

    /** Returns the values, without what an array may hold beyond the last non-zero. */
    MemorySegment valueMemory() {
        return CudaVector.memoryOf(values).asSlice(0, (long) nonZeros() * precision().bytes());
    }

    /** Returns the columns, without what the array may hold beyond the last non-zero. */
    MemorySegment columnMemory() {
        return MemorySegment.ofArray(columnIndices).asSlice(0, (long) nonZeros() * Integer.BYTES);
    }
}
