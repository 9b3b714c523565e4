package org.trellis.solve.dense;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** Dot products and combinations by scalar and by vector code, bit by bit. */
final class DotLoopsTest {
    private static final int[] LENGTHS = {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 511, 512, 513};
    private static final DotLoops SCALAR = new ScalarDots();

    private static DotLoops vectors() {
        assertNotNull(TilesProvider.found(), "this JVM runs tests without vectors");
        return TilesProvider.found().dots();
    }

    private static double[] random(int length, SplittableRandom random) {
        return random.doubles(length, -1, 1).toArray();
    }

    private static float[] single(double... values) {
        float[] all = new float[values.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (float) values[i];
        }
        return all;
    }

    /** (1, 2, …, 10) · (10, 9, …, 1) = 220, its last two products beside the sums of eight. */
    @Test
    void agreeWithAHand() {
        double[] x = {-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        double[] y = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, -7};
        for (DotLoops loops : List.of(SCALAR, vectors(), DotLoops.best())) {
            assertEquals(220, loops.dot(x, 1, y, 0, 10));
            assertEquals(220, loops.dot(single(x), 1, single(y), 0, 10));
            assertEquals(0, loops.dot(x, 0, y, 0, 0));
            double[][] v = {{0}, {5, 1, 1}, {5, 1, 2}, {5, 0, 1}, {5, 0, -1}};
            double[] sums = {7, 100, 0, 0, 0};
            loops.fourByOne(v, 1, new double[]{9, 2, 3}, 1, 3, sums, 1);
            assertArrayEquals(new double[]{7, 105, 8, 3, -3}, sums);
            double[] table = new double[4 * DotLoops.FOUR];
            loops.fourByTwo(v, 1, new double[][]{{0}, {9, 2, 3}, {9, 1, 1}}, 1, 1, 3, table, 2);
            assertArrayEquals(new double[]{0, 0, 5, 2, 0, 0, 8, 3, 0, 0, 3, 1, 0, 0, -3, -1}, table);
        }
    }

    /** (1, 2) + 2 (1, 1) + 3 (1, 0) + 4 (0, 1) + 5 (1, −1) = (11, 3), and so on; element 0 stays. */
    @Test
    void combinationsAgreeWithAHand() {
        double[][] v = {{0}, {7, 1, 1}, {7, 1, 0}, {7, 0, 1}, {7, 1, -1}};
        double[] factors = {9, 2, -1, 9, 3, 0, 9, 4, 1, 9, 5, 10};
        for (DotLoops loops : List.of(SCALAR, vectors(), DotLoops.best())) {
            double[][] w = {{0}, {5, 1, 2}, {5, 0, 100}};
            loops.addFour(v, 1, factors, 1, 3, w, 1, 1, 3);
            assertArrayEquals(new double[]{5, 11, 3}, w[1]);
            assertArrayEquals(new double[]{5, 9, 90}, w[2]);
        }
    }

    @Test
    void combinationsHaveTheSameBits() {
        SplittableRandom random = TestSeed.random("combinations");
        for (int length : LENGTHS) {
            String context = length + " elements, seed " + TestSeed.value();
            double[][] v = new double[6][];
            Arrays.setAll(v, k -> random(length + 3, random));
            double[] factors = random(30, random);
            int from = random.nextInt(4);
            int k = random.nextInt(3);
            int stride = random.nextInt(2, 6);
            double[][] one = {random(length + 3, random), random(length + 3, random), random(length + 3, random)};
            double[][] other = {one[0].clone(), one[1].clone(), one[2].clone()};
            SCALAR.addFour(v, k, factors, 3, stride, one, 1, from, from + length);
            vectors().addFour(v, k, factors, 3, stride, other, 1, from, from + length);
            assertTrue(Arrays.deepEquals(one, other), context);
        }
    }

    /** Products of float are exact in double, where half of each would be lost in float. */
    @Test
    void singlePrecisionIsMultipliedInDouble() {
        float x = 1 + 0x1p-23f;
        float[] eight = new float[16];
        Arrays.fill(eight, x);
        for (DotLoops loops : List.of(SCALAR, vectors())) {
            assertEquals(16 * ((double) x * x), loops.dot(eight, 0, eight, 0, 16));
        }
    }

