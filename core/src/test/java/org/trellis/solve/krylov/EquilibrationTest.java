package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.DokMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.testing.SharedData;
import org.trellis.testing.TestSeed;

final class EquilibrationTest {
    @Test
    void factorsAreThoseOfTheRoots() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{0x1p40, 0x1p20}, {0x1p20, 1}}, Precision.F64);
        Equilibration factors = Equilibration.of(a, true).orElseThrow();
        assertArrayEquals(new double[]{0x1p-20, 0x1p-1}, factors.rowFactors().doubles());
        assertArrayEquals(new double[]{1, 0.5, 0.5, 0.25},
                new double[]{factors.scaled().get(0, 0), factors.scaled().get(0, 1),
                    factors.scaled().get(1, 0), factors.scaled().get(1, 1)});
        assertTrue(Equilibration.of(a.scaled(0x1p30), true).isPresent());
        assertTrue(Equilibration.of(DenseBlocks.fromRows(new double[][]{{1e5, 1}, {1, 1}}, Precision.F64), true)
                .isEmpty(), "five orders of magnitude are no bad scaling");
        assertTrue(Equilibration.of(CsrMatrix.identity(0, Precision.F64), true).isEmpty());
    }

    @Test
    void largestEntriesAreAboutOneAndNothingIsRounded() {
        SplittableRandom random = TestSeed.random("largestEntriesAreAboutOne");
        for (Precision precision : Precision.values()) {
            int range = precision == Precision.F64 ? 60 : 15;
            for (boolean symmetric : new boolean[]{true, false}) {
                CsrMatrix plain = symmetric
                        ? KrylovSystems.symmetric(40, false, precision, random)
                        : KrylovSystems.unsymmetric(40, precision, random);
                CsrMatrix a = twin(plain, symmetric, range, random);
                Equilibration factors = Equilibration.of(a, symmetric).orElseThrow();
                CsrMatrix scaled = factors.scaled();
                double[] rows = new double[40];
                double[] columns = new double[40];
                scaled.forEachEntry((i, j, value) -> {
                    rows[i] = Math.max(rows[i], Math.abs(value));
                    columns[j] = Math.max(columns[j], Math.abs(value));
                    assertEquals(a.get(i, j), value / factors.rowFactors().get(i) / factors.columnFactors().get(j));
                });
                for (int i = 0; i < 40; i++) {
                    assertTrue(rows[i] >= 0.25 && rows[i] < 4 && columns[i] >= 0.25 && columns[i] < 4,
                            () -> factors + ", seed " + TestSeed.value());
                }
                assertEquals(symmetric, scaled.sameAs(scaled.transpose()));
            }
        }
    }

    /** Multiplies rows and columns by powers of two. */
    private static CsrMatrix twin(CsrMatrix plain, boolean symmetric, int range, SplittableRandom random) {
        int[] rows = random.ints(plain.rows(), -range, range + 1).toArray();
        int[] columns = symmetric ? rows : random.ints(plain.columns(), -range, range + 1).toArray();
        rows[0] = range;
        rows[1] = -range;
        return plain.mapValues((i, j, value) -> Math.scalb(value, rows[i] + columns[j]));
    }

    /**
     * Twins of real matrices whose rows and columns are of very different size: without equilibration the method does
     * not get there, or takes several times the iterations; with it the residual of the twin itself is met.
     */
    @ParameterizedTest
    @CsvSource({"bfw398a, gmres", "bfw398a, bicgstab", "gr_30_30, minres", "bcsstk05, minres"})
    void twinsOfRealMatricesAreSolved(String name, String method) throws IOException {
        CsrMatrix plain = read(SharedData.folder("matrices").resolve(name + ".mtx"));
        boolean symmetric = method.equals("minres");
        CsrMatrix twin = twin(plain, symmetric, 12, TestSeed.random("twin of " + name));
        SolverConfig stack = new SolverConfig(method, method.equals("gmres") ? Map.of("restart", "100") : Map.of(),
                "none", Map.of(), StoppingCriteria.relative(0, 0), false, false);
        HostVector b = HostVector.of(twin.multiply(ones(twin.rows())));
        StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 2000);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(twin);
                LinearSolver plainly = ConfiguredSolver.prepare(stack, twin, product, SolverContext.of(backend));
                LinearSolver solver = EquilibratedSolver.prepare(stack,
                        Equilibration.of(twin, symmetric).orElseThrow(), product, SolverContext.of(backend))) {
            HostVector x = HostVector.zeros(Precision.F64, twin.rows());
            SolveReport report = solver.solve(b, x, criteria, IterationObserver.NONE);
            assertTrue(report.converged(), () -> report + ", seed " + TestSeed.value());
            assertResidual(twin, b, x, 1e-8);
            SolveReport without = plainly.solve(b, HostVector.zeros(Precision.F64, twin.rows()), criteria,
                    IterationObserver.NONE);
            assertTrue(!without.converged() || without.iterations() > 2 * report.iterations(),
                    () -> report + " after " + without + ", seed " + TestSeed.value());
        }
    }

    /** Convection on a ring, which is singular, so that factors are not what solves it. */
    @Test
    void theAutomaticChoiceEquilibrates() {
        int n = 40;
        double[][] ring = new double[n][n];
        for (int i = 0; i < n; i++) {
            ring[i][i] = 2;
            ring[i][(i + 1) % n] = -0.75;
            ring[i][(i + n - 1) % n] = -1.25;
        }
        CsrMatrix plain = DenseBlocks.fromRows(ring, Precision.F64);
        CsrMatrix twin = twin(plain, false, 12, TestSeed.random("theAutomaticChoiceEquilibrates"));
        double[] wave = HostVector.of(Precision.F64, n, Math::sin).toDoubleArray();
        double[] b = twin.multiply(wave);
        Solution scaled = Solvers.auto(twin).solve(b);
        assertTrue(scaled.converged(), scaled::toString);
        assertResidual(twin, HostVector.of(b), HostVector.of(scaled.x()), StoppingCriteria.DEFAULT_TOLERANCE);
        assertTrue(scaled.report().facts().notes().toString().contains("the matrix is badly scaled"),
                scaled.report().facts().notes()::toString);
        Solution unscaled = Solvers.auto(plain).solve(plain.multiply(wave));
        assertFalse(unscaled.report().facts().notes().toString().contains("badly scaled"),
                unscaled.report().facts().notes()::toString);
    }

    private static double[] ones(int length) {
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static void assertResidual(CsrMatrix matrix, HostVector b, HostVector x, double tolerance) {
        double[] product = matrix.multiply(x.toDoubleArray());
        double squares = 0;
        double norm = 0;
        for (int i = 0; i < product.length; i++) {
            squares += (b.get(i) - product[i]) * (b.get(i) - product[i]);
            norm += b.get(i) * b.get(i);
        }
        double found = Math.sqrt(squares / norm);
        assertTrue(found <= 1.01 * tolerance, () -> "relative residual " + found + ", seed " + TestSeed.value());
    }

    private static CsrMatrix read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList();
        boolean symmetric = lines.getFirst().contains("symmetric");
        List<String[]> entries = lines.stream().filter(line -> !line.startsWith("%"))
                .map(line -> line.strip().split("\\s+")).toList();
        int n = Integer.parseInt(entries.getFirst()[0]);
        DokMatrix matrix = new DokMatrix(n, n);
        for (String[] entry : entries.subList(1, entries.size())) {
            int i = Integer.parseInt(entry[0]) - 1;
            int j = Integer.parseInt(entry[1]) - 1;
            double value = Double.parseDouble(entry[2]);
            matrix.add(i, j, value);
            if (symmetric && i != j) {
                matrix.add(j, i, value);
            }
        }
        return matrix.toCsr(Precision.F64);
    }
}
