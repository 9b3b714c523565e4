package org.trellis.matrices.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.cache.MatrixCache;
import org.trellis.matrices.generate.Suggestions;
import org.trellis.matrices.io.ReadOptions;

/**
 * The named matrices: files in the folders that {@link ConfigurationKeys#MATRICES_PATH} names, real matrices that come
 * with the library, presets of the generators, and surrogates of the matrices of the thesis. Immutable; a file that
 * comes later is seen by a catalogue that is opened later.
 *
 * <p>Where a file and an embedded matrix have the same name, the file is the one that is found, and both are listed.
 */
public final class Catalogue {
    private final List<CatalogueEntry> entries;

    private Catalogue(List<CatalogueEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    /**
     * Opens the catalogue. Lists the configured folders, not what lies in folders within, and reads no matrix.
     *
     * @param configuration the settings: folders, and the cache for parsed files
     * @return the catalogue
     * @throws IOException              if a folder cannot be listed
     * @throws IllegalArgumentException if a configured folder does not exist; names it and where it was configured
     */
    public static Catalogue open(Configuration configuration) throws IOException {
        List<CatalogueEntry> entries = new ArrayList<>();
        for (Path folder : configuration.get(ConfigurationKeys.MATRICES_PATH)) {
            if (!Files.isDirectory(folder)) {
                throw new IllegalArgumentException(ConfigurationKeys.MATRICES_PATH.name() + " ("
                        + configuration.origin(ConfigurationKeys.MATRICES_PATH) + "): '" + folder
                        + "' is no folder, expected folders that exist");
            }
            addFiles(folder, configuration, entries);
        }
        entries.addAll(EmbeddedMatrices.entries(configuration));
        entries.addAll(Presets.entries());
        for (ThesisMatrix facts : ThesisMatrix.all()) {
            entries.add(surrogate(facts));
        }
        return new Catalogue(entries);
    }

    private static void addFiles(Path folder, Configuration configuration, List<CatalogueEntry> entries)
            throws IOException {
        ReadOptions options = ReadOptions.DEFAULT.withThreads(configuration.get(ConfigurationKeys.THREADS));
        MatrixCache cache = MatrixCache.of(configuration);
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.filter(MatrixFiles::hasMatrixName).filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            entries.add(new CatalogueEntry(nameOf(file), EntryKind.FILE, "matrix file", file.toString(),
                    EntryFacts.UNKNOWN, (precision, progress) -> MatrixFiles.read(file,
                            options.withPrecision(precision).withProgress(progress), cache)));
        }
    }

    /** The name of a file without the extension of its format and that of its compression. */
    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName()).replaceFirst("(?i)\\.gz$", "");
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    private static CatalogueEntry surrogate(ThesisMatrix facts) {
        Surrogate surrogate = Surrogate.of(facts);
        String description = "surrogate, not the original: generated with the rows, columns, non-zeros and row-length "
                + "deviation of " + facts.group() + "/" + facts.collectionName() + " (" + facts.description() + ")";
        String provenance = "generated; facts: SuiteSparse Matrix Collection index; deviation "
                + facts.deviationOrigin().label() + ": " + facts.deviationNote();
        return new CatalogueEntry(surrogate.name(), EntryKind.SURROGATE, description, provenance,
                EntryFacts.of(facts), surrogate::generate);
    }

    /**
     * Returns everything.
     *
     * @return files, embedded matrices, presets and surrogates, in this order
     */
    public List<CatalogueEntry> entries() {
        return entries;
    }

    /**
     * Returns what comes from one place.
     *
     * @param kind the place
     * @return its matrices, perhaps none
     */
    public List<CatalogueEntry> entries(EntryKind kind) {
        return entries.stream().filter(entry -> entry.kind() == kind).toList();
    }

    /**
     * Looks for a matrix.
     *
     * @param name a name
     * @return the first matrix of that name in the order of {@link #entries()}, if there is one
     */
    public Optional<CatalogueEntry> find(String name) {
        return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /**
     * Finds a matrix.
     *
     * @param name its name
     * @return the first matrix of that name in the order of {@link #entries()}
     * @throws IllegalArgumentException if there is none; lists names that are near
     */
    public CatalogueEntry named(String name) {
        return find(name).orElseThrow(() -> {
            List<String> names = entries.stream().map(CatalogueEntry::name).toList();
            String surrogate = Surrogate.PREFIX + name;
            String hint = names.contains(surrogate)
                    ? "; " + surrogate + " is generated to stand in for it"
                    : Suggestions.phrase(name, names);
            return new IllegalArgumentException("no matrix of the catalogue is named '" + name + "'" + hint);
        });
    }
}
