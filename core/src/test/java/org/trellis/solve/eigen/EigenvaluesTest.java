package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.trellis.solve.eigen.TestSpectra.check;
import static org.trellis.solve.eigen.TestSpectra.dense;
import static org.trellis.solve.eigen.TestSpectra.diagonal;
import static org.trellis.solve.eigen.TestSpectra.line;
import static org.trellis.solve.eigen.TestSpectra.ofLine;
import static org.trellis.solve.eigen.TestSpectra.ofSquare;
import static org.trellis.solve.eigen.TestSpectra.square;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.TrellisException;
import org.trellis.memory.HostVector;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.testing.TestSeed;

/** Symmetric problems against spectra that are known, by hand, by formula, or from a dense method. */
final class EigenvaluesTest {
    /** Eigenvalues 1 and 3 of [2 1; 1 2], with the vectors (1, −1) and (1, 1). */
    @Test
    void agreesWithAHand() {
        CsrMatrix a = dense(new double[][]{{2, 1}, {1, 2}});
        EigenPairs both = Eigenvalues.largest(a, 2);
        assertArrayEquals(new double[]{3, 1}, both.values(), 1e-15);
        assertEquals(both.vectors().get(0)[0], both.vectors().get(0)[1], 1e-15);
        assertEquals(both.vectors().get(1)[0], -both.vectors().get(1)[1], 1e-15);
        check(a, null, both, "by hand");
        assertArrayEquals(new double[]{1}, Eigenvalues.nearest(a, 1, 0.9).values(), 1e-15);
        assertArrayEquals(new double[]{-4}, Eigenvalues.largest(diagonal(-4), 1).values());
    }

    @Test
    void findsBothEndsOfALine() {
        int n = 300;
        CsrMatrix a = line(n);
        EigenPairs largest = Eigenvalues.largest(a, 4);
        EigenPairs smallest = Eigenvalues.smallest(a, 4);
        for (int k = 0; k < 4; k++) {
            assertEquals(ofLine(n, n - k), largest.values()[k], 1e-11);
            assertEquals(ofLine(n, k + 1), smallest.values()[k], 1e-11);
        }
        check(a, null, largest, "largest");
        check(a, null, smallest, "smallest");
        assertTrue(largest.products() < 3000, largest.products() + " products");
    }

    @Test
    void findsAllEigenvaluesOfSmallMatrices() {
        for (int n : new int[]{1, 2, 3, 10, 25}) {
            EigenPairs all = Eigenvalues.largest(line(n), n);
            for (int k = 0; k < n; k++) {
                assertEquals(ofLine(n, n - k), all.values()[k], 1e-12, n + " rows");
            }
            check(line(n), null, all, n + " rows");
        }
    }

    @Test
    void agreesWithADenseMethodOnRandomMatrices() {
        SplittableRandom random = TestSeed.random("agreesWithADenseMethodOnRandomMatrices");
        for (int n : new int[]{1, 2, 5, 33, 120}) {
            CsrMatrix a = TestSpectra.symmetric(n, random);
            double[] all = TestSpectra.all(a);
            int count = Math.min(n, 1 + random.nextInt(6));
            String context = n + " rows, " + count + " eigenvalues, seed " + TestSeed.value();
            EigenPairs largest = Eigenvalues.largest(a, count);
            EigenPairs magnitude = Eigenvalues.of(a).count(count).find();
            double sigma = random.nextDouble(-0.5, 0.5);
            EigenPairs nearest = Eigenvalues.nearest(a, count, sigma);
            double[] bySize = sorted(all, x -> -Math.abs(x));
            double[] byDistance = sorted(all, x -> Math.abs(x - sigma));
            for (int k = 0; k < count; k++) {
                assertEquals(all[n - 1 - k], largest.values()[k], 1e-8, context);
                assertEquals(Math.abs(bySize[k]), Math.abs(magnitude.values()[k]), 1e-8, context);
                assertEquals(Math.abs(byDistance[k] - sigma), Math.abs(nearest.values()[k] - sigma), 1e-8, context);
            }
            check(a, null, largest, context);
            check(a, null, magnitude, context);
            check(a, null, nearest, context);
            assertEquals(Arrays.stream(all).filter(x -> x < sigma).count(), Eigenvalues.below(a, sigma), context);
        }
    }

