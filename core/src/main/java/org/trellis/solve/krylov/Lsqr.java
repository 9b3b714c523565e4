package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * LSQR and LSMR for matrices of any shape: conjugate gradients (C. C. Paige and M. A. Saunders, ACM Trans. Math. Softw.
 * 8(1), 1982) and MINRES (D. C.-L. Fong and M. A. Saunders, SIAM J. Sci. Comput. 33(5), 2011) on the normal equations,
 * by bidiagonalisation. LSMR's {@code ‖Aᵀ r‖} never grows, so that an early end of a least squares problem is safer;
 * its {@code ‖r‖} is a little above that of LSQR. Either ends when {@code ‖r‖} meets the criterion, or, since an
 * overdetermined system need not have a solution, when {@code ‖Aᵀ r‖ ≤ tolerance ‖A‖ ‖r‖}, both recomputed from the
 * solution. For a square matrix, which has a solution unless it is singular, that tolerance is rounding.
 *
 * <p>An iteration has a product and a transposed one. Vectors of bidiagonalisation are not normalised, so that they
 * move 3 vectors each, on rows and on columns; x and w read 3 and write 2 on the columns, those of LSMR 4 and 3.
 * Rotations are computed on the device; the host fetches the scalars once an iteration.
 */
final class Lsqr extends KrylovSolver {
    private static final int BETA = 0;
    private static final int ALPHA = 2;
    private static final int COEFFICIENTS = 4;
    private static final int TOLD = 8;
    /** So many times the recurrence may be wrong about the least squares. */
    private static final int ERRORS = 3;
    /** Units of rounding. */
    private static final int ROUNDINGS = 16;

    private final boolean gradientIsLeast;
    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;
    private double norm;
    private int wrong;
    private Dat gradient;
    private DenseVector gradientVector;
    private DenseVector residualVector;

    /**
     * Prepares one of the two.
     *
     * @param gradient whether {@code ‖Aᵀ r‖} is minimised, by LSMR, instead of {@code ‖r‖}
     */
    Lsqr(LinearOperator matrix, Backend backend, boolean gradient) {
        super(gradient ? "lsmr" : "lsqr", matrix, null, backend, 10);
        this.gradientIsLeast = gradient;
        prepare(this::make);
    }

    private void make() {
        Dat u = vector("u");
        Dat onRows = vector("A v");
        Dat v = onColumns("v");
        Dat w = onColumns("w");
        gradient = onColumns("A^T u");
        gradientVector = gradient.vector();
        residualVector = residual.vector();
        Dat bar = gradientIsLeast ? onColumns("h bar") : null;
        Dat state = state(gradientIsLeast ? 12 : 2);
        LinearOperator transposed = matrix.transposed();
        LoopSequence.Builder first = mesh.sequence("begin");
        first.run(mesh.loop(KrylovUpdatesLoops.COPY, rows, residual, u));
        first.run(mesh.loop(KrylovUpdatesLoops.SQUARE, rows, u, scalars.at(BETA)));
        first.run(mesh.loop(KrylovUpdatesLoops.CLEAR, columns, v));
        multiply(first, transposed, u, gradient);
        // The other α is zero here (begin() sets it), so that nothing of v is subtracted.
        first.run(mesh.loop(KrylovUpdatesLoops.BIDIAGONALISE, columns, scalars.at(BETA), scalars.at(ALPHA + 1),
                gradient, v, scalars.at(ALPHA)));
        first.run(mesh.loop(KrylovUpdatesLoops.UNIT, columns, scalars.at(ALPHA), v, w));
        if (gradientIsLeast) {
            first.run(mesh.loop(KrylovUpdatesLoops.CLEAR, columns, bar));
        }
        begin = first.run(mesh.loop(gradientIsLeast
                ? KrylovScalarsLoops.LEAST_GRADIENT_BEGIN
                : KrylovScalarsLoops.LEAST_SQUARES_BEGIN, single, scalars.at(BETA), scalars.at(ALPHA), state)).build();
        for (int s = 0; s < 2; s++) {
            Scalar beta = scalars.at(BETA + 1 - s);
            Scalar alpha = scalars.at(ALPHA + 1 - s);
            Scalar c = scalars.at(COEFFICIENTS, gradientIsLeast ? 4 : 3);
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
            product(steps, v, onRows);
            steps.run(mesh.loop(KrylovUpdatesLoops.BIDIAGONALISE, rows, scalars.at(ALPHA + s), scalars.at(BETA + s),
                    onRows, u, beta));
            multiply(steps, transposed, u, gradient);
            steps.run(mesh.loop(KrylovUpdatesLoops.BIDIAGONALISE, columns, beta, scalars.at(ALPHA + s), gradient, v,
                    alpha));
            steps.run(mesh.loop(gradientIsLeast ? KrylovScalarsLoops.LEAST_GRADIENT : KrylovScalarsLoops.LEAST_SQUARES,
                    single, beta, alpha, state, c, scalars.at(TOLD, 2)));
            steps.run(gradientIsLeast
                    ? mesh.loop(KrylovUpdatesLoops.LEAST_GRADIENT, columns, c, v, w, bar, solution)
                    : mesh.loop(KrylovUpdatesLoops.LEAST_SQUARES, columns, c, v, w, solution));
            iterations[s] = steps.build();
        }
    }

