package org.trellis.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * A folder of entries that this user wrote and no other may read: a cache. It is made private when it is first used.
 * Only regular files of this user count as entries, so that no other user can put one in, and no pipe or device is
 * opened that happens to be there. Entries appear complete or not at all, so any number of processes may share the
 * folder.
 *
 * <p>Immutable but for having been made private; thread-safe.
 */
public final class PrivateFolder {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private volatile boolean checked;

    /**
     * Names a folder, which need not exist yet.
     *
     * @param path the folder
     */
    public PrivateFolder(Path path) {
        this.path = path.toAbsolutePath();
    }

    /**
     * Returns the folder.
     *
     * @return its absolute path
     */
    public Path path() {
        return path;
    }

    /**
     * Finds an entry.
     *
     * @param name its name
     * @return the file, or nothing if there is none, it is no regular file, or it belongs to another user
     * @throws IOException if it cannot be examined
     */
    public Optional<Path> find(String name) throws IOException {
        Path entry = path.resolve(name);
        if (!Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        makePrivate();
        return FileOwner.isCurrent(entry) ? Optional.of(entry) : Optional.empty();
    }

    /**
     * Writes an entry, in the place of whatever has its name. Only this user may read it.
     *
     * @param name     its name
     * @param contents writes the contents
     * @throws IOException if it cannot be written; then nothing has changed
     */
    public void write(String name, AtomicFile.Contents contents) throws IOException {
        prepare();
        Path entry = path.resolve(name);
        AtomicFile.replace(entry, entry, FileRights.own(path), contents);
    }

    /**
     * Writes an entry that was made of a file, in the place of whatever has its name. Only this user may read it, and
     * its owner may not do more with it than the owner of that file may.
     *
     * @param name     its name
     * @param source   the file
     * @param contents writes the contents
     * @throws IOException if it cannot be written; then nothing has changed
     */
    public void write(String name, Path source, AtomicFile.Contents contents) throws IOException {
        prepare();
        Path entry = path.resolve(name);
        AtomicFile.replace(entry, entry, FileRights.ownOf(source), contents);
    }

    private void prepare() throws IOException {
        if (!Files.isDirectory(path)) {
            Path existing = path;
            while (existing.getParent() != null && !Files.exists(existing)) {
                existing = existing.getParent();
            }
            Files.createDirectories(path, FileRights.posix(existing)
                    ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(PRIVATE)}
                    : new FileAttribute<?>[0]);
        }
        makePrivate();
    }

    /** A folder of another user stays as it is: what others put there belongs to them and does not count. */
    private void makePrivate() throws IOException {
        if (!checked) {
            Path real = path.toRealPath();
            if (FileRights.posix(real) && FileOwner.isCurrent(real)
                    && !Files.getPosixFilePermissions(real).equals(PRIVATE)) {
                Files.setPosixFilePermissions(real, PRIVATE);
            }
            checked = true;
        }
    }
}
