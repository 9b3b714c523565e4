package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorSize;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.FillReduction;
import org.trellis.solve.direct.HostFactors;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * How the coarsest level is solved: by a product with its inverse where that is small, which is a step like any other;
 * by a factorisation on the host where it is not; by sweeps of a smoother where it cannot be factorised or its factors
 * would be too large.
 */
final class CoarseSolution implements LowestSolution, AutoCloseable {
    /** Rows up to which the inverse is stored. */
    static final int LARGEST_INVERSE = 800;
    /** Bytes and operations up to which the level is factorised, as the structure of the matrix predicts them. */
    private static final long MOST_FACTOR_BYTES = 256L << 20;
    private static final double MOST_FACTOR_OPERATIONS = 2e10;
    /** Bytes of a factorisation from which on there is a remark. */
    private static final long NOTABLE_FACTOR_BYTES = 64L << 20;
    private static final int SWEEPS = 8;

    private final String description;
    private final SpmvOperator inverse;
    private final HostFactors solver;
    private final Smoother smoother;
    private final long bytes;

    private CoarseSolution(String description, SpmvOperator inverse, HostFactors solver, Smoother smoother,
            long bytes) {
        this.description = description;
        this.inverse = inverse;
        this.solver = solver;
        this.smoother = smoother;
        this.bytes = bytes;
    }

    /**
     * Prepares a solution.
     *
     * @param level   the number of the level, for remarks
     * @param coarse  the coarsest matrix, and its inverse where it is small
     * @param parts   makes products and smoothers
     * @param product the product of the matrix
     * @param times   where the time goes
     * @param remarks gets what is worth saying
     * @return a solution that the caller closes
     */
    static CoarseSolution of(int level, CoarseInverse coarse, MultigridParts parts, SpmvOperator product,
            SetupTimes times, List<String> remarks) {
        CsrMatrix matrix = coarse.matrix();
        if (matrix.rows() <= LARGEST_INVERSE) {
            DenseInverse inverse = times.time(SetupPhase.COARSE, coarse::get);
            if (inverse.nullity() > 0) {
                remarks.add("level " + level + ", the coarsest, is singular, with a null space of dimension "
                        + inverse.nullity() + ": its pseudo-inverse is taken. The system has no solution or many: give "
                        + "the null space to the method, or fix an unknown");
            }
            SpmvOperator prepared = times.time(SetupPhase.TRANSFER, () -> parts.product(inverse.matrix()));
            return new CoarseSolution(inverse.nullity() > 0 ? "pseudo-inverse" : "inverse", prepared, null, null,
                    prepared.preparedBytes());
        }
        CoarseSolution factorised = times.time(SetupPhase.COARSE, () -> factorised(level, matrix, remarks));
        if (factorised != null) {
            return factorised;
        }
        Smoother smoother = times.time(SetupPhase.SMOOTHERS, () -> parts.smoother(level, matrix, product));
        return new CoarseSolution(SWEEPS + " sweeps of " + smoother.describe(), null, null, smoother,
                smoother.storedBytes());
    }

    private static CoarseSolution factorised(int level, CsrMatrix matrix, List<String> remarks) {
        boolean mayBePositive = true;
        HostVector diagonal = matrix.diagonal();
        for (int row = 0; row < diagonal.length(); row++) {
            mayBePositive &= diagonal.get(row) > 0;
        }
        boolean symmetric =
                mayBePositive && matrix.closeTo(matrix.transpose(), 16 * matrix.precision().unitRoundoff(), 0);
        FactorSize size = symmetric
                ? FactorSize.ofCholesky(matrix, FillReduction.MINIMUM_DEGREE)
                : FactorSize.ofLu(matrix, FillReduction.MINIMUM_DEGREE);
        String what = "level " + level + ", the coarsest, of " + matrix.rows() + " rows";
        if (size.bytes() > MOST_FACTOR_BYTES || size.operations() > MOST_FACTOR_OPERATIONS) {
            remarks.add(what + " is not factorised, which would take " + inWords(size.bytes(), size.operations())
                    + ", more than " + inWords(MOST_FACTOR_BYTES, MOST_FACTOR_OPERATIONS) + ": " + SWEEPS
                    + " sweeps of a smoother take the place of its solution");
            return null;
        }
        if (size.bytes() > NOTABLE_FACTOR_BYTES) {
            remarks.add(what + " is factorised, which takes " + inWords(size.bytes(), size.operations())
                    + "; one of fewer rows would cost less in each cycle");
        }
        try {
            HostFactors factors = HostFactors.of(matrix, symmetric ? HostFactors.Kind.CHOLESKY : HostFactors.Kind.LU,
                    symmetric, FactorLimits.ofHeap());
            return new CoarseSolution(symmetric ? "Cholesky factors" : "LU factors", null, factors, null,
                    factors.bytes());
        } catch (FactorisationException e) {
            remarks.add(what + " cannot be factorised: " + e.getMessage() + "; " + SWEEPS
                    + " sweeps of a smoother take the place of its solution");
            return null;
        }
    }

    private static String inWords(long bytes, double operations) {
        return String.format(Locale.ROOT, "%d MiB and %.1e operations", Math.ceilDiv(bytes, 1L << 20), operations);
    }

    /** Solutions and sweeps from zero read no old iterate. */
    @Override
    public boolean solvesOnce() {
        return true;
    }

    @Override
    @SuppressWarnings("MustBeClosed") // in the list, which the caller closes
    public List<PreparedStep> bind(DenseVector b, DenseVector x, boolean fromZero) {
        if (inverse != null) {
            return List.of(inverse.bind(1, b, 0, x));
        }
        if (smoother != null) {
            List<PreparedStep> all = new ArrayList<>(smoother.bindApplication(b, x));
            List<PreparedStep> sweep = smoother.bindSweep(b, x, SweepDirection.SYMMETRIC);
            for (int i = 1; i < SWEEPS; i++) {
                all.addAll(sweep);
            }
            return all;
        }
        return List.of(() -> solver.solve(b, x));
    }

    @Override
    public boolean symmetric() {
        return smoother == null || smoother.symmetric() || smoother.hasDirections();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        if (inverse != null) {
            inverse.close();
        }
        if (smoother != null) {
            smoother.close();
        }
    }

    @Override
    public String toString() {
        return description;
    }
}
