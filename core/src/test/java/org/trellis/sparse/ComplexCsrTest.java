package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.systems.LinearSystems;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.testing.TestSeed;

/** Complex matrices against dense complex arithmetic. */
class ComplexCsrTest {
    private static final int[][] SHAPES = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 9}, {9, 1}, {7, 5}, {40, 33}};

    /** [1 + 2i, 0, 3i; 0, 0, 0; 4, -5i, 0]. */
    private static ComplexCsr small() {
        return ComplexCsr.of(3, 3, new int[]{0, 2, 2, 4}, new int[]{0, 2, 0, 1},
                new double[]{1, 2, 0, 3, 4, 0, 0, -5});
    }

    /** Some rows are empty, one is full. */
    static ComplexCsr random(int rows, int columns, Precision precision, SplittableRandom random) {
        CsrBuilder re = new CsrBuilder(columns, precision, 16);
        CsrBuilder im = new CsrBuilder(columns, precision, 16);
        for (int i = 0; i < rows; i++) {
            double density = i == rows / 2 ? 1 : i % 3 == 1 ? 0 : 0.2;
            for (int j = 0; j < columns; j++) {
                if (random.nextDouble() < density) {
                    re.add(j, random.nextDouble(-1, 1));
                }
                if (random.nextDouble() < density) {
                    im.add(j, random.nextDouble(-1, 1));
                }
            }
            re.endRow();
            im.endRow();
        }
        return ComplexCsr.of(re.build(), im.build());
    }

    private static double[] vector(int length, SplittableRandom random) {
        return random.doubles(2L * length, -1, 1).toArray();
    }

    private static double[] denseProduct(ComplexCsr a, double[] x) {
        double[] y = new double[2 * a.rows()];
        for (int i = 0; i < a.rows(); i++) {
            for (int j = 0; j < a.columns(); j++) {
                double[] value = a.get(i, j);
                y[2 * i] += value[0] * x[2 * j] - value[1] * x[2 * j + 1];
                y[2 * i + 1] += value[0] * x[2 * j + 1] + value[1] * x[2 * j];
            }
        }
        return y;
    }

    @Test
    void multipliesByHand() {
        // (1 + 2i)(1 + i) + 3i (2 - i) = -1 + 3i + 3 + 6i; 4 (1 + i) - 5i (3) = 4 - 11i
        assertArrayEquals(new double[]{2, 9, 0, 0, 4, -11}, small().multiply(new double[]{1, 1, 3, 0, 2, -1}));
        assertEquals("complex CSR matrix 3 x 3, 4 non-zeros, f64", small().toString());
        assertArrayEquals(new double[]{0, -5}, small().get(2, 1));
        assertArrayEquals(new double[]{0, 0}, small().get(1, 1));
    }

    @Test
    void agreesWithItsRealFormAndDenseProducts() {
        SplittableRandom random = TestSeed.random("complex products");
        for (Precision precision : Precision.values()) {
            double tolerance = precision == Precision.F64 ? 1e-14 : 1e-5;
            for (int[] shape : SHAPES) {
                ComplexCsr a = random(shape[0], shape[1], precision, random);
                String context = a + ", seed " + TestSeed.value();
                double[] x = HostVector.of(vector(shape[1], random)).convert(precision).toDoubleArray();
                double[] expected = denseProduct(a, x);
                assertArrayEquals(expected, a.multiply(x), tolerance * 40, context);
                CsrMatrix form = a.realForm();
                assertEquals(4 * a.nonZeros(), form.nonZeros(), context);
                assertEquals(form.firstViolation(), java.util.Optional.empty(), context);
                assertArrayEquals(expected, form.multiply(HostVector.of(x).convert(precision)).toDoubleArray(),
                        tolerance * 40, context);
                ComplexCsr back = ComplexCsr.fromRealForm(form);
                assertTrue(back.realPart().closeTo(a.realPart(), 0, 0), context);
                assertTrue(back.imaginaryPart().closeTo(a.imaginaryPart(), 0, 0), context);
                assertEquals(Precision.F32, a.toPrecision(Precision.F32).precision());
            }
        }
    }

    @Test
    void transposesAndConjugates() {
        SplittableRandom random = TestSeed.random("complex transposes");
        for (int[] shape : SHAPES) {
            ComplexCsr a = random(shape[0], shape[1], Precision.F64, random);
            String context = a + ", seed " + TestSeed.value();
            for (int i = 0; i < shape[0]; i++) {
                for (int j = 0; j < shape[1]; j++) {
                    double[] value = a.get(i, j);
                    assertArrayEquals(value, a.transpose().get(j, i), context);
                    assertArrayEquals(new double[]{value[0], 0 - value[1]}, plusZero(a.adjoint().get(j, i)), context);
                    assertArrayEquals(new double[]{value[0], 0 - value[1]}, plusZero(a.conjugate().get(i, j)),
                            context);
                }
            }
            // The adjoint's real form is the transpose of the real form.
            assertTrue(a.adjoint().realForm().closeTo(a.realForm().transpose(), 0, 0), context);
        }
    }

    private static double[] plusZero(double[] value) {
        return new double[]{value[0] + 0.0, value[1] + 0.0};
    }

    @Test
    void seesSymmetry() {
        ComplexCsr a = random(20, 20, Precision.F64, TestSeed.random("complex symmetry"));
        CsrMatrix form = MatrixProduct.multiply(a.realForm(), a.adjoint().realForm());
        assertTrue(ComplexCsr.fromRealForm(rounded(form)).isHermitian(1e-12));
        ComplexCsr symmetric = ComplexCsr.of(a.realPart().plus(a.realPart().transpose()),
                a.imaginaryPart().plus(a.imaginaryPart().transpose()));
        assertTrue(symmetric.isSymmetric(0));
        assertFalse(symmetric.isHermitian(1e-3));
        assertFalse(small().isSymmetric(1e-3));
        assertFalse(ComplexCsr.of(2, 1, new int[]{0, 0, 0}, new int[0], new double[0]).isSymmetric(0));
    }

    /** Sums of two rows of a block may differ in the last digit. */
    private static CsrMatrix rounded(CsrMatrix form) {
        return form.mapValues(value -> Math.rint(value * 0x1p30) * 0x1p-30);
    }

    @Test
    void refusesWhatIsNoComplexMatrix() {
        String odd = assertThrows(IllegalArgumentException.class,
                () -> ComplexCsr.fromRealForm(CsrMatrix.identity(3, Precision.F64))).getMessage();
        assertTrue(odd.contains("an even number of rows and columns"), odd);
        CsrMatrix form = small().realForm();
        String other = assertThrows(IllegalArgumentException.class,
                () -> ComplexCsr.fromRealForm(form.mapValues((i, j, v) -> i == 5 && j == 2 ? v + 1 : v))).getMessage();
        assertTrue(other.contains("blocks [a -b; b a]"), other);
        String length = assertThrows(IllegalArgumentException.class, () -> small().multiply(new double[3]))
                .getMessage();
        assertTrue(length.contains("length of x is 3, expected 6"), length);
        String columns = assertThrows(IllegalArgumentException.class, () -> ComplexCsr.of(1, 2, new int[]{0, 2},
                new int[]{1, 1}, new double[4])).getMessage();
        assertTrue(columns.contains("column 1 follows 1"), columns);
        assertThrows(IllegalArgumentException.class,
                () -> ComplexCsr.of(1, 2, new int[]{0, 2}, new int[]{0, 1}, new double[2]));
        assertThrows(IndexOutOfBoundsException.class, () -> small().get(3, 0));
        assertThrows(IllegalArgumentException.class, () -> ComplexCsr.interleave(new double[2], new double[3]));
    }

    @Test
    void interleavesAndTakesApart() {
        double[] both = ComplexCsr.interleave(new double[]{1, 2}, new double[]{3, 4});
        assertArrayEquals(new double[]{1, 3, 2, 4}, both);
        assertArrayEquals(new double[]{1, 2}, ComplexCsr.realParts(both));
        assertArrayEquals(new double[]{3, 4}, ComplexCsr.imaginaryParts(both));
    }

    @Test
    void solvesByItsRealForm() {
        SplittableRandom random = TestSeed.random("complex systems");
        for (int n : new int[]{1, 2, 40}) {
            ComplexCsr a = random(n, n, Precision.F64, random);
            ComplexCsr regular = ComplexCsr.of(a.realPart().plus(CsrMatrix.identity(n, Precision.F64).scaled(n)),
                    a.imaginaryPart().plus(CsrMatrix.identity(n, Precision.F64)));
            double[] x = vector(n, random);
            double[] b = regular.multiply(x);
            assertArrayEquals(x, LinearSystems.solve(regular, b), 1e-7, "seed " + TestSeed.value());
            for (Solution solution : new Solution[]{Solvers.direct(regular).solve(b),
                Solvers.gmres(regular).tolerance(1e-12).solve(b), Solvers.auto(regular).tolerance(1e-12).solve(b)}) {
                assertTrue(solution.converged(), solution::toString);
                assertArrayEquals(x, solution.x(), 1e-9, solution.toString());
            }
        }
    }
}
