package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;
import org.trellis.testing.TestSeed;

/**
 * What the element kernels of every backend must do, and norms that are computed with them. A backend's test extends
 * this class and opens the backend.
 */
public abstract class ElementKernelsContract {
    private static final int[] LENGTHS = {0, 1, 7, 31, 64, 1000, 4097, 70_001};

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /**
     * Adds up products as accurately as the terms allow, with the same bits each time.
     *
     * @param precision the type of the elements
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void dotIsAccurateAndRepeatable(Precision precision) {
        SplittableRandom random = TestSeed.random("dot" + precision);
        try (Backend backend = openBackend()) {
            ElementKernels kernels = backend.kernels(ElementKernels.class);
            for (int length : LENGTHS) {
                HostVector x = draw(precision, length, random);
                HostVector y = draw(precision, length, random);
                double expected = 0;
                double scale = 0;
                for (int i = 0; i < length; i++) {
                    expected += x.get(i) * y.get(i);
                    scale += Math.abs(x.get(i) * y.get(i));
                }
                try (DenseVector a = onDevice(backend, x);
                        DenseVector b = onDevice(backend, y);
                        DenseVector sums = onDevice(backend, HostVector.of(Double.NaN, 7, Double.NaN))) {
                    kernels.dot(a, b, sums, 0);
                    kernels.dot(a, b, sums, 2);
                    HostVector found = HostVector.zeros(Precision.F64, 3);
                    sums.copyTo(found);
                    assertEquals(expected, found.get(0), length * 0x1p-53 * scale, "length " + length);
                    assertEquals(7, found.get(1), "length " + length);
                    assertEquals(found.get(0), found.get(2), 0, "length " + length);
                }
            }
        }
    }

    /**
     * Updates every element and no other.
     *
     * @param precision the type of the elements
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void updatesAgreeWithPlainLoops(Precision precision) {
        SplittableRandom random = TestSeed.random("updates" + precision);
        try (Backend backend = openBackend()) {
            ElementKernels kernels = backend.kernels(ElementKernels.class);
            for (int length : LENGTHS) {
                HostVector x = draw(precision, length, random);
                HostVector y = draw(precision, length, random);
                try (DenseVector a = onDevice(backend, x);
                        DenseVector b = onDevice(backend, y);
                        DenseVector c = onDevice(backend, y)) {
                    kernels.update(-1.75, null, a, 1, b);
                    assertElements(precision, b, i -> -1.75 * x.get(i) + y.get(i));
                    b.copyFrom(y);
                    kernels.update(1, null, a, 0.625, b);
                    assertElements(precision, b, i -> x.get(i) + 0.625 * y.get(i));
                    b.copyFrom(y);
                    kernels.update(-0.5, a, b, 0.25, c);
                    assertElements(precision, c, i -> -0.5 * x.get(i) * y.get(i) + 0.25 * y.get(i));
                    kernels.update(0.5, a, b, 0, b);
                    assertElements(precision, b, i -> 0.5 * x.get(i) * y.get(i));
                    b.copyFrom(y.copy().fill(Double.NaN));
                    kernels.update(1, null, a, 0, b);
                    assertElements(precision, b, x::get);
                    b.copyFrom(y.copy().fill(Double.NaN));
                    kernels.update(2, null, a.part(length / 3, length / 3), 0, b.part(0, length / 3));
                    assertElements(precision, b.part(0, length / 3), i -> 2 * x.get(length / 3 + i));
                }
            }
        }
    }

    /**
     * Measures vectors whose squares overflow or underflow, alone or beside ordinary ones.
     *
     * @param precision the type of the elements
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void normsNeitherOverflowNorUnderflow(Precision precision) {
        SplittableRandom random = TestSeed.random("norms" + precision);
        int[] exponents = precision == Precision.F64
                ? new int[]{-1060, -1000, -600, -510, -451, -449, 0, 449, 511, 600, 1000}
                : new int[]{-140, -120, -80, -60, 0, 60, 80, 110};
        try (Backend backend = openBackend(); VectorArithmetic norms = new VectorArithmetic(backend)) {
            for (int length : LENGTHS) {
                for (int exponent : exponents) {
                    HostVector x = draw(precision, length, random);
                    double squares = 0;
                    for (int i = 0; i < length; i++) {
                        x.set(i, Math.scalb(x.get(i), exponent));
                        squares += Math.pow(Math.scalb(x.get(i), -exponent), 2);
                    }
                    double expected = Math.scalb(Math.sqrt(squares), exponent);
                    assertNorm(backend, norms, x, expected);
                    if (length > 1) {
                        x.set(length / 2, 0x1p20 * expected * length);
                        assertNorm(backend, norms, x, x.get(length / 2));
                    }
                }
            }
        }
    }

    private static void assertNorm(Backend backend, VectorArithmetic norms, HostVector x, double expected) {
        try (DenseVector onDevice = onDevice(backend, x)) {
            assertEquals(expected, norms.norm(onDevice), 1e-9 * expected + Double.MIN_VALUE,
                    "length " + x.length() + ", seed " + TestSeed.value());
        }
    }

    /**
     * Passes on infinities and NaN wherever they are.
     *
     * @param precision the type of the elements
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void normsOfNonFiniteVectorsAreNotFinite(Precision precision) {
        try (Backend backend = openBackend(); VectorArithmetic norms = new VectorArithmetic(backend)) {
            for (int place : new int[]{0, 6, 511, 998, 999}) {
                for (double value : new double[]{Double.NaN, Double.NEGATIVE_INFINITY}) {
                    HostVector x = HostVector.zeros(precision, 1000).fill(1e-30);
                    x.set(place, value);
                    try (DenseVector onDevice = onDevice(backend, x)) {
                        assertEquals(Math.abs(value), norms.norm(onDevice), "place " + place);
                    }
                }
            }
        }
    }

    /** Refuses to work once the backend is closed. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesToWorkWhenTheBackendIsClosed() {
        Backend backend = openBackend();
        ElementKernels kernels = backend.kernels(ElementKernels.class);
        DenseVector x = backend.vector(Precision.F64, 5);
        DenseVector y = backend.vector(Precision.F64, 5);
        DenseVector sum = backend.vector(Precision.F64, 1);
        kernels.update(1, null, x, 1, y);
        kernels.dot(x, y, sum, 0);
        backend.close();
        backend.close();
        List<Executable> uses = List.of(() -> kernels.dot(x, y, sum, 0), () -> kernels.update(1, null, x, 1, y),
                () -> kernels.update(1, x, x, 0, y), () -> backend.vector(Precision.F64, 1),
                () -> backend.kernels(ElementKernels.class));
        uses.forEach(use -> assertThrows(IllegalStateException.class, use));
    }

    private static void assertElements(Precision precision, DenseVector actual,
            java.util.function.IntToDoubleFunction expected) {
        HostVector copy = HostVector.zeros(precision, actual.length());
        actual.copyTo(copy);
        for (int i = 0; i < copy.length(); i++) {
            double difference = Math.abs(expected.applyAsDouble(i) - copy.get(i));
            assertTrue(difference <= 4 * precision.unitRoundoff(), "element " + i + " of " + copy + ": " + copy.get(i)
                    + ", expected " + expected.applyAsDouble(i) + ", seed " + TestSeed.value());
        }
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private static DenseVector onDevice(Backend backend, HostVector source) {
        DenseVector vector = backend.vector(source.precision(), source.length());
        vector.copyFrom(source);
        return vector;
    }

    private static HostVector draw(Precision precision, int length, SplittableRandom random) {
        return HostVector.of(precision, length, i -> random.nextDouble(-1, 1));
    }
}