    private static double[] sorted(double[] values, DoubleUnaryOperator key) {
        return Arrays.stream(values).boxed()
                .sorted(Comparator.comparingDouble(key::applyAsDouble)).mapToDouble(x -> x).toArray();
    }

    /** Of a square, the second eigenvalue is double; one starting vector shows it once in exact arithmetic. */
    @Test
    void findsMultipleEigenvaluesAsOftenAsTheyAre() {
        int n = 20;
        CsrMatrix a = square(n);
        double[] all = ofSquare(n);
        for (double tolerance : new double[]{1e-4, 1e-10}) {
            EigenPairs smallest = Eigenvalues.of(a).count(6).smallest().tolerance(tolerance).find();
            EigenPairs largest = Eigenvalues.of(a).count(5).largest().tolerance(tolerance).multiplicities().find();
            EigenPairs nearest = Eigenvalues.of(a).count(5).nearest(0).tolerance(tolerance).find();
            for (int k = 0; k < 5; k++) {
                assertEquals(all[k], smallest.values()[k], tolerance, "tolerance " + tolerance);
                assertEquals(all[k], nearest.values()[k], tolerance, "tolerance " + tolerance);
                assertEquals(all[n * n - 1 - k], largest.values()[k], 100 * tolerance, "tolerance " + tolerance);
            }
        }
        check(a, null, Eigenvalues.nearest(a, 9, 4), "a multiple eigenvalue of 20 in the middle");
        double[] middle = Eigenvalues.nearest(a, 20, 4).values();
        assertArrayEquals(sorted(Arrays.copyOfRange(all, 190, 210), x -> x), sorted(middle, x -> x), 1e-9);
    }

    /** Eigenvalues of random multiplicity among random ones, at both ends and around a shift. */
    @Test
    void findsRandomMultiplicities() {
        SplittableRandom random = TestSeed.random("findsRandomMultiplicities");
        for (int round = 0; round < 6; round++) {
            int n = 300 + random.nextInt(500);
            double[] spectrum = random.doubles(n, 1, 9).toArray();
            for (double value : new double[]{0.5 + 0.4 * random.nextDouble(), 9.2 + random.nextDouble()}) {
                int copies = 1 + random.nextInt(4);
                for (int k = 0; k < copies; k++) {
                    spectrum[random.nextInt(n)] = value;
                }
            }
            CsrMatrix a = diagonal(spectrum);
            double[] all = spectrum.clone();
            Arrays.sort(all);
            int count = 2 + random.nextInt(6);
            String context = n + " rows, " + count + " eigenvalues, seed " + TestSeed.value();
            EigenPairs smallest = Eigenvalues.smallest(a, count);
            EigenPairs largest = Eigenvalues.of(a).count(count).largest().tolerance(1e-6).find();
            EigenPairs magnitude = Eigenvalues.of(a).count(count).find();
            EigenPairs nearest = Eigenvalues.nearest(a, count, 0.2);
            for (int k = 0; k < count; k++) {
                assertEquals(all[k], smallest.values()[k], 1e-8, context);
                assertEquals(all[k], nearest.values()[k], 1e-8, context);
                assertEquals(all[n - 1 - k], largest.values()[k], 1e-4, context);
                assertEquals(all[n - 1 - k], magnitude.values()[k], 1e-8, context);
            }
            check(a, null, smallest, context);
            check(a, null, nearest, context);
            check(a, null, magnitude, context);
        }
    }

