package org.trellis.cuda.kernels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.trellis.cuda.compile.Compilers;
import org.trellis.cuda.compile.KernelArchives;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelList;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LibraryFinder;

/**
 * Compiles the kernels of lists for several architectures, on a machine with a CUDA toolkit; no device is needed. Lists
 * are recorded by programs that run with {@code trellis.cuda.kernel.list}.
 */
public final class ArchiveBuilder {
    private static final String SUFFIX = ".kernels";
    private static final int ARGUMENTS = 3;
    /** No driver has to understand what is compiled here. */
    private static final int ANY_DRIVER = Integer.MAX_VALUE;

    private ArchiveBuilder() {}

    /**
     * Makes an archive.
     *
     * @param arguments the folder of the archive, the architectures separated by commas, and the folder of the lists
     * @throws IOException              if a list cannot be read or the archive not be written
     * @throws IllegalArgumentException if there are not three arguments
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("an archive of kernels is made of " + arguments.length
                    + " arguments, expected a folder, architectures and the folder of lists");
        }
        Path folder = Path.of(arguments[0]);
        List<String> architectures = List.of(arguments[1].split(","));
        Set<KernelSource> sources = sources(Path.of(arguments[2]));
        KernelCompiler compiler = Compilers.open(LibraryFinder.ofSystem(), List.of(), ANY_DRIVER);
        long start = System.nanoTime();
        long bytes = KernelArchives.write(sources, architectures, compiler, folder);
        System.out.printf("%d kernels for %s by %s: %.1f MB in %.0f s%n", sources.size(),
                String.join(", ", architectures), compiler.version(), bytes * 1e-6,
                (System.nanoTime() - start) * 1e-9);
    }

    /** Reads the lists of what the library compiles ahead, then those of a folder in the order of their names. */
    static Set<KernelSource> sources(Path lists) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> found = Files.list(lists)) {
            found.filter(file -> file.toString().endsWith(SUFFIX)).sorted().forEach(files::add);
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException("the folder " + lists + " has no list of kernels, expected files *"
                    + SUFFIX);
        }
        Set<KernelSource> sources = new LinkedHashSet<>();
        KernelList.names().forEach(name -> sources.addAll(KernelList.named(name)));
        for (Path file : files) {
            sources.addAll(KernelList.read(file));
        }
        return sources;
    }
}
