package org.trellis.solve.krylov;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * The recurrences of scalars that are longer than a quotient, as kernels on a set of one element in double precision,
 * so that they stay on the device. What one writes into sums is overwritten at each run.
 */
final class KrylovScalars {
    private KrylovScalars() {}

    /** Sets two numbers to zero. */
    @MeshKernel
    static void clear2(@Write(2) double[] state) {
        state[0] = 0;
        state[1] = 0;
    }

    /** Pipelined conjugate gradients; state: γ and α of the iteration before; c: α and β; sums: γ, δ, r · r. */
    @MeshKernel
    static void pipelined(@ReadWrite(2) double[] state, @GlobalRead(3) double[] sums, @Sum(2) double[] c) {
        double beta = state[0] > 0 ? sums[0] / state[0] : 0;
        double divisor = sums[1] - (state[1] != 0 ? beta * sums[0] / state[1] : 0);
        double alpha = divisor > 0 && sums[0] > 0 ? sums[0] / divisor : 0;
        state[0] = sums[0];
        state[1] = alpha;
        c[0] += alpha;
        c[1] += beta;
    }

    /** MINRES begins; state: this and the last length, c, c of before, s, s of before, η. */
    @MeshKernel
    static void minresBegin(@GlobalRead double[] square, @ReadWrite(7) double[] state, @Sum(2) double[] norms) {
        double length = Math.sqrt(Math.max(square[0], 0));
        state[0] = length;
        state[1] = 0;
        state[2] = 1;
        state[3] = 1;
        state[4] = 0;
        state[5] = 0;
        state[6] = length;
        norms[0] += length;
        norms[1] += 0;
    }

    /**
     * MINRES: the Givens rotations of an iteration (Elman, Silvester and Wathen, algorithm 4.1); d = z · A z, square
     * that of the next length; c: factors of z, of the last but one and of the last direction, step of x; norms: the
     * lengths for the next iteration.
     */
    @MeshKernel
    static void minres(@GlobalRead double[] d, @GlobalRead double[] square, @ReadWrite(7) double[] state,
            @Sum(4) double[] c, @Sum(2) double[] norms) {
        double length = state[0];
        double next = Math.sqrt(Math.max(square[0], 0));
        double delta = length > 0 ? d[0] / (length * length) : 0;
        double a0 = state[2] * delta - state[3] * state[4] * length;
        double a1 = Math.sqrt(a0 * a0 + next * next);
        double a2 = state[4] * delta + state[3] * state[2] * length;
        double a3 = state[5] * length;
        double inverse = a1 > 0 ? 1 / a1 : 0;
        double cosine = a1 > 0 ? a0 * inverse : 1;
        double sine = next * inverse;
        c[0] += length > 0 ? inverse / length : 0;
        c[1] += a3 * inverse;
        c[2] += a2 * inverse;
        c[3] += a1 > 0 ? cosine * state[6] : 0;
        state[6] = -sine * state[6];
        state[3] = state[2];
        state[2] = cosine;
        state[5] = state[4];
        state[4] = sine;
        state[1] = length;
        state[0] = next;
        norms[0] += next;
        norms[1] += length;
    }

    /** Chebyshev iteration (Saad, algorithm 12.1); state: ρ, 0 at first; interval: centre and half width. */
    @MeshKernel
    static void chebyshev(@GlobalRead(2) double[] interval, @ReadWrite double[] state, @Sum(2) double[] c) {
        double width = interval[1];
        double rho = state[0] > 0 ? 1 / (2 * interval[0] / width - state[0]) : width / interval[0];
        c[0] += state[0] > 0 ? rho * state[0] : 0;
        c[1] += state[0] > 0 ? 2 * rho / width : 1 / interval[0];
        state[0] = rho;
    }

    /** LSQR begins; state: φ̄, ρ̄; from the squares of β and α. */
    @MeshKernel
    static void leastSquaresBegin(@GlobalRead double[] beta, @GlobalRead double[] alpha, @ReadWrite(2) double[] state) {
        state[0] = Math.sqrt(beta[0]);
        state[1] = Math.sqrt(alpha[0]);
    }

    /**
     * LSQR: the rotation of an iteration (Paige and Saunders 1982, section 4); from the squares of β and α; c: step of
     * x, factors of v and w; recorded: φ̄ = ‖r‖ and ‖Aᵀ r‖.
     */
    @MeshKernel
    static void leastSquares(@GlobalRead double[] betaSquare, @GlobalRead double[] alphaSquare,
            @ReadWrite(2) double[] state, @Sum(3) double[] c, @Sum(2) double[] told) {
        double beta = Math.sqrt(betaSquare[0]);
        double alpha = Math.sqrt(alphaSquare[0]);
        double rho = Math.sqrt(state[1] * state[1] + beta * beta);
        double cosine = rho > 0 ? state[1] / rho : 1;
        double sine = rho > 0 ? beta / rho : 0;
        c[0] += rho > 0 ? cosine * state[0] / rho : 0;
        c[1] += alpha > 0 ? 1 / alpha : 0;
        c[2] += rho > 0 ? sine * alpha / rho : 0;
        state[0] = sine * state[0];
        state[1] = -cosine * alpha;
        told[0] += state[0];
        told[1] += state[0] * alpha * Math.abs(cosine);
    }

