package org.trellis.file;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The temporary files and folders of this process, which go when it ends, also by a signal. */
final class LiveFiles {
    private static final System.Logger LOGGER = System.getLogger(LiveFiles.class.getName());
    private static final Set<Path> LIVE = ConcurrentHashMap.newKeySet();
    /** Guarded by the class. */
    private static boolean ending;

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(LiveFiles::end, "trellis-temporary-files"));
        } catch (IllegalStateException e) {
            ending = true;
        }
    }

    private LiveFiles() {}

    /** Makes something. */
    interface Maker<T> {
        /** Makes it, or leaves nothing. */
        T make() throws IOException;
    }

    /** Makes a file or folder of that path, which is removed at the end of the process at the latest. */
    static synchronized <T> T create(Path path, Maker<T> maker) throws IOException {
        requireRunning();
        LIVE.add(path);
        try {
            return maker.make();
        } catch (IOException | RuntimeException e) {
            LIVE.remove(path);
            throw e;
        }
    }

    static boolean contains(Path path) {
        return LIVE.contains(path);
    }

    /** Moves a file to where it stays; never while the process ends and the file may be gone. */
    static synchronized void move(Path from, Path to) throws IOException {
        requireRunning();
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            // A file system without atomic renaming: replacing is the best it has.
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
        LIVE.remove(from);
    }

    /** Deletes a file, or a folder with what is in it, if it is still there. */
    static void delete(Path path) throws IOException {
        if (LIVE.contains(path)) {
            deleteTree(path);
            LIVE.remove(path);
        }
    }

    static void deleteTree(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(path);
            return;
        }
        List<Path> all;
        try (Stream<Path> tree = Files.walk(path)) {
            all = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }

    private static void requireRunning() throws IOException {
        if (ending) {
            throw new IOException("the process is ending");
        }
    }

    private static synchronized void end() {
        ending = true;
        List<Path> left = new ArrayList<>(LIVE);
        for (Path path : left) {
            try {
                deleteTree(path);
            } catch (IOException e) {
                // Its lock ends with the process; the next writer removes it.
                LOGGER.log(System.Logger.Level.DEBUG, "cannot remove the temporary file " + path, e);
            }
        }
    }
}
