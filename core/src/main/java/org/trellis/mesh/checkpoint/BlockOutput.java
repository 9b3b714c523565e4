package org.trellis.mesh.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/**
 * Writes bytes as blocks with checksums: a magic number and a version, then for each block the lengths of its bytes as
 * they are in the file and before compression (two 32-bit numbers, the same if they are not compressed), the bytes, and
 * the CRC-32C of all that; at the end a block without bytes, whose second number counts the blocks. Big-endian.
 */
final class BlockOutput extends OutputStream {
    static final long MAGIC = 0x5452454c4c434b50L;
    static final int VERSION = 2;
    /** The most bytes of a block before compression. */
    static final int MAX_BLOCK_BYTES = 1 << 18;

    private final OutputStream out;
    private final DataOutputStream numbers;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final Deflater deflater;
    private final byte[] block = new byte[MAX_BLOCK_BYTES];
    private final byte[] packed = new byte[MAX_BLOCK_BYTES];
    private int filled;
    private int blocks;
    private long written;

    /**
     * Begins.
     *
     * @param out      where; not closed
     * @param compress whether to compress blocks that become shorter by it
     * @throws IOException if writing fails
     */
    BlockOutput(OutputStream out, boolean compress) throws IOException {
        this.out = out;
        this.numbers = new DataOutputStream(head);
        this.deflater = compress ? new Deflater(Deflater.BEST_SPEED) : null;
        numbers.writeLong(MAGIC);
        numbers.writeInt(VERSION);
        emit(head.toByteArray(), head.size());
    }

    private void emit(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        written += length;
    }

    @Override
    public void write(int value) throws IOException {
        if (filled == MAX_BLOCK_BYTES) {
            flushBlock();
        }
        block[filled++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (filled == MAX_BLOCK_BYTES) {
                flushBlock();
            }
            int now = Math.min(length - done, MAX_BLOCK_BYTES - filled);
            System.arraycopy(bytes, offset + done, block, filled, now);
            filled += now;
            done += now;
        }
    }

    private void flushBlock() throws IOException {
        int length = filled;
        byte[] bytes = block;
        if (deflater != null) {
            deflater.reset();
            deflater.setInput(block, 0, filled);
            deflater.finish();
            int shorter = deflater.deflate(packed);
            if (deflater.finished() && shorter < filled) {
                length = shorter;
                bytes = packed;
            }
        }
        emit(bytes, length, filled);
        blocks++;
        filled = 0;
    }

    private void emit(byte[] bytes, int length, int second) throws IOException {
        head.reset();
        numbers.writeInt(length);
        numbers.writeInt(second);
        CRC32C sum = new CRC32C();
        sum.update(head.toByteArray());
        sum.update(bytes, 0, length);
        emit(head.toByteArray(), head.size());
        emit(bytes, length);
        head.reset();
        numbers.writeInt((int) sum.getValue());
        emit(head.toByteArray(), head.size());
    }

    /** Writes what is left and the end. */
    void finish() throws IOException {
        if (filled > 0) {
            flushBlock();
        }
        emit(block, 0, blocks);
        out.flush();
    }

    /** Returns the number of bytes in the file. */
    long written() {
        return written;
    }

    @Override
    public void close() {
        if (deflater != null) {
            deflater.end();
        }
    }
}
