package org.trellis.matrices.market;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrSegment;

/**
 * Formats rows into bytes. Values get the fewest digits from which a reader gets the same bits.
 *
 * <p>Not thread-safe: one per thread.
 */
final class EntryFormatter {
    private static final int LONGEST_ENTRY = 96;
    private static final int FIRST_CAPACITY = 1 << 16;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int length;

    /** Formats the entries of some rows of a segment. */
    void entries(CsrSegment segment, int fromRow, int toRow, boolean pattern) {
        int[] offsets = segment.rowOffsets();
        for (int row = fromRow; row < toRow; row++) {
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                reserve();
                number(segment.firstRow() + row + 1L);
                bytes[length++] = ' ';
                number(segment.columnIndices()[k] + 1L);
                if (!pattern) {
                    bytes[length++] = ' ';
                    value(segment.values(), k);
                }
                bytes[length++] = '\n';
            }
        }
    }

    /** Formats the entries of some rows of a complex matrix. */
    void entries(ComplexCsr matrix, int fromRow, int toRow) {
        int[] offsets = matrix.rowOffsets();
        for (int row = fromRow; row < toRow; row++) {
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                reserve();
                number(row + 1L);
                bytes[length++] = ' ';
                number(matrix.columnIndices()[k] + 1L);
                bytes[length++] = ' ';
                complexValue(matrix.values(), k);
            }
        }
    }

    /** Formats complex numbers of a vector of interleaved parts, one a line. */
    void complexValues(HostVector parts, int from, int to) {
        for (int k = from; k < to; k++) {
            reserve();
            complexValue(parts, k);
        }
    }

    private void complexValue(HostVector parts, int index) {
        value(parts, 2 * index);
        bytes[length++] = ' ';
        value(parts, 2 * index + 1);
        bytes[length++] = '\n';
    }

    /** Formats elements of a vector, one a line. */
    void values(HostVector vector, int from, int to) {
        for (int k = from; k < to; k++) {
            reserve();
            value(vector, k);
            bytes[length++] = '\n';
        }
    }

    /** Compresses what has been formatted, as a whole gzip member. */
    void compress() throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(length / 2 + LONGEST_ENTRY);
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes, 0, length);
        }
        bytes = compressed.toByteArray();
        length = bytes.length;
    }

    /** Writes what has been formatted and forgets it. */
    void flush(OutputStream output) throws IOException {
        output.write(bytes, 0, length);
        length = 0;
    }

    private void reserve() {
        if (bytes.length - length < LONGEST_ENTRY) {
            bytes = Arrays.copyOf(bytes, Math.max(FIRST_CAPACITY, 2 * bytes.length));
        }
    }

    private void number(long value) {
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        long rest = value;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    private void value(HostVector values, int index) {
        String text = values.precision() == Precision.F32
                ? text(values.floats()[index])
                : text(values.doubles()[index]);
        int end = text.endsWith(".0") ? text.length() - 2 : text.length();
        for (int at = 0; at < end; at++) {
            bytes[length++] = (byte) text.charAt(at);
        }
    }

    private static String text(double value) {
        if (Double.isFinite(value)) {
            return Double.toString(value);
        }
        return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }

    private static String text(float value) {
        if (!Float.isFinite(value)) {
            return text((double) value);
        }
        String shortest = Float.toString(value);
        // A reader rounds to double first, which may turn a number close to half-way into one at half-way.
        return (float) Double.parseDouble(shortest) == value ? shortest : Double.toString(value);
    }
}
