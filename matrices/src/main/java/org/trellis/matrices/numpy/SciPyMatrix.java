package org.trellis.matrices.numpy;

import java.util.Arrays;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;

/** The arrays of a file of SciPy, each checked before it is used. */
final class SciPyMatrix {
    /** Rows or columns that a file may have whatever its size; more only if it has as many elements. */
    private static final int ALWAYS_ALLOWED_DIMENSION = 1 << 22;

    private final String name;
    private final Map<String, NpyArray> arrays;
    private final ComplexPolicy policy;
    private int rows;
    private int columns;

    SciPyMatrix(String name, Map<String, NpyArray> arrays, ComplexPolicy policy) {
        this.name = name;
        this.policy = policy;
        this.arrays = arrays;
    }

    CsrMatrix read() {
        String format = array("format").text();
        long[] shape = array("shape").wholeNumbers();
        if (shape.length != 2) {
            throw NpyArray.problem(name, "shape " + Arrays.toString(shape), "two sizes");
        }
        rows = size("rows", shape[0]);
        columns = size("columns", shape[1]);
        return switch (format) {
            case "csr" -> compressed(rows, columns, 1, 1);
            case "csc" -> compressed(columns, rows, 1, 1).transpose();
            case "coo" -> coordinates();
            case "bsr" -> blocks();
            case "dia" -> diagonals();
            default -> throw NpyArray.problem(name, "format " + PrintableText.quote(format),
                    "csr, csc, coo, bsr or dia");
        };
    }

    boolean isComplex() {
        return array("data").isComplex();
    }

    private NpyArray array(String array) {
        NpyArray found = arrays.get(array);
        if (found == null) {
            throw NpyArray.problem(name, "no array " + array, "one in an archive of scipy.sparse.save_npz");
        }
        return found;
    }

    /** Sizes cost memory, so what a short file claims is not believed. */
    private int size(String what, long size) {
        long most = Math.max(ALWAYS_ALLOWED_DIMENSION, arrays.values().stream().mapToLong(NpyArray::count).sum());
        if (size < 0 || size > Math.min(most, Integer.MAX_VALUE - 8L)) {
            throw NpyArray.problem(name, size + " " + what, "0 to " + Math.min(most, Integer.MAX_VALUE - 8L));
        }
        return (int) size;
    }

    private static int[] indices(NpyArray array, int limit) {
        long[] numbers = array.wholeNumbers();
        int[] indices = new int[numbers.length];
        for (int k = 0; k < indices.length; k++) {
            if (numbers[k] < 0 || numbers[k] >= limit) {
                throw NpyArray.problem(array.name(), "element " + k + " is " + numbers[k], limit == 0
                        ? "no elements, as the matrix has none"
                        : "0 to " + (limit - 1));
            }
            indices[k] = (int) numbers[k];
        }
        return indices;
    }

    private int[] offsets(int lines, int entries) {
        NpyArray array = array("indptr");
        long[] offsets = array.wholeNumbers();
        if (offsets.length != lines + 1) {
            throw NpyArray.problem(array.name(), offsets.length + " offsets", lines + 1 + " for " + lines + " lines");
        }
        for (int i = 0; i <= lines; i++) {
            long least = i == 0 ? 0 : offsets[i - 1];
            if (offsets[i] < least || offsets[i] > entries || (i == 0 && offsets[0] != 0)) {
                throw NpyArray.problem(array.name(), "element " + i + " is " + offsets[i],
                        i == 0 ? "0" : least + " to " + entries);
            }
        }
        if (offsets[lines] != entries) {
            throw NpyArray.problem(array.name(), "the last element is " + offsets[lines], entries + " as there are "
                    + "indices");
        }
        return Arrays.stream(offsets).mapToInt(offset -> (int) offset).toArray();
    }

    private double[] values(long expected) {
        NpyArray array = array("data");
        double[] values = array.numbers(policy);
        if (values.length != expected) {
            throw NpyArray.problem(array.name(), values.length + " elements", expected + " as there are indices");
        }
        return values;
    }

    /** Lines of entries or of blocks; indices may come in any order. */
    private CsrMatrix compressed(int lines, int across, int height, int width) {
        int[] inner = indices(array("indices"), across / width);
        int[] offsets = offsets(lines / height, inner.length);
        int area = height * width;
        double[] values = values((long) inner.length * area);
        int[] rowIndices = new int[values.length];
        int[] columnIndices = new int[values.length];
        for (int line = 0; line < offsets.length - 1; line++) {
            for (int k = offsets[line] * area; k < offsets[line + 1] * area; k++) {
                rowIndices[k] = line * height + k % area / width;
                columnIndices[k] = inner[k / area] * width + k % width;
            }
        }
        return CooMatrix.of(lines, across, rowIndices, columnIndices, HostVector.of(values)).toCsr();
    }

    private CsrMatrix blocks() {
        NpyArray data = array("data");
        long[] shape = data.shape();
        if (shape.length != 3 || shape[1] < 1 || shape[2] < 1 || shape[1] > Math.max(1, rows)
                || shape[2] > Math.max(1, columns) || rows % shape[1] != 0 || columns % shape[2] != 0) {
            throw NpyArray.problem(data.name(), "shape " + Arrays.toString(shape), "blocks whose sizes divide " + rows
                    + " rows and " + columns + " columns");
        }
        return compressed(rows, columns, (int) shape[1], (int) shape[2]);
    }

    private CsrMatrix coordinates() {
        int[] rowIndices = indices(array("row"), rows);
        int[] columnIndices = indices(array("col"), columns);
        if (rowIndices.length != columnIndices.length) {
            throw NpyArray.problem(name, rowIndices.length + " rows and " + columnIndices.length + " columns",
                    "as many of both");
        }
        return CooMatrix.of(rows, columns, rowIndices, columnIndices, HostVector.of(values(rowIndices.length)))
                .toCsr();
    }

    /** Only elements that are not 0, as SciPy counts them. */
    private CsrMatrix diagonals() {
        NpyArray data = array("data");
        long[] shape = data.shape();
        long[] offsets = array("offsets").wholeNumbers();
        if (shape.length != 2 || shape[0] != offsets.length) {
            throw NpyArray.problem(data.name(), "shape " + Arrays.toString(shape), offsets.length + " diagonals");
        }
        double[] values = data.numbers(policy);
        int length = (int) shape[1];
        int[] rowIndices = new int[values.length];
        int[] columnIndices = new int[values.length];
        int used = 0;
        double[] kept = new double[values.length];
        for (int k = 0; k < values.length; k++) {
            int column = k % length;
            long row = column - offsets[k / length];
            if (row >= 0 && row < rows && column < columns && values[k] != 0) {
                rowIndices[used] = (int) row;
                columnIndices[used] = column;
                kept[used++] = values[k];
            }
        }
        int count = used;
        return CooMatrix.of(rows, columns, Arrays.copyOf(rowIndices, count), Arrays.copyOf(columnIndices, count),
                HostVector.of(Precision.F64, count, k -> kept[k])).toCsr();
    }
}
