package org.trellis.systems;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.trellis.systems.Preconditioning.chebyshev;
import static org.trellis.systems.Preconditioning.ssor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.common.TrellisException;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class SolversTest {
    private static final double[] NOTHING = {};

    /** The five-point stencil on n times n points. */
    private static CsrMatrix poisson(int n) {
        int rows = n * n;
        int[] offsets = new int[rows + 1];
        List<Integer> columns = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            int i = row / n;
            int j = row % n;
            int[][] neighbours = {{i - 1, j}, {i, j - 1}, {i, j}, {i, j + 1}, {i + 1, j}};
            for (int[] at : neighbours) {
                if (at[0] >= 0 && at[0] < n && at[1] >= 0 && at[1] < n) {
                    columns.add(at[0] * n + at[1]);
                    values.add(at[0] == i && at[1] == j ? 4.0 : -1.0);
                }
            }
            offsets[row + 1] = columns.size();
        }
        return CsrMatrix.of(rows, rows, offsets, columns.stream().mapToInt(Integer::intValue).toArray(),
                values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static double[] rightHandSide(CsrMatrix a, String test) {
        return TestSeed.random(test).doubles(a.rows(), -1, 1).toArray();
    }

    private static double residual(CsrMatrix a, double[] x, double[] b) {
        double[] y = a.multiply(x);
        double sum = 0;
        double norm = 0;
        for (int i = 0; i < b.length; i++) {
            sum += (b[i] - y[i]) * (b[i] - y[i]);
            norm += b[i] * b[i];
        }
        return Math.sqrt(sum / norm);
    }

    @Test
    void everyMethodSolves() {
        CsrMatrix a = poisson(30);
        double[] b = rightHandSide(a, "everyMethodSolves");
        List<Function<CsrMatrix, SystemSolver>> all =
                List.of(Solvers::auto, Solvers::direct, Solvers::cg, Solvers::minres,
                        Solvers::gmres, Solvers::bicgstab, Solvers::lsqr, m -> Solvers.cg(m).multigrid(),
                        m -> Solvers.cg(m).multigrid(s -> s.smoother(chebyshev(3)).cycle(CycleShape.W).sweeps(2, 2)),
                        m -> Solvers.cg(m).preconditioner(ssor(1.4)), m -> Solvers.gmres(m).option("restart", 50),
                        m -> Solvers.method(m, "idr", "ilu0"), m -> Solvers.of(m, SolverConfig.preset("spd")),
                        m -> Solvers.auto(m).knownAs(MatrixKind.SPD), m -> Solvers.cg(m).backend("reference"));
        for (Function<CsrMatrix, SystemSolver> each : all) {
            try (SystemSolver solver = each.apply(a).tolerance(1e-9).maximumIterations(20_000)) {
                Solution solution = solver.solve(b);
                assertTrue(solution.converged(), solver + ": " + solution);
                assertTrue(residual(a, solution.x(), b) < 2e-9, solver + ": " + solution);
                assertTrue(solution.relativeResidual() <= 1e-9, solver + ": " + solution);
                Solution again = solver.solve(b, solution.x());
                assertTrue(again.report().iterations() <= 1, solver + " from its solution: " + again);
            }
        }
    }

    @Test
    void optionsAreCheckedWhereTheyAreGiven() {
        CsrMatrix a = poisson(3);
        assertEquals("preconditioner amg for an automatic choice, expected a method that takes one, such as "
                + "Solvers.cg(a) or Solvers.gmres(a)",
                assertThrows(IllegalArgumentException.class, () -> Solvers.auto(a).multigrid()).getMessage());
        assertThrows(IllegalArgumentException.class, () -> Solvers.direct(a).preconditioner(ssor(1)));
        assertThrows(IllegalArgumentException.class, () -> Preconditioning.of("nothing"));
        assertThrows(IllegalArgumentException.class, () -> Preconditioning.jacobi().with("degree", 3));
        assertThrows(IllegalArgumentException.class, () -> Solvers.cg(a).multigrid(m -> m.cycle(CycleShape.K)));
        assertThrows(IllegalArgumentException.class, () -> Solvers.cg(a).tolerance(-1));
        assertThrows(IllegalArgumentException.class, () -> Solvers.cg(a).solve(NOTHING));
        String unknown =
                assertThrows(RuntimeException.class, () -> Solvers.cg(a).backend("abacus").solve(new double[9]))
                        .getMessage();
        assertTrue(unknown.contains("backend 'abacus' is unknown"), unknown);
    }

    /** Factors, hierarchies and what an automatic choice has found are kept, and solve the new system. */
    @Test
    void newValuesAreTaken() {
        CsrMatrix a = poisson(40);
        double[] b = rightHandSide(a, "newValuesAreTaken");
        List<Function<CsrMatrix, SystemSolver>> all = List.of(Solvers::auto, Solvers::direct, Solvers::cg,
                m -> Solvers.cg(m).multigrid(), Solvers::gmres);
        for (Function<CsrMatrix, SystemSolver> each : all) {
            try (SystemSolver solver = each.apply(a).tolerance(1e-10).maximumIterations(20_000)) {
                solver.solve(b).orThrow();
                for (int step = 1; step <= 3; step++) {
                    int now = step;
                    CsrMatrix next = a.mapValues((i, j, value) -> i == j ? value + 0.3 * now : value / (1 + 0.1 * now));
                    List<Double> values = new ArrayList<>();
                    next.forEachEntry((i, j, value) -> values.add(value));
                    Solution found = (step == 2
                            ? solver.update(next)
                            : solver.update(values.stream().mapToDouble(Double::doubleValue).toArray())).solve(b);
                    assertTrue(residual(next, found.orThrow().x(), b) < 1e-9, solver + ", step " + step + ": " + found);
                }
                assertThrows(IllegalArgumentException.class, () -> solver.update(poisson(3)));
                assertThrows(IllegalArgumentException.class, () -> solver.update(new double[3]));
            }
        }
    }

    /** Factors of symmetric values are of no use for values that are not, pivots of some are none of others. */
    @Test
    void factorsFollowTheValues() {
        CsrMatrix first = DenseBlocks.fromRows(new double[][]{{8, 1, 1}, {1, 8, 1}, {1, 1, 8}}, Precision.F64);
        double[] x = {1, -2, 3};
        double[][] others = {{8, 1, 1, -3, 8, 1, 1, 5, 8}, {0, 1, 2, 3, 0, 4, 5, 6, 0}, {1, 2, 3, 2, 4, 5, 3, 5, 1}};
        SystemSolver solver = Solvers.direct(first);
        for (double[] values : others) {
            solver.prepare().update(values);
            int[] next = {0};
            CsrMatrix now = first.mapValues((i, j, old) -> values[next[0]++]);
            assertArrayEquals(x, solver.solve(now.multiply(x)).orThrow().x(), 1e-13);
            assertArrayEquals(x, solver.solveTransposed(now.transpose().multiply(x)), 1e-13);
            assertTrue(solver.conditionEstimate() > 1 && solver.conditionEstimate() < 1e3);
        }
        assertThrows(TrellisException.class, () -> solver.update(new double[9]));
        assertThrows(TrellisException.class, () -> solver.solve(x));
        assertArrayEquals(x, solver.update(first).solve(first.multiply(x)).orThrow().x(), 1e-13);
    }

    /** As many entries in other places would give products of neither matrix. */
    @Test
    void anotherStructureIsNoUpdate() {
        CsrMatrix a = poisson(4);
        CsrMatrix moved =
                a.permute(Permutation.ofNewIndices(new int[]{0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                        Permutation.identity(16));
        SystemSolver solver = Solvers.cg(a).multigrid();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> solver.update(moved)).getMessage()
                .contains("row 1 has entries in other columns"));
        assertTrue(solver.solve(new double[16]).converged());
        assertEquals(16, solver.rows());
        assertTrue(Double.isNaN(solver.conditionEstimate()));
        assertTrue(assertThrows(UnsupportedOperationException.class, () -> solver.solveTransposed(new double[16]))
                .getMessage().contains("expected a factorisation"));
    }

    @Test
    void severalRightHandSidesAndPrecisions() {
        CsrMatrix a = poisson(20);
        double[] first = rightHandSide(a, "severalRightHandSidesAndPrecisions");
        double[] second = new double[first.length];
        Solution[] both = Solvers.cg(a).preconditioner(Preconditioning.ic0()).solveAll(first, second);
        assertTrue(residual(a, both[0].x(), first) < 1e-7);
        assertArrayEquals(new double[first.length], both[1].x());
        Solution single = Solvers.cg(a.toPrecision(Precision.F32)).tolerance(1e-4).solve(first);
        assertEquals(Precision.F32, single.vector().precision());
        assertTrue(residual(a, single.x(), first) < 1e-3, single::toString);
        assertTrue(Solvers.cg(a).mixedPrecision().solve(first).converged());
    }

    @Test
    void failuresAreStatesAndExceptionsOnDemand() {
        Solution stopped = Solvers.cg(poisson(20)).maximumIterations(2).solve(rightHandSide(poisson(20), "failures"));
        assertFalse(stopped.converged());
        assertTrue(assertThrows(ArithmeticException.class, stopped::orThrow).getMessage()
                .startsWith("linear system of 400 unknowns, cg: "));
    }

    /** Solvers of one matrix and of several run side by side with the bits that they have alone. */
    @Test
    void solversRunSideBySide() {
        SplittableRandom random = TestSeed.random("solversRunSideBySide");
        CsrMatrix a = poisson(60);
        CsrMatrix other = AwkwardMatrices.stencil(50, 50, Precision.F64, random)
                .plus(CsrMatrix.identity(2500, Precision.F64).scaled(12));
        double[] b = random.doubles(3600, -1, 1).toArray();
        double[] c = random.doubles(2500, -1, 1).toArray();
        double[] x = Solvers.cg(a).solve(b).x();
        double[] y = Solvers.gmres(other).solve(c).x();
        List<CompletableFuture<double[]>> running = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boolean first = i % 2 == 0;
            running.add(CompletableFuture.supplyAsync(
                    () -> first ? Solvers.cg(a).solve(b).x() : Solvers.gmres(other).solve(c).x(),
                    command -> new Thread(command).start()));
        }
        for (int i = 0; i < running.size(); i++) {
            assertArrayEquals(i % 2 == 0 ? x : y, running.get(i).join());
        }
    }

    @Test
    void leastSquares() {
        CsrMatrix tall = DenseBlocks.fromRows(new double[][]{{1, 0}, {1, 1}, {1, 2}}, Precision.F64);
        assertArrayEquals(new double[]{-1.0 / 6, 1.5}, Solvers.lsqr(tall).solve(new double[]{0, 1, 3}).x(), 1e-7);
        assertArrayEquals(new double[]{-1.0 / 6, 1.5}, Solvers.auto(tall).solve(new double[]{0, 1, 3}).x(), 1e-7);
    }
}
