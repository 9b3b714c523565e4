package org.trellis.mesh.checkpoint;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the files of checkpoints, and how one takes the place of another. */
final class CheckpointFiles {
    /** The first byte of a file with values. */
    static final int VALUES = 0;
    /** The first byte of a file that lists those of all ranks. */
    static final int INDEX = 1;

    private static final Pattern VALUES_OF_RANK = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})(\\.new)?");
    private static final Pattern LOG = Pattern.compile("[0-9a-f]{1,16}\\.log(\\.copy)?");

    private CheckpointFiles() {}

    private static Path beside(Path file, String end) {
        return file.resolveSibling(file.getFileName() + "." + end);
    }

    /** The checkpoint before the last. */
    static Path previous(Path file) {
        return beside(file, "previous");
    }

    /** What is being written. */
    static Path fresh(Path file) {
        return beside(file, "new");
    }

    /** The values of a rank. */
    static Path ofRank(Path file, int generation, int rank) {
        return beside(file, generation + "." + rank);
    }

    /** The log of what a run has read. */
    static Path log(Path file, long run) {
        return beside(file, Long.toHexString(run) + ".log");
    }

    /** The same once more: checkpoints share a log, and its damage must not cost all of them. */
    static Path copy(Path log) {
        return beside(log, "copy");
    }

    /** What keeps other programs away. */
    static Path lock(Path file) {
        return beside(file, "lock");
    }

    /** Makes sure that names in a folder are kept. Where folders cannot be opened, that is up to the system. */
    private static void force(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && Files.isReadable(folder)) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Removes what checkpoints before the previous one, and other runs, have left.
     *
     * @param file     the name that the checkpoints were given
     * @param previous the number of the previous checkpoint; ranks may be ahead of the first one by any number
     * @param run      the run that the checkpoints are of
     * @param log      its log
     */
    static void sweep(Path file, int previous, long run, Path log) throws IOException {
        String begin = file.getFileName() + ".";
        Set<String> logs = Set.of(log.getFileName().toString(), copy(log).getFileName().toString());
        List<Path> old = new ArrayList<>();
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(file.toAbsolutePath().getParent(),
                entry -> entry.getFileName().toString().startsWith(begin))) {
            for (Path entry : folder) {
                String end = entry.getFileName().toString().substring(begin.length());
                Matcher values = VALUES_OF_RANK.matcher(end);
                boolean needed = values.matches()
                        ? Integer.parseInt(values.group(1)) >= previous
                                && (values.group(3) != null || isOfRun(entry, run))
                        : !LOG.matcher(end).matches() || logs.contains(entry.getFileName().toString());
                if (!needed) {
                    old.add(entry);
                }
            }
        }
        for (Path entry : old) {
            Files.deleteIfExists(entry);
        }
    }

    /** Removes what a rank has written for checkpoints after one before it was killed: they are not to be listed. */
    static void removeStale(Path file, int generation, int rank) throws IOException {
        String begin = file.getFileName() + ".";
        List<Path> stale = new ArrayList<>();
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(file.toAbsolutePath().getParent(),
                entry -> entry.getFileName().toString().startsWith(begin))) {
            for (Path entry : folder) {
                Matcher values =
                        VALUES_OF_RANK.matcher(entry.getFileName().toString().substring(begin.length()));
                if (values.matches() && Integer.parseInt(values.group(1)) > generation
                        && Integer.parseInt(values.group(2)) == rank) {
                    stale.add(entry);
                }
            }
        }
        for (Path entry : stale) {
            Files.deleteIfExists(entry);
        }
    }

    private static boolean isOfRun(Path values, long run) throws IOException {
        try (SavedState.Opened opened = SavedState.open(values)) {
            return opened.head().run() == run;
        } catch (CheckpointException | EOFException | NoSuchFileException e) {
            return false; // damaged, or gone
        }
    }

    /** Puts a complete file in place, and keeps the one that was there if it is good. */
    static void replace(Path fresh, Path file, boolean keep) throws IOException {
        if (keep && Files.exists(file)) {
            move(file, previous(file));
        }
        move(fresh, file);
        force(file);
    }
}
