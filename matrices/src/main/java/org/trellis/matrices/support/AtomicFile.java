package org.trellis.matrices.support;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Writes a file so that others see the old contents or the new ones, never a part: into a temporary file beside it,
 * which takes its place at the end. What is not a regular file, such as a device or a pipe, is written directly.
 */
public final class AtomicFile {
    private AtomicFile() {}

    /** Writes the contents. */
    @FunctionalInterface
    public interface Contents {
        /**
         * Writes everything.
         *
         * @param output not buffered; closed by the caller
         * @throws IOException if writing fails
         */
        void writeTo(OutputStream output) throws IOException;
    }

    /**
     * Writes a file. If anything fails, the file is as it was before.
     *
     * @param file     replaced if it exists; of a symbolic link, what it points to
     * @param contents writes the contents
     * @throws IOException if the folder does not exist or writing fails
     */
    public static void write(Path file, Contents contents) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        if (Files.isDirectory(target)) {
            throw new IOException(file + " is a folder, expected a file");
        }
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            try (OutputStream output = Files.newOutputStream(target)) {
                contents.writeTo(output);
            }
            return;
        }
        Path temporary = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            try (OutputStream output = Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE)) {
                contents.writeTo(output);
            }
            move(temporary, target);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            // A file system without atomic renaming: replacing is the best it has.
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
