package org.trellis.solve.krylov;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;
import org.trellis.solve.BasisLoops;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * IDR(s) with bi-orthogonal intermediate vectors and right preconditioning (M. B. van Gijzen and P. Sonneveld,
 * Algorithm 913, ACM Trans. Math. Softw. 38(1), 2011). Memory and work of an iteration do not grow; s = 1 is close to
 * BiCGStab, s = 4 often close to full GMRES. The shadow space is random with a fixed seed, and orthonormal.
 *
 * <p>An iteration is one product. It moves, beside it and the preconditioner, 5s + 12 vectors at most. The system of s
 * unknowns is the host's, which fetches s dot products and the norm once an iteration.
 */
final class Idr extends KrylovSolver {
    private static final long SEED = 20080604;
    /** ω is made longer where the angle's cosine is below this (Sonneveld and van Gijzen's κ). */
    private static final double ANGLE = 0.7;
    private static final double VANISHING = 0x1p-100;

    private final int s;
    private final Dat[] shadow;
    private final Dat[] g;
    private final Dat[] u;
    private final Dat v;
    private final Dat z;
    private final Dat t;
    private final BasisLoops loops;
    private final BasisLoops.Coefficients dots;
    private final Scalar square;
    private final Scalar angle;
    private final Scalars weights;
    private final HostVector weightsOnHost;
    private final BasisLoops.Coefficients weight;
    private final double[][] m;
    private final double[] f;
    private final double[] c;
    private ParallelLoop copyResidual;
    private ParallelLoop copyTo;
    private ParallelLoop norm;
    private ParallelLoop angles;
    private ParallelLoop clear;
    private DenseVector vView;
    private DenseVector zView;
    private DenseVector tView;
    private final DenseVector[] gViews;
    private final DenseVector[] uViews;
    private final Dat[] onlyOne = new Dat[1];
    private double omega;
    private int step;
    private double norm0;

    Idr(LinearOperator matrix, Preconditioner preconditioner, Backend backend, int wanted) {
        super("idr(" + Math.max(1, Math.min(wanted, matrix.rows())) + ")", matrix, preconditioner, backend,
                Math.max(1, Math.min(wanted, matrix.rows())) + 3);
        s = Math.max(1, Math.min(wanted, matrix.rows()));
        shadow = new Dat[s];
        g = new Dat[s];
        u = new Dat[s];
        gViews = new DenseVector[s];
        uViews = new DenseVector[s];
        m = new double[s][s];
        f = new double[s];
        c = new double[s];
        loops = new BasisLoops(mesh, rows);
        dots = new BasisLoops.Coefficients(scalars, 0, s);
        square = scalars.at(s);
        angle = scalars.at(s + 1, 2);
        weights = mesh.scalars("weights", s + 1);
        weightsOnHost = HostVector.zeros(Precision.F64, s + 1);
        weight = new BasisLoops.Coefficients(weights, 0, s + 1);
        v = vector("v");
        z = preconditioned("z", v);
        t = vector("t");
        prepare(this::make);
    }

    private void make() {
        double[][] random = orthonormal();
        for (int i = 0; i < s; i++) {
            shadow[i] = mesh.dat("shadow" + i, rows, 1, matrix.precision(), random[i]);
            g[i] = vector("g" + i);
            u[i] = vector("u" + i);
            gViews[i] = g[i].vector();
            uViews[i] = u[i].vector();
        }
        vView = v.vector();
        zView = z.vector();
        tView = t.vector();
        copyResidual = mesh.loop(KrylovUpdatesLoops.COPY, rows, residual, v);
        copyTo = mesh.loop(KrylovUpdatesLoops.COPY, rows, z, u[0]);
        norm = mesh.loop(KrylovUpdatesLoops.SQUARE, rows, residual, square);
        angles = mesh.loop(KrylovUpdatesLoops.STABILISED_DOTS, rows, t, residual, angle);
        clear = mesh.loop(KrylovUpdatesLoops.CLEAR, rows, g[0]);
    }

