package org.trellis.matrices.cache;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Writes an entry, see {@link EntryLayout}. */
final class EntryWriter {
    private final OutputStream output;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer chunk = ByteBuffer.allocate(EntryLayout.CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private EntryWriter(OutputStream output) {
        this.output = output;
    }

    /** Writes a matrix of one segment. */
    static void write(OutputStream output, CacheKey key, CsrMatrix matrix) throws IOException {
        EntryWriter writer = new EntryWriter(output);
        writer.writeHead(key.toBytes(), matrix);
        writer.writeArrays(matrix.onlySegment(), matrix.precision());
    }

    private void writeHead(byte[] key, CsrMatrix matrix) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(EntryLayout.headBytes(key.length)).order(ByteOrder.LITTLE_ENDIAN);
        head.put(EntryLayout.MAGIC).putInt(key.length).put(key);
        head.putInt(matrix.rows()).putInt(matrix.columns()).putInt(matrix.onlySegment().nonZeros());
        checksum.update(head.array(), 0, head.position());
        head.putInt((int) checksum.getValue());
        output.write(head.array());
        checksum.reset();
    }

    private void writeArrays(CsrSegment segment, Precision precision) throws IOException {
        writeInts(segment.rowOffsets(), segment.rows() + 1);
        writeInts(segment.columnIndices(), segment.nonZeros());
        if (precision == Precision.F32) {
            writeFloats(segment.values().floats(), segment.nonZeros());
        } else {
            writeDoubles(segment.values().doubles(), segment.nonZeros());
        }
        chunk.clear().putInt((int) checksum.getValue());
        output.write(chunk.array(), 0, chunk.position());
    }

    private void writeInts(int[] array, int length) throws IOException {
        int step = EntryLayout.CHUNK_BYTES / Integer.BYTES;
        for (int from = 0; from < length; from += Math.min(step, length - from)) {
            int count = Math.min(step, length - from);
            chunk.clear().asIntBuffer().put(array, from, count);
            flush(count * Integer.BYTES);
        }
    }

    private void writeFloats(float[] array, int length) throws IOException {
        int step = EntryLayout.CHUNK_BYTES / Float.BYTES;
        for (int from = 0; from < length; from += Math.min(step, length - from)) {
            int count = Math.min(step, length - from);
            chunk.clear().asFloatBuffer().put(array, from, count);
            flush(count * Float.BYTES);
        }
    }

    private void writeDoubles(double[] array, int length) throws IOException {
        int step = EntryLayout.CHUNK_BYTES / Double.BYTES;
        for (int from = 0; from < length; from += Math.min(step, length - from)) {
            int count = Math.min(step, length - from);
            chunk.clear().asDoubleBuffer().put(array, from, count);
            flush(count * Double.BYTES);
        }
    }

    private void flush(int bytes) throws IOException {
        checksum.update(chunk.array(), 0, bytes);
        output.write(chunk.array(), 0, bytes);
    }
}
