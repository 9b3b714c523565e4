package org.trellis.cuda.driver;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds native libraries and programs by looking at files only: nothing is loaded, so that a machine without a GPU sees
 * no native call at all. Looks where the dynamic loader does (LD_LIBRARY_PATH, its cache, the system's folders) and
 * where CUDA toolkits are installed (CUDA_HOME, CUDA_PATH, /usr/local/cuda*, /opt/cuda*, /usr/local/nvidia).
 */
public final class LibraryFinder {
    private static final List<String> SYSTEM_FOLDERS = List.of("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu",
            "lib64", "usr/lib64", "lib", "usr/lib", "usr/lib/wsl/lib");
    private static final List<String> TOOLKIT_LIBRARIES = List.of("lib64", "lib", "targets/x86_64-linux/lib");
    private static final int NUMBER_WIDTH = 8;

    private final Path root;
    private final Map<String, String> environment;

    /**
     * Looks at a file system.
     *
     * @param root        the root folder, {@code /} except in tests
     * @param environment the environment variables
     */
    public LibraryFinder(Path root, Map<String, String> environment) {
        this.root = root;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Looks at this machine.
     *
     * @return the finder
     */
    public static LibraryFinder ofSystem() {
        return new LibraryFinder(Path.of("/"), System.getenv());
    }

    /**
     * Finds versions of a library.
     *
     * @param stem   for example {@code libnvrtc.so}; files of this name with a version after it are found
     * @param places further files, or folders to look into, that come first
     * @return existing files; those of {@code places} first, then by version, newest first, then in the order in which
     *         folders are searched
     */
    public List<Path> libraries(String stem, Collection<Path> places) {
        Pattern name = Pattern.compile(Pattern.quote(stem) + "(\\.[0-9.]+)?");
        Set<Path> found = new LinkedHashSet<>();
        for (Path place : places) {
            if (Files.isDirectory(place)) {
                found.addAll(newestFirst(matching(place, name)));
            } else if (Files.isRegularFile(place)) {
                found.add(place);
            }
        }
        Set<Path> usual = new LinkedHashSet<>();
        for (Path folder : libraryFolders()) {
            usual.addAll(matching(folder, name));
        }
        usual.addAll(fromLoaderCache(name));
        found.addAll(newestFirst(usual));
        return List.copyOf(found);
    }

    /**
     * Finds a program.
     *
     * @param name for example {@code nvcc}
     * @return the first one on the PATH or in a toolkit
     */
    public Optional<Path> program(String name) {
        List<Path> folders = new ArrayList<>(pathVariable("PATH"));
        toolkits().forEach(toolkit -> folders.add(toolkit.resolve("bin")));
        return folders.stream().map(folder -> folder.resolve(name)).filter(Files::isExecutable)
                .filter(Files::isRegularFile).findFirst();
    }

    private List<Path> libraryFolders() {
        List<Path> folders = new ArrayList<>(pathVariable("LD_LIBRARY_PATH"));
        for (Path toolkit : toolkits()) {
            TOOLKIT_LIBRARIES.forEach(library -> folders.add(toolkit.resolve(library)));
        }
        folders.add(root.resolve("usr/local/nvidia/lib64"));
        folders.add(root.resolve("usr/local/nvidia/lib"));
        SYSTEM_FOLDERS.forEach(folder -> folders.add(root.resolve(folder)));
        return folders;
    }

    private List<Path> toolkits() {
        List<Path> toolkits = new ArrayList<>(pathVariable("CUDA_HOME"));
        toolkits.addAll(pathVariable("CUDA_PATH"));
        for (String parent : List.of("usr/local", "opt")) {
            toolkits.addAll(newestFirst(matching(root.resolve(parent), Pattern.compile("cuda(-[0-9.]+)?"))));
        }
        return toolkits;
    }

    private List<Path> pathVariable(String variable) {
        List<Path> folders = new ArrayList<>();
        for (String folder : environment.getOrDefault(variable, "").split(File.pathSeparator, -1)) {
            if (!folder.isBlank()) {
                folders.add(Path.of(folder));
            }
        }
        return folders;
    }

    private static List<Path> matching(Path folder, Pattern name) {
        if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (name.matcher(entry.getFileName().toString()).matches() && Files.exists(entry)) {
                    found.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // A folder that cannot be listed holds nothing that could be loaded.
            return List.of();
        }
        Collections.sort(found);
        return found;
    }

    /** The loader's cache is a binary file, but the paths in it are plain text. */
    private List<Path> fromLoaderCache(Pattern name) {
        Path cache = root.resolve("etc/ld.so.cache");
        if (!Files.isReadable(cache)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        Matcher paths = Pattern.compile("/[\\x21-\\x7e]+").matcher(text(cache));
        while (paths.find()) {
            Path file = root.resolve(paths.group().substring(1));
            if (name.matcher(file.getFileName().toString()).matches() && Files.isRegularFile(file)) {
                found.add(file);
            }
        }
        return found;
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // As if there were none: the folders have been searched already.
            return "";
        }
    }

    private static List<Path> newestFirst(Collection<Path> files) {
        return files.stream().sorted(Comparator.comparing(LibraryFinder::versionKey).reversed()).toList();
    }

    /** Digits padded to one width compare as numbers do: 13 after 9, 12.6 after 12.4. */
    private static String versionKey(Path file) {
        String name = file.getFileName().toString();
        StringBuilder key = new StringBuilder();
        Matcher numbers = Pattern.compile("[0-9]+").matcher(name);
        while (numbers.find()) {
            key.append("0".repeat(Math.max(0, NUMBER_WIDTH - numbers.group().length()))).append(numbers.group());
        }
        return key.toString();
    }
}