    private double[][] orthonormal() {
        SplittableRandom random = new SplittableRandom(SEED);
        double[][] vectors = new double[s][];
        for (int i = 0; i < s; i++) {
            vectors[i] = random.doubles(matrix.rows(), -1, 1).toArray();
            for (int twice = 0; twice < 2; twice++) {
                for (int k = 0; k < i; k++) {
                    addMultiple(vectors[i], -dot(vectors[i], vectors[k]), vectors[k]);
                }
            }
            double length = Math.sqrt(dot(vectors[i], vectors[i]));
            for (int row = 0; row < vectors[i].length; row++) {
                vectors[i][row] /= length;
            }
        }
        return vectors;
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    private static void addMultiple(double[] y, double a, double[] x) {
        for (int i = 0; i < y.length; i++) {
            y[i] += a * x[i];
        }
    }

    @Override
    boolean begin(double residualNorm) {
        norm0 = residualNorm;
        omega = 1;
        step = 0;
        for (int i = 0; i < s; i++) {
            clear.bind(g[i]).run();
            clear.bind(u[i]).run();
            Arrays.fill(m[i], 0);
            m[i][i] = 1;
        }
        loops.dots(residual, shadow, 0, s, dots);
        fetch();
        System.arraycopy(values, 0, f, 0, s);
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        Next next = step < s ? within(step, history) : between(history);
        step = step == s ? 0 : step + 1;
        return next;
    }

    /** Makes the next vector of the space. */
    private Next within(int k, ResidualHistory history) {
        solveTriangle(k);
        copyResidual.run();
        send(k, c);
        loops.subtract(v, g, k, s - k, weight);
        preconditionV();
        // u[k] = Σ c[i] u[i] + ω z: what is in z becomes u[k], and the old one is one of the terms.
        weightsOnHost.doubles()[0] = omega;
        weights.vector().copyFrom(weightsOnHost);
        combineDirection(k);
        matrix.apply(uViews[k], gViews[k]);
        loops.dots(g[k], shadow, 0, s, dots);
        fetch();
        double[] d = m[k];
        System.arraycopy(values, 0, d, 0, s);
        makeBiorthogonal(k);
        if (Math.abs(d[k]) <= VANISHING * norm0) {
            return broken("the system of s unknowns is singular, its pivot " + k + " is " + d[k]);
        }
        double beta = f[k] / d[k];
        sendOne(beta);
        loops.subtract(residual, g, k, 1, weight);
        loops.add(solution, u, k, 1, weight);
        norm.run();
        fetch();
        for (int i = k + 1; i < s; i++) {
            f[i] -= beta * d[i];
        }
        add(history, Math.sqrt(values[s]));
        return Next.ITERATION;
    }

    /** Solves the lower triangle from row k on: Σ_j m[j][i] c[j] = f[i]. */
    private void solveTriangle(int k) {
        for (int i = k; i < s; i++) {
            double sum = f[i];
            for (int j = k; j < i; j++) {
                sum -= m[j][i] * c[j];
            }
            c[i] = sum / m[i][i];
        }
    }

    /** Makes shadow[i] · g[k] zero for i below k, which the small matrix gives without further dot products. */
    private void makeBiorthogonal(int k) {
        if (k == 0) {
            return;
        }
        double[] d = m[k];
        double[] a = weightsOnHost.doubles();
        Arrays.fill(a, 0);
        for (int i = 0; i < k; i++) {
            a[i] = d[i] / m[i][i];
            for (int row = i; row < s; row++) {
                d[row] -= a[i] * m[i][row];
            }
            d[i] = 0;
        }
        weights.vector().copyFrom(weightsOnHost);
        loops.subtract(g[k], g, 0, k, weight);
        loops.subtract(u[k], u, 0, k, weight);
    }

    /** u[k] = ω z + Σ_{i ≥ k} c[i] u[i]. */
    private void combineDirection(int k) {
        // t is free here: it holds the new direction until the old u[k] has been read.
        clear.bind(t).run();
        loops.add(t, one(z), 0, 1, weight);
        send(k, c);
        loops.add(t, u, k, s - k, weight);
        copyTo.bind(t, u[k]).run();
    }

    private Dat[] one(Dat dat) {
        onlyOne[0] = dat;
        return onlyOne;
    }

    private void send(int k, double[] coefficients) {
        double[] a = weightsOnHost.doubles();
        Arrays.fill(a, 0);
        System.arraycopy(coefficients, k, a, 0, s - k);
        weights.vector().copyFrom(weightsOnHost);
    }

    private void sendOne(double coefficient) {
        weightsOnHost.doubles()[0] = coefficient;
        weights.vector().copyFrom(weightsOnHost);
    }

    private void preconditionV() {
        if (preconditioner != null) {
            preconditioner.apply(vView, zView);
        }
    }

    /** Goes to the next, smaller space. */
    private Next between(ResidualHistory history) {
        copyResidual.run();
        preconditionV();
        matrix.apply(zView, tView);
        angles.run();
        norm.run();
        fetch();
        double ts = values[s + 1];
        double tt = values[s + 2];
        double cosine = Math.abs(ts) / Math.sqrt(tt * values[s]);
        if (!(tt > 0) || ts == 0) {
            return broken("t . r is " + ts + " with t . t = " + tt + ", so that omega is 0");
        }
        omega = ts / tt * (cosine < ANGLE ? ANGLE / cosine : 1);
        sendOne(omega);
        loops.subtract(residual, one(t), 0, 1, weight);
        loops.add(solution, one(z), 0, 1, weight);
        loops.dots(residual, shadow, 0, s, dots);
        norm.run();
        fetch();
        System.arraycopy(values, 0, f, 0, s);
        add(history, Math.sqrt(values[s]));
        return Next.ITERATION;
    }
}
