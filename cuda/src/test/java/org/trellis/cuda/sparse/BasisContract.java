package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.BasisKernels;
import org.trellis.sparse.PreparedBasis;
import org.trellis.testing.TestSeed;

/** Products and combinations of many vectors are those of loops on the host. */
abstract class BasisContract {
    /** Opens the backend, or skips the test. */
    @MustBeClosed
    protected abstract Backend openBackend();

    /** From one pair, which all threads share, to more pairs than threads. */
    @ParameterizedTest
    @CsvSource({"F64, 130, 1, false", "F64, 1, 3, true", "F32, 200, 9, true", "F64, 64, 17, false",
        "F32, 65, 24, false", "F64, 0, 2, false"})
    @SuppressWarnings("MustBeClosed") // closed at the end
    void agreesWithTheHost(Precision precision, int rows, int count, boolean weighted) {
        SplittableRandom random = TestSeed.random("vectors");
        HostVector[] vectors = new HostVector[count];
        Arrays.setAll(vectors, v -> HostVector.of(precision, rows + 3, i -> random.nextDouble() - 0.5));
        HostVector weights = HostVector.of(precision, rows + 3, i -> random.nextDouble());
        try (Backend backend = openBackend();
                PreparedBasis basis = backend.kernels(BasisKernels.class).prepare(precision);
                DenseVector there = copy(backend, weights)) {
            DenseVector[] all = new DenseVector[count];
            Arrays.setAll(all, v -> copy(backend, vectors[v]));
            for (int turn = 0; turn < 2; turn++) {
                products(basis, vectors, all, rows, weighted ? weights : null, weighted ? there : null);
            }
            combine(basis, vectors, all, rows);
            Arrays.stream(all).forEach(DenseVector::close);
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private static DenseVector copy(Backend backend, HostVector vector) {
        DenseVector copy = backend.vector(vector.precision(), vector.length());
        copy.copyFrom(vector);
        return copy;
    }

    private static void products(PreparedBasis basis, HostVector[] vectors, DenseVector[] all, int rows,
            HostVector weights, DenseVector there) {
        int count = vectors.length;
        int[] left = new int[count * count];
        int[] right = new int[count * count];
        double[] expected = new double[count * count];
        for (int pair = 0; pair < expected.length; pair++) {
            left[pair] = pair / count;
            right[pair] = pair % count;
            expected[pair] = 0.5;
            for (int row = 0; row < rows; row++) {
                expected[pair] += (weights == null ? 1 : weights.get(row)) * vectors[left[pair]].get(row)
                        * vectors[right[pair]].get(row);
            }
        }
        double[] found = new double[expected.length];
        Arrays.fill(found, 0.5);
        basis.products(all, rows, left, right, there, found);
        assertArrayEquals(expected, found, 1e-13 * (rows + 1), "seed " + TestSeed.value());
    }

    /** Three combinations, two of which overwrite vectors that they read. */
    private static void combine(PreparedBasis basis, HostVector[] vectors, DenseVector[] all, int rows) {
        int count = vectors.length;
        int number = Math.min(3, count);
        double[][] coefficients = new double[number][count];
        double[] keep = {0.25, 0, 0};
        double[][] expected = new double[number][];
        for (int k = 0; k < number; k++) {
            int which = k;
            Arrays.setAll(coefficients[k], v -> 0.1 * (v + 1) - which);
            expected[k] = vectors[k].toDoubleArray();
            for (int row = 0; row < rows; row++) {
                double sum = keep[k] * vectors[k].get(row);
                for (int v = 0; v < count; v++) {
                    sum += coefficients[k][v] * vectors[v].get(row);
                }
                expected[k][row] = sum;
            }
        }
        basis.combine(all, rows, coefficients, keep, Arrays.copyOf(all, number));
        for (int k = 0; k < number; k++) {
            HostVector found = HostVector.zeros(all[k].precision(), all[k].length());
            all[k].copyTo(found);
            assertArrayEquals(expected[k], found.toDoubleArray(), 1000 * found.precision().unitRoundoff(),
                    "combination " + k + ", seed " + TestSeed.value());
        }
    }

    @ParameterizedTest
    @CsvSource({"F64"})
    void refusesMoreThanItHasRoomFor(Precision precision) {
        try (Backend backend = openBackend();
                PreparedBasis basis = backend.kernels(BasisKernels.class).prepare(precision);
                DenseVector one = backend.vector(precision, 4)) {
            DenseVector[] many = new DenseVector[BasisKernels.MOST_VECTORS + 1];
            Arrays.fill(many, one);
            int[] pair = {0};
            String message = assertThrows(IllegalArgumentException.class,
                    () -> basis.products(many, 4, pair, pair, null, new double[1])).getMessage();
            assertTrue(message.contains("73 vectors") && message.contains("at most 72"), message);
            int[] pairs = new int[BasisKernels.MOST_PAIRS + 1];
            assertThrows(IllegalArgumentException.class, () -> basis.products(Arrays.copyOf(many, 1), 4, pairs, pairs,
                    null, new double[pairs.length]));
            assertEquals(4, one.length());
        }
    }
}
