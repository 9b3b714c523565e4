package org.trellis.matrices.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Reads an entry, see {@link EntryLayout}. Sizes are compared with the length of the file before anything is
 * allocated, and the matrix is made only from arrays whose checksum is right.
 */
final class EntryReader {
    private final FileChannel channel;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(EntryLayout.CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private EntryReader(FileChannel channel) {
        this.channel = channel;
    }

    /** The matrix, or nothing if the entry is damaged or belongs to something else. */
    static Optional<CsrMatrix> read(Path entry, CacheKey key) throws IOException {
        try (FileChannel channel = FileChannel.open(entry, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return new EntryReader(channel).read(key);
        }
    }

    private Optional<CsrMatrix> read(CacheKey key) throws IOException {
        byte[] expected = key.toBytes();
        ByteBuffer head = readHead(expected);
        if (head == null) {
            return Optional.empty();
        }
        int rows = head.getInt();
        int columns = head.getInt();
        int nonZeros = head.getInt();
        Precision precision = key.precision();
        if (rows < 0 || columns < 0 || nonZeros < 0
                || channel.size() != EntryLayout.entryBytes(expected.length, rows, nonZeros, precision.bytes())) {
            return Optional.empty();
        }
        int[] rowOffsets = readInts(rows + 1);
        int[] columnIndices = readInts(nonZeros);
        HostVector values = precision == Precision.F32
                ? HostVector.of(readFloats(nonZeros))
                : HostVector.of(readDoubles(nonZeros));
        int sum = (int) checksum.getValue();
        if (fill(Integer.BYTES).getInt() != sum) {
            return Optional.empty();
        }
        try {
            return Optional.of(CsrMatrix.of(rows, columns, rowOffsets, columnIndices, values));
        } catch (IllegalArgumentException e) {
            // Sound by its checksum and yet no matrix: not written by this class.
            return Optional.empty();
        }
    }

    /** The head behind the key, or null if it is not the one expected. */
    private ByteBuffer readHead(byte[] key) throws IOException {
        int length = EntryLayout.headBytes(key.length);
        if (channel.size() < length || length > EntryLayout.CHUNK_BYTES) {
            return null;
        }
        byte[] bytes = new byte[length];
        fill(length).get(bytes);
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int keyStart = EntryLayout.MAGIC.length + Integer.BYTES;
        boolean matches = Arrays.mismatch(bytes, 0, EntryLayout.MAGIC.length, EntryLayout.MAGIC, 0,
                EntryLayout.MAGIC.length) < 0
                && head.getInt(EntryLayout.MAGIC.length) == key.length
                && Arrays.equals(bytes, keyStart, keyStart + key.length, key, 0, key.length);
        checksum.reset();
        checksum.update(bytes, 0, length - Integer.BYTES);
        boolean sound = head.getInt(length - Integer.BYTES) == (int) checksum.getValue();
        checksum.reset();
        return matches && sound ? head.position(keyStart + key.length) : null;
    }

    private int[] readInts(int length) throws IOException {
        int[] array = new int[length];
        int step = EntryLayout.CHUNK_BYTES / Integer.BYTES;
        for (int from = 0; from < length; from += Math.min(step, length - from)) {
            int count = Math.min(step, length - from);
            fill(count * Integer.BYTES).asIntBuffer().get(array, from, count);
        }
        return array;
    }

    private float[] readFloats(int length) throws IOException {
        float[] array = new float[length];
        int step = EntryLayout.CHUNK_BYTES / Float.BYTES;
        for (int from = 0; from < length; from += Math.min(step, length - from)) {
            int count = Math.min(step, length - from);
            fill(count * Float.BYTES).asFloatBuffer().get(array, from, count);
        }
        return array;
    }

    private double[] readDoubles(int length) throws IOException {
        double[] array = new double[length];
        int step = EntryLayout.CHUNK_BYTES / Double.BYTES;
        for (int from = 0; from < length; from += Math.min(step, length - from)) {
            int count = Math.min(step, length - from);
            fill(count * Double.BYTES).asDoubleBuffer().get(array, from, count);
        }
        return array;
    }

    /** Reads the next bytes into the chunk and adds them to the checksum. */
    private ByteBuffer fill(int bytes) throws IOException {
        chunk.clear().limit(bytes);
        while (chunk.hasRemaining()) {
            if (channel.read(chunk) < 0) {
                throw new IOException("the entry became shorter while it was being read");
            }
        }
        checksum.update(chunk.flip());
        return chunk.rewind();
    }
}
