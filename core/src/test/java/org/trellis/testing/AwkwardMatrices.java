package org.trellis.testing;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/** Matrices whose sizes and row lengths are hard on kernels. */
public final class AwkwardMatrices {
    private AwkwardMatrices() {}

    /**
     * Returns the whole collection.
     *
     * @param precision the type of the values
     * @param random    source of randomness
     * @return matrices by a readable name
     */
    public static Map<String, CsrMatrix> all(Precision precision, SplittableRandom random) {
        Map<String, CsrMatrix> all = new LinkedHashMap<>();
        all.put("0 x 0", random(0, 0, row -> 0, precision, random));
        all.put("0 x 5", random(0, 5, row -> 0, precision, random));
        all.put("5 x 0", random(5, 0, row -> 0, precision, random));
        all.put("1 x 1", random(1, 1, row -> 1, precision, random));
        all.put("one row", random(1, 1003, row -> 777, precision, random));
        all.put("one column", random(1003, 1, row -> row % 3 == 0 ? 0 : 1, precision, random));
        all.put("no entries", random(77, 65, row -> 0, precision, random));
        all.put("last row only", random(130, 70, row -> row == 129 ? 70 : 0, precision, random));
        all.put("first row only", random(130, 70, row -> row == 0 ? 70 : 0, precision, random));
        all.put("diagonal", CsrMatrix.identity(67, precision).mapValues((i, j, a) -> i - 30.5));
        all.put("constant stencil", constantStencil(37, 21, precision));
        all.put("constant stencil but for an entry",
                constantStencil(67, 9, precision).mapValues((i, j, a) -> i == 100 && j == 101 ? 7 : a));
        all.put("dense", random(41, 37, row -> 37, precision, random));
        all.put("tall", random(517, 13, row -> random.nextInt(14), precision, random));
        all.put("wide", random(19, 911, row -> random.nextInt(300), precision, random));
        all.put("even rows", random(257, 129, row -> 5, precision, random));
        all.put("uneven rows", random(333, 333, row -> random.nextInt(20), precision, random));
        all.put("mostly empty", random(1025, 400, row -> random.nextInt(10) == 0 ? 7 : 0, precision, random));
        all.put("long rows", random(300, 6000, row -> row % 97 == 5 ? 5000 + row : row % 4, precision, random));
        all.put("two huge rows", random(70, 30011, row -> row == 33 || row == 34 ? 30000 : 2, precision, random));
        all.put("power law", random(700, 700, row -> Math.min(700, (int) (1 / (1 - random.nextDouble()))), precision,
                random));
        all.put("stencil", stencil(33, 31, precision, random));
        all.put("blocks of three", blocks(40, 3, precision, random));
        all.put("banded", banded(211, 6, precision, random));
        return all;
    }

    /**
     * Draws a matrix with given row lengths and columns without pattern.
     *
     * @param rows      number of rows
     * @param columns   number of columns
     * @param length    the number of entries of a row, at most {@code columns}
     * @param precision the type of the values
     * @param random    source of randomness
     * @return the matrix, values between -1 and 1
     */
    public static CsrMatrix random(int rows, int columns, IntUnaryOperator length, Precision precision,
            SplittableRandom random) {
        CsrBuilder builder = new CsrBuilder(columns, precision, 0);
        for (int row = 0; row < rows; row++) {
            for (int column : drawColumns(columns, length.applyAsInt(row), random)) {
                builder.add(column, random.nextDouble(-1, 1));
            }
            builder.endRow();
        }
        return builder.build();
    }

    /**
     * Selection sampling (Knuth, The Art of Computer Programming 2, algorithm 3.4.2 S): sorted and without repetition.
     */
    private static int[] drawColumns(int columns, int count, SplittableRandom random) {
        int[] drawn = new int[count];
        int found = 0;
        for (int column = 0; found < count; column++) {
            if (random.nextInt(columns - column) < count - found) {
                drawn[found++] = column;
            }
        }
        return drawn;
    }

