package org.trellis.matrices.generate;

import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * Makes a {@link CsrMatrix} of a {@link RowSource}: counts all rows in parallel, sums the counts to offsets, and fills
 * ranges of rows with about equal numbers of non-zeros in parallel. Memory: the matrix and one row per thread.
 *
 * <p>A matrix of more than {@value CsrMatrix#MAXIMUM_SEGMENT_NON_ZEROS} non-zeros is built row by row into several
 * segments instead, by one thread.
 */
public final class RowAssembler {
    private static final String STAGE = "generate";
    private static final int CHUNKS = 96;
    /** Length arrays are filled in pieces of this many rows. */
    private static final int COUNTING_CHUNK = 1 << 14;

    private RowAssembler() {}

    /**
     * Makes the matrix.
     *
     * @param source    its rows
     * @param precision the type of the values
     * @param progress  receives the rows done
     * @return a new, checked matrix
     * @throws IllegalArgumentException if the matrix does not fit the heap of this JVM, or the source breaks its
     *                                  contract
     */
    public static CsrMatrix assemble(RowSource source, Precision precision, ProgressListener progress) {
        return assemble(source, precision, progress, CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
    }

    static CsrMatrix assemble(RowSource source, Precision precision, ProgressListener progress, int segmentLimit) {
        int rows = source.rows();
        HeapCheck.check(rows, source.columns(), source.leastNonZeros(), precision);
        int[] offsets = new int[Checks.arrayLength("matrix of " + rows + " rows", rows + 1L)];
        countRows(source, offsets);
        long nonZeros = IntStream.of(offsets).parallel().asLongStream().sum();
        HeapCheck.check(rows, source.columns(), nonZeros, precision);
        if (nonZeros > segmentLimit) {
            return stream(source, precision, progress, nonZeros);
        }
        for (int i = 0; i < rows; i++) {
            offsets[i + 1] += offsets[i];
        }
        int[] columns = new int[(int) nonZeros];
        HostVector values = HostVector.zeros(precision, (int) nonZeros);
        Progress meter = new Progress(progress, STAGE, rows);
        IntStream.range(0, CHUNKS).parallel().forEach(chunk -> {
            int from = Offsets.rowOfShare(offsets, chunk, CHUNKS);
            int to = Offsets.rowOfShare(offsets, chunk + 1, CHUNKS);
            fillRows(source, from, to, offsets, columns, values);
            meter.add(to - from);
        });
        return CsrMatrix.of(rows, source.columns(), offsets, columns, values);
    }

    /** Writes the length of row i to element i + 1. */
    private static void countRows(RowSource source, int[] lengths) {
        int rows = source.rows();
        int chunks = (int) ((rows + (long) COUNTING_CHUNK - 1) / COUNTING_CHUNK);
        IntStream.range(0, chunks).parallel().forEach(chunk -> {
            int from = chunk * COUNTING_CHUNK;
            int to = (int) Math.min(rows, from + (long) COUNTING_CHUNK);
            for (int row = from; row < to; row++) {
                lengths[row + 1] = source.length(row);
            }
        });
    }

    private static void fillRows(RowSource source, int from, int to, int[] offsets, int[] columns, HostVector values) {
        RowBuffer buffer = new RowBuffer();
        for (int row = from; row < to; row++) {
            buffer.clear();
            source.fill(row, buffer);
            checkLength(row, buffer.size(), offsets[row + 1] - offsets[row]);
            buffer.copyColumns(columns, offsets[row]);
            if (values.precision() == Precision.F64) {
                buffer.copyValues(values.doubles(), offsets[row]);
            } else {
                buffer.copyValues(values.floats(), offsets[row]);
            }
        }
    }

    private static void checkLength(int row, int actual, int expected) {
        if (actual != expected) {
            throw new IllegalArgumentException(
                    "row " + row + " of the source has " + actual + " entries, expected " + expected + " as announced");
        }
    }

    private static CsrMatrix stream(RowSource source, Precision precision, ProgressListener progress, long nonZeros) {
        CsrBuilder builder = new CsrBuilder(source.columns(), precision, nonZeros);
        RowBuffer buffer = new RowBuffer();
        Progress meter = new Progress(progress, STAGE, source.rows());
        for (int row = 0; row < source.rows(); row++) {
            buffer.clear();
            source.fill(row, buffer);
            for (int k = 0; k < buffer.size(); k++) {
                builder.add(buffer.column(k), buffer.value(k));
            }
            builder.endRow();
            meter.add(1);
        }
        return builder.build();
    }
}
