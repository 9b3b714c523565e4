package org.trellis.file;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A folder for files that other programs read or write, in the system's folder for temporary files. Only this user
 * may look into it. It is removed with all that is in it when it is closed and when the JVM ends, also by a signal;
 * those of a JVM that was killed are removed when the next one is made.
 *
 * <p>Not thread-safe.
 */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private TemporaryFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes an empty folder.
     *
     * @return the folder, which the caller closes
     * @throws IOException if it cannot be made
     */
    @MustBeClosed
    public static TemporaryFolder create() throws IOException {
        return in(Path.of(System.getProperty("java.io.tmpdir")));
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // what the lambda makes is returned
    static TemporaryFolder in(Path parent) throws IOException {
        Path absolute = parent.toAbsolutePath();
        StaleFiles.sweep(absolute);
        Path path = absolute.resolve(StaleFiles.newName());
        return LiveFiles.create(path, () -> make(path));
    }

    @MustBeClosed
    private static TemporaryFolder make(Path path) throws IOException {
        Files.createDirectory(path, FileRights.posix(path.getParent())
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))}
                : new FileAttribute<?>[0]);
        try {
            FileChannel lock = FileChannel.open(path.resolve(StaleFiles.LOCK), StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
            StaleFiles.lock(lock);
            return new TemporaryFolder(path, lock);
        } catch (IOException | RuntimeException e) {
            LiveFiles.deleteTree(path);
            throw e;
        }
    }

    /**
     * Returns the folder.
     *
     * @return its absolute path
     */
    public Path path() {
        return path;
    }

    /** Removes the folder. Does nothing the second time. */
    @Override
    public void close() throws IOException {
        try {
            LiveFiles.delete(path);
        } finally {
            lock.close();
        }
    }
}
