package org.trellis.internal.nativepartitioners;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.trellis.common.BackendUnavailableException;

/** A shared library that stays loaded as long as the process runs. */
@SuppressWarnings("restricted") // native calls are what this class is for
final class NativeLibrary {
    private static final List<String> FOLDERS = List.of("/usr/local/lib", "/usr/local/lib64",
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/opt/homebrew/lib");

    private final Path file;
    private final SymbolLookup symbols;

    private NativeLibrary(Path file, SymbolLookup symbols) {
        this.file = file;
        this.symbols = symbols;
    }

    /**
     * Finds a library by looking at files; nothing is loaded.
     *
     * @param pattern a regular expression for the whole name of the file
     * @return the file whose name comes last in the first folder that has one: {@code LD_LIBRARY_PATH}, then the usual
     *         places
     */
    static Optional<Path> find(String pattern) {
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

    /**
     * Loads a library.
     *
     * @throws BackendUnavailableException if it cannot be loaded
     */
    static NativeLibrary load(Path file) {
        try {
            return new NativeLibrary(file, SymbolLookup.libraryLookup(file, Arena.global()));
        } catch (IllegalArgumentException e) {
            throw new BackendUnavailableException(file + " cannot be loaded: " + e.getMessage());
        }
    }

    Path file() {
        return file;
    }

    /**
     * Returns a function.
     *
     * @throws BackendUnavailableException if the library has none of that name
     */
    MethodHandle function(String name, FunctionDescriptor descriptor) {
        MemorySegment address = symbols.find(name)
                .orElseThrow(() -> new BackendUnavailableException(file + " has no function " + name));
        return Linker.nativeLinker().downcallHandle(address, descriptor);
    }

    /** Calls a function; what it throws is an error of this program. */
    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    static Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
    }
}
