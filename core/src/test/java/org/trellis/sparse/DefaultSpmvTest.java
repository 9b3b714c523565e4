package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Products in one line, below and above the size from which a backend is used. */
final class DefaultSpmvTest {
    private static void check(CsrMatrix a, SplittableRandom random, String context) {
        double[] x = random.doubles(a.columns(), -1, 1).toArray();
        double[] expected = new double[a.rows()];
        double[] sizes = new double[a.rows()];
        a.forEachEntry((i, j, value) -> {
            double term = value * (a.precision() == Precision.F32 ? (float) x[j] : x[j]);
            expected[i] += term;
            sizes[i] += Math.abs(term);
        });
        double[] found = a.multiply(x);
        HostVector typed = a.multiply(HostVector.of(x).convert(a.precision()));
        assertEquals(a.precision(), typed.precision(), context);
        assertArrayEquals(found, typed.toDoubleArray(), context);
        for (int i = 0; i < expected.length; i++) {
            double allowed = (a.rowLength(i) + 2) * 2 * a.precision().unitRoundoff() * sizes[i];
            assertEquals(expected[i], found[i], allowed, context + ", row " + i);
        }
        assertArrayEquals(found, a.multiply(x), context + ", again");
    }

    @Test
    void multipliesSmallMatrices() {
        SplittableRandom random = TestSeed.random("multipliesSmallMatrices");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach(
                    (name, a) -> check(a, random, name + ", " + precision.label() + ", seed " + TestSeed.value()));
        }
    }

    @Test
    void multipliesLargeMatrices() {
        SplittableRandom random = TestSeed.random("multipliesLargeMatrices");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(3000, 400, row -> row % 7 == 0 ? 0 : 20 + row % 60, precision, random);
            assertTrue(a.nonZeros() > DefaultSpmv.MIN_BACKEND_NON_ZEROS);
            check(a, random, a + ", seed " + TestSeed.value());
            CsrMatrix cut = SparseKernelsContract.inSegments(a, 10_000);
            check(cut, random, "in segments, seed " + TestSeed.value());
        }
    }

    @Test
    void servesSeveralThreads() {
        SplittableRandom random = TestSeed.random("servesSeveralThreads");
        CsrMatrix a = AwkwardMatrices.random(3000, 3000, row -> 20, Precision.F64, random);
        double[] x = random.doubles(3000).toArray();
        double[] expected = a.multiply(x);
        List<CompletableFuture<double[]>> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(CompletableFuture.supplyAsync(() -> a.multiply(x), command -> new Thread(command).start()));
        }
        others.forEach(other -> assertArrayEquals(expected, other.join()));
    }

    @Test
    void refusesWhatDoesNotFit() {
        CsrMatrix a = CsrMatrix.identity(3, Precision.F64);
        assertEquals("product of " + a + " and a host vector of 2 f64, expected 3 elements of f64", assertThrows(
                IllegalArgumentException.class, () -> a.multiply(new double[2])).getMessage());
        assertThrows(IllegalArgumentException.class, () -> a.multiply(HostVector.of(1.0f, 2, 3)));
    }
}
