package org.trellis.sparse.algebra;

import java.util.function.DoubleBinaryOperator;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Sums, means and extrema over rows, columns and the whole matrix. Elements without an entry count as 0, also in means
 * and extrema. All are formed in double precision in the order of rows, so the same bits each time, and given as
 * doubles. NaN wins over any number.
 */
public final class Reductions {
    private static final int ROWS_PER_TASK = 256;

    private Reductions() {}

    /**
     * Adds up each row.
     *
     * @param a a matrix
     * @return a new vector of doubles, an element for each row
     */
    public static HostVector rowSums(CsrMatrix a) {
        return ofRows(a, Double::sum);
    }

    /**
     * Adds up each column.
     *
     * @param a a matrix
     * @return a new vector of doubles, an element for each column
     */
    public static HostVector columnSums(CsrMatrix a) {
        return ofColumns(a, Double::sum);
    }

    /**
     * Adds up all elements.
     *
     * @param a a matrix
     * @return the sum
     */
    public static double sum(CsrMatrix a) {
        double[] sum = {0};
        a.forEachEntry((row, column, value) -> sum[0] += value);
        return sum[0];
    }

    /**
     * Forms the mean of each row.
     *
     * @param a a matrix of at least one column
     * @return a new vector of doubles, an element for each row
     * @throws IllegalArgumentException if there are no columns
     */
    public static HostVector rowMeans(CsrMatrix a) {
        requireElements("mean of rows", a, a.columns());
        return divided(rowSums(a), a.columns());
    }

    /**
     * Forms the mean of each column.
     *
     * @param a a matrix of at least one row
     * @return a new vector of doubles, an element for each column
     * @throws IllegalArgumentException if there are no rows
     */
    public static HostVector columnMeans(CsrMatrix a) {
        requireElements("mean of columns", a, a.rows());
        return divided(columnSums(a), a.rows());
    }

    /**
     * Forms the mean of all elements.
     *
     * @param a a matrix of at least one element
     * @return the mean
     * @throws IllegalArgumentException if there are no elements
     */
    public static double mean(CsrMatrix a) {
        long elements = (long) a.rows() * a.columns();
        requireElements("mean", a, elements);
        return sum(a) / elements;
    }

    /**
     * Finds the greatest element of each row.
     *
     * @param a a matrix of at least one column
     * @return a new vector of doubles, an element for each row
     * @throws IllegalArgumentException if there are no columns
     */
    public static HostVector rowMaxima(CsrMatrix a) {
        requireElements("maximum of rows", a, a.columns());
        return ofRows(a, Math::max);
    }

    /**
     * Finds the least element of each row.
     *
     * @param a a matrix of at least one column
     * @return a new vector of doubles, an element for each row
     * @throws IllegalArgumentException if there are no columns
     */
    public static HostVector rowMinima(CsrMatrix a) {
        requireElements("minimum of rows", a, a.columns());
        return ofRows(a, Math::min);
    }

    /**
     * Finds the greatest element of each column.
     *
     * @param a a matrix of at least one row
     * @return a new vector of doubles, an element for each column
     * @throws IllegalArgumentException if there are no rows
     */
    public static HostVector columnMaxima(CsrMatrix a) {
        requireElements("maximum of columns", a, a.rows());
        return ofColumns(a, Math::max);
    }

    /**
     * Finds the least element of each column.
     *
     * @param a a matrix of at least one row
     * @return a new vector of doubles, an element for each column
     * @throws IllegalArgumentException if there are no rows
     */
    public static HostVector columnMinima(CsrMatrix a) {
        requireElements("minimum of columns", a, a.rows());
        return ofColumns(a, Math::min);
    }

    /**
     * Finds the greatest element.
     *
     * @param a a matrix of at least one element
     * @return its value
     * @throws IllegalArgumentException if there are no elements
     */
    public static double maximum(CsrMatrix a) {
        requireElements("maximum", a, (long) a.rows() * a.columns());
        return reduce(rowMaxima(a), Math::max);
    }

    /**
     * Finds the least element.
     *
     * @param a a matrix of at least one element
     * @return its value
     * @throws IllegalArgumentException if there are no elements
     */
    public static double minimum(CsrMatrix a) {
        requireElements("minimum", a, (long) a.rows() * a.columns());
        return reduce(rowMinima(a), Math::min);
    }

    private static double reduce(HostVector elements, DoubleBinaryOperator operator) {
        double result = elements.get(0);
        for (int i = 1; i < elements.length(); i++) {
            result = operator.applyAsDouble(result, elements.get(i));
        }
        return result;
    }

    /** A row that is not full has an element of 0, which comes first. */
    private static HostVector ofRows(CsrMatrix a, DoubleBinaryOperator operator) {
        HostVector result = HostVector.zeros(Precision.F64, a.rows());
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, (from, to) -> {
            for (int row = from; row < to; row++) {
                CsrSegment segment = a.segmentOf(row);
                int first = segment.rowStart(row);
                int end = segment.rowEnd(row);
                boolean full = end - first == a.columns() && first < end;
                double value = full ? segment.values().get(first) : 0;
                for (int k = full ? first + 1 : first; k < end; k++) {
                    value = operator.applyAsDouble(value, segment.values().get(k));
                }
                result.set(row, value);
            }
        });
        return result;
    }

    private static HostVector ofColumns(CsrMatrix a, DoubleBinaryOperator operator) {
        double[] result = new double[a.columns()];
        int[] entries = new int[a.columns()];
        a.forEachEntry((row, column, value) -> {
            result[column] = entries[column] == 0 ? value : operator.applyAsDouble(result[column], value);
            entries[column]++;
        });
        for (int column = 0; column < entries.length; column++) {
            if (entries[column] < a.rows()) {
                result[column] = operator.applyAsDouble(0, result[column]);
            }
        }
        return HostVector.of(result);
    }

    private static HostVector divided(HostVector sums, long count) {
        return HostVector.of(Precision.F64, sums.length(), i -> sums.get(i) / count);
    }

    private static void requireElements(String what, CsrMatrix a, long count) {
        if (count == 0) {
            throw new IllegalArgumentException(what + " of " + a + ", expected at least one element");
        }
    }
}
