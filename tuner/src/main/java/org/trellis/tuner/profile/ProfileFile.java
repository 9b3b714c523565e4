package org.trellis.tuner.profile;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.trellis.file.AtomicFile;

/**
 * A profile in a file that several threads and processes may read and change. A change reads, changes and writes under
 * a lock (an empty file beside it, {@code NAME.lock}, which stays); of a symbolic link, the file that it leads to is
 * locked and replaced. The new contents take the file's place at once, so
 * that readers, which need no lock, see the old profile or the new one.
 */
public final class ProfileFile {
    /** A file lock belongs to the process; threads of one process need locks of their own. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private final Path file;

    /**
     * Names a file, which need not exist yet.
     *
     * @param file the file
     */
    public ProfileFile(Path file) {
        this.file = Objects.requireNonNull(file).toAbsolutePath().normalize();
    }

    /**
     * Returns the file.
     *
     * @return its absolute path
     */
    public Path path() {
        return file;
    }

    /**
     * Reads the profile.
     *
     * @return the profile, empty if there is no file
     * @throws ProfileException if the file is no profile, of a newer version, damaged, or changed by hand
     * @throws IOException      if it cannot be read
     */
    public Profile load() throws IOException {
        return Files.exists(file) ? Profile.read(file) : Profile.empty();
    }

    /**
     * Reads the profile, changes it and writes it, while no other program does.
     *
     * @param change makes a new profile of the one in the file
     * @return what was written
     * @throws ProfileException if the file cannot be used; it stays as it was
     * @throws IOException      if it cannot be read or written; it stays as it was
     */
    public Profile update(UnaryOperator<Profile> change) throws IOException {
        return locked(() -> {
            Profile changed = change.apply(load());
            AtomicFile.writeText(file, changed.toText());
            return changed;
        });
    }

    /**
     * Checks a file that was changed by hand and signs it anew.
     *
     * @return the profile
     * @throws ProfileException if something other than the checksum is wrong; the file stays as it was
     * @throws IOException      if it cannot be read or written
     */
    public Profile accept() throws IOException {
        return locked(() -> {
            Profile accepted = Profile.parseUnsigned(file.toString(), Profile.readText(file));
            AtomicFile.writeText(file, accepted.toText());
            return accepted;
        });
    }

    private interface Action {
        Profile run() throws IOException;
    }

    private Profile locked(Action action) throws IOException {
        // All names of a file have one lock, or those who come by different ones would lose each other's changes.
        Path target = AtomicFile.target(file);
        ReentrantLock lock = LOCKS.computeIfAbsent(target, path -> new ReentrantLock());
        lock.lock();
        try (FileChannel channel = FileChannel.open(target.resolveSibling(target.getFileName() + ".lock"),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            if (!held.isValid()) {
                throw new IOException(file + ": its lock was lost");
            }
            return action.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
