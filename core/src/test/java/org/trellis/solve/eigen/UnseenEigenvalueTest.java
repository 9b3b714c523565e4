package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** Bounds for what steps of the Lanczos method have not seen. */
final class UnseenEigenvalueTest {
    /** With diagonal 0 and 1 beside it, p₁(2) = 2 and p₂(2) = 2 · 2 − 1 = 3. */
    @Test
    void agreesWithAHand() {
        UnseenEigenvalue above = new UnseenEigenvalue(Which.LARGEST, 2, 50);
        assertEquals(1, above.probability());
        assertTrue(above.add(0, 1));
        assertEquals(Math.min(1, Math.sqrt(100 / Math.PI / 5)), above.probability(), 1e-15);
        assertTrue(above.add(0, 1));
        assertEquals(Math.min(1, Math.sqrt(100 / Math.PI / 14)), above.probability(), 1e-15);
    }

    /** Eigenvalues up to −2 of an operator are those from 2 on of the one with the other sign. */
    @Test
    void bothEndsAreSeen() {
        for (Which which : Which.values()) {
            UnseenEigenvalue unseen = new UnseenEigenvalue(which, 2, 50);
            assertTrue(unseen.add(1, 0.5), which.name());
            assertEquals(which != Which.SMALLEST, !unseen.add(3, 0.5), which.name());
            UnseenEigenvalue other = new UnseenEigenvalue(which, 2, 50);
            assertTrue(other.add(-1, 0.5), which.name());
            assertEquals(which != Which.LARGEST, !other.add(-3, 0.5), which.name());
        }
    }

    @Test
    void anInvariantSpaceLeavesNothingOpen() {
        UnseenEigenvalue unseen = new UnseenEigenvalue(Which.MAGNITUDE, 2, 50);
        assertTrue(unseen.add(1, 0));
        assertEquals(0, unseen.probability());
        assertFalse(new UnseenEigenvalue(Which.LARGEST, 2, 50).add(2, 0));
    }

    /**
     * Steps with a diagonal matrix of which the first element alone is beyond the bound: its part of the first vector
     * is never more than the bound says.
     */
    @Test
    void firstVectorsHaveNoMoreOfIt() {
        SplittableRandom random = TestSeed.random("firstVectorsHaveNoMoreOfIt");
        int n = 60;
        double[] spectrum = random.doubles(n, -1, 1).toArray();
        spectrum[0] = 1.2;
        for (double part : new double[]{1e-2, 1e-5, 1e-9}) {
            double[] v = random.doubles(n, -1, 1).toArray();
            v[0] = 0;
            scale(v, 1 / Math.sqrt(dot(v, v)));
            v[0] = part;
            UnseenEigenvalue unseen = new UnseenEigenvalue(Which.LARGEST, 1.1, n);
            double[] before = new double[n];
            double beside = 0;
            boolean within = true;
            for (int step = 0; within && step < n; step++) {
                double[] w = new double[n];
                for (int i = 0; i < n; i++) {
                    w[i] = spectrum[i] * v[i] - beside * before[i];
                }
                double diagonal = dot(w, v);
                for (int i = 0; i < n; i++) {
                    w[i] -= diagonal * v[i];
                }
                beside = Math.sqrt(dot(w, w));
                scale(w, 1 / beside);
                before = v;
                v = w;
                within = unseen.add(diagonal, beside);
                if (within) {
                    double most = unseen.probability() * Math.sqrt(Math.PI / (2 * n));
                    assertTrue(unseen.probability() == 1 || part <= 1.0000001 * most,
                            "part " + part + ", at most " + most + ", seed " + TestSeed.value());
                }
            }
            assertFalse(within, "part " + part + ", seed " + TestSeed.value());
        }
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    private static void scale(double[] x, double factor) {
        for (int i = 0; i < x.length; i++) {
            x[i] *= factor;
        }
    }
}
