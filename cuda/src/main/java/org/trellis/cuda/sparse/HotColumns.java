package org.trellis.cuda.sparse;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The columns with the most entries, and a matrix's columns written so that these come first.
 *
 * @param list    the hot columns in rising order, as many as there is room for or the matrix has
 * @param columns for each entry the place of its hot column, or the column plus the room for hot ones
 */
record HotColumns(int[] list, int[] columns) {
    private static final int SAMPLE = 1 << 16;

    /**
     * Finds the hot columns of a matrix. Costs two passes over its columns and a sort of their counts.
     *
     * @param matrix the matrix
     * @param room   how many hot columns there may be, at least 1
     * @return the columns
     */
    static HotColumns of(HostCsr matrix, int room) {
        int[] counts = new int[matrix.columns()];
        int nonZeros = matrix.nonZeros();
        for (int k = 0; k < nonZeros; k++) {
            counts[matrix.columnIndices()[k]]++;
        }
        int[] list = mostFrequent(counts, room);
        int[] code = new int[matrix.columns()];
        Arrays.setAll(code, column -> column + room);
        for (int place = 0; place < list.length; place++) {
            code[list[place]] = place;
        }
        int[] columns = new int[nonZeros];
        IntStream.range(0, nonZeros).parallel().forEach(k -> columns[k] = code[matrix.columnIndices()[k]]);
        return new HotColumns(list, columns);
    }

    /** Returns the columns with the largest counts, in rising order; of equal counts the first. */
    private static int[] mostFrequent(int[] counts, int room) {
        long[] keys = new long[counts.length];
        Arrays.setAll(keys, column -> (long) -counts[column] << Integer.SIZE | column);
        Arrays.parallelSort(keys);
        int[] list = new int[Math.min(room, counts.length)];
        for (int place = 0; place < list.length; place++) {
            list[place] = (int) keys[place];
        }
        Arrays.sort(list);
        return list;
    }

    /**
     * Estimates which share of the entries is in the most frequent columns, from up to {@value #SAMPLE} entries evenly
     * spread over the matrix. Somewhat too high where no column is frequent.
     *
     * @param matrix the matrix
     * @param room   how many columns
     * @return from 0 to 1; 0 without entries
     */
    static double sampledShare(CsrMatrix matrix, int room) {
        int size = (int) Math.min(SAMPLE, matrix.nonZeros());
        if (size == 0) {
            return 0;
        }
        int[] sample = sample(matrix, size);
        Arrays.sort(sample);
        int[] runs = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += i == 0 || sample[i] != sample[i - 1] ? 1 : 0;
            runs[count - 1]++;
        }
        Arrays.sort(runs, 0, count);
        long covered = 0;
        for (int i = Math.max(0, count - room); i < count; i++) {
            covered += runs[i];
        }
        return (double) covered / size;
    }

    private static int[] sample(CsrMatrix matrix, int size) {
        int[] sample = new int[size];
        for (CsrSegment segment : matrix.segments()) {
            long first = Math.ceilDiv(segment.base() * size, matrix.nonZeros());
            for (long i = first; i < size && i * matrix.nonZeros() / size < segment.base() + segment.nonZeros(); i++) {
                sample[(int) i] = segment.columnIndices()[(int) (i * matrix.nonZeros() / size - segment.base())];
            }
        }
        return sample;
    }
}
