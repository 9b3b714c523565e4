package org.trellis.systems;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class LinearSystemsTest {
    private static CsrMatrix of(double[]... rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    /** Symmetric, with so great a diagonal that it is positive definite. */
    private static CsrMatrix definite(int width, int height, Precision precision, SplittableRandom random) {
        CsrMatrix stencil = AwkwardMatrices.stencil(width, height, precision, random);
        return stencil.plus(stencil.transpose()).plus(CsrMatrix.identity(width * height, precision).scaled(12));
    }

    @Test
    void solvesDefiniteSystems() {
        SplittableRandom random = TestSeed.random("solvesDefiniteSystems");
        for (Precision precision : Precision.values()) {
            for (int width : new int[]{1, 9, 120}) {
                CsrMatrix a = definite(width, 70, precision, random);
                HostVector b = HostVector.of(precision, a.rows(), i -> random.nextDouble(-1, 1));
                Solution solution = LinearSystems.solve(a, b);
                // the diagonal dominates, which counts from 500 rows on
                assertEquals(a.rows() < 500 ? "direct" : "cg", solution.report().method());
                assertEquals(precision, solution.vector().precision());
                assertTrue(solution.relativeResidual() <= (precision == Precision.F64 ? 1e-8 : 1e-4),
                        solution + ", seed " + TestSeed.value());
            }
        }
    }

    @Test
    void factorisesTheRest() {
        assertArrayEquals(new double[]{1, -1}, LinearSystems.solve(of(new double[]{1, 2}, new double[]{0, 1}),
                new double[]{-1, -1}), 1e-15);
        Solution indefinite = LinearSystems.solve(of(new double[]{1, 2}, new double[]{2, 1}), HostVector.of(3.0, -3));
        assertEquals("direct", indefinite.report().method());
        assertArrayEquals(new double[]{-3, 3}, indefinite.x(), 1e-14);
        assertEquals(0, indefinite.relativeResidual(), 1e-15);
        assertArrayEquals(new double[]{-0.5}, LinearSystems.solve(of(new double[]{-2}), HostVector.of(1.0f)).x());
    }

    @Test
    void answersTrivialSystems() {
        assertArrayEquals(new double[0], LinearSystems.solve(CsrMatrix.identity(0, Precision.F64), new double[0]));
        Solution zero = LinearSystems.solve(CsrMatrix.identity(3, Precision.F64), HostVector.of(new double[3]));
        assertEquals(0, zero.relativeResidual());
        assertArrayEquals(new double[3], zero.x());
    }

    @Test
    void saysWhatAppliesIfNothingDoes() {
        CsrMatrix singular = of(new double[]{1, 2}, new double[]{2, 4});
        String message = assertThrows(ArithmeticException.class,
                () -> LinearSystems.solve(singular, new double[]{1, 1})).getMessage();
        assertTrue(message.contains("direct with direct") || message.contains("auto: direct"), message);
        assertTrue(message.contains("the matrix is singular or nearly so"), message);
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> LinearSystems.solve(of(new double[]{1, 2}), new double[1])).getMessage()
                .contains("expected a square matrix"));
        assertThrows(IllegalArgumentException.class, () -> LinearSystems.solve(singular, new double[3]));
    }

    @Test
    void refusesWhatIsNoNumberAndSolutionsThatAreNone() {
        CsrMatrix upper = of(new double[]{1, 2}, new double[]{0, 1});
        IllegalArgumentException nan = assertThrows(IllegalArgumentException.class,
                () -> LinearSystems.solve(upper, new double[]{1, Double.NaN}));
        assertTrue(nan.getMessage().contains("row 1 of the right-hand side is NaN"), nan.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> LinearSystems.solve(of(new double[]{1, Double.POSITIVE_INFINITY}, new double[]{0, 1}),
                        new double[]{1, 1}));
        ArithmeticException overflow = assertThrows(ArithmeticException.class,
                () -> LinearSystems.solve(of(new double[]{1e-200, 2}, new double[]{0, 1}), new double[]{1e170, 3e170}));
        assertTrue(overflow.getMessage().contains("linear system of 2 unknowns"), overflow.getMessage());
    }

    @Test
    void residualsOfSmallAndLargeSystemsAreTheSame() {
        CsrMatrix upper = of(new double[]{3, 2}, new double[]{0.3, 1});
        HostVector b = HostVector.of(new double[]{1.1, 3.3});
        double expected = LinearSystems.solve(upper, b).relativeResidual();
        for (int exponent : new int[]{-900, -565, 565, 900}) {
            HostVector scaled = HostVector.of(Precision.F64, 2, i -> Math.scalb(b.get(i), exponent));
            assertEquals(expected, LinearSystems.solve(upper, scaled).relativeResidual(), "2^" + exponent);
            assertEquals(expected,
                    LinearSystems.solve(upper.scaled(Math.scalb(1.0, exponent)), scaled).relativeResidual(),
                    "2^" + exponent);
        }
    }
}