    @Test
    void vectorsGiveTheSameBits() {
        SplittableRandom random = TestSeed.random("dots");
        DotLoops vectors = vectors();
        for (int length : LENGTHS) {
            String context = length + " elements, seed " + TestSeed.value();
            double[] x = random(length + 3, random);
            double[] y = random(length + 3, random);
            int a = random.nextInt(4);
            int b = random.nextInt(4);
            assertEquals(SCALAR.dot(x, a, y, b, length), vectors.dot(x, a, y, b, length), context);
            assertEquals(SCALAR.dot(single(x), a, single(y), b, length),
                    vectors.dot(single(x), a, single(y), b, length),
                    context);
            double[][] v = new double[6][];
            Arrays.setAll(v, k -> random(length + 3, random));
            double[][] w = {x, y, x};
            int k = random.nextInt(3);
            int j = random.nextInt(2);
            double[] one = new double[4 + 4 * DotLoops.FOUR];
            double[] other = one.clone();
            SCALAR.fourByTwo(v, k, w, j, a, a + length, one, 3);
            vectors.fourByTwo(v, k, w, j, a, a + length, other, 3);
            assertArrayEquals(one, other, context);
            double[] first = new double[4];
            vectors.fourByOne(v, k, w[j], a, a + length, first, 0);
            for (int i = 0; i < 4; i++) {
                assertEquals(one[3 + i * DotLoops.FOUR], first[i], context);
            }
            SCALAR.fourByOne(v, k, w[j], a, a + length, one, 1);
            vectors.fourByOne(v, k, w[j], a, a + length, other, 1);
            assertArrayEquals(one, other, context);
        }
    }

    /** What is the same before and after the change to vector code. */
    @Test
    void theChangeToVectorsChangesNoBit() {
        double[] x = random(300, TestSeed.random("x"));
        DotLoops loops = new WarmingDots(SCALAR, vectors());
        double[][] v = {x, x, x, x};
        double[] expected = new double[4];
        SCALAR.fourByOne(v, 0, x, 0, 300, expected, 0);
        double sum = SCALAR.dot(x, 0, x, 0, 300);
        double[] factors = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
        double[][] combined = {x.clone(), x.clone()};
        SCALAR.addFour(v, 0, factors, 0, 2, combined, 0, 1, 300);
        for (int round = 0; round < 20_000; round++) {
            assertEquals(sum, loops.dot(x, 0, x, 0, 300));
            double[] sums = new double[4];
            loops.fourByOne(v, 0, x, 0, 300, sums, 0);
            assertArrayEquals(expected, sums);
            double[][] targets = {x.clone(), x.clone()};
            loops.addFour(v, 0, factors, 0, 2, targets, 0, 1, 300);
            assertTrue(Arrays.deepEquals(combined, targets));
        }
    }

    @Test
    void vectorsThatStaySlowAreTriedForAPartOfTheTime() {
        long[] now = new long[1];
        Warming warming = new Warming(4, () -> now[0]);
        int[] trials = new int[1];
        for (int run = 0; run < 1000; run++) {
            if (warming.trial(10_000, 500) > 0) {
                trials[0]++;
                now[0] += 10_000;
                warming.tried();
            }
        }
        assertTrue(trials[0] >= 1 && trials[0] <= 251, () -> trials[0] + " trials");
        assertTrue(!warming.done());
    }

    @Test
    void vectorsThatAreFastAreTaken() {
        long[] now = new long[1];
        Warming warming = new Warming(4, () -> now[0]);
        int[] most = new int[1];
        for (int run = 0; run < 1000 && !warming.done(); run++) {
            int elements = warming.trial(1_000_000, 500);
            most[0] = Math.max(most[0], elements);
            now[0] += 50L * elements;
            warming.tried();
        }
        assertTrue(warming.done());
        assertEquals(500, most[0], "they were compared on all elements");
    }
}
