package org.trellis.matrices.catalogue;

import java.io.IOException;
import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/** A matrix that has a name, and is not loaded yet. */
public final class CatalogueEntry {
    private final String name;
    private final EntryKind kind;
    private final String description;
    private final String provenance;
    private final EntryFacts facts;
    private final Loader loader;

    CatalogueEntry(String name, EntryKind kind, String description, String provenance, EntryFacts facts,
            Loader loader) {
        this.name = Objects.requireNonNull(name);
        this.kind = Objects.requireNonNull(kind);
        this.description = Objects.requireNonNull(description);
        this.provenance = Objects.requireNonNull(provenance);
        this.facts = Objects.requireNonNull(facts);
        this.loader = Objects.requireNonNull(loader);
    }

    /** Reads or makes a matrix. */
    @FunctionalInterface
    interface Loader {
        CsrMatrix load(Precision precision, ProgressListener progress) throws IOException;
    }

    /**
     * Returns the name.
     *
     * @return what {@link Catalogue#named} takes
     */
    public String name() {
        return name;
    }

    /**
     * Returns where the matrix comes from.
     *
     * @return the kind
     */
    public EntryKind kind() {
        return kind;
    }

    /**
     * Returns what the matrix is.
     *
     * @return a phrase; that of a surrogate says that it is one
     */
    public String description() {
        return description;
    }

    /**
     * Returns the origin in words.
     *
     * @return author, source and licence, the path of a file, or the specification of a generator
     */
    public String provenance() {
        return provenance;
    }

    /**
     * Returns what is known without loading the matrix.
     *
     * @return sizes and counts as far as they are known
     */
    public EntryFacts facts() {
        return facts;
    }

    /**
     * Reads or makes the matrix, anew with each call.
     *
     * @param precision the type of the values
     * @param progress  receives how far it is
     * @return the matrix
     * @throws IOException                              if a file cannot be read
     * @throws org.trellis.common.MatrixFormatException if a file does not follow its format
     * @throws IllegalArgumentException                 if the matrix does not fit the heap of this JVM
     */
    public CsrMatrix load(Precision precision, ProgressListener progress) throws IOException {
        return loader.load(precision, progress);
    }

    @Override
    public String toString() {
        return name + " (" + kind.label() + ")";
    }
}