    /** A double eigenvalue that a first vector has nothing of, beside the other copy. */
    @Test
    void findsWhatFirstVectorsHaveNothingOf() {
        double[] spectrum = new double[400];
        double[] first = new double[400];
        for (int i = 0; i < spectrum.length; i++) {
            spectrum[i] = i < 2 ? 3 : i == 2 ? 2.9 : 0.005 * i;
            first[i] = i == 0 || i == 2 ? 0 : 1;
        }
        EigenPairs found = Eigenvalues.of(diagonal(spectrum)).count(4).largest().start(first).find();
        assertArrayEquals(new double[]{3, 3, 2.9, 0.005 * 399}, found.values(), 1e-9);
        check(diagonal(spectrum), null, found, "a vector with zeros");
    }

    /** One starting vector shows each eigenvalue of an identity once; the others come from new ones. */
    @Test
    void goesOnAfterInvariantSpaces() {
        EigenPairs ones = Eigenvalues.largest(CsrMatrix.identity(40, Precision.F64), 5);
        assertArrayEquals(new double[]{1, 1, 1, 1, 1}, ones.values(), 1e-14);
        CsrMatrix zeros = CsrMatrix.identity(6, Precision.F64).scaled(0);
        assertArrayEquals(new double[6], Eigenvalues.smallest(zeros, 6).values(), 1e-15);
        assertArrayEquals(new double[2], Eigenvalues.nearest(zeros, 2, 0).values(), 1e-15);
        CsrMatrix twoValued = diagonal(2, 2, -1);
        assertArrayEquals(new double[]{2, 2, -1}, Eigenvalues.largest(twoValued, 3).values(), 1e-13);
    }

    /** Clusters: ten eigenvalues within 1e-6 of each other at the end. */
    @Test
    void separatesClusters() {
        double[] spectrum = new double[200];
        for (int i = 0; i < spectrum.length; i++) {
            spectrum[i] = i < 10 ? 5 + 1e-7 * i : i * 0.01;
        }
        double[] expected = new double[10];
        Arrays.setAll(expected, k -> 5 + 1e-7 * (9 - k));
        EigenPairs found = Eigenvalues.of(diagonal(spectrum)).count(10).largest().multiplicities().find();
        assertArrayEquals(expected, found.values(), 1e-12);
        check(diagonal(spectrum), null, found, "cluster");
    }

    @Test
    void findsAGivenDiagonalInBothPrecisions() {
        SplittableRandom random = TestSeed.random("findsAGivenDiagonal");
        double[] spectrum = random.doubles(500, -3, 5).toArray();
        spectrum[7] = -9;
        spectrum[400] = 11;
        spectrum[401] = 10.5;
        CsrMatrix a = diagonal(spectrum);
        assertArrayEquals(new double[]{11, 10.5}, Eigenvalues.largest(a, 2).values(), 1e-9);
        assertEquals(-9, Eigenvalues.smallest(a.toPrecision(Precision.F32), 1).values()[0], 1e-6);
        CsrMatrix singles = a.toPrecision(Precision.F32);
        for (Backend backend : TestSpectra.backends()) {
            try (backend; SpmvOperator product = backend.kernels(SparseKernels.class).prepare(singles)) {
                EigenPairs found = Eigenvalues.of(product, backend).count(2).largest().find();
                assertEquals(2, found.converged(), backend.name() + ": " + found);
                assertArrayEquals(new double[]{11, 10.5}, found.values(), 1e-4, backend.name());
                EigenPairs inverse = Eigenvalues.of(product, backend).nearest(-8.5).find();
                assertEquals(1, inverse.converged(), backend.name() + ": " + inverse);
                assertEquals(-9, inverse.values()[0], 1e-4, backend.name());
            }
        }
    }

