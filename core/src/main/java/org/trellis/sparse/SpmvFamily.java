package org.trellis.sparse;

import java.util.Arrays;

/** The families of product kernels. Which ones a backend has, its {@link SparseKernels} say. */
public enum SpmvFamily {
    /** Compressed sparse rows, whole rows to each thread or group of threads (thesis, figure 4.12). */
    CSR("csr"),
    /** Compressed sparse rows, equal numbers of non-zeros to each thread, rows split where need be. */
    CSR_BALANCED("csr-balanced"),
    /** As {@link #CSR_BALANCED}, with the elements of the most frequent columns in the fast memory of a GPU's cores. */
    CSR_HOT("csr-hot"),
    /** Coordinates. */
    COO("coo"),
    /** ELLPACK. */
    ELLPACK("ellpack"),
    /** SELL-C-σ. */
    SELL("sell"),
    /** SELL-C-σ whose rows consist of runs of consecutive columns; one index for each run. */
    SELL_RUNS("sell-runs"),
    /** SELL-C-1 in which the entries of a slot lie in consecutive columns; one index for each slot. */
    SELL_DIAGONALS("sell-diagonals"),
    /** One triangle of a symmetric matrix. */
    SYMMETRIC("symmetric"),
    /** Compressed sparse rows at first, then whatever proves faster in the products that are made; on CPUs. */
    ADAPTIVE("adaptive");

    private final String label;

    SpmvFamily(String label) {
        this.label = label;
    }

    /**
     * Returns the name used on the command line and in files.
     *
     * @return a lower-case word
     */
    public String label() {
        return label;
    }

    /**
     * Returns the family of a given name.
     *
     * @param label its label
     * @return the family
     * @throws IllegalArgumentException if there is none
     */
    public static SpmvFamily of(String label) {
        for (SpmvFamily family : values()) {
            if (family.label.equals(label)) {
                return family;
            }
        }
        throw new IllegalArgumentException("kernel family '" + label + "' is unknown, expected one of "
                + Arrays.stream(values()).map(SpmvFamily::label).toList());
    }
}
