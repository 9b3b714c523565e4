package org.trellis.systems;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.ErrorEstimate;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.TestSeed;

/** What is reported of the error of a solution, against errors that are known. */
final class SolutionErrorTest {
    /** Reflected, so that it is not diagonal: I − 2 v vᵀ on both sides keeps the eigenvalues. */
    private static CsrMatrix withEigenvalues(double[] eigenvalues, Precision precision, SplittableRandom random) {
        int n = eigenvalues.length;
        double[] v = random.doubles(n, -1, 1).toArray();
        double square = 0;
        for (double element : v) {
            square += element * element;
        }
        double[][] rows = new double[n][n];
        double middle = 0;
        for (int i = 0; i < n; i++) {
            middle += eigenvalues[i] * v[i] * v[i];
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double coupling = -2 / square * (eigenvalues[i] + eigenvalues[j]) * v[i] * v[j]
                        + 4 * middle / square / square * v[i] * v[j];
                rows[i][j] = coupling + (i == j ? eigenvalues[i] : 0);
            }
        }
        return DenseBlocks.fromRows(rows, precision);
    }

    private static double error(Solution solution) {
        double sum = 0;
        for (double element : solution.x()) {
            sum += (element - 1) * (element - 1);
        }
        return Math.sqrt(sum / solution.x().length);
    }

    @Test
    void conjugateGradientsKnowTheConditionFromTheirCoefficients() {
        SplittableRandom random = TestSeed.random("conjugateGradientsKnowTheCondition");
        for (int n : new int[]{2, 7, 40}) {
            double[] eigenvalues = new double[n];
            for (int i = 0; i < n; i++) {
                eigenvalues[i] = Math.pow(1000, (double) i / (n - 1));
            }
            CsrMatrix a = withEigenvalues(eigenvalues, Precision.F64, random);
            double[] ones = HostVector.zeros(Precision.F64, n).fill(1).toDoubleArray();
            Solution solution = Solvers.method(a, "cg", "none").tolerance(1e-12).solve(a.multiply(ones));
            assertEquals(1000, solution.conditionEstimate(), 1, () -> solution + ", seed " + TestSeed.value());
            assertTrue(error(solution) <= solution.forwardErrorBound(), solution::toString);
            Solution direct = Solvers.direct(a).solve(a.multiply(ones));
            assertTrue(direct.conditionEstimate() > 300 && direct.conditionEstimate() < 1000.0 * n, direct::toString);
        }
    }

    /** The norm of the error in the norm of energy, relative to that of the exact solution. */
    private static double energyError(CsrMatrix a, double[] x, double[] exact) {
        double[] error = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            error[i] = x[i] - exact[i];
        }
        return Math.sqrt(dot(error, a.multiply(error)) / dot(exact, a.multiply(exact)));
    }

    private static double dot(double[] u, double[] v) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += u[i] * v[i];
        }
        return sum;
    }

    /** Five points on a square, whose couplings differ by so much. */
    private static CsrMatrix plate(int width, double contrast, Precision precision, SplittableRandom random) {
        int n = width * width;
        double[][] rows = new double[n][n];
        for (int i = 0; i < n; i++) {
            rows[i][i] += 1e-3;
            for (int j : new int[]{i + 1, i + width}) {
                double coupling = Math.pow(contrast, random.nextDouble());
                rows[i][i] += coupling;
                if (j < n && (j != i + 1 || j % width != 0)) {
                    rows[j][j] += coupling;
                    rows[i][j] = -coupling;
                    rows[j][i] = -coupling;
                }
            }
        }
        return DenseBlocks.fromRows(rows, precision);
    }

    private static CsrMatrix dense(int n, SplittableRandom random) {
        double[] eigenvalues = new double[n];
        for (int i = 0; i < n; i++) {
            eigenvalues[i] = 1 + i;
        }
        return withEigenvalues(eigenvalues, Precision.F64, random);
    }

    /** The bound holds as it is, in the norm that its text names, from any guess. */
    @ParameterizedTest
    @ValueSource(strings = {"jacobi", "ssor", "ic0", "chebyshev", "amg"})
    void preconditionedGradientsBoundTheErrorInTheEnergyNorm(String preconditioner) {
        SplittableRandom random = TestSeed.random("energy norm with " + preconditioner);
        int compared = 0;
        for (int repetition = 0; repetition < 12; repetition++) {
            Precision precision = repetition % 3 == 2 ? Precision.F32 : Precision.F64;
            CsrMatrix a = repetition % 4 == 0
                    ? dense(random.nextInt(2, 80), random)
                    : plate(random.nextInt(2, 16), precision == Precision.F64 ? 1e4 : 10, precision, random);
            CsrMatrix exactly = a.toPrecision(Precision.F64);
            double[] b = HostVector.of(exactly.multiply(random.doubles(a.rows(), -1, 1).toArray()))
                    .convert(a.precision()).toDoubleArray();
            double[] exact = Solvers.direct(exactly).solve(b).x();
            double[] guess = random.doubles(a.rows(), 0, random.nextBoolean() ? 1e-9 : 1e3).toArray();
            try (SystemSolver solver = Solvers.method(a, "cg", preconditioner)) {
                Solution solution = random.nextBoolean() ? solver.solve(b) : solver.solve(b, guess);
                double error = energyError(exactly, solution.x(), exact);
                String text = preconditioner + ", error " + error + ", seed " + TestSeed.value() + ": " + solution;
                assertTrue(solution.converged() && solution.conditionEstimate() >= 1, text);
                if (text.contains("by the dominance of the diagonal")) {
                    continue; // A bound in another norm.
                }
                compared++;
                assertTrue(text.contains("in the energy norm, of the preconditioned matrix"), text);
                double rounding = a.precision().unitRoundoff() * 2000;
                assertTrue(error <= solution.forwardErrorBound() + rounding, text);
                assertTrue(solution.forwardErrorBound() < 1e4 * error + rounding, text);
            }
        }
        assertTrue(compared >= 6, compared + " bounds compared, seed " + TestSeed.value());
    }

    /** A preconditioner that is far from the matrix in size changes no bound. */
    @Test
    void scaledPreconditionersHaveTheSameBound() {
        SplittableRandom random = TestSeed.random("scaled preconditioners");
        CsrMatrix a = plate(9, 100, Precision.F64, random);
        double[] exact = random.doubles(a.rows(), -1, 1).toArray();
        double[] bounds = new double[2];
        for (int k = 0; k < 2; k++) {
            CsrMatrix scaled = a.scaled(k == 0 ? 1 : 0x1p-60);
            Solution solution = Solvers.method(scaled, "cg", "ssor").solve(scaled.multiply(exact));
            bounds[k] = solution.forwardErrorBound();
            assertTrue(energyError(scaled, solution.x(), exact) <= bounds[k], solution::toString);
        }
        assertEquals(bounds[0], bounds[1], 1e-6 * bounds[0]);
    }

    @Test
    void withoutAPreconditionerTheNormIsEuclidean() {
        CsrMatrix a = dense(60, TestSeed.random("no preconditioner"));
        double[] ones = HostVector.zeros(Precision.F64, 60).fill(1).toDoubleArray();
        Solution solution = Solvers.method(a, "cg", "none").solve(a.multiply(ones));
        assertEquals(60, solution.conditionEstimate(), 1, solution::toString);
        assertTrue(error(solution) <= solution.forwardErrorBound(), solution::toString);
        assertTrue(solution.toString().contains("in the Euclidean norm"), solution::toString);
    }

    /** The system x = 1: errors of a half are a half of the solution beyond it, and may be all of it before it. */
    @Test
    void energyOfTheExactSolutionIsBoundedFromBelow() {
        assertEquals(0.5, ErrorEstimate.ofEnergy(2, 0.5, 1.5, 1e-16).forwardBound(), 1e-15);
        assertEquals(1, ErrorEstimate.ofEnergy(2, 0.5, 0.5, 1e-16).forwardBound(), 1e-15);
        assertEquals(1e-16, ErrorEstimate.ofEnergy(2, 0, 0.5, 1e-16).forwardBound());
        assertFalse(ErrorEstimate.ofEnergy(2, 0.5, -1, 1e-16).isKnown());
        assertFalse(ErrorEstimate.ofEnergy(2, 0.5, Double.POSITIVE_INFINITY, 1e-16).isKnown());
        assertFalse(ErrorEstimate.ofEnergy(2, Double.NaN, 1, 1e-16).isKnown());
    }

    /** A small residual hides a solution without a correct digit; both are in the text. */
    @Test
    void smallResidualsDoNotHideLargeErrors() {
        double[] eigenvalues = {1, 1e-3, 3e-17, 0.5, 2};
        CsrMatrix a = withEigenvalues(eigenvalues, Precision.F64, TestSeed.random("smallResiduals"));
        double[] ones = {1, 1, 1, 1, 1};
        Solution direct = Solvers.direct(a).solve(a.multiply(ones));
        assertTrue(direct.relativeResidual() < 1e-12, direct::toString);
        assertTrue(direct.conditionEstimate() > 1e14, direct::toString);
        assertTrue(error(direct) <= direct.forwardErrorBound(), direct::toString);
        assertTrue(direct.forwardErrorBound() >= 1, direct::toString);
        assertTrue(direct.toString().startsWith("CONVERGED in the residual only"), direct::toString);
    }

    /** Rows of very different size make no solution uncertain. */
    @Test
    void scalingAloneMakesNoErrors() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4e-20, 1e-20}, {1e15, 3e15}}, Precision.F64);
        Solution solution = Solvers.direct(a).solve(a.multiply(new double[]{1, 1}));
        assertTrue(solution.conditionEstimate() > 1e30, solution::toString);
        assertTrue(solution.forwardErrorBound() < 1e-14, solution::toString);
        assertTrue(error(solution) <= solution.forwardErrorBound(), solution::toString);
    }

    /** The Frobenius norms of a diagonal matrix and its inverse are known, and of a reflected one the same. */
    @Test
    void otherMethodsSolveForARandomRightHandSide() {
        double[] eigenvalues = new double[60];
        double squares = 0;
        double inverses = 0;
        for (int i = 0; i < eigenvalues.length; i++) {
            eigenvalues[i] = (i % 2 == 0 ? 1 : -1) * Math.pow(1e5, i / 59.0);
            squares += eigenvalues[i] * eigenvalues[i];
            inverses += 1 / (eigenvalues[i] * eigenvalues[i]);
        }
        double condition = Math.sqrt(squares * inverses);
        CsrMatrix a = withEigenvalues(eigenvalues, Precision.F64, TestSeed.random("otherMethods"));
        double[] ones = HostVector.zeros(Precision.F64, 60).fill(1).toDoubleArray();
        for (String method : List.of("gmres", "fgmres", "minres", "bicgstab", "idr")) {
            String preconditioner = method.equals("minres") ? "none" : "ilu0";
            Solution solution = Solvers.method(a, method, preconditioner).solve(a.multiply(ones));
            assertTrue(solution.converged(), () -> method + ": " + solution);
            assertEquals(1, Math.log10(solution.conditionEstimate()) / Math.log10(condition), 0.2,
                    () -> method + ", not " + condition + ": " + solution);
            assertTrue(error(solution) <= 10 * solution.forwardErrorBound(), () -> method + ": " + solution);
        }
    }

    @Test
    void newValuesHaveAnotherCondition() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{1, 0.5}, {0, 1}}, Precision.F64);
        SystemSolver solver = Solvers.gmres(a);
        assertTrue(solver.solve(new double[]{1, 1}).conditionEstimate() < 100);
        Solution next = solver.update(new double[]{1, 1e9, 1}).solve(new double[]{1, 1});
        assertTrue(next.conditionEstimate() > 1e12, next::toString);
    }

    @Test
    void zeroHasNoRelativeError() {
        CsrMatrix a = CsrMatrix.identity(9, Precision.F64);
        assertFalse(Solvers.cg(a).solve(new double[9]).report().facts().error().isKnown());
        Solution solution = Solvers.gmres(a).solve(new double[9]);
        assertTrue(solution.toString().contains("error unknown"), solution::toString);
    }

    @Test
    void defaultsAreTheSameEverywhere() {
        CsrMatrix a = CsrMatrix.identity(4, Precision.F64);
        assertEquals(StoppingCriteria.defaults(Precision.F64), SolverConfig.preset("default").criteria());
        assertEquals(StoppingCriteria.DEFAULT_TOLERANCE,
                StoppingCriteria.defaults(Precision.F64).relativeTolerance());
        assertEquals(StoppingCriteria.DEFAULT_SINGLE_TOLERANCE,
                StoppingCriteria.defaults(Precision.F32).relativeTolerance());
        Solution single = Solvers.cg(a.toPrecision(Precision.F32)).solve(new double[]{1, 2, 3, 4});
        assertTrue(single.converged(), single::toString);
    }
}
