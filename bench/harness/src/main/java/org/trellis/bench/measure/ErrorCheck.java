package org.trellis.bench.measure;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Returns whether a product is right. The yardstick is the {@code reference} backend in double precision on the values
 * that the contender has (single-precision values are exact in double), and the error is the componentwise backward
 * error {@code max |y − yref|ᵢ / (|A| |x|)ᵢ} (Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1 and
 * 7.2).
 *
 * <p>A row of n entries summed in any order with unit roundoff u is off by at most {@code γₙ (|A| |x|)ᵢ}, about
 * {@code n u}; so is the reference. A result is accepted if {@code |y − yref|ᵢ ≤ 2 (n + 1) u (|A| |x|)ᵢ} in every row,
 * plus as many of the smallest positive numbers to allow for underflow; a row whose terms are all 0 has to be 0. Where
 * the reference is infinite or not a
 * number, the result has to be the same.
 */
public final class ErrorCheck {
    private final int[] rowLengths;
    private final double[] expected;
    private final double[] magnitude;

    private ErrorCheck(int[] rowLengths, double[] expected, double[] magnitude) {
        this.rowLengths = rowLengths;
        this.expected = expected;
        this.magnitude = magnitude;
    }

    /**
     * Computes the right answer. Costs two products of the reference.
     *
     * @param matrix the matrix with the values that contenders have
     * @param x      the vector with the values that contenders have
     * @return the check
     */
    public static ErrorCheck of(CsrMatrix matrix, HostVector x) {
        CsrMatrix exact = matrix.toPrecision(Precision.F64);
        HostVector exactX = x.convert(Precision.F64);
        CsrMatrix absolute = exact.mapValues((row, column, value) -> Math.abs(value));
        HostVector absoluteX = HostVector.of(Precision.F64, x.length(), i -> Math.abs(exactX.get(i)));
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            return new ErrorCheck(matrix.rowLengths(), product(reference, exact, exactX),
                    product(reference, absolute, absoluteX));
        }
    }

    private static double[] product(Backend reference, CsrMatrix matrix, HostVector x) {
        HostVector y = HostVector.zeros(Precision.F64, matrix.rows());
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix)) {
            operator.multiply(x, y);
        }
        return y.doubles();
    }

    /**
     * Judges a result.
     *
     * @param y the result of a contender
     * @return the verdict
     * @throws IllegalArgumentException if it has the wrong length
     */
    public Verdict judge(HostVector y) {
        if (y.length() != expected.length) {
            throw new IllegalArgumentException("result has " + y.length() + " elements, expected " + expected.length);
        }
        double worst = 0;
        int firstWrong = -1;
        for (int row = 0; row < expected.length; row++) {
            double difference = difference(y.get(row), expected[row]);
            worst = Math.max(worst, relative(difference, magnitude[row]));
            if (firstWrong < 0 && !(difference <= bound(row, y.precision()))) {
                firstWrong = row;
            }
        }
        return new Verdict(worst, worst / y.precision().unitRoundoff(), firstWrong,
                firstWrong < 0 ? "" : explain(firstWrong, y));
    }

    private static double difference(double actual, double wanted) {
        if (Double.isFinite(wanted)) {
            return Double.isNaN(actual) ? Double.POSITIVE_INFINITY : Math.abs(actual - wanted);
        }
        return Double.compare(actual, wanted) == 0 ? 0 : Double.POSITIVE_INFINITY;
    }

    private static double relative(double difference, double magnitude) {
        return difference == 0 ? 0 : difference / magnitude;
    }

    private double bound(int row, Precision precision) {
        if (magnitude[row] == 0) {
            return 0;
        }
        double operations = 2.0 * (rowLengths[row] + 1);
        double smallest = precision == Precision.F64 ? Double.MIN_VALUE : Float.MIN_VALUE;
        double scale = Double.isFinite(magnitude[row]) ? magnitude[row] : 0;
        return operations * precision.unitRoundoff() * scale + operations * smallest;
    }

    private String explain(int row, HostVector y) {
        return "row " + row + " is " + y.get(row) + ", expected " + expected[row] + " within "
                + bound(row, y.precision()) + " (" + rowLengths[row] + " entries)";
    }

    /**
     * What came of comparing a result.
     *
     * @param backwardError {@code max |y − yref|ᵢ / (|A| |x|)ᵢ}, infinite if a row that must be 0 is not
     * @param inRoundoffs   the same in units of the unit roundoff of the result's precision
     * @param firstWrong    the first row beyond the bound, or −1
     * @param explanation   what is wrong there, empty if nothing is
     */
    public record Verdict(double backwardError, double inRoundoffs, int firstWrong, String explanation) {
        /**
         * Returns whether every row is within the bound.
         *
         * @return true if the result is accepted
         */
        public boolean accepted() {
            return firstWrong < 0;
        }
    }
}
