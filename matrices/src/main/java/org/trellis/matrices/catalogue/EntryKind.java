package org.trellis.matrices.catalogue;

import java.util.Locale;

/** Where the matrices of the catalogue come from. */
public enum EntryKind {
    /** A file in one of the configured folders. */
    FILE,
    /** A real matrix that comes with the library. */
    EMBEDDED,
    /** A generator with fixed parameters. */
    GENERATED,
    /** A generated matrix in place of one of the thesis. */
    SURROGATE;

    /**
     * Returns the name for lists.
     *
     * @return the name in small letters
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
