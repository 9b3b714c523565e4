package org.trellis.bench.source;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.trellis.common.Configuration;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.cache.MatrixCache;
import org.trellis.matrices.catalogue.Catalogue;
import org.trellis.matrices.catalogue.CatalogueEntry;
import org.trellis.matrices.catalogue.EntryKind;
import org.trellis.matrices.generate.GeneratorKind;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.matrices.generate.Suggestions;
import org.trellis.matrices.io.ReadOptions;

/**
 * Finds matrices by what a user types: an existing file or folder, a generator with its parameters, a glob, or a name
 * of the catalogue, in this order.
 */
public final class MatrixLocator {
    private static final String GLOB_SIGNS = "*?[{";

    private final Configuration configuration;
    private final ReadOptions options;
    private final MatrixCache cache;

    /**
     * Creates a locator.
     *
     * @param configuration says where parsed matrices are kept and where named ones are looked for
     * @param options       how files are read
     */
    public MatrixLocator(Configuration configuration, ReadOptions options) {
        this.configuration = configuration;
        this.options = options;
        this.cache = MatrixCache.of(configuration);
    }

    /**
     * Finds the matrices that an argument stands for.
     *
     * @param argument what the user typed
     * @return at least one matrix, those of a folder or glob by name
     * @throws IOException              if a folder cannot be listed
     * @throws IllegalArgumentException if there is no such matrix; says what would do
     */
    public List<MatrixSource> locate(String argument) throws IOException {
        Optional<Path> path = path(argument);
        if (path.isPresent() && Files.isDirectory(path.get())) {
            return inFolder(path.get());
        }
        if (path.isPresent() && Files.exists(path.get())) {
            return List.of(file(path.get()));
        }
        Optional<MatrixSpec> spec = MatrixSpec.parseIfSpec(argument);
        if (spec.isPresent()) {
            return List.of(new GeneratedSource(spec.get()));
        }
        if (argument.chars().anyMatch(sign -> GLOB_SIGNS.indexOf(sign) >= 0)) {
            return byGlob(argument);
        }
        return List.of(new CatalogueSource(named(argument)));
    }

    /**
     * Returns the real matrices that come with the library.
     *
     * @return the matrices in the catalogue's order
     * @throws IOException if the catalogue cannot be opened
     */
    public List<MatrixSource> embedded() throws IOException {
        return Catalogue.open(configuration).entries(EntryKind.EMBEDDED).stream()
                .<MatrixSource>map(CatalogueSource::new).toList();
    }

    private CatalogueEntry named(String name) throws IOException {
        try {
            return Catalogue.open(configuration).named(name);
        } catch (IllegalArgumentException e) {
            List<String> generators = GeneratorKind.all().stream().map(GeneratorKind::name).toList();
            String near = name.contains(":") ? Suggestions.phrase(name.split(":", 2)[0], generators) : "";
            throw new IllegalArgumentException("'" + name + "' is no file, folder, glob or generator, and "
                    + e.getMessage() + near, e);
        }
    }

    private static Optional<Path> path(String argument) {
        try {
            return Optional.of(Path.of(argument));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private List<MatrixSource> inFolder(Path folder) throws IOException {
        List<MatrixSource> found;
        try (Stream<Path> entries = Files.list(folder)) {
            found = sources(entries.filter(MatrixFiles::hasMatrixName));
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("folder " + folder + " has no matrix files");
        }
        return found;
    }

    private List<MatrixSource> byGlob(String glob) throws IOException {
        Path base = baseOf(glob);
        List<MatrixSource> found = List.of();
        if (Files.isDirectory(base)) {
            PathMatcher matcher = matcher(glob);
            try (Stream<Path> entries = Files.walk(base)) {
                found = sources(entries.map(entry -> withoutDot(entry, glob)).filter(matcher::matches));
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("glob '" + glob + "' matches no file");
        }
        return found;
    }

    private List<MatrixSource> sources(Stream<Path> files) {
        return files.filter(Files::isRegularFile).sorted().map(this::file).toList();
    }

    private MatrixSource file(Path file) {
        return new FileSource(file, options, cache);
    }

    private static PathMatcher matcher(String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("glob '" + glob + "': " + e.getDescription(), e);
        }
    }

    /** Returns the folder before the first part that has a sign of a glob. */
    private static Path baseOf(String glob) {
        int sign = 0;
        while (GLOB_SIGNS.indexOf(glob.charAt(sign)) < 0) {
            sign++;
        }
        int slash = glob.lastIndexOf('/', sign);
        return slash < 0 ? Path.of(".") : slash == 0 ? Path.of("/") : Path.of(glob.substring(0, slash));
    }

    /** A walk that starts at "." names its finds with that, and the glob does not. */
    private static Path withoutDot(Path entry, String glob) {
        return glob.startsWith("./") ? entry : entry.normalize();
    }
}
