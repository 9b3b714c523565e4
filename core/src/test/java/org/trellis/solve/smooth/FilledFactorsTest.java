package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.FillReduction;
import org.trellis.solve.direct.LuOptions.Matching;
import org.trellis.solve.direct.Preordering;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Incomplete factors with fill, and complete ones as preconditioners. */
final class FilledFactorsTest {
    private static final List<String> ORDERS =
            List.of("natural", "reverse-cuthill-mckee", "minimum-degree", "nested-dissection", "automatic");
    private static final Map<String, String> COMPLETE = Map.of("drop", "0", "fill", "100000");

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Backend backend = Backends.open("reference", Configuration.load());
    private final SplittableRandom random = TestSeed.random("FilledFactorsTest");

    @AfterEach
    void close() {
        backend.close();
    }

    private double[] applied(String name, CsrMatrix matrix, Map<String, String> options, double... r) {
        try (Preconditioner preconditioner = Preconditioners.of(name, matrix, backend, options).orElseThrow()) {
            HostVector z = HostVector.zeros(Precision.F64, r.length);
            preconditioner.apply(HostVector.of(r), z);
            return z.doubles();
        }
    }

    private static Map<String, String> with(Map<String, String> options, String name, String value) {
        Map<String, String> all = new HashMap<>(options);
        all.put(name, value);
        return all;
    }

    /** Random rows with a diagonal that outweighs them. */
    private CsrMatrix general(int n) {
        return SmootherContract.dominant(
                AwkwardMatrices.random(n, n, row -> random.nextInt(Math.min(n, 6) + 1), Precision.F64, random));
    }

    private static CsrMatrix convection(int width, double wind) {
        double[][] line = new double[width][width];
        for (int i = 0; i < width; i++) {
            line[i][i] = 2;
            if (i > 0) {
                line[i][i - 1] = -1 - wind;
                line[i - 1][i] = -1 + wind;
            }
        }
        CsrMatrix one = DenseBlocks.fromRows(line, Precision.F64);
        CsrMatrix identity = CsrMatrix.identity(width, Precision.F64);
        return KroneckerProduct.of(one, identity).plus(KroneckerProduct.of(identity, one));
    }

    @Test
    void withoutThresholdAndLimitTheFactorsAreComplete() {
        for (int trial = 0; trial < 12; trial++) {
            int n = random.nextInt(1, 40);
            CsrMatrix a = general(n);
            double[] b = random.doubles(n, -1, 1).toArray();
            double[] x = SparseLu.of(a).solve(b);
            String what = "seed " + TestSeed.value() + ", trial " + trial;
            for (String order : ORDERS) {
                assertArrayEquals(x, applied("ilut", a, with(COMPLETE, "order", order), b), 1e-10, what);
                assertArrayEquals(x, applied("iluk", a, Map.of("level", "1000", "order", order), b), 1e-10, what);
            }
            CsrMatrix symmetric = SmootherContract.dominant(AwkwardMatrices.symmetrised(a));
            double[] y = SparseLu.of(symmetric).solve(b);
            for (String order : ORDERS) {
                assertArrayEquals(y, applied("ict", symmetric, with(COMPLETE, "order", order), b), 1e-10, what);
                assertArrayEquals(y, applied("ick", symmetric, Map.of("level", "1000", "order", order), b), 1e-10,
                        what);
            }
            // Rows in any order leave nothing on the diagonal; a matching brings it back.
            CsrMatrix shuffled = a.permute(Permutation.random(n, random), Permutation.identity(n))
                    .mapValues((i, j, value) -> value * Math.scalb(1.0, i % 7 - j % 5));
            double[] z = SparseLu.of(shuffled).solve(b);
            double scale = Arrays.stream(z).map(Math::abs).max().orElse(1);
            for (String order : ORDERS) {
                assertArrayEquals(z, applied("ilut", shuffled,
                        with(with(COMPLETE, "order", order), "matching", "product"), b), 1e-9 * scale, what);
            }
            for (String triangular : List.of("host", "levels")) {
                assertArrayEquals(z, applied("direct", shuffled, Map.of("triangular", triangular), b), 1e-9 * scale,
                        what);
            }
        }
    }

    @Test
    void levelZeroIsTheFactorisationWithoutFill() {
        CsrMatrix a = convection(9, 0.4);
        double[] b = random.doubles(a.rows(), -1, 1).toArray();
        assertArrayEquals(applied("ilu0", a, Map.of(), b), applied("iluk", a, Map.of("level", "0"), b), 1e-14);
        CsrMatrix s = convection(9, 0);
        assertArrayEquals(applied("ic0", s, Map.of("shift", "0.1"), b),
                applied("ick", s, Map.of("level", "0", "shift", "0.1"), b), 1e-14);
    }

    private static double residual(CsrMatrix a, double[] z, double[] b) {
        double[] product = a.multiply(z);
        double sum = 0;
        for (int i = 0; i < b.length; i++) {
            sum += (b[i] - product[i]) * (b[i] - product[i]);
        }
        return Math.sqrt(sum);
    }

