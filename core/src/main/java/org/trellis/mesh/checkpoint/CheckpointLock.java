package org.trellis.mesh.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second program from the files of a program that writes checkpoints: each would remove and overwrite what the
 * other needs. The lock is the system's, which takes it from a process that ends in whatever manner; a file killed
 * process has left is not locked, and taken over. The file names the process for the message to others.
 */
final class CheckpointLock implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CheckpointLock.class.getName());
    /** Behind what the file says, so that others can read that where locks are mandatory. */
    private static final long PLACE = Long.MAX_VALUE - 1;
    private static final int MAX_TEXT_BYTES = 1 << 10;
    /** Files that this process has locked. A second channel on one would end its lock when it is closed. */
    private static final Map<Path, CheckpointLock> HELD = new ConcurrentHashMap<>();

    private final Path file;
    private final Path key;
    private FileChannel channel;
    private boolean own;

    private CheckpointLock(Path file, Path key) {
        this.file = file;
        this.key = key;
    }

    /**
     * Takes the lock.
     *
     * @param checkpoint the name that the checkpoints were given
     * @return the lock
     * @throws CheckpointException if a program has it; names the process
     */
    static CheckpointLock of(Path checkpoint) {
        Path file = CheckpointFiles.lock(checkpoint);
        try {
            Path folder = file.toAbsolutePath().getParent().toRealPath();
            CheckpointLock lock = new CheckpointLock(file, folder.resolve(file.getFileName()));
            if (HELD.putIfAbsent(lock.key, lock) != null) {
                throw refusal(checkpoint, "another mesh of this program");
            }
            boolean done = false;
            try {
                lock.take(checkpoint);
                done = true;
            } finally {
                if (!done) {
                    lock.close();
                }
            }
            return lock;
        } catch (IOException e) {
            throw new CheckpointException(file + " cannot be made: " + e, e);
        }
    }

    private static CheckpointException refusal(Path checkpoint, String who) {
        return new CheckpointException("checkpoints in " + checkpoint + " are being written by " + who
                + ", expected one program for a file");
    }

    private void take(Path checkpoint) throws IOException {
        boolean taken = false;
        while (!taken) {
            Object before = identity();
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            Object opened = before == null ? identity() : before;
            if (!isLocked()) {
                throw refusal(checkpoint, holder());
            }
            // Else its holder has removed it in between, and another process may have made another.
            taken = Objects.equals(opened, identity());
            if (!taken) {
                channel.close();
            }
        }
        own = true;
        ByteBuffer text = ByteBuffer.wrap(description().getBytes(StandardCharsets.UTF_8));
        channel.truncate(0);
        while (text.hasRemaining()) {
            channel.write(text);
        }
    }

    private boolean isLocked() {
        try {
            FileLock lock = channel.tryLock(PLACE, 1, false);
            return lock != null;
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "the file system of " + file
                    + " has no locks: nothing keeps a second program from these checkpoints", e);
            return true;
        }
    }

    private Object identity() throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private String holder() throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_TEXT_BYTES);
        channel.read(text, 0);
        String found = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
        return found.matches("process \\d+[ -~]*") ? found : "another process";
    }

    private static String description() {
        ProcessHandle own = ProcessHandle.current();
        String host = host();
        return "process " + own.pid() + (host.isEmpty() ? "" : " on " + host)
                + own.info().startInstant().map(start -> ", started " + at(start)).orElse("") + "\n";
    }

    private static Instant at(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns the name of the machine without asking the network; empty where that is not available. */
    private static String host() {
        Path kernel = Path.of("/proc/sys/kernel/hostname");
        try {
            return Files.isReadable(kernel)
                    ? Files.readString(kernel).strip()
                    : Objects.requireNonNullElse(System.getenv("COMPUTERNAME"), "");
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the name of the machine cannot be read", e);
            return "";
        }
    }

    /** Lets others have the files. Idempotent. */
    @Override
    public void close() {
        try {
            if (own) {
                Files.deleteIfExists(file);
            }
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, file + " cannot be removed", e);
        } finally {
            own = false;
            HELD.remove(key, this);
        }
    }
}
