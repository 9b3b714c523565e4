package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.testing.TestSeed;

class VectorsTest {
    private static double norm(HostVector v) {
        double largest = 0;
        for (int i = 0; i < v.length(); i++) {
            largest = Math.max(largest, Math.abs(v.get(i)));
        }
        double sum = 0;
        for (int i = 0; i < v.length() && largest > 0; i++) {
            sum += Math.pow(v.get(i) / largest, 2);
        }
        return largest * Math.sqrt(sum);
    }

    @Test
    void normsAndCopiesAreThoseOfAnyLengthPrecisionAndMagnitude() {
        SplittableRandom random = TestSeed.random("vectors");
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            for (boolean alone : new boolean[]{true, false}) {
                try (Vectors vectors = new Vectors(backend, alone)) {
                    for (int n : new int[]{0, 1, 2, 7, 1000, 65_536, 65_537}) {
                        for (double scale : new double[]{1, 1e-30, 1e30}) {
                            for (Precision precision : Precision.values()) {
                                HostVector v = HostVector.of(precision, n, i -> scale * random.nextDouble(-1, 1));
                                HostVector copy = HostVector.zeros(precision, n);
                                vectors.copy(v, copy);
                                assertEquals(norm(v), vectors.norm(v), 1e-12 * norm(v), v::toString);
                                assertEquals(norm(v), vectors.finiteNorm("v", copy), 1e-12 * norm(v));
                            }
                        }
                    }
                    for (double extreme : new double[]{1e-200, 1e200}) {
                        HostVector v = HostVector.of(3 * extreme, 0, -4 * extreme);
                        assertEquals(5 * extreme, vectors.norm(v), 1e-14 * 5 * extreme);
                    }
                    assertEquals(0, vectors.norm(HostVector.of(0, -0.0, 0, 0, 0)), 0);
                    assertEquals(Double.MIN_VALUE, vectors.norm(HostVector.of(0, 0, 0, 0, Double.MIN_VALUE)), 0);
                }
            }
        }
    }

    @Test
    void whatIsNotFiniteIsRefusedByItsPlace() {
        try (Backend backend = Backends.open("reference", Configuration.load());
                Vectors vectors = new Vectors(backend, true)) {
            HostVector v = HostVector.of(1, 2, Double.NaN);
            String guess = assertThrows(IllegalArgumentException.class, () -> vectors.finiteNorm("first guess", v))
                    .getMessage();
            assertTrue(guess.contains("first guess: row 2 is NaN"), guess);
            HostVector infinite = HostVector.of(1, Double.NEGATIVE_INFINITY);
            assertThrows(IllegalArgumentException.class, () -> vectors.rightHandSide(infinite));
            HostVector large = HostVector.of(Double.MAX_VALUE, Double.MAX_VALUE);
            assertThrows(IllegalArgumentException.class, () -> vectors.rightHandSide(large));
            assertEquals(Double.POSITIVE_INFINITY, vectors.finiteNorm("first guess", large), 0);
        }
    }
}