    /**
     * Makes a five-point stencil with constant coefficients, which differ from diagonal to diagonal.
     *
     * @param width     points of a line
     * @param height    lines
     * @param precision the type of values
     * @return a matrix with a row for each point
     */
    public static CsrMatrix constantStencil(int width, int height, Precision precision) {
        return stencil(width, height, precision, new SplittableRandom(0))
                .mapValues((i, j, a) -> i == j ? 4 : 1.0 / (i - j));
    }

    /**
     * Makes the pattern of the five-point stencil on a grid, with random values.
     *
     * @param width     grid points along a row
     * @param height    rows of the grid
     * @param precision the type of the values
     * @param random    source of randomness
     * @return a square matrix of {@code width × height} rows
     */
    public static CsrMatrix stencil(int width, int height, Precision precision, SplittableRandom random) {
        int points = width * height;
        CsrBuilder builder = new CsrBuilder(points, precision, 5L * points);
        for (int point = 0; point < points; point++) {
            int column = point % width;
            int[] neighbours = {point - width, column > 0 ? point - 1 : -1, point, column < width - 1 ? point + 1 : -1,
                point + width};
            Arrays.stream(neighbours).filter(j -> j >= 0 && j < points)
                    .forEach(j -> builder.add(j, random.nextDouble(-1, 1)));
            builder.endRow();
        }
        return builder.build();
    }

    private static CsrMatrix blocks(int blocks, int size, Precision precision, SplittableRandom random) {
        CsrMatrix pattern = random(blocks, blocks, row -> random.nextInt(6), precision, random);
        CsrBuilder builder = new CsrBuilder(blocks * size, precision, 0);
        for (int row = 0; row < blocks * size; row++) {
            for (int block = 0; block < blocks; block++) {
                if (pattern.get(row / size, block) != 0) {
                    for (int j = 0; j < size; j++) {
                        builder.add(block * size + j, random.nextDouble(-1, 1));
                    }
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static CsrMatrix banded(int size, int halfWidth, Precision precision, SplittableRandom random) {
        CsrBuilder builder = new CsrBuilder(size, precision, 0);
        for (int row = 0; row < size; row++) {
            for (int column = Math.max(0, row - halfWidth); column <= Math.min(size - 1, row + halfWidth); column++) {
                builder.add(column, random.nextDouble(-1, 1));
            }
            builder.endRow();
        }
        return builder.build();
    }

    /**
     * Makes a band whose diagonals have gaps: stored by diagonals, it is padded.
     *
     * @param size      rows and columns
     * @param precision the type of the values
     * @param random    source of randomness
     * @return a square matrix
     */
    public static CsrMatrix bandedWithGaps(int size, Precision precision, SplittableRandom random) {
        CsrBuilder builder = new CsrBuilder(size, precision, 0);
        for (int row = 0; row < size; row++) {
            for (int column = Math.max(0, row - 3); column <= Math.min(size - 1, row + 3); column++) {
                if (random.nextInt(5) > 0) {
                    builder.add(column, random.nextDouble(-1, 1));
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    /**
     * Makes a matrix symmetric by adding its transpose.
     *
     * @param matrix a square matrix
     * @return {@code A + Aᵀ}
     */
    public static CsrMatrix symmetrised(CsrMatrix matrix) {
        CsrMatrix transpose = matrix.transpose();
        CsrBuilder builder = new CsrBuilder(matrix.columns(), matrix.precision(), 2 * matrix.nonZeros());
        for (int row = 0; row < matrix.rows(); row++) {
            boolean[] present = new boolean[matrix.columns()];
            int current = row;
            mark(matrix, row, present);
            mark(transpose, row, present);
            for (int column = 0; column < matrix.columns(); column++) {
                if (present[column]) {
                    builder.add(column, matrix.get(current, column) + matrix.get(column, current));
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static void mark(CsrMatrix matrix, int row, boolean[] present) {
        int[] offsets = matrix.onlySegment().rowOffsets();
        for (int k = offsets[row]; k < offsets[row + 1]; k++) {
            present[matrix.onlySegment().columnIndices()[k]] = true;
        }
    }
}
