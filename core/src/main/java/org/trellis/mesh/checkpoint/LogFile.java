package org.trellis.mesh.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The log of what a program reads, while it grows. Records gather until a checkpoint needs them or there are many; the
 * thread that writes files appends them, to the log and to a copy of it.
 */
final class LogFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final boolean writes;
    private final long begin;
    /** Names that records have had, in UTF-8. */
    private final Map<String, byte[]> letters = new HashMap<>();
    private ByteBuffer waiting = ByteBuffer.allocate(BUFFER_BYTES);
    private long length;
    private final List<FileChannel> channels = new ArrayList<>();
    /** The one thread that appends and forces, since nothing here is locked. */
    private final AtomicReference<Thread> writer = new AtomicReference<>();

    /**
     * Goes on with a log, or begins one.
     *
     * @param file   the file; made when there is something to write
     * @param begin  how much of it there is
     * @param writes false where another rank writes it
     */
    LogFile(Path file, long begin, boolean writes) {
        this.file = file;
        this.begin = begin;
        this.length = begin;
        this.writes = writes;
    }

    Path file() {
        return file;
    }

    /** Returns how long the log is once everything has been written. */
    long length() {
        return length;
    }

    /** Adds a record; true if there are many to write now. */
    boolean add(LogRecord record) {
        byte[] name = letters.get(record.name());
        if (name == null) {
            name = record.name().getBytes(StandardCharsets.UTF_8);
            letters.put(record.name(), name);
        }
        int bytes = record.bytes(name);
        length += bytes;
        if (writes) {
            if (waiting.remaining() < bytes) {
                int wanted = Math.max(Math.addExact(waiting.position(), bytes), 2 * waiting.position());
                waiting = ByteBuffer.allocate(wanted).put(waiting.flip());
            }
            record.write(waiting, name);
        }
        return waiting.position() > BUFFER_BYTES / 2;
    }

    /** Takes what has gathered. Called by the thread of the program. */
    byte[] take() {
        byte[] bytes = Arrays.copyOf(waiting.array(), waiting.position());
        waiting.clear();
        return bytes;
    }

    /** Appends what was taken. Called by the thread that writes. */
    void append(byte[] bytes) throws IOException {
        requireWriter();
        if (bytes.length == 0 || !writes) {
            return;
        }
        LogRecord.seal(bytes);
        if (channels.isEmpty()) {
            open(file);
            open(CheckpointFiles.copy(file));
        }
        for (FileChannel channel : channels) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    private void requireWriter() {
        Thread current = Thread.currentThread();
        if (!writer.compareAndSet(null, current) && writer.get() != current) {
            throw new IllegalStateException("the log " + file + " is written by thread " + current.getName()
                    + ", expected " + writer.get().getName() + " alone");
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void open(Path one) throws IOException {
        FileChannel channel = FileChannel.open(one, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channels.add(channel);
        channel.truncate(begin);
        channel.position(begin);
    }

    /** Makes sure that what was appended is kept. Called by the thread that writes. */
    void force() throws IOException {
        requireWriter();
        for (FileChannel channel : channels) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : channels) {
            channel.close();
        }
    }
}
