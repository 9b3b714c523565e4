package org.trellis.common;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where shared libraries are that Trellis calls if they are installed. */
public final class LibraryFiles {
    private static final List<String> FOLDERS = List.of("/usr/local/lib", "/usr/local/lib64",
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/opt/homebrew/lib");

    private LibraryFiles() {}

    /**
     * Finds a library by looking at files; nothing is loaded.
     *
     * @param pattern a regular expression for the whole name of the file
     * @return the file whose name comes last in the first folder that has one: {@code LD_LIBRARY_PATH}, then the usual
     *         places
     */
    public static Optional<Path> find(String pattern) {
        List<Path> folders = new ArrayList<>();
        String path = System.getenv("LD_LIBRARY_PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator, -1)) {
            if (!folder.isBlank()) {
                folders.add(Path.of(folder));
            }
        }
        FOLDERS.forEach(folder -> folders.add(Path.of(folder)));
        return folders.stream().flatMap(folder -> lastMatch(folder, pattern).stream()).findFirst();
    }

    private static Optional<Path> lastMatch(Path folder, String pattern) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).matches(pattern))
                    .filter(Files::isRegularFile).max(Comparator.naturalOrder());
        } catch (IOException | UncheckedIOException e) {
            // A folder that may not be read holds nothing that could be loaded.
            return Optional.empty();
        }
    }
}