    private Dat onColumns(String name) {
        return mesh.dat(name, columns, 1, matrix.precision());
    }

    @Override
    boolean begin(double residualNorm) {
        slot = 0;
        wrong = 0;
        scalars.set(ALPHA + 1, 0);
        begin.run();
        fetch();
        norm = values[ALPHA];
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        double tolerance = history.criteria().relativeTolerance();
        if (history.iterations() == 0 && values[ALPHA + slot] == 0) {
            return leastSquares(history, tolerance);
        }
        iterations[slot].run();
        slot = 1 - slot;
        fetch();
        norm += values[BETA + slot] + values[ALPHA + slot];
        double residualNorm = values[TOLD];
        add(history, residualNorm);
        if (history.goesOn() && !history.wantsTrueResidual()
                && values[TOLD + 1] <= leastSquaresTolerance(tolerance) * Math.sqrt(norm)
                        * residualNorm) {
            return leastSquares(history, tolerance);
        }
        return Next.ITERATION;
    }

    /**
     * Of ‖A‖ ‖r‖, what ‖Aᵀ r‖ must not exceed. A square system has a solution unless its matrix is singular, so that
     * nothing but rounding ends it without one; others end by the tolerance.
     */
    private double leastSquaresTolerance(double tolerance) {
        return rows.equals(columns)
                ? Math.min(tolerance, ROUNDINGS * matrix.precision().unitRoundoff())
                : tolerance;
    }

    /** Looks at what the recurrence takes for a solution of the least squares. */
    private Next leastSquares(ResidualHistory history, double tolerance) {
        double trueNorm = trueResidual();
        matrix.applyTransposed(1, residualVector, 0, gradientVector);
        double gradientNorm = arithmetic.norm(gradientVector);
        double limit = leastSquaresTolerance(tolerance) * Math.sqrt(norm) * scaledResidualNorm();
        if (gradientNorm <= limit) {
            history.solvesLeastSquares(trueNorm, "||A^T r|| is "
                    + gradientNorm / (scaledResidualNorm() * Math.sqrt(norm))
                    + " of ||A|| ||r||, recomputed, so that x solves the least squares: the system has no solution, or "
                    + "its matrix is so ill-conditioned that "
                    + (rows.equals(columns) ? matrix.precision().label() : "this tolerance") + " cannot decide");
            return Next.ITERATION;
        }
        wrong++;
        return wrong == ERRORS
                ? broken("the recurrence takes ||A^T r|| for small enough, but it is " + gradientNorm / limit
                        + " times the limit")
                : Next.ITERATION;
    }
}