    /**
     * LSMR begins (D. C.-L. Fong and M. A. Saunders, SIAM J. Sci. Comput. 33(5), 2011); from the squares of β and α;
     * state: ᾱ, ζ̄, ρ, ρ̄, c̄, s̄, ζ, then β̈, β̇, ρ̇, τ̃, θ̃ of the residual's norm.
     */
    @MeshKernel
    static void leastGradientBegin(@GlobalRead double[] betaSquare, @GlobalRead double[] alphaSquare,
            @ReadWrite(12) double[] state) {
        double beta = Math.sqrt(betaSquare[0]);
        double alpha = Math.sqrt(alphaSquare[0]);
        state[0] = alpha;
        state[1] = alpha * beta;
        state[2] = 1;
        state[3] = 1;
        state[4] = 1;
        state[5] = 0;
        state[6] = 0;
        state[7] = beta;
        state[8] = 0;
        state[9] = 1;
        state[10] = 0;
        state[11] = 0;
    }

    /**
     * LSMR: the two rotations of an iteration (section 2.6) and the residual's norm (section 3.2); c: factor of h̄,
     * step of x, factors of v and h; recorded: ‖r‖ and ‖Aᵀ r‖.
     */
    @MeshKernel
    static void leastGradient(@GlobalRead double[] betaSquare, @GlobalRead double[] alphaSquare,
            @ReadWrite(12) double[] state, @Sum(4) double[] c, @Sum(2) double[] told) {
        double beta = Math.sqrt(betaSquare[0]);
        double alpha = Math.sqrt(alphaSquare[0]);
        double rhoOld = state[2];
        double rhoBarOld = state[3];
        double zetaOld = state[6];
        double rho = Math.sqrt(state[0] * state[0] + beta * beta);
        double cosine = rho > 0 ? state[0] / rho : 1;
        double sine = rho > 0 ? beta / rho : 0;
        double thetaNew = sine * alpha;
        double thetaBar = state[5] * rho;
        double rhoTemp = state[4] * rho;
        double rhoBar = Math.sqrt(rhoTemp * rhoTemp + thetaNew * thetaNew);
        double cosineBar = rhoBar > 0 ? rhoTemp / rhoBar : 1;
        double sineBar = rhoBar > 0 ? thetaNew / rhoBar : 0;
        double zeta = cosineBar * state[1];
        c[0] += rhoOld * rhoBarOld != 0 ? thetaBar * rho / (rhoOld * rhoBarOld) : 0;
        c[1] += rho * rhoBar != 0 ? zeta / (rho * rhoBar) : 0;
        c[2] += alpha > 0 ? 1 / alpha : 0;
        c[3] += rho > 0 ? thetaNew / rho : 0;
        double betaHat = cosine * state[7];
        double betaTwo = -sine * state[7];
        double rhoTilde = Math.sqrt(state[9] * state[9] + thetaBar * thetaBar);
        double cosineTilde = rhoTilde > 0 ? state[9] / rhoTilde : 1;
        double sineTilde = rhoTilde > 0 ? thetaBar / rhoTilde : 0;
        double thetaTilde = sineTilde * rhoBar;
        double rhoDot = cosineTilde * rhoBar;
        double betaDot = -sineTilde * state[8] + cosineTilde * betaHat;
        double tauTilde = rhoTilde > 0 ? (zetaOld - state[11] * state[10]) / rhoTilde : 0;
        double tauDot = rhoDot != 0 ? (zeta - thetaTilde * tauTilde) / rhoDot : 0;
        told[0] += Math.sqrt((betaDot - tauDot) * (betaDot - tauDot) + betaTwo * betaTwo);
        told[1] += Math.abs(sineBar * state[1]);
        state[0] = cosine * alpha;
        state[1] = -sineBar * state[1];
        state[2] = rho;
        state[3] = rhoBar;
        state[4] = cosineBar;
        state[5] = sineBar;
        state[6] = zeta;
        state[7] = betaTwo;
        state[8] = betaDot;
        state[9] = rhoDot;
        state[10] = tauTilde;
        state[11] = thetaTilde;
    }

    /** TFQMR begins; state: τ, ϑ, η from the square of τ; c: what is kept of a half step, nothing yet. */
    @MeshKernel
    static void transposeFreeBegin(@GlobalRead double[] square, @ReadWrite(3) double[] state, @Sum(3) double[] c) {
        state[0] = Math.sqrt(square[0]);
        state[1] = 0;
        state[2] = 0;
        c[0] += 0;
        c[1] += 0;
        c[2] += state[0];
    }

    /** TFQMR: what a half step ends with; square is w · w; c: η, ϑ² η, τ. */
    @MeshKernel
    static void transposeFree(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead double[] square,
            @ReadWrite(3) double[] state, @Sum(3) double[] c) {
        double alpha = sigma[0] != 0 ? rho[0] / sigma[0] : 0;
        double theta = state[0] > 0 ? Math.sqrt(square[0]) / state[0] : 0;
        double cosineSquare = 1 / (1 + theta * theta);
        state[0] = state[0] * theta * Math.sqrt(cosineSquare);
        state[1] = theta;
        state[2] = cosineSquare * alpha;
        c[0] += state[2];
        c[1] += theta * theta * state[2];
        c[2] += state[0];
    }
}
