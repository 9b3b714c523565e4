package org.trellis.solve.krylov;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.trellis.common.TrellisException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorSize;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.Refinement;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** Prepares what is chosen for a matrix of one rank. */
final class OneRankMaker implements AutomaticSolver.Maker {
    /** Multiplications and additions that a factorisation may take whatever the number of entries. */
    private static final double OPERATIONS_OF_ANY = 1e8;
    /** Entries of both factors, for each of the matrix, up to which another order is not worth a search. */
    private static final double SPARSE_FACTORS = 12;

    /** Nanoseconds of a factorisation for each entry of the matrix, for each of the factors, and for each operation. */
    private record Cost(double entry, double fill, double operation) {
        static final Cost SYMMETRIC = new Cost(60, 30, 0.1);
        static final Cost GENERAL = new Cost(120, 60, 0.15);

        double of(CsrMatrix matrix, FactorSize size) {
            return entry * matrix.nonZeros() + fill * size.nonZeros() + operation * size.operations();
        }

        /** Entries that take longer: columns of the same length take the fewest operations, the squares of lengths. */
        double mostEntries(CsrMatrix matrix, double enough) {
            double square = operation / matrix.rows();
            double left = enough - entry * matrix.nonZeros();
            return left <= 0 ? 0 : (Math.sqrt(fill * fill + 4 * square * left) - fill) / (2 * square);
        }
    }

    private final MatrixProperties findings;
    private final Supplier<? extends LinearOperator> product;
    private final SolverContext parts;
    private CsrMatrix matrix;
    /** Null unless it was looked for. */
    private Optional<Dominance> dominance;
    /** The analysis of a factorisation that trial iterations have lost against; null for none. */
    private DirectSolver analysed;

    OneRankMaker(CsrMatrix matrix, MatrixProperties findings, Supplier<? extends LinearOperator> product,
            SolverContext parts) {
        this.matrix = matrix;
        this.findings = findings;
        this.product = product;
        this.parts = parts;
    }

    CsrMatrix matrix() {
        return matrix;
    }

    /** Takes other values of the same structure. */
    void take(CsrMatrix values) {
        matrix = values;
        dominance = null;
        analysed = null;
    }

    Optional<Dominance> dominance() {
        if (dominance == null) {
            dominance = Dominance.of(matrix);
        }
        return dominance;
    }

    /**
     * Of a badly scaled matrix for an equilibrated copy. Conjugate gradients with the preconditioners of the choices
     * have the same iterates for both, and least squares other solutions.
     */
    @Override
    @SuppressWarnings("MustBeClosed") // closed with the solver
    public LinearSolver stack(SolverConfig stack) {
        boolean alike = stack.krylovMethod() == KrylovMethod.CG || matrix.rows() != matrix.columns();
        Optional<Equilibration> factors =
                alike ? Optional.empty() : Equilibration.of(matrix, findings.symmetric());
        LinearSolver solver = factors.isPresent()
                ? EquilibratedSolver.prepare(stack, factors.get(), product.get(), parts)
                : ConfiguredSolver.prepare(stack, matrix, product.get(), parts);
        return estimated(solver);
    }

    private LinearSolver estimated(LinearSolver solver) {
        return matrix.rows() == matrix.columns()
                ? EstimatedSolver.of(solver, matrix, dominance(), parts.backend())
                : solver;
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the solver
    public LinearSolver factorised(KrylovMethod method, Map<String, String> options, FactorLimits limits) {
        long start = System.nanoTime();
        return estimated(
                ConfiguredSolver.prepare(method, options, new LuPreconditioner(matrix, parts.backend(), limits),
                        start, product.get(), parts.backend()));
    }

    @Override
    public boolean isWhole() {
        return true;
    }

    @Override
    public LinearSolver direct(FactorLimits limits, double operations) {
        if (analysed != null) {
            DirectSolver begun = analysed;
            analysed = null;
            return begun.factorised(Double.POSITIVE_INFINITY);
        }
        double most = Math.max(OPERATIONS_OF_ANY, operations * matrix.nonZeros());
        return DirectSolver.of(matrix, findings.symmetric(), options(limits), most);
    }

    private static LuOptions options(FactorLimits limits) {
        return LuOptions.defaults().with(limits).withSmallestPivot(LuOptions.CLEARLY_REGULAR);
    }

    /**
     * Prepares iterations on one thread that end where a factorisation takes less time.
     *
     * @param limits what the analysis of a factorisation may take
     * @param always whether they go on whatever a factorisation takes, and without factors if these cannot be made
     * @return a solver
     * @throws TrellisException if there is no incomplete factorisation
     */
    @SuppressWarnings("MustBeClosed") // closed with the solver
    LinearSolver trial(FactorLimits limits, boolean always) {
        long start = System.nanoTime();
        WholeMatrix whole = WholeMatrix.of(matrix);
        TrialFactors factors = TrialFactors.of(whole, findings.symmetric()).orElse(null);
        boolean small = always && dominance().isEmpty();
        if (small && Equilibration.isNeeded(matrix)) {
            throw new TrellisException("the rows or columns of " + matrix + " are badly scaled, expected less than "
                    + "six orders of magnitude between their largest entries");
        }
        if (factors == null && !always) {
            throw new TrellisException("incomplete factors without fill of " + matrix
                    + ": a pivot is 0 or missing, expected a full diagonal");
        }
        return estimated(new TrialIterations(whole, factors,
                always ? null : enough -> timeOfFactorisation(enough, limits),
                dominance().isEmpty(), (System.nanoTime() - start) * 1e-9));
    }

    /**
     * Checks a solution of {@link #trial} row by row where rows are badly scaled: the norm of the residual is that of
     * the largest ones.
     *
     * @param b         the right-hand side
     * @param x         the solution
     * @param tolerance the most that the residual of a row may be of its terms
     * @return why it is not good enough; null if it is
     */
    String objection(DenseVector b, DenseVector x, double tolerance) {
        if (dominance().isPresent() || !Equilibration.isNeeded(matrix)) {
            return null;
        }
        double error = Refinement.backwardError(matrix, onHost(b), onHost(x));
        return error <= tolerance
                ? null
                : "the matrix is badly scaled, and the residual of a row is " + error
                        + " of its terms, expected at most "
                        + tolerance;
    }

    private static double[] onHost(DenseVector v) {
        HostVector copy = HostVector.zeros(v.precision(), v.length());
        v.copyTo(copy);
        return copy.toDoubleArray();
    }

    /** Counts entries of factors, which ends as soon as there are too many. */
    private double timeOfFactorisation(double enough, FactorLimits limits) {
        Cost cost = findings.symmetric() ? Cost.SYMMETRIC : Cost.GENERAL;
        double most = cost.mostEntries(matrix, enough);
        if (most < matrix.rows()) {
            return Double.POSITIVE_INFINITY;
        }
        try {
            DirectSolver solver =
                    DirectSolver.analysed(matrix, findings.symmetric(), options(limits.ofEntries(most)));
            FactorSize size = solver.predicted();
            double time = cost.of(matrix, size);
            if (time > enough) {
                return Double.POSITIVE_INFINITY;
            }
            if (solver.isSettled() || size.nonZeros() <= SPARSE_FACTORS * matrix.nonZeros()) {
                analysed = solver;
            }
            return time;
        } catch (FactorisationException e) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
