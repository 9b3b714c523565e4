package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.VectorArithmetic;
import org.trellis.testing.TestSeed;

/** Both kinds of loops over a basis, beside sums one after the other. */
final class BasisArithmeticTest {
    private static final int[] LENGTHS = {1, 2, 7, 8, 9, 511, 512, 513, 1030};
    private static final int MOST = 14;

    /** The numbers of a basis, of the four vectors behind it, and of another one. */
    private static final class Numbers {
        private final double[][] basis;
        private final double[] other;

        Numbers(int length, SplittableRandom random) {
            basis = new double[MOST + BasisArithmetic.WIDTH][];
            Arrays.setAll(basis, k -> random.doubles(length, -1, 1).toArray());
            other = random.doubles(length, -1, 1).toArray();
        }
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    private static double[] combined(double[] y, double[][] v, int from, int count, double[] factors) {
        double[] result = y.clone();
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < y.length; i++) {
                result[i] += factors[k] * v[from + k][i];
            }
        }
        return result;
    }

    private static Dat dat(Mesh mesh, MeshSet rows, String name, double... values) {
        Dat dat = mesh.dat(name, rows, 1, Precision.F64);
        dat.vector().copyFrom(HostVector.of(values));
        return dat;
    }

    private static Dat[] dats(Mesh mesh, MeshSet rows, String name, double[][] values) {
        Dat[] all = new Dat[values.length];
        Arrays.setAll(all, k -> dat(mesh, rows, name + k, values[k]));
        return all;
    }

    private static double[] values(Dat dat) {
        HostVector copy = HostVector.zeros(Precision.F64, dat.vector().length());
        dat.vector().copyTo(copy);
        return copy.toDoubleArray();
    }

    private static void check(BasisArithmetic loops, Mesh mesh, MeshSet rows, SplittableRandom random, String context) {
        Numbers numbers = new Numbers(rows.size(), random);
        double exact = 1e-14 * rows.size();
        int from = random.nextInt(4);
        int count = random.nextInt(MOST - from + 1);
        int part = random.nextInt(2);
        Dat[] basis = dats(mesh, rows, "v", numbers.basis);
        Dat t = dat(mesh, rows, "t", numbers.other);

        double[] dots = new double[count];
        Arrays.setAll(dots, k -> dot(numbers.other, numbers.basis[k]));
        assertArrayEquals(dots, loops.dots(t, basis, count), exact, context);

        // What t has of some vectors is taken off another one.
        double[] w = numbers.basis[MOST];
        double[] factors = new double[count];
        Arrays.setAll(factors, k -> -dot(numbers.other, numbers.basis[from + k]));
        double[] left = combined(w, numbers.basis, from, count, factors);
        loops.clear(t, basis[MOST], basis, from, count, part);
        assertEquals(dot(left, left), loops.square(basis[MOST]), exact * (1 + dot(left, left)), context);
        for (int k = 0; k < count; k++) {
            assertEquals(-factors[k], loops.kept(part, k), exact, context);
        }
        assertArrayEquals(left, values(basis[MOST]), exact * MOST, context);
        checkTransform(loops, mesh, rows, numbers, basis, context);
    }

    private static void checkTransform(BasisArithmetic loops, Mesh mesh, MeshSet rows, Numbers numbers, Dat[] basis,
            String context) {
        int columns = 5;
        SplittableRandom random = TestSeed.random("columns");
        double[][] q = new double[MOST][];
        Arrays.setAll(q, k -> random.doubles(columns, -1, 1).toArray());
        double[][] garbage = new double[columns][rows.size()];
        Arrays.stream(garbage).forEach(row -> Arrays.fill(row, Double.NaN));
        Dat[] to = dats(mesh, rows, "to", garbage);
        loops.transform(basis, MOST, q, to, columns);
        for (int j = 0; j < columns; j++) {
            double[] factors = new double[MOST];
            for (int k = 0; k < MOST; k++) {
                factors[k] = q[k][j];
            }
            assertArrayEquals(combined(new double[rows.size()], numbers.basis, 0, MOST, factors), values(to[j]),
                    1e-13, context);
        }
    }

    private static void checkFour(BasisArithmetic loops, Mesh mesh, MeshSet rows, SplittableRandom random,
            String context) {
        Numbers numbers = new Numbers(rows.size(), random);
        int count = random.nextInt(MOST + 1);
        double exact = 1e-14 * rows.size() * MOST;
        Dat[] basis = dats(mesh, rows, "v", numbers.basis);
        double[] greatest = loops.clearFour(basis, count);
        for (int j = 0; j < BasisArithmetic.WIDTH; j++) {
            double[] w = numbers.basis[count + j];
            double[] factors = new double[count];
            Arrays.setAll(factors, k -> -dot(w, numbers.basis[k]));
            assertEquals(Arrays.stream(factors).map(Math::abs).max().orElse(0), greatest[j], exact, context);
            assertArrayEquals(combined(w, numbers.basis, 0, count, factors), values(basis[count + j]), exact, context);
        }
    }

    /** (1, 2) · (3, −1) = 1, so (3, −1) less once (1, 2) is (2, −3), with the square 13. */
    @Test
    void agreesWithAHand() {
        try (Backend backend = Backends.open("cpu", Configuration.load());
                Mesh mesh = Mesh.on(backend);
                VectorArithmetic arithmetic = new VectorArithmetic(backend)) {
            MeshSet rows = mesh.set("rows", 2);
            for (BasisArithmetic loops : List.of(new HostBasis(2, 1), new MeshBasis(arithmetic, mesh, rows, 1, 1))) {
                String name = loops.getClass().getSimpleName();
                Dat[] basis = {dat(mesh, rows, name + " v", 1, 2)};
                Dat w = dat(mesh, rows, name + " w", 3, -1);
                loops.clear(w, w, basis, 0, 1, 0);
                assertEquals(13, loops.square(w));
                assertEquals(1, loops.kept(0, 0));
                assertArrayEquals(new double[]{2, -3}, values(w));
                loops.multiply(-2, w);
                assertArrayEquals(new double[]{-4, 6}, values(w));
            }
        }
    }

    @Test
    void bothAgreeWithPlainSums() {
        SplittableRandom random = TestSeed.random("basis");
        try (Backend backend = Backends.open("cpu", Configuration.load())) {
            for (int length : LENGTHS) {
                for (int round = 0; round < 5; round++) {
                    checkBoth(backend, length, random);
                }
            }
        }
    }

    private static void checkBoth(Backend backend, int length, SplittableRandom random) {
        for (boolean host : new boolean[]{true, false}) {
            String context = (host ? "on the heap" : "on a mesh") + ", " + length + " elements, seed "
                    + TestSeed.value();
            for (boolean four : new boolean[]{true, false}) {
                try (Mesh mesh = Mesh.on(backend); VectorArithmetic arithmetic = new VectorArithmetic(backend)) {
                    MeshSet rows = mesh.set("rows", length);
                    BasisArithmetic loops = host
                            ? new HostBasis(length, MOST)
                            : new MeshBasis(arithmetic, mesh, rows, MOST, MOST);
                    if (four) {
                        checkFour(loops, mesh, rows, random, context);
                    } else {
                        check(loops, mesh, rows, random, context);
                    }
                }
            }
        }
    }
}
