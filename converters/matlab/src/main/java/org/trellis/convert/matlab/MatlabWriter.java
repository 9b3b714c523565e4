package org.trellis.convert.matlab;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.trellis.file.AtomicFile;
import org.trellis.memory.HostVector;

/**
 * Writes one sparse matrix as a MAT-file of level 5 (MathWorks, "MAT-File Format", tables 1-1 to 1-3 and section
 * "Sparse Array Data Element Format"): the library that reads such files makes no sparse arrays.
 */
final class MatlabWriter {
    private static final int HEADER_TEXT = 124;
    private static final int INT8 = 1;
    private static final int INT32 = 5;
    private static final int UINT32 = 6;
    private static final int DOUBLE = 9;
    private static final int MATRIX = 14;
    private static final int SPARSE_CLASS = 5;
    private static final int COMPLEX_FLAG = 0x800;
    private static final int PIECE = 1 << 13;
    /** Tags, flags, sizes and the name. */
    private static final long HEAD_BYTES = 16 + 16 + 16;

    private final int rows;
    private final int columns;
    private final int[] columnOffsets;
    private final int[] rowIndices;
    private final HostVector real;
    private final HostVector imaginary;
    private final int count;

    /** Takes compressed columns; imaginary parts are null for a real matrix. */
    MatlabWriter(int rows, int columns, int[] columnOffsets, int[] rowIndices, HostVector real, HostVector imaginary) {
        this.rows = rows;
        this.columns = columns;
        this.columnOffsets = columnOffsets;
        this.rowIndices = rowIndices;
        this.real = real;
        this.imaginary = imaginary;
        this.count = columnOffsets[columns];
    }

    void write(Path file) throws IOException {
        long size = HEAD_BYTES + padded(4L * count) + padded(4L * (columns + 1L))
                + (imaginary == null ? 1 : 2) * (8 + 8L * count);
        if (size >= 1L << 32) {
            throw new IllegalArgumentException("a MAT-file of " + size + " bytes for a matrix of " + count
                    + " non-zeros, expected less than 4 GiB, which is the most that level 5 holds");
        }
        AtomicFile.write(file, output -> {
            header(output);
            tag(output, MATRIX, size);
            tag(output, UINT32, 8);
            ints(output, new int[]{SPARSE_CLASS | (imaginary == null ? 0 : COMPLEX_FLAG), count}, 2);
            tag(output, INT32, 8);
            ints(output, new int[]{rows, columns}, 2);
            tag(output, INT8, 1);
            output.write(new byte[]{'A', 0, 0, 0, 0, 0, 0, 0});
            tag(output, INT32, 4L * count);
            ints(output, rowIndices, count);
            tag(output, INT32, 4L * (columns + 1L));
            ints(output, columnOffsets, columns + 1);
            doubles(output, real);
            if (imaginary != null) {
                doubles(output, imaginary);
            }
        });
    }

    /** The bytes of an element with its tag. */
    private static long padded(long bytes) {
        return 8 + (bytes + 7) / 8 * 8;
    }

    private static void header(OutputStream output) throws IOException {
        byte[] text = new byte[HEADER_TEXT];
        Arrays.fill(text, 0, HEADER_TEXT - 8, (byte) ' ');
        byte[] title = "MATLAB 5.0 MAT-file, written by Trellis".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(title, 0, text, 0, title.length);
        output.write(text);
        output.write(new byte[]{0, 1, 'I', 'M'});
    }

    private static void tag(OutputStream output, int type, long bytes) throws IOException {
        byte[] tag = new byte[8];
        buffer(tag).putInt(type).putInt((int) bytes);
        output.write(tag);
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void ints(OutputStream output, int[] values, int length) throws IOException {
        for (int from = 0; from < length; from += PIECE) {
            int to = Math.min(length, from + PIECE);
            byte[] bytes = new byte[4 * (to - from)];
            ByteBuffer piece = buffer(bytes);
            for (int k = from; k < to; k++) {
                piece.putInt(values[k]);
            }
            output.write(bytes);
        }
        if (length % 2 == 1) {
            output.write(new byte[4]);
        }
    }

    private void doubles(OutputStream output, HostVector values) throws IOException {
        tag(output, DOUBLE, 8L * count);
        for (int from = 0; from < count; from += PIECE) {
            int to = Math.min(count, from + PIECE);
            byte[] bytes = new byte[8 * (to - from)];
            ByteBuffer piece = buffer(bytes);
            for (int k = from; k < to; k++) {
                piece.putDouble(values.get(k));
            }
            output.write(bytes);
        }
    }
}
