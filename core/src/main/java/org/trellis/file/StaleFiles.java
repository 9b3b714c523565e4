package org.trellis.file;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Temporary files and folders that a killed process left behind. One is ours by its name and its owner, and left behind
 * if no process holds its lock, which the system takes from a process that ends; no process number, that another may
 * have got since, no age and no host name is needed.
 */
final class StaleFiles {
    /** In a folder, the file that is locked. */
    static final String LOCK = ".lock";

    private static final Logger LOGGER = System.getLogger(StaleFiles.class.getName());
    private static final Pattern NAME = Pattern.compile("\\.trellis-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp");
    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

    private StaleFiles() {}

    static String newName() {
        return ".trellis-" + UUID.randomUUID() + ".tmp";
    }

    /** Locks a new file for as long as its channel is open, where the file system keeps locks. */
    static void lock(FileChannel channel) {
        try {
            // Does not wait for long: no code but a sweep knows the new name, and that lets go at once.
            FileLock held = channel.lock();
            LOGGER.log(Level.TRACE, "holds {0}", held);
        } catch (IOException e) {
            // No other process can lock it either, so none will take it for one that was left behind.
            LOGGER.log(Level.DEBUG, "temporary files are not locked here", e);
        }
    }

    /** Removes what was left behind in a folder; once for each folder in the life of a process. */
    static void sweep(Path folder) {
        if (folder == null || !SWEPT.add(folder)) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder,
                path -> NAME.matcher(path.getFileName().toString()).matches())) {
            for (Path entry : entries) {
                sweepOne(entry);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOGGER.log(Level.DEBUG, "cannot look for old temporary files in " + folder, e);
        }
    }

    private static void sweepOne(Path entry) {
        try {
            BasicFileAttributes kind =
                    Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Path locked = kind.isDirectory() ? entry.resolve(LOCK) : entry;
            if (!LiveFiles.contains(entry) && FileOwner.isCurrent(entry)
                    && Files.isRegularFile(locked, LinkOption.NOFOLLOW_LINKS)) {
                removeIfFree(entry, locked);
            }
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "cannot remove the old temporary file " + entry, e);
        }
    }

    private static void removeIfFree(Path entry, Path locked) throws IOException {
        // To read, as its owner may not be allowed to write it.
        try (FileChannel channel = FileChannel.open(locked, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            if (lock != null) {
                LiveFiles.deleteTree(entry);
            }
        } catch (OverlappingFileLockException e) {
            LOGGER.log(Level.TRACE, "in use by this process: {0}", entry);
        }
    }
}
