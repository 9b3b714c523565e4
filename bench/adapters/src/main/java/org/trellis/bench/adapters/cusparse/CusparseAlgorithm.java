package org.trellis.bench.adapters.cusparse;

import java.util.Arrays;

/** The algorithms by which cuSPARSE multiplies, with its numbers for them ({@code cusparseSpMVAlg_t}). */
enum CusparseAlgorithm {
    /** Compressed rows, the default. */
    ALG1("csr-alg1", 2, false),
    /** Compressed rows, the default, after {@code cusparseSpMV_preprocess}. */
    ALG1_PREPROCESSED("csr-alg1-preprocessed", 2, true),
    /** Compressed rows, the same bits every time. */
    ALG2("csr-alg2", 3, false),
    /** Compressed rows, the same bits every time, after {@code cusparseSpMV_preprocess}. */
    ALG2_PREPROCESSED("csr-alg2-preprocessed", 3, true),
    /** Sliced ELLPACK. */
    SELL("sell", 5, false);

    private final String label;
    private final int code;
    private final boolean preprocessed;

    CusparseAlgorithm(String label, int code, boolean preprocessed) {
        this.label = label;
        this.code = code;
        this.preprocessed = preprocessed;
    }

    String label() {
        return label;
    }

    int code() {
        return code;
    }

    boolean preprocessed() {
        return preprocessed;
    }

    static CusparseAlgorithm of(String label) {
        return Arrays.stream(values()).filter(algorithm -> algorithm.label.equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("cuSPARSE has no algorithm '" + label
                        + "', expected one of " + Arrays.stream(values()).map(CusparseAlgorithm::label).toList()));
    }
}