    @Test
    void everyBackendFindsTheSame() {
        CsrMatrix a = square(9);
        double[] all = ofSquare(9);
        for (Backend backend : TestSpectra.backends()) {
            try (backend;
                    SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                    JacobiPreconditioner jacobi = JacobiPreconditioner.of(a, backend)) {
                List<Eigenvalues> searches = List.of(Eigenvalues.of(product, backend).count(4).smallest(),
                        Eigenvalues.of(product, backend).count(4).nearest(0),
                        Eigenvalues.of(product, backend).count(4).smallest().lobpcg(),
                        Eigenvalues.of(product, backend).count(4).smallest().preconditioner(jacobi));
                for (Eigenvalues search : searches) {
                    EigenPairs found = search.find();
                    assertArrayEquals(Arrays.copyOf(all, 4), found.values(), 1e-9, backend.name() + ": " + found);
                    check(a, null, found, backend.name());
                }
            }
        }
    }

    @Test
    void solvesGeneralisedProblems() {
        SplittableRandom random = TestSeed.random("solvesGeneralisedProblems");
        for (int n : new int[]{1, 2, 7, 90}) {
            CsrMatrix a = TestSpectra.symmetric(n, random);
            CsrMatrix b = TestSpectra.definite(n, random);
            double[] all = generalised(a, b);
            int count = Math.min(n, 3);
            String context = n + " rows, seed " + TestSeed.value();
            List<Eigenvalues> searches = List.of(Eigenvalues.of(a).mass(b).count(count).largest(),
                    Eigenvalues.of(a).mass(b).count(count).largest().lobpcg());
            for (Eigenvalues search : searches) {
                EigenPairs found = search.find();
                for (int k = 0; k < count; k++) {
                    assertEquals(all[n - 1 - k], found.values()[k], 1e-8, context + " " + found);
                }
                check(a, b, found, context);
            }
            EigenPairs nearest = Eigenvalues.of(a).mass(b).count(count).nearest(0.01).find();
            double[] byDistance = sorted(all, x -> Math.abs(x - 0.01));
            for (int k = 0; k < count; k++) {
                assertEquals(byDistance[k], nearest.values()[k], 1e-8, context);
            }
            check(a, b, nearest, context);
        }
    }

