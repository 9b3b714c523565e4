package org.trellis.mesh.checkpoint;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads what {@link BlockOutput} has written, and refuses what it has not: an exception says where and what. */
final class BlockInput extends InputStream {
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final DataInputStream in;
    private final Inflater inflater = new Inflater();
    private final byte[] stored = new byte[BlockOutput.MAX_BLOCK_BYTES];
    private final byte[] block = new byte[BlockOutput.MAX_BLOCK_BYTES];
    private int length;
    private int next;
    private int blocks;
    private boolean ended;

    /**
     * Opens a file.
     *
     * @param file the file
     * @throws IOException         if it cannot be read
     * @throws CheckpointException if it is none of ours
     */
    @SuppressWarnings("MustBeClosed") // closed with this, or here
    BlockInput(Path file) throws IOException {
        this.file = file;
        this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
        try {
            long magic = in.readLong();
            int version = in.readInt();
            if (magic != BlockOutput.MAGIC) {
                throw new CheckpointException(file + " begins with " + Long.toHexString(magic)
                        + ", expected " + Long.toHexString(BlockOutput.MAGIC) + ": it is no checkpoint of Trellis");
            }
            if (version != BlockOutput.VERSION) {
                throw new CheckpointException(file + " has version " + version + " of the format, expected "
                        + BlockOutput.VERSION);
            }
        } catch (EOFException e) {
            in.close();
            throw new CheckpointException(file + " has " + Files.size(file)
                    + " bytes, expected at least the 12 of its beginning: it is truncated or no checkpoint", e);
        } catch (CheckpointException e) {
            in.close();
            throw e;
        }
    }

    @Override
    public int read() throws IOException {
        return next < length || advance() ? block[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int wanted) throws IOException {
        if (wanted == 0) {
            return 0;
        }
        if (next == length && !advance()) {
            return -1;
        }
        int now = Math.min(wanted, length - next);
        System.arraycopy(block, next, bytes, offset, now);
        next += now;
        return now;
    }

    /** Reads the next block; false at the end. */
    private boolean advance() throws IOException {
        if (ended) {
            return false;
        }
        try {
            int size = in.readInt();
            int plain = in.readInt();
            if (size < 0 || size > BlockOutput.MAX_BLOCK_BYTES || plain < 0
                    || (size > 0 && plain > BlockOutput.MAX_BLOCK_BYTES)) {
                throw damaged("has lengths " + size + " and " + plain);
            }
            in.readFully(stored, 0, size);
            check(size, plain, in.readInt());
            if (size == 0) {
                end(plain);
                return false;
            }
            unpack(size, plain);
            blocks++;
            return true;
        } catch (EOFException e) {
            throw new CheckpointException(file + " ends within block " + blocks + ", after " + Files.size(file)
                    + " bytes: it is truncated", e);
        }
    }

    private void check(int size, int plain, int expected) {
        CRC32C sum = new CRC32C();
        sum.update(ByteBuffer.allocate(2 * Integer.BYTES).putInt(size).putInt(plain).flip());
        sum.update(stored, 0, size);
        if ((int) sum.getValue() != expected) {
            throw damaged("has checksum " + Integer.toHexString((int) sum.getValue()) + ", expected "
                    + Integer.toHexString(expected));
        }
    }

    private void end(int counted) throws IOException {
        ended = true;
        length = 0;
        next = 0;
        if (counted != blocks) {
            throw damaged("ends the file after " + blocks + " blocks, expected " + counted);
        }
        if (in.read() >= 0) {
            throw damaged("is the last, but more follows");
        }
    }

    private void unpack(int size, int plain) {
        next = 0;
        length = plain;
        if (size == plain) {
            System.arraycopy(stored, 0, block, 0, size);
            return;
        }
        try {
            inflater.reset();
            inflater.setInput(stored, 0, size);
            if (inflater.inflate(block, 0, plain) != plain) {
                throw damaged("is shorter than the " + plain + " bytes that it promises");
            }
        } catch (DataFormatException e) {
            throw new CheckpointException(file + ": block " + blocks + " cannot be unpacked", e);
        }
    }

    private CheckpointException damaged(String what) {
        return new CheckpointException(file + ": block " + blocks + " " + what + "; the file is damaged");
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
