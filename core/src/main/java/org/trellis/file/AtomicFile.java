package org.trellis.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/**
 * Writes a file so that others see the old contents or the new ones, never a part: into a temporary file beside it,
 * which takes its place at the end. The new file has the permissions of the one that it replaces and, where this
 * process may give them, its owner and group; where not, the group gets no rights, as it would be another one. What is
 * not a regular file, such as a device or a pipe, is written directly.
 *
 * <p>A temporary file is removed if writing fails and when the JVM ends, also by a signal. Those of a JVM that was
 * killed are removed by the next one that writes into their folder: they carry a name of their own, and the lock that
 * their writer holds on them is free. A file of another user, or one in a file system that keeps no locks, stays.
 *
 * <p>Replacing needs the right to write both the file and its folder, and ends hard links to the old contents.
 */
public final class AtomicFile {
    private static final int MOST_LINKS = 40;
    /** What a shell has opened for this process: replacing the file behind it would part the two. */
    private static final Pattern OPEN_ALREADY =
            Pattern.compile("/dev/(stdout|stderr|fd/\\d+)|/proc/(self|\\d+)/fd/\\d+");

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
     * @throws IOException if the folder does not exist or writing fails; its message names the file
     */
    public static void write(Path file, Contents contents) throws IOException {
        if (OPEN_ALREADY.matcher(file.toString()).matches()) {
            direct(file, contents, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            return;
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            if (Files.isDirectory(file)) {
                throw new FileSystemException(file.toString(), null, "it is a folder, expected a file");
            }
            direct(file, contents, StandardOpenOption.WRITE);
            return;
        }
        Path target = target(file);
        boolean replaces = Files.exists(target);
        if (replaces && !Files.isWritable(target)) {
            throw new AccessDeniedException(file.toString());
        }
        replace(file, target, replaces ? FileRights.of(target) : FileRights.OF_NEW_FILES, contents);
    }

    /**
     * Writes a text as UTF-8. If anything fails, the file is as it was before.
     *
     * @param file replaced if it exists; of a symbolic link, what it points to
     * @param text the contents
     * @throws IOException if the folder does not exist or writing fails; its message names the file
     */
    public static void writeText(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(file, output -> output.write(bytes));
    }

    /**
     * Returns the file that is replaced when a name is written to: the same for all names of a file, whether links lead
     * to it or to its folder, and whether it exists yet or not.
     *
     * @param file a name
     * @return its absolute path; without links if its folder exists
     * @throws IOException if links lead in a circle or cannot be read
     */
    public static Path target(Path file) throws IOException {
        Path target = withRealFolder(file);
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == MOST_LINKS) {
                throw new FileSystemLoopException(file.toString());
            }
            target = withRealFolder(target.resolveSibling(Files.readSymbolicLink(target)));
        }
        return target;
    }

    private static Path withRealFolder(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path folder = absolute.getParent();
        return folder == null || absolute.getFileName() == null || !Files.isDirectory(folder)
                ? absolute.normalize()
                : folder.toRealPath().resolve(absolute.getFileName());
    }

    /** Puts a new file in the place of whatever has that name, unless it is a folder. */
    static void replace(Path named, Path target, FileRights rights, Contents contents) throws IOException {
        StaleFiles.sweep(target.getParent());
        try (TemporaryFile temporary = TemporaryFile.beside(target, rights)) {
            try (OutputStream output = new NamedOutput(temporary.output(), named)) {
                contents.writeTo(output);
            }
            temporary.moveTo(target);
        } catch (TemporaryFile.FailedException e) {
            throw e.of(named, target.getParent());
        }
    }

    private static void direct(Path file, Contents contents, StandardOpenOption... options) throws IOException {
        try (OutputStream output = new NamedOutput(Files.newOutputStream(file, options), file)) {
            contents.writeTo(output);
        }
    }
}
