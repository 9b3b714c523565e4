package org.trellis.convert.matlab;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CooMatrix;
import us.hebi.matlab.mat.types.Array;
import us.hebi.matlab.mat.types.MatFile;
import us.hebi.matlab.mat.types.Matrix;
import us.hebi.matlab.mat.types.Sparse;
import us.hebi.matlab.mat.types.Struct;

/** The matrix of a file. */
final class MatlabMatrix {
    private static final String USUAL = "A";
    private static final int FIRST_CAPACITY = 1 << 10;

    private final Matrix matrix;
    private int[] rows = new int[FIRST_CAPACITY];
    private int[] columns = new int[FIRST_CAPACITY];
    private double[] real = new double[FIRST_CAPACITY];
    private double[] imaginary = new double[FIRST_CAPACITY];
    private int count;

    private MatlabMatrix(Matrix matrix) {
        this.matrix = matrix;
    }

    /** Finds it: a sparse one before a dense one, also in structures. */
    static MatlabMatrix in(String file, MatFile contents) {
        Map<String, Matrix> sparse = new LinkedHashMap<>();
        Map<String, Matrix> dense = new LinkedHashMap<>();
        for (MatFile.Entry entry : contents.getEntries()) {
            collect(entry.getName(), entry.getValue(), sparse, dense);
            if (entry.getValue() instanceof Struct structure && structure.getNumElements() == 1) {
                for (String field : structure.getFieldNames()) {
                    collect(entry.getName() + '.' + field, structure.get(field), sparse, dense);
                }
            }
        }
        Map<String, Matrix> found = sparse.isEmpty() ? dense : sparse;
        if (found.size() == 1) {
            return new MatlabMatrix(found.values().iterator().next());
        }
        return found.entrySet().stream().filter(one -> one.getKey().equals(USUAL) || one.getKey().endsWith('.' + USUAL))
                .findFirst().map(one -> new MatlabMatrix(one.getValue()))
                .orElseThrow(() -> new MatrixFormatException(file, 0, 0,
                        found.isEmpty() ? "no matrix" : "the matrices " + PrintableText.of(found.keySet().toString()),
                        "one sparse matrix, one called A, or one dense matrix"));
    }

    private static void collect(String name, Array value, Map<String, Matrix> sparse, Map<String, Matrix> dense) {
        if (value instanceof Sparse one) {
            sparse.put(name, one);
        } else if (value instanceof Matrix one && one.getNumDimensions() == 2) {
            dense.put(name, one);
        }
    }

    boolean isComplex() {
        return matrix.isComplex();
    }

    /** Reads it; of a dense matrix what is not zero. */
    ComplexCsr read() {
        if (matrix instanceof Sparse sparse) {
            sparse.forEach(this::add);
        } else {
            for (int j = 0; j < matrix.getNumCols(); j++) {
                for (int i = 0; i < matrix.getNumRows(); i++) {
                    double re = matrix.getDouble(i, j);
                    double im = matrix.isComplex() ? matrix.getImaginaryDouble(i, j) : 0;
                    if (re != 0 || im != 0) {
                        add(i, j, re, im);
                    }
                }
            }
        }
        return ComplexCsr.of(part(real).toCsr(), part(imaginary).toCsr());
    }

    private void add(int row, int column, double re, double im) {
        if (count == rows.length) {
            int more = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * count);
            rows = Arrays.copyOf(rows, more);
            columns = Arrays.copyOf(columns, more);
            real = Arrays.copyOf(real, more);
            imaginary = Arrays.copyOf(imaginary, more);
        }
        rows[count] = row;
        columns[count] = column;
        real[count] = re;
        imaginary[count] = im;
        count++;
    }

    private CooMatrix part(double[] values) {
        return CooMatrix.of(matrix.getNumRows(), matrix.getNumCols(), Arrays.copyOf(rows, count),
                Arrays.copyOf(columns, count), HostVector.of(Arrays.copyOf(values, count)));
    }
}