    /** Eigenvalues of B⁻¹A by those of {@code B^-1/2 A B^-1/2}. */
    private static double[] generalised(CsrMatrix a, CsrMatrix b) {
        int n = a.rows();
        JacobiEigen eigen = new JacobiEigen(DenseBlocks.toRows(b));
        double[][] root = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    root[i][j] += eigen.vector(i, k) * eigen.vector(j, k) / Math.sqrt(eigen.value(k));
                }
            }
        }
        CsrMatrix half = dense(root);
        CsrMatrix whole = MatrixProduct.multiply(
                MatrixProduct.multiply(half, a), half);
        return TestSpectra.all(whole.combine(0.5, whole.transpose(), 0.5));
    }

    /** A path of four vertices: 2 − √2, and signs that divide it in the middle. */
    @Test
    void findsFiedlerVectors() {
        CsrMatrix path = dense(new double[][]{{1, -1, 0, 0}, {-1, 2, -1, 0}, {0, -1, 2, -1}, {0, 0, -1, 1}});
        EigenPairs fiedler = Eigenvalues.fiedler(path);
        assertEquals(2 - Math.sqrt(2), fiedler.values()[0], 1e-14);
        double[] v = fiedler.vectors().getFirst();
        assertTrue(v[0] * v[1] > 0 && v[2] * v[3] > 0 && v[1] * v[2] < 0, Arrays.toString(v));
        check(path, null, fiedler, "path");
        CsrMatrix apart = dense(new double[][]{{1, -1, 0, 0}, {-1, 1, 0, 0}, {0, 0, 1, -1}, {0, 0, -1, 1}});
        assertEquals(0, Eigenvalues.fiedler(apart).values()[0], 1e-12);
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.fiedler(line(4)));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.fiedler(diagonal(0)));
    }

    @Test
    void deflatesWhatIsKnown() {
        int n = 60;
        CsrMatrix a = line(n);
        EigenPairs first = Eigenvalues.nearest(a, 3, 0);
        double[][] known = first.vectors().toArray(double[][]::new);
        for (Eigenvalues search : List.of(Eigenvalues.of(a).smallest(), Eigenvalues.of(a).nearest(0),
                Eigenvalues.of(a).smallest().lobpcg())) {
            EigenPairs next = search.count(2).deflate(known).find();
            assertEquals(ofLine(n, 4), next.values()[0], 1e-10, next.toString());
            assertEquals(ofLine(n, 5), next.values()[1], 1e-10, next.toString());
            check(a, null, next, "deflated");
        }
    }

    @Test
    void takesInversesThatAreGiven() {
        CsrMatrix grid = square(40);
        SparseCholesky factors = SparseCholesky.of(grid);
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(grid)) {
            LinearOperator inverse = LinearOperator.of(1600, 1600, Precision.F64, product.space(),
                    (alpha, x, beta, y) -> y.copyFrom(factors.solve((HostVector) x)));
            EigenPairs found = Eigenvalues.of(product, backend).nearest(0, inverse).find();
            assertEquals(2 * ofLine(40, 1), found.values()[0], 1e-11);
            assertTrue(found.products() <= 60, found.products() + " products");
        }
    }

    /** What inner products have multiplied by B is solved with: two products a step, and some for random vectors. */
    @Test
    void multipliesByBTwiceAStep() {
        CsrMatrix grid = square(30);
        CsrMatrix b = square(30).combine(1, CsrMatrix.identity(900, Precision.F64), 9);
        SparseCholesky factors = SparseCholesky.of(grid);
        double[] expected = Eigenvalues.of(grid).mass(b).count(5).nearest(0).tolerance(1e-12).find().values();
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(grid)) {
            int[] products = new int[1];
            LinearOperator inverse = LinearOperator.of(900, 900, Precision.F64, product.space(),
                    (alpha, x, beta, y) -> y.copyFrom(factors.solve((HostVector) x)));
            LinearOperator mass = LinearOperator.of(900, 900, Precision.F64, product.space(), (alpha, x, beta, y) -> {
                products[0]++;
                y.copyFrom(HostVector.of(b.multiply(((HostVector) x).toDoubleArray())));
            });
            for (int basis : new int[]{8, 12, 40}) {
                products[0] = 0;
                EigenPairs found = Eigenvalues.of(product, backend).mass(mass).nearest(0, inverse).count(5)
                        .basis(basis).tolerance(1e-12).find();
                assertArrayEquals(expected, found.values(), 1e-12 * expected[4], "basis " + basis);
                assertEquals(5, found.converged(), found.toString());
                assertTrue(products[0] <= 2.25 * found.products() + 20, products[0] + " products with B, " + found);
            }
        }
    }

    @Test
    void saysWhenItDidNotConverge() {
        for (Eigenvalues search : List.of(Eigenvalues.of(line(2000)).basis(10),
                Eigenvalues.of(line(2000)).lobpcg())) {
            EigenPairs early = search.count(3).smallest().tolerance(1e-12).maximumProducts(20).find();
            assertEquals(0, early.converged());
            assertFalse(early.isConverged(0));
            assertTrue(early.residuals()[0] > 0);
            assertTrue(early.products() <= 40, early.products() + " products");
            assertTrue(assertThrows(ArithmeticException.class, early::requireConverged).getMessage()
                    .contains("0 of 3"));
        }
    }

    @Test
    void isDeterministic() {
        assertArrayEquals(Eigenvalues.largest(line(100), 3).values(), Eigenvalues.largest(line(100), 3).values());
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.largest(line(3), 4));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.largest(line(3), 0));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.largest(line(3).selectRows(0), 1));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(line(3)).basis(2));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(line(3)).tolerance(0));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(line(3)).nearest(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(line(3)).deflate(new double[2]));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(line(3)).deflate(new double[3]).find());
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(line(3)).mass(line(2)).find());
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(line(3)).lobpcg().find());
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.largest(CsrMatrix.identity(0, Precision.F64),
                1));
        assertThrows(TrellisException.class,
                () -> Eigenvalues.of(line(3)).mass(diagonal(1, -1, 1)).largest().find());
        CsrMatrix skew = dense(new double[][]{{1, 5, 0}, {0, 1, 2}, {1, 0, 3}});
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Eigenvalues.largest(skew, 1)).getMessage()
                .contains("symmetric"));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.nearest(skew, 1, 0.5));
    }

    @Test
    void eigenvaluesOfScaledMatricesAreTheScaledOnes() {
        List<UnaryOperator<Eigenvalues>> searches = List.of(Eigenvalues::largest, search -> search.nearest(0),
                search -> search.largest().lobpcg());
        for (int which = 0; which < searches.size(); which++) {
            EigenPairs expected = searches.get(which).apply(Eigenvalues.of(line(100))).count(2).find();
            for (int exponent : new int[]{-960, -532, 532, 1000}) {
                CsrMatrix scaled = line(100).scaled(Math.scalb(1.0, exponent));
                EigenPairs found = searches.get(which).apply(Eigenvalues.of(scaled)).count(2).find();
                String context = "search " + which + ", 2^" + exponent + ": " + found;
                assertEquals(2, found.converged(), context);
                for (int k = 0; k < 2; k++) {
                    assertEquals(expected.values()[k], Math.scalb(found.values()[k], -exponent),
                            1e-14 * expected.values()[k], context);
                }
            }
        }
    }

    /** Of A = ((0, 1), (1, 0)), which has no diagonal, and B = 2 I: 1/2 and -1/2. */
    @Test
    void aShiftOfZeroTakesAAsItIs() {
        CsrMatrix cross = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{1, 0}, new double[]{1, 1});
        EigenPairs pairs = Eigenvalues.of(cross).mass(diagonal(2, 2)).count(2).nearest(0).find();
        assertArrayEquals(new double[]{-0.5, 0.5}, Arrays.stream(pairs.values()).sorted().toArray(), 1e-14);

        CsrMatrix a = line(40);
        CsrMatrix b = line(40).combine(1, CsrMatrix.identity(40, Precision.F64), 3);
        assertArrayEquals(Eigenvalues.of(a).mass(b).count(3).nearest(1e-12).find().values(),
                Eigenvalues.of(a).mass(b).count(3).nearest(0).find().values(), 1e-12);
    }

    @Test
    void massesOfAnySizeAreSafe() {
        CsrMatrix mass = CsrMatrix.identity(100, Precision.F64);
        for (int ofA : new int[]{-530, 0, 530}) {
            for (int ofB : new int[]{-530, 0, 530}) {
                if (Math.abs(ofA - ofB) > 1000) {
                    continue; // the eigenvalues are no numbers
                }
                CsrMatrix a = line(100).scaled(Math.scalb(1.0, ofA));
                CsrMatrix b = mass.scaled(Math.scalb(1.0, ofB));
                EigenPairs found = Eigenvalues.of(a).mass(b).nearest(0).find();
                assertEquals(1, found.converged(), "2^" + ofA + ", 2^" + ofB + ": " + found);
                assertEquals(ofLine(100, 1), Math.scalb(found.values()[0], ofB - ofA), 1e-12);
            }
        }
    }

    @Test
    void refusesWhatIsNoNumber() {
        CsrMatrix nan = dense(new double[][]{{1, 0}, {0, Double.NaN}});
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Eigenvalues.largest(nan, 1)).getMessage()
                .contains("row 1, column 1 is NaN"));
        CsrMatrix huge = dense(new double[][]{{0.9, 0.9, 0.9}, {0.9, 0.9, 0.9}, {0.9, 0.9, 0.9}})
                .scaled(Math.scalb(1.0, 1023));
        assertThrows(IllegalArgumentException.class, () -> Eigenvalues.largest(huge, 1));
    }
}
