package org.trellis.matrices.market;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blocks of a file that is mapped into memory, of any size.
 *
 * <p>Block {@code k} holds the lines that start in its share of the file, so threads need no agreement but a counter.
 * The lines are copied into an array: scanning an array is several times as fast as scanning mapped memory, and the
 * copy stays in the second-level cache.
 */
final class MappedBlocks implements BlockSource {

    /** Bytes copied at once behind a block, in search of the end of its last line. */
    private static final int TAIL_BYTES = 256;

    private final Path path;
    private final Arena arena;
    private final MemorySegment text;
    private final long start;
    private final int blockBytes;
    private final long size;
    private final AtomicLong nextBlock = new AtomicLong();
    private final AtomicLong taken;
    /** The block after the last that is handed out. */
    private long endBlock = Long.MAX_VALUE;

    private MappedBlocks(Path path, Arena arena, MemorySegment text, long start, int blockBytes) {
        this.path = path;
        this.arena = arena;
        this.text = text;
        this.start = start;
        this.blockBytes = blockBytes;
        this.size = text.byteSize();
        this.taken = new AtomicLong(start);
    }

    /**
     * Maps a file.
     *
     * @param path  the file
     * @param start offset of its first data line
     * @param blockBytes bytes a block
     * @throws IOException if it cannot be opened or mapped, or is shorter than {@code start}
     */
    static MappedBlocks open(Path path, long start, int blockBytes) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < start) {
                throw changed(path, null);
            }
            MemorySegment text = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
            return new MappedBlocks(path, arena, text, start, blockBytes);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Hands out only some of the blocks from now on: one of several shares of about equal size, which together are the
     * file.
     *
     * @param share  which, from 0
     * @param shares how many
     */
    void limit(int share, int shares) {
        long blocks = Math.ceilDiv(size - start, (long) blockBytes);
        nextBlock.set(blocks * share / shares);
        endBlock = blocks * (share + 1) / shares;
    }

    /** Counts the line feeds before a block; reads the file up to there. */
    long linesBefore(int block) {
        long lines = 0;
        for (long at = 0; at < start + (long) block * blockBytes; at++) {
            lines += text.get(ValueLayout.JAVA_BYTE, at) == '\n' ? 1 : 0;
        }
        return lines;
    }

    @Override
    public boolean next(TextBlock block) throws IOException {
        long number = nextBlock.getAndIncrement();
        long from = start + number * blockBytes;
        if (from >= size || number >= endBlock) {
            return false;
        }
        long end = Math.min(size, from + blockBytes);
        try {
            fill(block, Math.toIntExact(number), from, end);
        } catch (InternalError e) {
            // The JVM's answer to a page of a mapped file that is no longer there.
            throw changed(path, e);
        }
        taken.addAndGet(end - from);
        return true;
    }

    /** Copies the lines that start in {@code [from, end)}. */
    private void fill(TextBlock block, int number, long from, long end) {
        long copyFrom = number == 0 ? from : from - 1;
        int share = (int) (end - copyFrom);
        byte[] bytes = block.reserve(share + TAIL_BYTES, 0);
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, copyFrom, bytes, 0, share);
        int first = number == 0 ? 0 : afterLineFeed(bytes, 0, share - 1);
        if (first < 0) {
            block.set(number, 0, 0);
            return;
        }
        int length = completeLastLine(block, copyFrom, share);
        if (length >= 0) {
            block.set(number, first, length);
        } else {
            block.set(number, first, -length);
            block.dropLastLine();
        }
    }

    /**
     * Copies on until the last line that starts in a share has ended.
     *
     * @return length of the text, negated if the line is too long
     */
    private int completeLastLine(TextBlock block, long copyFrom, int share) {
        int length = share;
        byte[] bytes = block.bytes();
        if (bytes[share - 1] == '\n') {
            return share;
        }
        while (copyFrom + length < size) {
            if (length - share >= TextBlock.LONGEST_LINE) {
                return -length;
            }
            int more = (int) Math.min(TAIL_BYTES, size - copyFrom - length);
            bytes = block.reserve(length + more, length);
            MemorySegment.copy(text, ValueLayout.JAVA_BYTE, copyFrom + length, bytes, length, more);
            int end = afterLineFeed(bytes, length, length + more);
            if (end >= 0) {
                return end;
            }
            length += more;
        }
        return length;
    }

    /** Index behind the first line feed in a range, or -1. */
    private static int afterLineFeed(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\n') {
                return at + 1;
            }
        }
        return -1;
    }

    private static IOException changed(Path path, Throwable cause) {
        return new IOException(path + ": the file became shorter while it was being read", cause);
    }

    @Override
    public long takenBytes() {
        return taken.get();
    }

    @Override
    public long totalBytes() {
        return size;
    }

    @Override
    public long textBytes() {
        return size - start;
    }

    @Override
    public void close() {
        arena.close();
    }
}
