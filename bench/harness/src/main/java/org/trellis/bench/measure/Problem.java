package org.trellis.bench.measure;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix in one precision, a vector to multiply and the right answer.
 *
 * @param matrix    the matrix in the precision of the contenders
 * @param x         the vector in that precision
 * @param check     the right answer
 * @param objection why the matrix is not available in that precision, or empty
 */
record Problem(CsrMatrix matrix, HostVector x, ErrorCheck check, String objection) {
    static Problem of(CsrMatrix matrix, Precision precision, long seed) {
        CsrMatrix converted = matrix.toPrecision(precision);
        HostVector x = HostVector.of(precision, matrix.columns(), randomElements(seed));
        return new Problem(converted, x, ErrorCheck.of(converted, x), overflow(matrix, precision));
    }

    private static IntToDoubleFunction randomElements(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return i -> random.nextDouble(-1, 1);
    }

    private static String overflow(CsrMatrix matrix, Precision precision) {
        if (precision == Precision.F64) {
            return "";
        }
        double largest = largestFinite(matrix);
        return largest <= Float.MAX_VALUE
                ? ""
                : "the matrix has a value of magnitude " + largest + ", expected at most " + Float.MAX_VALUE
                        + " for " + precision.label();
    }

    private static double largestFinite(CsrMatrix matrix) {
        double[] largest = {0};
        matrix.forEachEntry((row, column, value) -> {
            if (Double.isFinite(value)) {
                largest[0] = Math.max(largest[0], Math.abs(value));
            }
        });
        return largest[0];
    }
}
