package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.solve.krylov.SolverContext;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;
import org.trellis.tuner.features.SystemFeatures;

/** What is begun with where no model and no profile say it. */
class FirstGuessTest {
    private static final long SEED = Long.getLong("trellis.test.seed", 20261127L);

    /** A random graph in which each vertex has an edge to the next one and some others, and a diagonal of a share. */
    private static CsrMatrix graph(int n, int edges, double share, boolean symmetric, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int e = 0; e <= edges; e++) {
                int j = e == 0 ? (i + 1) % n : random.nextInt(n);
                double value = -random.nextDouble(0.5, 1);
                a[i][j] = i == j ? 0 : value;
                a[j][i] = i == j ? 0 : symmetric ? value : -random.nextDouble(0.5, 1);
            }
        }
        Entries entries = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            double beside = 0;
            for (int j = 0; j < n; j++) {
                beside += Math.abs(a[i][j]);
                if (a[i][j] != 0) {
                    entries.add(i, j, a[i][j]);
                }
            }
            entries.add(i, i, beside / share);
        }
        return entries.build();
    }

    private static FirstGuess guess(CsrMatrix a) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                MatrixContenders made = new MatrixContenders(a, SolverContext.of(backend), false, false)) {
            return FirstGuess.of(a, made, Optional.empty());
        }
    }

    @Test
    void iterationsWhereTheDiagonalDominatesElseFactorsWhereTheyAreSparse() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            for (int round = 0; round < 8; round++) {
                boolean symmetric = round % 2 == 0;
                int n = 200 + random.nextInt(150);
                CsrMatrix dominant = graph(n, 5, random.nextDouble(0.3, 0.94), symmetric, random)
                        .toPrecision(precision);
                assertFirst(symmetric ? "cg with jacobi" : "bicgstab with jacobi", dominant);
                CsrMatrix nearlyDiagonal = graph(n, 5, 0.2, symmetric, random).toPrecision(precision);
                assertFirst(symmetric ? "cg with jacobi" : "gmres(restart=30) with jacobi", nearlyDiagonal);
                CsrMatrix ring = graph(n, 0, 0.99, symmetric, random).toPrecision(precision);
                assertFirst("direct", ring);
                CsrMatrix wide = graph(6 * n, 5, 0.99, symmetric, random).toPrecision(precision);
                assertFirst(symmetric
                        ? "cg with ssor(omega=1.4, order=natural)"
                        : "idr with iluk(level=1, order=natural)", wide);
            }
        }
    }

    /** A band with a dominant diagonal, whose factors are no larger than it is, is factorised. */
    @Test
    void factorsThatHardlyFillBeatFewIterations() {
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            assertFirst("direct", signs(2000, 10, k -> k, 0.9, new SplittableRandom(SEED)).toPrecision(precision));
        }
    }

    /** Not one row of the shifted Laplacian holds the rest, so nothing says that it is definite. */
    @Test
    void whatMayBeIndefiniteIsFactorisedWhereFactorsFillMore() {
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            assertFirst("direct", grid(14, 3, 1.07).toPrecision(precision));
            CsrMatrix negative = grid(14, 3, 1.07).mapValues((row, column, value) -> -value).toPrecision(precision);
            assertFirst("idr with iluk(level=1, order=natural)", negative);
        }
    }

    /** A factor of the smaller grid has eleven times the entries, of the larger one eighteen times. */
    @Test
    void relaxationGoesFirstWhereFactorsFillMore() {
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            assertFirst("direct", grid(14, 3, 0.999).toPrecision(precision));
            assertFirst("cg with ssor(omega=1.4, order=natural)", grid(20, 3, 0.999).toPrecision(precision));
        }
    }

    /** A hub with an edge to each vertex of a ring: all but one are a level, and rows are long beside their number. */
    @Test
    void wideGraphsAreAnalysedWhereRowsAreLongForTheirNumber() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            CsrMatrix few = wheel(700 + random.nextInt(400)).toPrecision(precision);
            assertFalse(SystemFeatures.isNarrow(few), few::toString);
            assertFirst("direct", few);
            assertFirst("cg with ssor(omega=1.4, order=natural)", wheel(1500).toPrecision(precision));
        }
    }

    private static CsrMatrix wheel(int n) {
        Entries entries = new Entries(n, n);
        for (int i = 1; i < n; i++) {
            int next = i == n - 1 ? 1 : i + 1;
            entries.add(i, i, 3.01);
            entries.add(i, next, -1);
            entries.add(next, i, -1);
            entries.add(0, i, -1);
            entries.add(i, 0, -1);
        }
        entries.add(0, 0, n);
        return entries.build();
    }

    /** Rows of four magnitudes: what is tiny does not count, and scaling by the diagonal would make it count. */
    @Test
    void nothingIsScaledWhereTheDiagonalIsConstantInAllRowsThatCount() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            int n = 300 + random.nextInt(300);
            CsrMatrix almost = multipleOfIdentity(n, random.nextDouble(0.91, 1), 1e-12, random).toPrecision(precision);
            assertTrue(FirstGuess.isAlmostIdentity(almost), almost::toString);
            assertFirst("gmres(restart=30) with none", almost);
            assertFalse(FirstGuess.isAlmostIdentity(multipleOfIdentity(n, 0.5, 1e-12, random)), "an uneven diagonal");
            assertFalse(FirstGuess.isAlmostIdentity(multipleOfIdentity(n, 1, 1e-6, random)), "rows that count");
        }
        assertFalse(FirstGuess.isAlmostIdentity(new Entries(0, 0).build()));
        assertFalse(FirstGuess.isAlmostIdentity(new Entries(3, 3).build()), "zeros");
        Entries penalty = new Entries(3, 3);
        penalty.add(0, 0, 1e12);
        penalty.add(1, 1, 1);
        penalty.add(2, 2, 1);
        assertFalse(FirstGuess.isAlmostIdentity(penalty.build()), "one row that counts");
    }

    /** Each tenth row is tiny and has a small diagonal; the others have a large one, some of them less so. */
    private static CsrMatrix multipleOfIdentity(int n, double least, double tiny, SplittableRandom random) {
        Entries entries = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            boolean small = i % 10 == 3;
            double magnitude = small ? 3e12 * tiny : 3e12;
            entries.add(i, i, -magnitude * (small ? 0.01 : i % 10 == 5 ? least : 1));
            entries.add(i, (i + 1 + random.nextInt(n - 1)) % n, magnitude * (small ? 1 : 0.2));
        }
        return entries.build();
    }

    /** Few rows in which the diagonal is small do not make iterations many. */
    @Test
    void ritzValuesTellThatIterationsAreFew() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            int n = 1500 + random.nextInt(500);
            Entries entries = new Entries(n, n);
            for (int i = 0; i < n; i++) {
                entries.add(i, i, -1);
                int others = i % 100 == 0 ? 12 : 1;
                for (int k = 1; k <= others; k++) {
                    entries.add(i, (i + k * 37) % n, 0.1);
                }
            }
            assertFirst("gmres(restart=30) with jacobi", entries.build().toPrecision(precision));
            assertFirst("cg with jacobi", signs(1500, 20, k -> 31 * k * k, 0.97, random).toPrecision(precision));
        }
    }

    /** Couplings of one magnitude and either sign with others some steps away, symmetric, on a circle. */
    private static CsrMatrix signs(int n, int others, IntUnaryOperator step, double share,
            SplittableRandom random) {
        Entries entries = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            entries.add(i, i, 2 * others / share);
            for (int k = 1; k <= others; k++) {
                double sign = random.nextBoolean() ? 1 : -1;
                entries.add(i, (i + step.applyAsInt(k)) % n, sign);
                entries.add((i + step.applyAsInt(k)) % n, i, sign);
            }
        }
        return entries.build();
    }

    /** The Laplacian of a grid whose couplings in the interior sum up to a share of the diagonal. */
    private static CsrMatrix grid(int side, int dimensions, double share) {
        int n = (int) Math.round(Math.pow(side, dimensions));
        Entries entries = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            entries.add(i, i, 2.0 * dimensions / share);
            for (int step = 1; step < n; step *= side) {
                if (i / step % side < side - 1) {
                    entries.add(i, i + step, -1);
                    entries.add(i + step, i, -1);
                }
            }
        }
        return entries.build();
    }

    /** In three dimensions relaxation takes few iterations up to a larger size, in two multigrid goes first. */
    @Test
    void relaxationGoesFirstWhereNoUnknownIsFarFromAnother() {
        assertFirst("cg with ssor(omega=1.4, order=natural)", grid(28, 3, 1));
        assertFirst("cg with amg", grid(38, 3, 1).toPrecision(Precision.F32));
        assertFirst("cg with amg(levels=f32)", grid(38, 3, 1));
        assertFirst("cg with amg(levels=f32)", grid(230, 2, 1));
    }

    @Test
    void theMeanDiagonalIsThatOfAllRows() {
        Entries entries = new Entries(4, 4);
        entries.add(0, 0, -3);
        entries.add(0, 2, 1);
        entries.add(1, 3, 5);
        entries.add(2, 2, 2);
        assertEquals((0.75 + 0 + 1 + 0) / 4, FirstGuess.meanDiagonal(entries.build()), 1e-15);
        assertEquals(0, FirstGuess.meanDiagonal(new Entries(0, 0).build()), 0);
    }

    private static void assertFirst(String expected, CsrMatrix a) {
        FirstGuess found = guess(a);
        assertEquals(expected, found.order().getFirst().toString(), () -> a + ", seed " + SEED + ": " + found.reason());
        assertTrue(found.order().contains(SolverChoice.AUTO), () -> found.order().toString());
    }

    @Test
    void devicesBeginWithWhatHasKernelsThere() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            for (boolean symmetric : new boolean[]{true, false}) {
                int n = 200 + random.nextInt(150);
                CsrMatrix dominant = graph(n, 5, random.nextDouble(0.3, 0.94), symmetric, random)
                        .toPrecision(precision);
                assertOnDevice(symmetric ? "cg with jacobi" : "bicgstab with jacobi", dominant);
                CsrMatrix ring = graph(n, 0, 0.99, symmetric, random).toPrecision(precision);
                assertOnDevice(symmetric ? "cg with jacobi" : "direct", ring);
                CsrMatrix wide = graph(3 * n, 5, 0.99, symmetric, random).toPrecision(precision);
                assertOnDevice(symmetric ? "cg with jacobi" : "bicgstab with amg(smoother=l1-jacobi)", wide);
                CsrMatrix large = largeRing(100_000 + random.nextInt(1000), symmetric).toPrecision(precision);
                assertOnDevice(symmetric
                        ? "cg with amg(coarsening=classical, smoother=l1-jacobi)"
                        : "bicgstab with amg(smoother=l1-jacobi)", large);
            }
        }
        CsrMatrix indefinite = graph(300, 5, -0.99, true, random);
        assertOnDevice("auto", indefinite);
    }

    @Test
    void devicesBeginWithMultigridOnPlanesAndWithRelaxationInBodies() {
        assertOnDevice("cg with amg(coarsening=classical, smoother=l1-jacobi)", grid(124, 124, 1, 1));
        // All elements of the diagonal are the same.
        assertOnDevice("cg with none", grid(110, 110, 1, 1));
        assertOnDevice("cg with none", grid(26, 26, 26, 1));
        assertOnDevice("cg with jacobi", grid(26, 26, 26, 2));
        // Few unknowns decide the residual.
        assertOnDevice("cg with jacobi", grid(124, 124, 1, 1e4));
    }

    /** The Laplacian of a grid with zeros around, of whose first half all entries are so many times as large. */
    private static CsrMatrix grid(int nx, int ny, int nz, double large) {
        int[] steps = {1, nx, nx * ny};
        int[] sizes = {nx, ny, nz};
        int n = nx * ny * nz;
        Entries entries = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            double here = i < n / 2 ? large : 1;
            double diagonal = 0;
            for (int axis = 0; axis < 3; axis++) {
                if (sizes[axis] == 1) {
                    continue;
                }
                diagonal += 2 * here;
                int place = i / steps[axis] % sizes[axis];
                int other = i + steps[axis];
                if (place + 1 < sizes[axis]) {
                    double between = other < n / 2 ? large : 1;
                    entries.add(i, other, -between);
                    entries.add(other, i, -between);
                    diagonal += between < here ? between - here : 0;
                }
            }
            entries.add(i, i, diagonal);
        }
        return entries.build();
    }

    private static CsrMatrix largeRing(int n, boolean symmetric) {
        Entries entries = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            entries.add(i, i, symmetric ? 2.01 : 1.95);
            entries.add(i, (i + 1) % n, -1);
            entries.add((i + 1) % n, i, symmetric ? -1 : -0.9);
        }
        return entries.build();
    }

    private static void assertOnDevice(String expected, CsrMatrix a) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                MatrixContenders made = new MatrixContenders(a, SolverContext.of(backend), false, false)) {
            FirstGuess found = FirstGuess.onDevice(a, made);
            assertEquals(expected, found.order().getFirst().toString(), () -> a + ", seed " + SEED);
            assertTrue(found.order().contains(SolverChoice.AUTO), () -> found.order().toString());
            assertTrue(found.reason().contains("by rules"), found::reason);
        }
    }

    @Test
    void theWeakestDiagonalIsThatOfTheWorstRow() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 20; round++) {
            double share = random.nextDouble(0.1, 0.9);
            CsrMatrix a = graph(3 + random.nextInt(60), random.nextInt(4), share, false, random);
            assertEquals(share, FirstGuess.weakestDiagonal(a, 1), 1e-12, "seed " + SEED);
            assertEquals(Double.POSITIVE_INFINITY, FirstGuess.weakestDiagonal(a, 0.99 * share), "seed " + SEED);
        }
        Entries without = new Entries(2, 2);
        without.add(0, 1, 1);
        without.add(1, 1, 1);
        assertEquals(Double.POSITIVE_INFINITY, FirstGuess.weakestDiagonal(without.build(), 1e300));
        assertEquals(0, FirstGuess.weakestDiagonal(new Entries(0, 0).build(), 1));
    }
}
