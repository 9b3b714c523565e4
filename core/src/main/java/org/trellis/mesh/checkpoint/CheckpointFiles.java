package org.trellis.mesh.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the files of checkpoints, and how one takes the place of another. */
final class CheckpointFiles {
    /** The first byte of a file with values. */
    static final int VALUES = 0;
    /** The first byte of a file that lists those of all ranks. */
    static final int INDEX = 1;

    private static final Pattern VALUES_OF_RANK = Pattern.compile("(\\d{1,9})\\.\\d{1,9}");
    private static final Pattern LOG = Pattern.compile("[0-9a-f]{1,16}\\.log");

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

    /** Removes what checkpoints before the previous one, and other runs, have left. */
    static void sweep(Path file, int generation, Path log) throws IOException {
        String begin = file.getFileName() + ".";
        List<Path> old = new ArrayList<>();
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(file.toAbsolutePath().getParent(),
                entry -> entry.getFileName().toString().startsWith(begin))) {
            for (Path entry : folder) {
                String end = entry.getFileName().toString().substring(begin.length());
                Matcher values = VALUES_OF_RANK.matcher(end);
                boolean needed = values.matches()
                        ? isNeeded(Integer.parseInt(values.group(1)), generation)
                        : !LOG.matcher(end).matches() || entry.getFileName().equals(log.getFileName());
                if (!needed) {
                    old.add(entry);
                }
            }
        }
        for (Path entry : old) {
            Files.deleteIfExists(entry);
        }
    }

    /** A rank that is ahead of the first one may have the next generation already. */
    private static boolean isNeeded(int which, int generation) {
        return Math.abs(which - generation) <= 1;
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