    @Test
    void smallerThresholdsAndHigherLevelsComeNearerToTheInverse() {
        CsrMatrix a = convection(20, 0.3);
        double[] b = new double[a.rows()];
        Arrays.fill(b, 1);
        for (Map.Entry<String, List<String>> row : Map.of("level", List.of("0", "2", "6"), "drop",
                List.of("0.1", "0.01", "0.0001")).entrySet()) {
            String name = row.getKey().equals("level") ? "iluk" : "ilut";
            double before = Double.POSITIVE_INFINITY;
            for (String value : row.getValue()) {
                double now = residual(a, applied(name, a, Map.of(row.getKey(), value), b), b);
                assertTrue(now < 0.7 * before, name + ' ' + value + ": " + now + " after " + before);
                before = now;
            }
        }
    }

    @Test
    void aLimitOfFillIsKept() {
        CsrMatrix a = convection(15, 0.2);
        SmootherContext input = new SmootherContext("ilut", a, null, backend);
        Preordering natural = Preordering.of(a, Matching.NONE, FillReduction.NATURAL);
        for (int fill : new int[]{0, 1, 3}) {
            IncompleteFactors factors = FilledFactors.lu(input, natural, FilledFactors.Rule.threshold(0, fill, 0));
            CsrMatrix lower = factors.triangles().lowerTriangle(-1);
            CsrMatrix upper = factors.triangles().upperTriangle(1);
            int most = 0;
            for (int i = 0; i < a.rows(); i++) {
                assertTrue(lower.rowLength(i) <= a.lowerTriangle(-1).rowLength(i) + fill, "row " + i);
                most = Math.max(most, upper.rowLength(i) - a.upperTriangle(1).rowLength(i));
            }
            assertEquals(fill, most);
        }
        input.close();
    }

    @Test
    void pivotsThatFailNameTheRowOfTheMatrix() {
        // Row 2 repeats row 0, and is eliminated first or last by the order.
        CsrMatrix singular = DenseBlocks.fromRows(new double[][]{{1, 0, 1}, {0, 2, 0}, {1, 0, 1}}, Precision.F64);
        for (String name : List.of("iluk", "ilut", "ick", "ict")) {
            FactorisationException thrown = assertThrows(FactorisationException.class,
                    () -> Preconditioners.of(name, singular, backend, Map.of("order", "minimum-degree")));
            assertTrue(thrown.row() == 0 || thrown.row() == 2, thrown.getMessage());
            assertTrue(thrown.getMessage().contains("shift"), thrown.getMessage());
        }
        CsrMatrix empty = DenseBlocks.fromRows(new double[][]{{1, 1}, {0, 0}}, Precision.F64);
        assertThrows(FactorisationException.class,
                () -> Preconditioners.of("ilut", empty, backend, Map.of("matching", "product")));
        for (Map<String, String> wrong : List.of(Map.of("drop", "-1"), Map.of("fill", "many"),
                Map.of("order", "best"), Map.of("matching", "all"))) {
            assertThrows(IllegalArgumentException.class, () -> Preconditioners.of("ilut", singular, backend, wrong));
        }
        assertThrows(IllegalArgumentException.class, () -> Preconditioners.of("direct", singular, backend,
                Map.of("factors", "cholesky", "triangular", "levels")));
    }

    @Test
    void applicationsOfFactorsAllocateNothing() {
        for (Precision precision : Precision.values()) {
            CsrMatrix a = convection(40, 0.2).toPrecision(precision);
            try (Preconditioner direct = SchwarzOptions.parse(Map.of("local", "direct")).solver(a, backend)) {
                HostVector r = HostVector.zeros(precision, a.rows()).fill(1);
                HostVector z = HostVector.zeros(precision, a.rows());
                for (int i = 0; i < 20; i++) {
                    direct.apply(r, z);
                }
                long least = Long.MAX_VALUE;
                for (int i = 0; i < 20; i++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    direct.apply(r, z);
                    least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                }
                // A vector has 6,400 or 12,800.
                assertTrue(least < 1_000, precision + ": " + least);
            }
        }
    }

    @Test
    void aGivenKindOfFactorsIsMade() {
        CsrMatrix indefinite = DenseBlocks.fromRows(new double[][]{{0, 2}, {2, 1}}, Precision.F64);
        for (String kind : List.of("automatic", "lu", "ldlt")) {
            assertArrayEquals(new double[]{0.25, 0.5},
                    applied("direct", indefinite, Map.of("factors", kind), 1, 1), 1e-15, kind);
        }
        assertThrows(FactorisationException.class, () -> applied("direct", indefinite,
                Map.of("factors", "cholesky"), 1, 1));
        CsrMatrix definite = convection(6, 0);
        double[] b = random.doubles(36, -1, 1).toArray();
        try (Preconditioner made = Preconditioners.of("direct", definite, backend, Map.of()).orElseThrow()) {
            assertTrue(made.toString().contains("Cholesky") && made.symmetric(), made.toString());
        }
        assertArrayEquals(SparseLu.of(definite).solve(b), applied("direct", definite, Map.of(), b), 1e-13);
    }
}
