package org.trellis.mesh.checkpoint;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** The log of what a program has read, up to a checkpoint: read again in the same order. */
final class ReadLog implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final long end;
    private final DataInputStream in;
    private long position;

    /**
     * Opens a log.
     *
     * @param file the file
     * @param end  where it ends for the checkpoint
     * @throws IOException if it cannot be read
     */
    ReadLog(Path file, long end) throws IOException {
        this.file = file;
        this.end = end;
        this.in = end == 0 && !Files.exists(file)
                ? new DataInputStream(DataInputStream.nullInputStream())
                : new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
    }

    /**
     * Returns the next record.
     *
     * @return the record, or null at the end
     * @throws IOException         if it cannot be read
     * @throws CheckpointException if it is damaged
     */
    LogRecord next() throws IOException {
        if (position == end) {
            return null;
        }
        try {
            int length = in.readInt();
            if (length < 0 || position + 2L * Integer.BYTES + length > end) {
                throw new CheckpointException(file + " has a record of " + length + " bytes at " + position
                        + ", expected it to end by " + end + "; the log is damaged");
            }
            byte[] contents = in.readNBytes(length);
            CRC32C sum = new CRC32C();
            sum.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
            sum.update(contents);
            int expected = in.readInt();
            if ((int) sum.getValue() != expected) {
                throw new CheckpointException(file + " has a record at " + position + " with checksum "
                        + Integer.toHexString((int) sum.getValue()) + ", expected " + Integer.toHexString(expected)
                        + "; the log is damaged");
            }
            position += 2L * Integer.BYTES + length;
            return LogRecord.of(contents);
        } catch (EOFException e) {
            throw new CheckpointException(file + " ends after " + Files.size(file) + " bytes, expected at least " + end
                    + "; the log is truncated", e);
        }
    }

    /** Reads everything, to find damage before it is needed. */
    static void verify(Path file, long end) throws IOException {
        try (ReadLog log = new ReadLog(file, end)) {
            LogRecord record = log.next();
            while (record != null) {
                record = log.next();
            }
        }
    }

    /** Says whether a log can be read up to an end. */
    static boolean isWhole(Path file, long end) throws IOException {
        try {
            verify(file, end);
            return true;
        } catch (CheckpointException | NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
