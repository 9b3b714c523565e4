package org.trellis.systems;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/** Methods on real forms do what they would do with complex numbers, which are written out here. */
class ComplexSolversTest {
    /** A damped wave: the Laplacian of a square less k², with absorption in the imaginary part. */
    private static ComplexCsr wave(int width, double shift, double absorption) {
        int n = width * width;
        CsrBuilder re = new CsrBuilder(n, Precision.F64, 5L * n);
        CsrBuilder im = new CsrBuilder(n, Precision.F64, n);
        for (int i = 0; i < n; i++) {
            int[] columns = {i - width, i % width > 0 ? i - 1 : -1, i, (i + 1) % width > 0 ? i + 1 : -1, i + width};
            for (int column : columns) {
                if (column >= 0 && column < n) {
                    re.add(column, column == i ? 4 - shift : -1);
                }
            }
            im.add(i, absorption * (1 + i % 3));
            re.endRow();
            im.endRow();
        }
        return ComplexCsr.of(re.build(), im.build());
    }

    private static ComplexCsr unsymmetric(int n, SplittableRandom random) {
        int[] offsets = new int[n + 1];
        int[] columns = new int[n * n];
        double[] values = new double[2 * n * n];
        int next = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (i == j || random.nextDouble() < 0.2) {
                    columns[next] = j;
                    values[2 * next] = random.nextDouble(-1, 1) + (i == j ? 4 : 0);
                    values[2 * next + 1] = random.nextDouble(-1, 1) + (i == j ? 3 : 0);
                    next++;
                }
            }
            offsets[i + 1] = next;
        }
        return ComplexCsr.of(n, n, offsets, columns, values);
    }

    /** A complex number, for the methods as books have them. */
    private record Complex(double re, double im) {
        Complex times(Complex o) {
            return new Complex(re * o.re - im * o.im, re * o.im + im * o.re);
        }

        Complex plus(Complex o) {
            return new Complex(re + o.re, im + o.im);
        }

        Complex minus(Complex o) {
            return new Complex(re - o.re, im - o.im);
        }

        Complex over(Complex o) {
            double size = o.re * o.re + o.im * o.im;
            return new Complex((re * o.re + im * o.im) / size, (im * o.re - re * o.im) / size);
        }

        Complex conjugate() {
            return new Complex(re, -im);
        }
    }

    private static Complex[] complex(double[] parts) {
        Complex[] numbers = new Complex[parts.length / 2];
        Arrays.setAll(numbers, i -> new Complex(parts[2 * i], parts[2 * i + 1]));
        return numbers;
    }

    private static Complex[] product(ComplexCsr a, Complex[] x) {
        double[] parts = new double[2 * x.length];
        Arrays.setAll(parts, i -> i % 2 == 0 ? x[i / 2].re : x[i / 2].im);
        return complex(a.multiply(parts));
    }

    private static Complex dot(Complex[] x, Complex[] y, boolean conjugated) {
        Complex sum = new Complex(0, 0);
        for (int i = 0; i < x.length; i++) {
            sum = sum.plus((conjugated ? x[i].conjugate() : x[i]).times(y[i]));
        }
        return sum;
    }

    private static Complex[] plus(Complex[] x, Complex alpha, Complex[] y) {
        Complex[] sum = new Complex[x.length];
        Arrays.setAll(sum, i -> x[i].plus(alpha.times(y[i])));
        return sum;
    }

    private static double norm(Complex[] x) {
        return Math.sqrt(dot(x, x, true).re);
    }

    private static Complex minus(Complex alpha) {
        return new Complex(0, 0).minus(alpha);
    }

    private static double[] cocgByTheBook(ComplexCsr a, double[] b, int iterations) {
        double[] norms = new double[iterations + 1];
        Complex[] r = complex(b);
        Complex[] p = r.clone();
        norms[0] = norm(r);
        for (int k = 1; k <= iterations; k++) {
            Complex[] q = product(a, p);
            Complex rho = dot(r, r, false);
            r = plus(r, minus(rho.over(dot(p, q, false))), q);
            p = plus(r, dot(r, r, false).over(rho), p);
            norms[k] = norm(r);
        }
        return norms;
    }

    private static double[] stabilisedByTheBook(ComplexCsr a, double[] b, int iterations) {
        double[] norms = new double[iterations + 1];
        Complex[] r = complex(b);
        Complex[] shadow = r.clone();
        Complex[] p = r.clone();
        norms[0] = norm(r);
        for (int k = 1; k <= iterations; k++) {
            Complex[] v = product(a, p);
            Complex rho = dot(shadow, r, true);
            Complex alpha = rho.over(dot(shadow, v, true));
            Complex[] s = plus(r, minus(alpha), v);
            Complex[] t = product(a, s);
            Complex omega = dot(t, s, true).over(dot(t, t, true));
            r = plus(s, minus(omega), t);
            Complex beta = dot(shadow, r, true).over(rho).times(alpha.over(omega));
            p = plus(r, beta, plus(p, minus(omega), v));
            norms[k] = norm(r);
        }
        return norms;
    }

    private static void sameHistory(double[] expected, Solution found) {
        for (int k = 0; k < expected.length; k++) {
            assertEquals(1, found.report().residualHistory().get(k) / expected[k], 1e-6, "iteration " + k);
        }
    }

    @Test
    void iteratesAsWithComplexNumbers() {
        ComplexCsr wave = wave(12, 0.7, 0.3);
        double[] b = TestSeed.random("wave").doubles(288, -1, 1).toArray();
        sameHistory(cocgByTheBook(wave, b, 10), Solvers.method(wave.realForm(), "cocg", "none").tolerance(1e-12)
                .solve(b));
        sameHistory(stabilisedByTheBook(wave, b, 6), Solvers.method(wave.realForm(), "complex-bicgstab", "none")
                .tolerance(1e-12).solve(b));
    }

    @Test
    void everyMethodFindsTheSolution() {
        SplittableRandom random = TestSeed.random("complex solvers");
        for (Precision precision : Precision.values()) {
            double tolerance = precision == Precision.F64 ? 1e-11 : 1e-5;
            for (ComplexCsr given : List.of(wave(9, 1.3, 0.4), unsymmetric(40, random))) {
                ComplexCsr a = given.toPrecision(precision);
                double[] x = random.doubles(2L * a.rows(), -1, 1).toArray();
                double[] b = a.multiply(x);
                SystemSolver[] solvers = {Solvers.bicgstab(a),
                    a.isSymmetric(0) ? Solvers.cocg(a) : Solvers.gmres(a), Solvers.auto(a), Solvers.direct(a),
                    a.isSymmetric(0) ? Solvers.cocg(a).preconditioner(Preconditioning.ilu0()) : Solvers.gmres(a)};
                for (SystemSolver solver : solvers) {
                    Solution solution = solver.tolerance(tolerance).solve(b);
                    assertTrue(solution.converged(), solution::toString);
                    assertArrayEquals(x, solution.x(), 1e3 * tolerance, solution + ", seed " + TestSeed.value());
                }
            }
        }
    }

    /** ILU(0) of a complex matrix, row by row, and z = M⁻¹ r. */
    private static double[] incompleteByTheBook(ComplexCsr a, double[] r) {
        int n = a.rows();
        Complex[][] lu = new Complex[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = a.rowOffsets()[i]; k < a.rowOffsets()[i + 1]; k++) {
                lu[i][a.columnIndices()[k]] = new Complex(a.values().get(2 * k), a.values().get(2 * k + 1));
            }
        }
        for (int i = 1; i < n; i++) {
            for (int k = 0; k < i; k++) {
                if (lu[i][k] != null) {
                    lu[i][k] = lu[i][k].over(lu[k][k]);
                    for (int j = k + 1; j < n; j++) {
                        if (lu[i][j] != null && lu[k][j] != null) {
                            lu[i][j] = lu[i][j].minus(lu[i][k].times(lu[k][j]));
                        }
                    }
                }
            }
        }
        Complex[] z = complex(r);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                z[i] = lu[i][j] == null ? z[i] : z[i].minus(lu[i][j].times(z[j]));
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 1; j < n; j++) {
                z[i] = lu[i][j] == null ? z[i] : z[i].minus(lu[i][j].times(z[j]));
            }
            z[i] = z[i].over(lu[i][i]);
        }
        double[] parts = new double[2 * n];
        Arrays.setAll(parts, i -> i % 2 == 0 ? z[i / 2].re : z[i / 2].im);
        return parts;
    }

    private static double[] apply(String name, Map<String, String> options, ComplexCsr a, double[] r) {
        CsrMatrix form = a.realForm();
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(form);
                Preconditioner inverse = Preconditioners.of(name, form, product, backend, options).orElseThrow()) {
            HostVector z = HostVector.zeros(Precision.F64, r.length);
            inverse.apply(HostVector.of(r), z);
            return z.toDoubleArray();
        }
    }

    @Test
    void incompleteFactorsAndJacobiAreThoseOfTheComplexMatrix() {
        SplittableRandom random = TestSeed.random("complex preconditioners");
        ComplexCsr a = unsymmetric(30, random);
        double[] r = random.doubles(60, -1, 1).toArray();
        assertArrayEquals(incompleteByTheBook(a, r), apply("ilu0", Map.of(), a, r), 1e-12);
        double[] jacobi = new double[60];
        for (int i = 0; i < 30; i++) {
            double[] d = a.get(i, i);
            Complex z = new Complex(r[2 * i], r[2 * i + 1]).over(new Complex(d[0], d[1]));
            jacobi[2 * i] = z.re;
            jacobi[2 * i + 1] = z.im;
        }
        assertArrayEquals(jacobi, apply("block-jacobi", Map.of("block-size", "2"), a, r), 1e-14);
    }

    @Test
    void refusesWhatCocgCannotSolve() {
        ComplexCsr a = unsymmetric(8, TestSeed.random("cocg"));
        String unsymmetric = assertThrows(IllegalArgumentException.class, () -> Solvers.cocg(a)).getMessage();
        assertTrue(unsymmetric.contains("expected a symmetric matrix"), unsymmetric);
        String odd = assertThrows(IllegalArgumentException.class,
                () -> Solvers.method(CsrMatrix.identity(3, Precision.F64), "cocg", "none").solve(new double[3]))
                .getMessage();
        assertTrue(odd.contains("an even number of rows"), odd);
    }
}
