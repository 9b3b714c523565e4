package org.trellis.examples.chain;

import org.trellis.common.Precision;
import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;

/** Two iterations of conjugate gradients on a grid, as textbooks have them, or with kernels put together by hand. */
final class ConjugateGradients {
    private static final int NEIGHBOURS = 4;

    private final Mesh mesh;
    private final MeshSet nodes;
    private final MeshMap around;
    private final Dat x;
    private final Dat r;
    private final Dat p;
    private final Dat q;
    private final LoopSequence sequence;

    @MeshKernel
    static void apply(@Read(value = 1, entries = NEIGHBOURS) double[][] around, @Read double[] own,
            @Write double[] product) {
        double sum = 5 * own[0];
        for (int k = 0; k < NEIGHBOURS; k++) {
            sum -= around[k][0];
        }
        product[0] = sum;
    }

    @MeshKernel
    static void dot(@Read double[] a, @Read double[] b, @Sum double[] sum) {
        sum[0] += a[0] * b[0];
    }

    @MeshKernel
    static void forward(@GlobalRead double[] rho, @GlobalRead double[] sigma, @Read double[] p,
            @ReadWrite double[] x) {
        x[0] += rho[0] / sigma[0] * p[0];
    }

    @MeshKernel
    static void less(@GlobalRead double[] rho, @GlobalRead double[] sigma, @Read double[] q, @ReadWrite double[] r) {
        r[0] -= rho[0] / sigma[0] * q[0];
    }

    @MeshKernel
    static void square(@Read double[] r, @Sum double[] sum) {
        sum[0] += r[0] * r[0];
    }

    @MeshKernel
    static void renew(@GlobalRead double[] next, @GlobalRead double[] rho, @Read double[] r, @ReadWrite double[] p) {
        p[0] = r[0] + next[0] / rho[0] * p[0];
    }

    @MeshKernel
    static void applyAndDot(@Read(value = 1, entries = NEIGHBOURS) double[][] around, @Read double[] own,
            @Write double[] product, @Sum double[] dot) {
        double sum = 5 * own[0];
        for (int k = 0; k < NEIGHBOURS; k++) {
            sum -= around[k][0];
        }
        product[0] = sum;
        dot[0] += own[0] * sum;
    }

    @MeshKernel
    static void update(@GlobalRead double[] rho, @GlobalRead double[] sigma, @Read double[] p, @ReadWrite double[] x,
            @Read double[] q, @ReadWrite double[] r, @Sum double[] sum) {
        double alpha = rho[0] / sigma[0];
        x[0] += alpha * p[0];
        r[0] -= alpha * q[0];
        sum[0] += r[0] * r[0];
    }

    /**
     * Declares a grid and two iterations.
     *
     * @param mesh   an empty mesh
     * @param width  nodes in a row, and rows
     * @param byHand whether kernels are put together by hand
     */
    ConjugateGradients(Mesh mesh, int width, boolean byHand) {
        this.mesh = mesh;
        int count = width * width;
        int[] table = new int[NEIGHBOURS * count];
        double[] values = new double[count];
        for (int node = 0; node < count; node++) {
            table[NEIGHBOURS * node] = node % width > 0 ? node - 1 : node;
            table[NEIGHBOURS * node + 1] = node % width + 1 < width ? node + 1 : node;
            table[NEIGHBOURS * node + 2] = node >= width ? node - width : node;
            table[NEIGHBOURS * node + 3] = node + width < count ? node + width : node;
            values[node] = Math.sin(1e-3 * node);
        }
        nodes = mesh.set("nodes", count);
        around = mesh.map("around", nodes, nodes, NEIGHBOURS, table);
        x = mesh.dat("x", nodes, 1, Precision.F64);
        r = mesh.dat("r", nodes, 1, Precision.F64, values);
        p = mesh.dat("p", nodes, 1, Precision.F64, values);
        q = mesh.dat("q", nodes, 1, Precision.F64);
        Scalars scalars = mesh.scalars("scalars", 3);
        scalars.set(0, 1);
        LoopSequence.Builder two = mesh.sequence("two iterations");
        add(two, scalars.at(0), scalars.at(1), scalars.at(2), byHand);
        add(two, scalars.at(2), scalars.at(1), scalars.at(0), byHand);
        sequence = two.build();
    }

    private void add(LoopSequence.Builder to, Scalar rho, Scalar sigma, Scalar next, boolean byHand) {
        if (byHand) {
            to.run(mesh.loop(ConjugateGradientsLoops.APPLY_AND_DOT, nodes, p.at(around), p, q, sigma));
            to.run(mesh.loop(ConjugateGradientsLoops.UPDATE, nodes, rho, sigma, p, x, q, r, next));
        } else {
            to.run(mesh.loop(ConjugateGradientsLoops.APPLY, nodes, p.at(around), p, q));
            to.run(mesh.loop(ConjugateGradientsLoops.DOT, nodes, p, q, sigma));
            to.run(mesh.loop(ConjugateGradientsLoops.FORWARD, nodes, rho, sigma, p, x));
            to.run(mesh.loop(ConjugateGradientsLoops.LESS, nodes, rho, sigma, q, r));
            to.run(mesh.loop(ConjugateGradientsLoops.SQUARE, nodes, r, next));
        }
        to.run(mesh.loop(ConjugateGradientsLoops.RENEW, nodes, next, rho, r, p));
    }

    /** Runs two iterations. */
    void run() {
        sequence.run();
    }

    /** Returns a value of the result, to compare. */
    double value() {
        return x.get(1, 0) + r.get(1, 0);
    }
}
