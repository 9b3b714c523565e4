package org.trellis.common;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The contents of a file or stream that may be compressed with gzip (RFC 1952), which shows in its first two bytes.
 *
 * <p>Whatever is read through it is bounded and checked: a compressed stream may expand to so many bytes and no more;
 * its lengths and checksums have to be right, and nothing but further members may follow a member. (The stream of the
 * JDK looks for neither limits nor garbage behind the end.) A caller that reads to the end has a whole file; one that
 * stops earlier can {@link #drain}. Memory: two small buffers.
 *
 * <p>Not thread-safe.
 */
public final class BoundedInput extends InputStream {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int AHEAD_BYTES = 1 << 13;
    private static final int MAGIC_FIRST = 0x1F;
    private static final int MAGIC_SECOND = 0x8B;
    private static final int DEFLATE = 8;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int RESERVED_FLAGS = 0xE0;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    private final InputStream source;
    private final boolean owner;
    private final long limit;
    private final Problem problem;
    private final Inflater inflater;
    private final CRC32 checksum = new CRC32();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;
    private final byte[] ahead = new byte[AHEAD_BYTES];
    private int aheadFrom;
    private int aheadTo;
    private long taken;
    private long expanded;
    private long memberBytes;
    private boolean atEnd;

    /** Makes the exception for contents that are damaged or expand too far. */
    @FunctionalInterface
    public interface Problem {
        /**
         * Makes the exception.
         *
         * @param found    what is wrong
         * @param expected what should have been there
         * @return the exception to throw
         */
        RuntimeException of(String found, String expected);
    }

    private BoundedInput(InputStream source, boolean owner, boolean compressed, long limit, Problem problem) {
        this.source = source;
        this.owner = owner;
        this.limit = limit;
        this.problem = problem;
        this.inflater = compressed ? new Inflater(true) : null;
    }

    /**
     * Opens a regular file.
     *
     * @param file    the file
     * @param what    what it should be, for messages: "a matrix file"
     * @param limit   the most bytes that a compressed file may expand to, as a function of its size
     * @param problem makes the exception for wrong contents
     * @return its contents
     * @throws IOException if it does not exist, is no regular file, or cannot be read
     */
    public static BoundedInput open(Path file, String what, LongUnaryOperator limit, Problem problem)
            throws IOException {
        requireFile(file, what);
        InputStream raw = Files.newInputStream(file);
        try {
            return of(raw, true, limit.applyAsLong(Files.size(file)), problem);
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    /**
     * Takes a stream, compressed or not.
     *
     * @param input   the stream; not closed
     * @param limit   the most bytes that it may expand to if it is compressed
     * @param problem makes the exception for wrong contents
     * @return its contents
     * @throws IOException if it cannot be read
     */
    public static BoundedInput of(InputStream input, long limit, Problem problem) throws IOException {
        return of(input, false, limit, problem);
    }

    private static BoundedInput of(InputStream raw, boolean owner, long limit, Problem problem) throws IOException {
        BufferedInputStream input = new BufferedInputStream(raw, 2);
        input.mark(2);
        boolean compressed = input.read() == MAGIC_FIRST && input.read() == MAGIC_SECOND;
        input.reset();
        BoundedInput result = new BoundedInput(input, owner, compressed, limit, problem);
        if (compressed) {
            result.startMember();
        }
        return result;
    }

    /**
     * Refuses what is no regular file: a folder, and pipes and devices, which cannot be read twice.
     *
     * @param file the file
     * @param what what it should be, for the message
     * @throws IOException if it does not exist or is no regular file; says which
     */
    public static void requireFile(Path file, String what) throws IOException {
        if (Files.isRegularFile(file)) {
            return;
        }
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        throw new IOException(PrintableText.of(file.toString()) + ": this is "
                + (Files.isDirectory(file) ? "a folder" : "a pipe, a device or a socket") + "; expected " + what);
    }

    /**
     * Returns how the bytes were stored.
     *
     * @return whether they are compressed
     */
    public boolean compressed() {
        return inflater != null;
    }

    /**
     * Returns how far the file has been read.
     *
     * @return bytes taken from it, compressed ones if it is compressed
     */
    public long takenBytes() {
        return taken;
    }

    @Override
    public int read() throws IOException {
        if (aheadFrom == aheadTo) {
            aheadFrom = 0;
            aheadTo = Math.max(0, fill(ahead, 0, ahead.length));
            if (aheadTo == 0) {
                return -1;
            }
        }
        return ahead[aheadFrom++] & 0xFF;
    }

    /**
     * Reads bytes.
     *
     * @throws RuntimeException as the caller's {@link Problem} makes it, if the compressed data are damaged or expand
     *                          too far
     */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (aheadFrom == aheadTo) {
            return fill(bytes, offset, length);
        }
        int count = Math.min(length, aheadTo - aheadFrom);
        System.arraycopy(ahead, aheadFrom, bytes, offset, count);
        aheadFrom += count;
        return count;
    }

    /**
     * Reads to the end, so that everything has been checked.
     *
     * @throws IOException if reading fails
     */
    public void drain() throws IOException {
        aheadTo = 0;
        aheadFrom = 0;
        while (fill(ahead, 0, ahead.length) >= 0) {
            // Only the checks matter.
        }
    }

    private int fill(byte[] bytes, int offset, int length) throws IOException {
        if (atEnd) {
            return -1;
        }
        if (inflater == null) {
            int count = source.read(bytes, offset, length);
            taken += Math.max(0, count);
            atEnd = count < 0;
            return count;
        }
        return inflate(bytes, offset, length);
    }

    private int inflate(byte[] bytes, int offset, int length) throws IOException {
        try {
            while (true) {
                int count = inflater.inflate(bytes, offset, length);
                if (count > 0) {
                    return checked(bytes, offset, count);
                }
                if (inflater.finished()) {
                    from = to - inflater.getRemaining();
                    endMember();
                    if (atEnd) {
                        return -1;
                    }
                } else if (inflater.needsDictionary()) {
                    throw damaged("they need a dictionary");
                } else {
                    require(refill(), "they break off");
                    inflater.setInput(buffer, from, to - from);
                }
            }
        } catch (DataFormatException e) {
            RuntimeException failure = damaged(e.getMessage() == null ? "they are no code" : e.getMessage());
            failure.addSuppressed(e);
            throw failure;
        }
    }

    private int checked(byte[] bytes, int offset, int count) {
        checksum.update(bytes, offset, count);
        memberBytes += count;
        expanded += count;
        if (expanded > limit) {
            throw problem.of("the compressed file expands to more than " + limit + " bytes",
                    "contents that are not out of proportion to its compressed size");
        }
        return count;
    }

    private void startMember() throws IOException {
        checksum.reset();
        memberBytes = 0;
        require(next() == MAGIC_FIRST && next() == MAGIC_SECOND, "something that is no gzip follows them");
        require(next() == DEFLATE, "the method is not deflate");
        int flags = next();
        require((flags & RESERVED_FLAGS) == 0, "the header has unknown flags");
        skip(6);
        if ((flags & FLAG_EXTRA) != 0) {
            int low = next();
            skip(low | next() << 8);
        }
        skipText((flags & FLAG_NAME) != 0);
        skipText((flags & FLAG_COMMENT) != 0);
        if ((flags & FLAG_HEADER_CRC) != 0) {
            int sum = (int) checksum.getValue() & 0xFFFF;
            int low = next();
            require((low | next() << 8) == sum, "the checksum of the header is wrong");
        }
        checksum.reset();
        inflater.reset();
        inflater.setInput(buffer, from, to - from);
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            next();
        }
    }

    private void skipText(boolean present) throws IOException {
        boolean more = present;
        while (more) {
            more = next() != 0;
        }
    }

    private void endMember() throws IOException {
        require(little() == checksum.getValue(), "the checksum is wrong");
        require(little() == (memberBytes & INT_MASK), "the length is wrong");
        if (from == to && !refill()) {
            atEnd = true;
        } else {
            startMember();
        }
    }

    /** The next four bytes, least significant first; not part of any checksum. */
    private long little() throws IOException {
        long value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            require(from < to || refill(), "they break off");
            value |= (buffer[from++] & 0xFFL) << (8 * i);
        }
        return value;
    }

    /** The next byte of a header, added to its checksum. */
    private int next() throws IOException {
        require(from < to || refill(), "they break off");
        checksum.update(buffer, from, 1);
        return buffer[from++] & 0xFF;
    }

    private boolean refill() throws IOException {
        int count = source.read(buffer, 0, buffer.length);
        from = 0;
        to = Math.max(0, count);
        taken += to;
        return count > 0;
    }

    private void require(boolean sound, String otherwise) {
        if (!sound) {
            throw damaged(otherwise);
        }
    }

    private RuntimeException damaged(String how) {
        return problem.of("the compressed data are damaged (" + how + ")",
                "a complete gzip file and nothing behind it");
    }

    @Override
    public void close() throws IOException {
        if (inflater != null) {
            inflater.end();
        }
        atEnd = true;
        if (owner) {
            source.close();
        }
    }
}
