package org.trellis.tuner.features;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;

/**
 * What the models see of a matrix. Costs one pass over the row offsets and, for the last four numbers, a look at a
 * bounded sample of columns: {@value ColumnSample#GROUPS} groups of {@value RowPass#GROUP} successive rows, of each row
 * at most {@value ColumnSample#ENTRIES} entries; the features of chunks need a sample of their own.
 *
 * @param rows               number of rows
 * @param columns            number of columns
 * @param nonZeros           number of entries
 * @param meanRowLength      mean entries of a row, 0 without rows
 * @param rowLengthDeviation standard deviation of the row lengths over all rows
 * @param rowLengthSkew      third standardised moment of the row lengths, 0 where all rows are equally long
 * @param maximumRowLength   entries of the longest row
 * @param emptyShare         rows without entries over all rows
 * @param groupPadding       entries over non-zeros if each row of a group of {@value RowPass#GROUP} had as many entries
 *                           as the longest of its group; 1 for even rows
 * @param runShare           sampled entries whose left neighbour is an entry too, over all sampled
 * @param diagonalShare      sampled entries whose neighbour below and to the right is the entry of the same place in
 *                           the next row, over all sampled
 * @param linesPerEntry      lines of 128 bytes (16 columns) of the operand that a group touches, over its entries
 * @param columnSpan         distance between the first and last column of a group over the number of columns
 * @param chunks           how chunks of rows can be stored, {@link ChunkFeatures#UNKNOWN} in older profiles
 */
public record MatrixFeatures(int rows, int columns, long nonZeros, double meanRowLength, double rowLengthDeviation,
        double rowLengthSkew, int maximumRowLength, double emptyShare, double groupPadding, double runShare,
        double diagonalShare, double linesPerEntry, double columnSpan, ChunkFeatures chunks) {
    /** Entries of a row from which it pays that several threads share it. */
    private static final double ENTRIES_OF_A_THREAD = 50;
    private static final List<String> FIRST_NAMES = List.of("precisionBytes", "logRows", "logNonZeros",
            "logMeanRowLength", "relativeDeviation", "logSkew", "logMaximumOverMean", "emptyShare", "logGroupPadding",
            "runShare", "diagonalShare", "logLinesPerEntry", "columnSpan", "logOperandBytes", "logMaximumRowLength",
            "logStoredBytes", "logThreads");
    private static final List<String> VECTOR_NAMES =
            Stream.concat(FIRST_NAMES.stream(), ChunkFeatures.VECTOR_NAMES.stream()).toList();

    /** Checks that there are features of chunks, known or not. */
    public MatrixFeatures {
        Objects.requireNonNull(chunks);
    }

    /**
     * Finds the features of a matrix.
     *
     * @param matrix the matrix
     * @return its features
     */
    public static MatrixFeatures of(CsrMatrix matrix) {
        RowPass rows = RowPass.over(matrix);
        ColumnSample sample = ColumnSample.of(matrix);
        return new MatrixFeatures(matrix.rows(), matrix.columns(), matrix.nonZeros(), rows.mean(), rows.deviation(),
                rows.skew(), rows.maximum(), rows.emptyShare(), rows.padding(), sample.runShare(),
                sample.diagonalShare(), sample.linesPerEntry(), sample.columnSpan(),
                ChunkSample.of(matrix).features(rows.vectorPadding()));
    }

    /**
     * Returns the names of the numbers of {@link #vector}, which a model is stored with.
     *
     * @return the names in the vector's order
     */
    public static List<String> vectorNames() {
        return VECTOR_NAMES;
    }

    /**
     * Returns the names of the numbers of {@link #vector} that are known of this matrix.
     *
     * @return all names, or those that the profiles of older versions have, in the vector's order
     */
    public List<String> knownNames() {
        return chunks.isKnown() ? VECTOR_NAMES : FIRST_NAMES;
    }

    /**
     * Returns what a model reads: the features on scales on which equal steps mean about the same.
     *
     * @param precision the type of the values
     * @return a new array, as long as {@link #vectorNames()}; what is not known is a NaN
     */
    public double[] vector(Precision precision) {
        double mean = Math.max(meanRowLength, 1e-3);
        double[] first = {precision.bytes(), log2(rows + 1.0), log2(nonZeros + 1.0), log2(mean),
            rowLengthDeviation / mean, Math.log1p(Math.max(0, rowLengthSkew)),
            log2(Math.max(1, maximumRowLength) / mean), emptyShare, log2(Math.max(1, groupPadding)), runShare,
            diagonalShare, log2(Math.max(1e-3, linesPerEntry)), columnSpan,
            log2((double) columns * precision.bytes() + 1), log2(Math.max(1, maximumRowLength)),
            log2((double) nonZeros * (precision.bytes() + Integer.BYTES) + 1),
            log2(rows * Math.max(1, mean / ENTRIES_OF_A_THREAD) + 1)};
        double[] vector = Arrays.copyOf(first, VECTOR_NAMES.size());
        chunks.fill(vector, first.length);
        return vector;
    }

    static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }

    /**
     * Returns the features by name, for files.
     *
     * @return a new map in a fixed order
     */
    public Map<String, Number> toMap() {
        Map<String, Number> map = new LinkedHashMap<>();
        map.put("rows", rows);
        map.put("columns", columns);
        map.put("nonZeros", nonZeros);
        map.put("meanRowLength", meanRowLength);
        map.put("rowLengthDeviation", rowLengthDeviation);
        map.put("rowLengthSkew", rowLengthSkew);
        map.put("maximumRowLength", maximumRowLength);
        map.put("emptyShare", emptyShare);
        map.put("groupPadding", groupPadding);
        map.put("runShare", runShare);
        map.put("diagonalShare", diagonalShare);
        map.put("linesPerEntry", linesPerEntry);
        map.put("columnSpan", columnSpan);
        map.putAll(chunks.toMap());
        return map;
    }

    /**
     * Reads features by name; the inverse of {@link #toMap()}.
     *
     * @param map names and values; names that are no features are ignored; the features of chunks may be missing as a
     *            whole
     * @return the features
     * @throws IllegalArgumentException if one is missing or no finite number, or a count is no whole number from 0
     */
    public static MatrixFeatures fromMap(Map<String, ? extends Number> map) {
        return new MatrixFeatures((int) whole(map, "rows", Integer.MAX_VALUE),
                (int) whole(map, "columns", Integer.MAX_VALUE), whole(map, "nonZeros", Long.MAX_VALUE),
                number(map, "meanRowLength"), number(map, "rowLengthDeviation"),
                number(map, "rowLengthSkew"), (int) whole(map, "maximumRowLength", Integer.MAX_VALUE),
                number(map, "emptyShare"),
                number(map, "groupPadding"), number(map, "runShare"), number(map, "diagonalShare"),
                number(map, "linesPerEntry"), number(map, "columnSpan"),
                ChunkFeatures.fromMap(map));
    }

    private static long whole(Map<String, ? extends Number> map, String name, long most) {
        double value = number(map, name);
        if (!(value >= 0 && value <= most && value == Math.rint(value))) {
            throw new IllegalArgumentException("feature " + name + " is " + map.get(name)
                    + ", expected a whole number from 0 to " + most);
        }
        return (long) value;
    }

    static double number(Map<String, ? extends Number> map, String name) {
        Number value = map.get(name);
        if (value == null || !Double.isFinite(value.doubleValue())) {
            throw new IllegalArgumentException("feature " + name + " is " + value + ", expected a finite number");
        }
        return value.doubleValue();
    }
}
