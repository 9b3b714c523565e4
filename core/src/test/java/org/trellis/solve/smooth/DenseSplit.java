package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.trellis.solve.SplitProduct;

/** Eisenstat's product by dense formulas: the matrix in the order of sweeps and scaled, and its triangles. */
final class DenseSplit {
    private final double[][] scaled;
    private final int[] order;
    private final double[] roots;

    DenseSplit(double[][] a, SplitProduct split) {
        int n = a.length;
        order = split.order().orElse(IntStream.range(0, n).toArray());
        roots = split.scale().toDoubleArray();
        scaled = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                scaled[i][j] = roots[order[i]] * a[order[i]][order[j]] * roots[order[j]];
            }
        }
    }

    /** {@code (I + L)⁻¹ r}. */
    double[] lower(double... r) {
        double[] x = r.clone();
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < i; j++) {
                x[i] -= scaled[i][j] * x[j];
            }
        }
        return x;
    }

    private double[] upper(double... r) {
        double[] x = r.clone();
        for (int i = x.length - 1; i >= 0; i--) {
            for (int j = i + 1; j < x.length; j++) {
                x[i] -= scaled[i][j] * x[j];
            }
        }
        return x;
    }

    private double[] hat = {};

    /** {@code p = (I + Lᵀ)⁻¹ (r + β p̂)}. */
    double[] upper(double[] r, double beta, double... before) {
        hat = r.clone();
        for (int i = 0; i < hat.length; i++) {
            hat[i] += beta * before[i];
        }
        return upper(hat);
    }

    /** {@code (I + L)⁻¹ A p − p}. */
    double[] product(double... p) {
        double[] q = new double[p.length];
        for (int i = 0; i < p.length; i++) {
            for (int j = 0; j < p.length; j++) {
                q[i] += scaled[i][j] * p[j];
            }
        }
        double[] y = lower(q);
        for (int i = 0; i < p.length; i++) {
            y[i] -= p[i];
        }
        return y;
    }

    /** {@code pᵀ A p}. */
    double sigma(double... p) {
        double sigma = 0;
        for (int i = 0; i < p.length; i++) {
            for (int j = 0; j < p.length; j++) {
                sigma += p[i] * scaled[i][j] * p[j];
            }
        }
        return sigma;
    }

    /** {@code ‖S⁻¹ (I + L) r‖²}. */
    double square(double... r) {
        double square = 0;
        for (int i = 0; i < r.length; i++) {
            double element = r[i];
            for (int j = 0; j < i; j++) {
                element += scaled[i][j] * r[j];
            }
            element /= roots[order[i]];
            square += element * element;
        }
        return square;
    }

    /** The preconditioner is a multiple of {@code G Gᵀ}; the multiple is 2 − ω where there is an ω. */
    void assertInverse(Smoother smoother, double[] r, double[] z, double allowed, String context) {
        double omega = smoother.describe().contains("omega=1.25") ? 1.25 : 1;
        double[] ordered = new double[r.length];
        for (int i = 0; i < r.length; i++) {
            ordered[i] = roots[order[i]] * r[order[i]];
        }
        double[] inverse = upper(lower(ordered));
        for (int i = 0; i < r.length; i++) {
            assertEquals((2 - omega) * roots[order[i]] * inverse[i], z[order[i]], allowed, context);
        }
    }
}
