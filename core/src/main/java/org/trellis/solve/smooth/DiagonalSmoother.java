package org.trellis.solve.smooth;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Multiplies by a diagonal: Jacobi's method with a damping factor; L1-Jacobi, whose diagonal are the sums of the
 * absolute values of rows, so that it converges for every symmetric positive definite matrix (A. Baker, R. Falgout, T.
 * Kolev, U. Yang, SIAM J. Sci. Comput. 33(5), 2011, section 3); SPAI(0), the diagonal that brings M A closest to the
 * identity in the Frobenius norm (O. Bröker, M. Grote, Appl. Numer. Math. 41, 2002).
 */
final class DiagonalSmoother extends StepSmoother {
    private final DenseVector inverse;
    private final String description;

    private DiagonalSmoother(SmootherContext input, DenseVector inverse, int sweeps, String description) {
        super(input, sweeps);
        this.description = description;
        this.inverse = own(inverse);
    }

    static DiagonalSmoother jacobi(SmootherContext input, double omega, int sweeps) {
        return new DiagonalSmoother(input, input.uploadInverseDiagonal(omega), sweeps,
                "jacobi, omega=" + omega + ", sweeps=" + sweeps);
    }

    static DiagonalSmoother l1(SmootherContext input, double omega, int sweeps) {
        return new DiagonalSmoother(input, input.uploadInverseRowSums(omega), sweeps,
                "l1-jacobi, omega=" + omega + ", sweeps=" + sweeps);
    }

    static DiagonalSmoother spai0(SmootherContext input, int sweeps) {
        CsrMatrix matrix = input.matrix();
        HostVector diagonal = matrix.diagonal();
        // The inverse of |row|² / a_ii, so that what is wrong with a row is found as with a diagonal.
        HostVector inverse = input.inverted(row -> {
            CsrSegment segment = matrix.segmentOf(row);
            double squares = 0;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                squares += segment.values().get(k) * segment.values().get(k);
            }
            return squares / diagonal.get(row);
        }, "sum of the squares over the diagonal element");
        return new DiagonalSmoother(input, input.upload(inverse), sweeps, "spai0, sweeps=" + sweeps);
    }

    @Override
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        steps.add(update(1, inverse, r, 0, z));
    }

    @Override
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        addResidual(b, x, steps);
        steps.add(update(1, inverse, residual(), 1, x));
    }

    /** Returns the diagonal unless an application is several sweeps. */
    @Override
    public Optional<DenseVector> inverseDiagonal() {
        return sweeps() == 1 ? Optional.of(inverse) : Optional.empty();
    }

    /** Returns true for one sweep; more are symmetric if the matrix is. */
    @Override
    public boolean symmetric() {
        return sweeps() == 1 || input().symmetric();
    }

    @Override
    public String describe() {
        return description;
    }
}
