package org.trellis.matrices.market;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Blocks of a stream, compressed or not.
 *
 * <p>A thread that asks for a block inflates it while it holds the lock and scans it when it has let go, so that
 * inflation runs beside the scanning of earlier blocks without a thread or a queue of its own.
 */
final class StreamBlocks implements BlockSource {

    private final InputStream input;
    private final LongSupplier takenBytes;
    private final long totalBytes;
    private final int blockBytes;
    private byte[] carried = new byte[0];
    private int blocks;
    private long textBytes;
    private boolean insideComment;
    private boolean atEnd;

    /**
     * Creates a source.
     *
     * @param input      text from the first data line on
     * @param takenBytes says how many bytes of the underlying file have been consumed
     * @param totalBytes size of the underlying file, -1 if unknown
     * @param blockBytes bytes a block
     */
    StreamBlocks(InputStream input, LongSupplier takenBytes, long totalBytes, int blockBytes) {
        this.input = input;
        this.takenBytes = takenBytes;
        this.totalBytes = totalBytes;
        this.blockBytes = blockBytes;
    }

    @Override
    public synchronized boolean next(TextBlock block) throws IOException {
        if (atEnd) {
            return false;
        }
        byte[] bytes = block.reserve(carried.length + blockBytes, 0);
        System.arraycopy(carried, 0, bytes, 0, carried.length);
        int length = fill(bytes, carried.length, carried.length + blockBytes);
        int from = insideComment ? afterComment(bytes, length) : 0;
        int to = wholeLines(bytes, from, length);
        while (to == from && !atEnd && !insideComment && length - from <= TextBlock.LONGEST_LINE) {
            bytes = block.reserve(length + blockBytes, length);
            length = fill(bytes, length, length + blockBytes);
            to = wholeLines(bytes, from, length);
        }
        carried = Arrays.copyOfRange(bytes, to, length);
        block.set(blocks++, Math.min(from, to), to);
        if (carried.length > TextBlock.LONGEST_LINE) {
            dropOverlong(block);
        }
        return true;
    }

    private int fill(byte[] bytes, int kept, int capacity) throws IOException {
        int length = kept;
        while (length < capacity) {
            int count = input.read(bytes, length, capacity - length);
            if (count < 0) {
                atEnd = true;
                break;
            }
            length += count;
            textBytes += count;
        }
        return length;
    }

    /** The carried text is already longer than a line may be: a comment is skipped, an entry is an error. */
    private void dropOverlong(TextBlock block) {
        boolean comment = TextBlock.isComment(carried, 0, carried.length);
        block.markDropped(comment);
        insideComment = comment;
        atEnd |= !comment;
        carried = new byte[0];
    }

    private int afterComment(byte[] bytes, int length) {
        for (int at = 0; at < length; at++) {
            if (bytes[at] == '\n') {
                insideComment = false;
                return at + 1;
            }
        }
        return length;
    }

    /** Where the last whole line ends; at the end of the file every line is whole. */
    private int wholeLines(byte[] bytes, int from, int length) {
        if (atEnd || insideComment) {
            return length;
        }
        int at = length;
        while (at > from && bytes[at - 1] != '\n') {
            at--;
        }
        return at;
    }

    @Override
    public synchronized long takenBytes() {
        return takenBytes.getAsLong();
    }

    @Override
    public long totalBytes() {
        return totalBytes;
    }

    @Override
    public synchronized long textBytes() {
        return textBytes;
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
