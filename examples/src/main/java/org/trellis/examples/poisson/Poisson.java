package org.trellis.examples.poisson;

import org.trellis.kernel.Constant;
import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.Max;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * The kernels of {@code −∇·(κ ∇u) = f} with u given on the boundary: finite volumes around the nodes of a mesh of
 * triangles, with the flux through the border between two volumes a multiple of the difference of the two nodes. With
 * the weight {@code κ cot(angle) / 2} of each triangle at the edge opposite of the angle, this is what linear elements
 * give, on any triangles; circumcentres need not lie within (R. Bank, D. Rose, "Some error estimates for the box
 * method", SIAM J. Numer. Anal. 24(4), 1987).
 *
 * <p>A node's volume is a third of each of its triangles. On the boundary rows and columns are those of a diagonal
 * matrix, and the given values are on the right-hand side, so that the operator is symmetric positive definite on all
 * nodes.
 *
 * <p>The solution is {@code u = sin(πs) sin(πt) + s} with κ = exp(gs), in coordinates s and t that run from 0 to 1 over
 * the longer side of the rectangle around the mesh; f follows from it.
 */
public final class Poisson {
    /** Where the least x is in the frame. */
    private static final int LEFT = 0;
    /** Where the least y is in the frame. */
    private static final int BOTTOM = 1;
    /** Where one over the length is in the frame. */
    private static final int PER_LENGTH = 2;

    private Poisson() {}

    /** The exact solution in scaled coordinates. */
    @KernelFunction
    static double solution(double s, double t) {
        return Math.sin(Math.PI * s) * Math.sin(Math.PI * t) + s;
    }

    /** What −∇·(κ ∇u) is in scaled coordinates. */
    @KernelFunction
    static double source(double s, double t, double growth) {
        double along = Math.PI * Math.cos(Math.PI * s) * Math.sin(Math.PI * t) + 1;
        double laplacian = -2 * Math.PI * Math.PI * Math.sin(Math.PI * s) * Math.sin(Math.PI * t);
        return -Math.exp(growth * s) * (laplacian + growth * along);
    }

    /** Half the cotangent of the angle between two sides of a triangle: their dot product over four times its area. */
    @KernelFunction
    static double halfCotangent(double ax, double ay, double bx, double by, double area) {
        return (ax * bx + ay * by) / (4 * area);
    }

    /**
     * Adds a triangle's share of the weights of its edges.
     *
     * @param frame  the least x and y, and one over the length
     * @param growth g of κ
     * @param w0     of the edge of corners 0 and 1, and so on
     */
    @MeshKernel
    static void weights(@Read(2) double[] x0, @Read(2) double[] x1, @Read(2) double[] x2, @Constant(3) double[] frame,
            @GlobalRead double[] growth, @Increment double[] w0, @Increment double[] w1, @Increment double[] w2) {
        double ax = x1[0] - x0[0];
        double ay = x1[1] - x0[1];
        double bx = x2[0] - x1[0];
        double by = x2[1] - x1[1];
        double cx = x0[0] - x2[0];
        double cy = x0[1] - x2[1];
        double area = 0.5 * (by * ax - bx * ay);
        double s = ((x0[0] + x1[0] + x2[0]) / 3 - frame[LEFT]) * frame[PER_LENGTH];
        double kappa = Math.exp(growth[0] * s);
        w0[0] += kappa * halfCotangent(-bx, -by, cx, cy, area);
        w1[0] += kappa * halfCotangent(-cx, -cy, ax, ay, area);
        w2[0] += kappa * halfCotangent(-ax, -ay, bx, by, area);
    }

    /**
     * Keeps the couplings of inner nodes, and adds up the diagonal and what of it is not the sum of couplings.
     *
     * @param free1 1 for a node inside, 0 on the boundary
     */
    @MeshKernel
    static void couplings(@Read double[] weight, @Read double[] free1, @Read double[] free2, @Write double[] coupling,
            @Increment double[] diagonal1, @Increment double[] diagonal2, @Increment double[] shift1,
            @Increment double[] shift2) {
        double inside = weight[0] * (free1[0] * free2[0]);
        coupling[0] = inside;
        diagonal1[0] += weight[0];
        diagonal2[0] += weight[0];
        shift1[0] += weight[0] - inside;
        shift2[0] += weight[0] - inside;
    }

    /** Computes {@code y = 1 / x}. */
    @MeshKernel
    static void invert(@Read double[] x, @Write double[] y) {
        y[0] = 1 / x[0];
    }

    /** Adds a triangle's share of the volumes of its nodes. */
    @MeshKernel
    static void volumes(@Read(2) double[] x0, @Read(2) double[] x1, @Read(2) double[] x2, @Increment double[] v0,
            @Increment double[] v1, @Increment double[] v2) {
        double area = 0.5 * ((x1[0] - x0[0]) * (x2[1] - x0[1]) - (x2[0] - x0[0]) * (x1[1] - x0[1]));
        v0[0] += area / 3;
        v1[0] += area / 3;
        v2[0] += area / 3;
    }

    /** The exact solution at a node. */
    @MeshKernel
    static void exact(@Read(2) double[] x, @Constant(3) double[] frame, @Write double[] u) {
        u[0] = solution((x[0] - frame[LEFT]) * frame[PER_LENGTH], (x[1] - frame[BOTTOM]) * frame[PER_LENGTH]);
    }

    /** What the sources in a node's volume give; nothing on the boundary. */
    @MeshKernel
    static void sources(@Read(2) double[] x, @Read double[] volume, @Read double[] free, @Constant(3) double[] frame,
            @GlobalRead double[] growth, @Write double[] b) {
        double s = (x[0] - frame[LEFT]) * frame[PER_LENGTH];
        double t = (x[1] - frame[BOTTOM]) * frame[PER_LENGTH];
        b[0] = free[0] * volume[0] * (source(s, t, growth[0]) * frame[PER_LENGTH] * frame[PER_LENGTH]);
    }

    /** Adds what flows in from the given values on the boundary. */
    @MeshKernel
    static void inflow(@Read double[] weight, @Read double[] free1, @Read double[] free2, @Read double[] u1,
            @Read double[] u2, @Increment double[] b1, @Increment double[] b2) {
        b1[0] += weight[0] * free1[0] * (1 - free2[0]) * u2[0];
        b2[0] += weight[0] * free2[0] * (1 - free1[0]) * u1[0];
    }

    /** Begins the product: {@code y = s x}. */
    @MeshKernel
    static void begin(@Read double[] shift, @Read double[] x, @Write double[] y) {
        y[0] = shift[0] * x[0];
    }

    /** The flux along an edge. */
    @MeshKernel
    static void flux(@Read double[] coupling, @Read double[] x1, @Read double[] x2, @Increment double[] y1,
            @Increment(repeats = "y1", sign = -1) double[] y2) {
        double f = coupling[0] * (x1[0] - x2[0]);
        y1[0] += f;
        y2[0] -= f;
    }

    /** Begins a residual: {@code r = b − s x}. */
    @MeshKernel
    static void beginResidual(@Read double[] b, @Read double[] shift, @Read double[] x, @Write double[] r) {
        r[0] = b[0] - shift[0] * x[0];
    }

    /** Begins the next residual: {@code r = r − s d}. */
    @MeshKernel
    static void nextResidual(@Read double[] shift, @Read double[] d, @ReadWrite double[] r) {
        r[0] -= shift[0] * d[0];
    }

    /** The flux along an edge, taken from a residual. */
    @MeshKernel
    static void drain(@Read double[] coupling, @Read double[] x1, @Read double[] x2, @Increment double[] r1,
            @Increment(repeats = "r1", sign = -1) double[] r2) {
        double f = coupling[0] * (x2[0] - x1[0]);
        r1[0] += f;
        r2[0] -= f;
    }

    /** Begins a polynomial from zero: {@code r = b}, {@code d = α D⁻¹ b}, {@code x = d}. */
    @MeshKernel
    static void correctZero(@GlobalRead(2) double[] factors, @Read double[] inverse, @Read double[] b,
            @Write double[] r, @Write double[] d, @Write double[] x) {
        double step = factors[0] * (inverse[0] * b[0]);
        r[0] = b[0];
        d[0] = step;
        x[0] = step;
    }

    /** Begins a polynomial: {@code d = α D⁻¹ r}, {@code x = x + d}. */
    @MeshKernel
    static void correctFirst(@GlobalRead(2) double[] factors, @Read double[] inverse, @Read double[] r,
            @Write double[] d, @ReadWrite double[] x) {
        double step = factors[0] * (inverse[0] * r[0]);
        d[0] = step;
        x[0] += step;
    }

    /** Goes on: {@code d = α D⁻¹ r + β d}, {@code x = x + d}. */
    @MeshKernel
    static void correctNext(@GlobalRead(2) double[] factors, @Read double[] inverse, @Read double[] r,
            @ReadWrite double[] d, @ReadWrite double[] x) {
        double step = factors[0] * (inverse[0] * r[0]) + factors[1] * d[0];
        d[0] = step;
        x[0] += step;
    }

    /** Clears a dat. */
    @MeshKernel
    static void clear(@Write double[] y) {
        y[0] = 0;
    }

    /**
     * What the two parents of a fine node give it: half each, nothing from the boundary, where corrections are zero.
     */
    @MeshKernel
    static void shares(@Read double[] free1, @Read double[] free2, @Write(2) double[] share) {
        share[0] = 0.5 * free1[0];
        share[1] = 0.5 * free2[0];
    }

    /** Interpolates. */
    @MeshKernel
    static void prolong(@Read(2) double[] share, @Read double[] coarse1, @Read double[] coarse2,
            @Write double[] fine) {
        fine[0] = share[0] * coarse1[0] + share[1] * coarse2[0];
    }

    /** The transposed of {@link #prolong}. */
    @MeshKernel
    static void restrict(@Read(2) double[] share, @Read double[] fine, @Increment double[] coarse1,
            @Increment double[] coarse2) {
        coarse1[0] += share[0] * fine[0];
        coarse2[0] += share[1] * fine[0];
    }

    /** The matrix of an edge; row i and column j at {@code k[2 * i + j][0]}. */
    @MeshKernel
    static void assembleEdge(@Read double[] coupling, @Increment(value = 1, entries = 4) double[][] k) {
        k[0][0] += coupling[0];
        k[1][0] -= coupling[0];
        k[2][0] -= coupling[0];
        k[3][0] += coupling[0];
    }

    /** What a node adds to its diagonal element. */
    @MeshKernel
    static void assembleNode(@Read double[] shift, @Increment double[] k) {
        k[0] += shift[0];
    }

    /** Puts the given values on the boundary into a solution. */
    @MeshKernel
    static void complete(@Read double[] free, @Read double[] exact, @ReadWrite double[] u) {
        u[0] += (1 - free[0]) * exact[0];
    }

    /** Sums the square of the error over the volumes, and finds the largest. */
    @MeshKernel
    static void error(@Read double[] u, @Read double[] exact, @Read double[] volume, @Sum double[] square,
            @Max double[] most) {
        double e = u[0] - exact[0];
        square[0] += volume[0] * (e * e);
        most[0] = Math.max(most[0], Math.abs(e));
    }
}
