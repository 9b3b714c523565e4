package org.trellis.solve.eigen;

import java.util.Arrays;
import org.trellis.mesh.Dat;

/**
 * Eigenvalues of any operator by the Krylov–Schur method (G. W. Stewart, SIAM J. Matrix Anal. Appl. 23, 2001): Arnoldi
 * steps, and contractions to the Schur vectors that are requested most. Pairs of complex eigenvalues stay together.
 *
 * <p>Where eigenvectors are nearly dependent, many numbers that are no eigenvalues have vectors with small residuals,
 * and a Krylov space finds these first. So residuals count as many times as the projected matrix says that an
 * eigenvalue moves by more than a perturbation does.
 */
final class KrylovSchur extends RestartedKrylov {
    /** The most that a residual counts, by the square root of rounding: that of a double defective eigenvalue. */
    private static final double MOST = 0x1p26;

    private final double roundoff;
    private final Side side;
    /** Rows that are kept at most, and those that are asked for beside. */
    private final int ordered;
    private RealSchur schur = new RealSchur(new double[0][0]);

    /**
     * Prepares a search.
     *
     * @param side   which eigenvalues of the operator
     * @param search what else is looked for
     */
    KrylovSchur(VectorSet vectors, CountedProduct operator, Side side, Search search) {
        super(new KrylovDecomposition(vectors, operator, false, false,
                KrylovDecomposition.Inner.PLAIN, new Dat[0], search.dimension(), most(search)), operator,
                vectors.roundoff(), search);
        this.roundoff = vectors.roundoff();
        this.side = side;
        this.ordered = mostKept(search) + 2;
    }

    @Override
    double[][] decompose(double[][] projected) {
        schur = new RealSchur(projected);
        schur.order(side::rank, ordered);
        return schur.q();
    }

    @Override
    double rank(int k) {
        return side.rank(schur.real(k), schur.imaginary(k));
    }

    @Override
    double magnitude(int k) {
        return Math.hypot(schur.real(k), schur.imaginary(k));
    }

    @Override
    double residual(double[] coupling, int k) {
        double[][] y = schur.vector(k);
        double real = 0;
        double imaginary = 0;
        for (int i = 0; i < coupling.length; i++) {
            real += coupling[i] * y[0][i];
            imaginary += coupling[i] * y[1][i];
        }
        double residual = Math.hypot(real, imaginary);
        return residual <= roundoff * scale() ? residual : residual * Math.min(MOST, schur.condition(k, y));
    }

    @Override
    int whole(int count) {
        return count > 0 && count < schur.size() && schur.isPair(count - 1) ? count + 1 : count;
    }

    @Override
    double[][] quotient(int count) {
        double[][] part = new double[count][];
        for (int i = 0; i < count; i++) {
            part[i] = Arrays.copyOf(schur.t()[i], count);
        }
        return part;
    }

    /** There is no bound for eigenvectors that are not orthogonal. */
    @Override
    Which beside() {
        return null;
    }

    /** Returns the Schur form of what was found. */
    RealSchur schur() {
        return schur;
    }
}
