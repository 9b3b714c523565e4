package org.trellis.cuda.sparse;

import org.trellis.common.Precision;

/**
 * In which types a product is computed.
 *
 * @param values of the matrix and the vectors
 * @param sums   of the rows while they are added up; {@code F64} gives float products that are rounded once
 */
record NumberTypes(Precision values, Precision sums) {
    /** Checks that sums are at least as precise as values. */
    NumberTypes {
        if (values == Precision.F64 && sums == Precision.F32) {
            throw new IllegalArgumentException("sums in f32 of values in f64, expected f64");
        }
    }

    /** Returns the type's name in CUDA C. */
    static String name(Precision precision) {
        return precision == Precision.F64 ? "double" : "float";
    }
}
