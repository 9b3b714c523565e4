package org.trellis.fem;

import java.util.Arrays;
import java.util.Locale;

/** Where the values of element matrices go (thesis, section 3.3). */
public enum Storage {
    /** Compressed rows; the place of each entry is computed beforehand. */
    CSR,
    /** Compressed rows; the place of each entry is looked for in its row. CPU backends but {@code reference}. */
    CSR_SEARCH,
    /** Rows padded to the longest; the place of each entry is computed beforehand. */
    ELLPACK,
    /** Rows to which those of element matrices are appended; entries of one place stay several, or are merged. */
    LAZY_ELLPACK,
    /** The matrices of the elements themselves. */
    LOCAL_MATRICES,
    /** Nothing: integrals are computed in each product. */
    MATRIX_FREE,
    /** Factors at the quadrature points. */
    MATRIX_FREE_FACTORED;

    /**
     * Returns the name in options and reports.
     *
     * @return lower case, with hyphens
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds a storage by its name.
     *
     * @param label the name
     * @return the storage
     * @throws IllegalArgumentException if there is none of this name; says which there are
     */
    public static Storage of(String label) {
        return Arrays.stream(values()).filter(value -> value.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("storage is '" + label + "', expected one of "
                        + Arrays.stream(values()).map(Storage::label).toList()));
    }

    /**
     * Says whether the matrix is there in compressed rows, for preconditioners that need it.
     *
     * @return true for both kinds of compressed rows
     */
    public boolean hasRows() {
        return this == CSR || this == CSR_SEARCH;
    }
}
