package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Sweeps over F and C: beside plain loops over rows. */
class PartSmoothersTest {
    private static final CsrMatrix SMALL =
            DenseBlocks.fromRows(new double[][]{{2, 1, 0}, {1, 4, 2}, {0, 1, 5}}, Precision.F64);

    /** Row 1 is C. F from zero: (3/2, 0, 2), again F: (3/2, 0, 2), C: (8 − 3/2 − 4) / 4. */
    @ParameterizedTest
    @ValueSource(strings = {"fc-jacobi", "fc-gauss-seidel"})
    void byHand(String name) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                Smoother smoother = PartSmoothers.smoother(name, SMALL, null, backend, Map.of(), row -> row == 1)) {
            HostVector z = HostVector.of(7.0, 7, 7);
            smoother.apply(HostVector.of(3.0, 8, 10), z);
            assertArrayEquals(new double[]{1.5, 0.625, 2}, z.doubles(), 1e-15);
            // F once more: (3 − 0.625) / 2 and (10 − 0.625) / 5; then C of these.
            smoother.sweep(HostVector.of(3.0, 8, 10), z, SweepDirection.FORWARD);
            assertArrayEquals(new double[]{1.1875, (8 - 1.1875 - 3.75) / 4, 1.875}, z.doubles(), 1e-15);
            assertFalse(smoother.symmetric());
            assertFalse(smoother.hasDirections());
            assertTrue(smoother.describe().contains("f-sweeps=2, c-sweeps=1"), smoother.describe());
            assertTrue(smoother.storedBytes() > 0);
        }
    }

    /** Plain loops; for Gauss and Seidel's method rows follow their colours. */
    private static void relax(String name, CsrMatrix a, double[] b, double[] x, IntPredicate member, double omega) {
        int[] colours = MatrixGraphs.firstFit(a).colours();
        List<Integer> rows = IntStream.range(0, x.length).filter(member).boxed()
                .sorted(Comparator.comparingInt(row -> colours[row])).toList();
        double[] read = name.equals("fc-jacobi") ? x.clone() : x;
        for (int row : rows) {
            double[] sum = {b[row]};
            a.submatrix(row, row + 1, 0, x.length).forEachEntry((i, j, value) -> sum[0] -= value * read[j]);
            x[row] += omega * sum[0] / a.get(row, row);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fc-jacobi", "fc-gauss-seidel"})
    void agreesWithPlainLoops(String name) {
        SplittableRandom random = TestSeed.random("agreesWithPlainLoops");
        for (Precision precision : Precision.values()) {
            for (int n : new int[]{1, 2, 31, 67, 259}) {
                CsrMatrix a = CsrMatrix.identity(n, Precision.F64).scaled(4)
                        .plus(AwkwardMatrices.random(n, n, row -> row % 5 % n, Precision.F64, random))
                        .toPrecision(precision);
                boolean[] coarse = new boolean[n];
                for (int row = 0; row < n; row++) {
                    coarse[row] = random.nextInt(3) == 0;
                }
                double[] b = random.doubles(n, -1, 1).map(v -> (float) v).toArray();
                double[] expected = new double[n];
                for (int twice = 0; twice < 2; twice++) {
                    for (int sweep = 0; sweep < 3; sweep++) {
                        relax(name, a, b, expected, row -> !coarse[row], 0.9);
                    }
                    relax(name, a, b, expected, row -> coarse[row], 0.9);
                    relax(name, a, b, expected, row -> coarse[row], 0.9);
                }
                for (String backendName : List.of("reference", "threads", "simd")) {
                    assertArrayEquals(expected, relaxed(name, backendName, a, b, coarse),
                            1e3 * precision.unitRoundoff(),
                            backendName + ", " + precision + ", n " + n + ", seed " + TestSeed.value());
                }
            }
        }
    }

    private static double[] relaxed(String name, String backendName, CsrMatrix a, double[] b, boolean[] coarse) {
        Map<String, String> options = Map.of("f-sweeps", "3", "c-sweeps", "2", "omega", "0.9");
        HostVector right = HostVector.of(a.precision(), b.length, i -> b[i]);
        HostVector x = HostVector.of(a.precision(), b.length, i -> 5);
        try (Backend backend = Backends.open(backendName, Configuration.load());
                Smoother smoother =
                        PartSmoothers.smoother(name, a, null, backend, options, row -> coarse[row])) {
            smoother.apply(right, x);
            smoother.sweep(right, x, SweepDirection.BACKWARD);
        }
        return x.toDoubleArray();
    }

    /** Parts may be empty: no C is plain relaxation of all rows, no F leaves them to the sweeps over C. */
    @ParameterizedTest
    @ValueSource(strings = {"fc-jacobi", "fc-gauss-seidel"})
    void takesEmptyParts(String name) {
        try (Backend backend = Backends.open("threads", Configuration.load())) {
            double[] expected = new double[3];
            relax(name, SMALL, new double[]{3, 8, 10}, expected, row -> true, 1);
            for (boolean all : new boolean[]{false, true}) {
                try (Smoother smoother = PartSmoothers.smoother(name, SMALL, null, backend,
                        Map.of("f-sweeps", "1"), row -> all)) {
                    HostVector z = HostVector.zeros(Precision.F64, 3);
                    smoother.apply(HostVector.of(3.0, 8, 10), z);
                    assertArrayEquals(expected, z.doubles(), 1e-15, "all " + all);
                }
            }
        }
    }

    @Test
    void refusesWhatItCannotDo() {
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            for (Map<String, String> options : List.of(Map.of("f-sweeps", "0", "c-sweeps", "0"),
                    Map.of("f-sweeps", "-1"), Map.of("omega", "2"), Map.of("sweeps", "2"))) {
                for (String name : PartSmoothers.names()) {
                    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                            () -> PartSmoothers.smoother(name, SMALL, null, backend, options, row -> false));
                    assertTrue(refused.getMessage().contains("expected"), refused.getMessage());
                }
            }
            assertThrows(IllegalArgumentException.class,
                    () -> PartSmoothers.smoother("ssor", SMALL, null, backend, Map.of(), row -> false));
            CsrMatrix hollow = SMALL.mapValues((i, j, v) -> i == 2 && j == 2 ? 0 : v);
            FactorisationException noInverse = assertThrows(FactorisationException.class,
                    () -> PartSmoothers.smoother("fc-jacobi", hollow, null, backend, Map.of(), row -> false));
            assertTrue(noInverse.getMessage().contains("row 2"), noInverse.getMessage());
            CsrMatrix broken = SMALL.mapValues((i, j, v) -> i == 2 && j == 1 ? Double.NaN : v);
            assertThrows(IllegalArgumentException.class,
                    () -> PartSmoothers.smoother("fc-jacobi", broken, null, backend, Map.of(), row -> false));
        }
    }
}
