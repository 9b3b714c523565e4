package org.trellis.sparse;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A matrix that is written element by element, in any order, as SciPy's {@code dok_array}: a dictionary of entries by
 * place. Takes about 80 bytes an entry; where there are many, {@link CooMatrix} takes 16. Not thread-safe.
 */
public final class DokMatrix {
    private final int rows;
    private final int columns;
    private final Map<Long, Double> entries = new HashMap<>();

    /**
     * Starts without entries.
     *
     * @param rows    number of rows
     * @param columns number of columns
     * @throws IllegalArgumentException if a size is negative
     */
    public DokMatrix(int rows, int columns) {
        this.rows = Checks.notNegative("rows", rows);
        this.columns = Checks.notNegative("columns", columns);
    }

    /**
     * Copies a matrix.
     *
     * @param matrix the matrix
     * @return one that can be changed
     */
    public static DokMatrix from(CsrMatrix matrix) {
        DokMatrix copy = new DokMatrix(matrix.rows(), matrix.columns());
        matrix.forEachEntry(copy::set);
        return copy;
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int rows() {
        return rows;
    }

    /**
     * Returns the number of columns.
     *
     * @return at least 0
     */
    public int columns() {
        return columns;
    }

    /**
     * Returns the number of entries.
     *
     * @return those that were set or added to and not removed
     */
    public int nonZeros() {
        return entries.size();
    }

    /**
     * Returns an element.
     *
     * @param row    its row
     * @param column its column
     * @return its value, 0 if there is no entry
     * @throws IndexOutOfBoundsException if it lies outside the matrix
     */
    public double get(int row, int column) {
        return entries.getOrDefault(place(row, column), 0.0);
    }

    /**
     * Sets an element.
     *
     * @param row    its row
     * @param column its column
     * @param value  its value; 0 is stored, too
     * @throws IndexOutOfBoundsException if it lies outside the matrix
     */
    public void set(int row, int column, double value) {
        entries.put(place(row, column), value);
    }

    /**
     * Adds to an element.
     *
     * @param row    its row
     * @param column its column
     * @param value  what is added
     * @throws IndexOutOfBoundsException if it lies outside the matrix
     */
    public void add(int row, int column, double value) {
        entries.merge(place(row, column), value, Double::sum);
    }

    /**
     * Removes the entry of an element, which is 0 then.
     *
     * @param row    its row
     * @param column its column
     * @throws IndexOutOfBoundsException if it lies outside the matrix
     */
    public void remove(int row, int column) {
        entries.remove(place(row, column));
    }

    private long place(int row, int column) {
        return (long) Checks.index("row", row, rows) * columns + Checks.index("column", column, columns);
    }

    /**
     * Copies to compressed rows. Costs a sort.
     *
     * @param precision the type of the values; rounded to nearest for {@link Precision#F32}
     * @return a new matrix
     */
    public CsrMatrix toCsr(Precision precision) {
        long[] places = entries.keySet().stream().mapToLong(place -> place).toArray();
        Arrays.parallelSort(places);
        int[] rowIndices = new int[places.length];
        int[] columnIndices = new int[places.length];
        HostVector values = HostVector.zeros(precision, places.length);
        for (int k = 0; k < places.length; k++) {
            rowIndices[k] = (int) (places[k] / columns);
            columnIndices[k] = (int) (places[k] % columns);
            values.set(k, entries.get(places[k]));
        }
        return CooMatrix.of(rows, columns, rowIndices, columnIndices, values).toCsr();
    }

    @Override
    public String toString() {
        return "DOK matrix " + rows + " x " + columns + ", " + nonZeros() + " entries";
    }
}
