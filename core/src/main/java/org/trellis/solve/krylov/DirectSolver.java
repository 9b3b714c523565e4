package org.trellis.solve.krylov;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.trellis.common.Checks;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ErrorEstimate;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveFacts;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorArithmetic;
import org.trellis.solve.direct.ConditionEstimate;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorSize;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.FillReduction;
import org.trellis.solve.direct.LuAnalysis;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.LuSolver;
import org.trellis.solve.direct.Refinement;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.direct.SparseLdlt;
import org.trellis.solve.direct.SparseLu;
import org.trellis.solve.direct.SymmetricAnalysis;
import org.trellis.solve.direct.SymmetricSolver;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.algebra.MatrixGraphs;

/**
 * Solves with a factorisation of the whole matrix on the host, whose solutions are refined: Cholesky for a symmetric
 * matrix with a positive diagonal, {@code L D Lᵀ} where that finds it indefinite, LU for all others and for what the
 * symmetric ones do not factorise. Vectors may be anywhere; they are copied.
 */
public final class DirectSolver implements LinearSolver {
    /** From this estimate of the relative error on the report has a note about it. */
    private static final double UNCERTAIN = 1e-4;
    /** The componentwise backward error from which on a solution is refined: 64 units of roundoff. */
    private static final double ENOUGH = 0x1p-46;

    private final LuOptions options;
    private final FactorLimits limits;
    private final List<String> notes = new ArrayList<>();
    private CsrMatrix matrix;
    private SymmetricAnalysis symmetric;
    private LuAnalysis general;
    private Factors factors;
    private double setup;
    private double condition = Double.NaN;
    private double largestRowSum = Double.NaN;
    private double mostOperations = Double.POSITIVE_INFINITY;
    private boolean estimates = true;

    /** What solves with one kind of factors. */
    private record Factors(String name, LongSupplier nonZeros, Refining refining, Consumer<double[]> solve,
            Consumer<double[]> solveTransposed, Predicate<CsrMatrix> refactorise) {}

    /** Solves and refines. */
    @FunctionalInterface
    private interface Refining {
        Refinement.Result refine(CsrMatrix matrix, double[] b, double[] x, double enough);
    }

    private DirectSolver(CsrMatrix matrix, LuOptions options) {
        this.matrix = matrix;
        this.options = options;
        this.limits = options.limits();
    }

    /**
     * Factorises.
     *
     * @param matrix         a square matrix of fewer than 2³¹ non-zeros
     * @param isSymmetric    whether the matrix is its own transpose, rounding aside
     * @param options        how it is factorised if that is by LU, and what any factorisation may take
     * @param mostOperations multiplications and additions beyond which the factorisation does not begin; may be
     *                       infinite
     * @return the solver
     * @throws IllegalArgumentException if the matrix is not square or has too many entries
     * @throws FactorisationException   if the matrix is singular or a limit would be or is reached; says which
     */
    public static DirectSolver of(CsrMatrix matrix, boolean isSymmetric, LuOptions options, double mostOperations) {
        return analysed(matrix, isSymmetric, options).factorised(mostOperations);
    }

    /**
     * Finds an order of elimination and counts what factors will take, without factorising.
     *
     * @param matrix      a square matrix of fewer than 2³¹ non-zeros
     * @param isSymmetric whether the matrix is its own transpose, rounding aside
     * @param options     how it is factorised if that is by LU, and what any factorisation may take
     * @return what {@link #factorised} makes a solver
     * @throws IllegalArgumentException if the matrix is not square or has too many entries
     * @throws FactorisationException   if the matrix is structurally singular, the time is over, or the factors have
     *                                  more entries than they may
     */
    public static DirectSolver analysed(CsrMatrix matrix, boolean isSymmetric, LuOptions options) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("factorisation of " + matrix + ", expected a square matrix");
        }
        // A limit of entries is one of this analysis: what is chosen by it is also factorised where pivots fill more.
        DirectSolver solver = new DirectSolver(matrix,
                options.with(options.limits().ofEntries(Double.POSITIVE_INFINITY)));
        long start = System.nanoTime();
        if (isSymmetric) {
            solver.symmetric = SymmetricAnalysis.ifSymmetric(matrix, FillReduction.MINIMUM_DEGREE, options.limits())
                    .orElse(null);
        }
        if (solver.symmetric == null) {
            solver.general = LuAnalysis.of(matrix, options);
        }
        solver.setup = (System.nanoTime() - start) * 1e-9;
        return solver;
    }

    private static boolean equalsTranspose(CsrMatrix matrix) {
        return MatrixGraphs.firstAsymmetry(matrix, 0).isEmpty();
    }

    /**
     * Returns what factors will take: exact for a positive definite matrix, about so for others.
     *
     * @return the number of entries, of both factors by LU and of one otherwise; operations and memory
     */
    public FactorSize predicted() {
        return symmetric != null ? symmetric.predicted() : general.predicted();
    }

    /**
     * Says whether the structure is analysed as that of a symmetric matrix.
     *
     * @return false for LU
     */
    public boolean isSymmetric() {
        return symmetric != null;
    }

    /**
     * Says whether an analysis without a limit of entries would find the same order of elimination.
     *
     * @return false where such a limit left out orders that may be better
     */
    public boolean isSettled() {
        return symmetric != null || general.isSettled();
    }

    /**
     * Factorises what was {@linkplain #analysed analysed}.
     *
     * @param most multiplications and additions beyond which the factorisation does not begin; may be infinite
     * @return this
     * @throws FactorisationException if the matrix is singular or a limit would be or is reached; says which
     */
    public DirectSolver factorised(double most) {
        mostOperations = most;
        long start = System.nanoTime();
        require(predicted());
        factorise();
        setup += (System.nanoTime() - start) * 1e-9;
        return this;
    }

    /**
     * Leaves out the bound of the error in reports, whose condition number costs some ten solutions after each
     * factorisation.
     *
     * @return this
     */
    public DirectSolver withoutErrorEstimates() {
        estimates = false;
        return this;
    }

    /** What would not fit is not begun. */
    private void require(FactorSize size) {
        if (size.bytes() > limits.bytes()) {
            throw new FactorisationException(
                    String.format(Locale.ROOT, "the factors would need %,d MB, expected at most "
                            + "%,d MB", size.bytes() >> 20, limits.bytes() >> 20),
                    FactorisationException.Reason.MEMORY, 0, Double.NaN);
        }
        if (size.operations() > mostOperations) {
            throw new FactorisationException(String.format(Locale.ROOT, "the factorisation would take %.2g operations, "
                    + "expected at most %.2g", size.operations(), mostOperations), FactorisationException.Reason.TIME,
                    0, Double.NaN);
        }
    }

    private void factorise() {
        forget();
        if (symmetric != null) {
            boolean positive = hasPositiveDiagonal();
            try {
                factors = positive ? cholesky() : ldlt();
                return;
            } catch (FactorisationException e) {
                requirePivot(e);
                notes.add("direct: " + e.getMessage());
            }
            if (positive) {
                try {
                    factors = ldlt();
                    return;
                } catch (FactorisationException e) {
                    requirePivot(e);
                    notes.add("direct: " + e.getMessage());
                }
            }
        }
        if (general == null) {
            general = LuAnalysis.of(matrix, options);
            mostOperations = Double.POSITIVE_INFINITY;
            require(general.predicted());
        }
        factors = lu();
    }

    private void forget() {
        condition = Double.NaN;
        largestRowSum = Double.NaN;
    }

    private static void requirePivot(FactorisationException e) {
        if (e.reason() != FactorisationException.Reason.PIVOT) {
            throw e;
        }
    }

    private boolean hasPositiveDiagonal() {
        HostVector diagonal = matrix.diagonal();
        for (int row = 0; row < diagonal.length(); row++) {
            if (!(diagonal.get(row) > 0)) {
                return false;
            }
        }
        return true;
    }

    private Factors cholesky() {
        SparseCholesky made = symmetric.cholesky(matrix);
        SymmetricSolver solver = made.solver();
        return new Factors("Cholesky factorisation", made::nonZeros, solver::refine, solver::solve,
                solver::solve,
                values -> {
                    made.refactorise(values);
                    return true;
                });
    }

    private Factors ldlt() {
        SparseLdlt made = symmetric.indefinite(matrix);
        SymmetricSolver solver = made.solver();
        return new Factors("L D Lt factorisation", made::nonZeros, solver::refine, solver::solve,
                solver::solve,
                values -> {
                    made.refactorise(values);
                    return true;
                });
    }

    private Factors lu() {
        SparseLu made = general.factorise(matrix);
        LuSolver solver = made.solver();
        return new Factors("LU factorisation", made::nonZeros, solver::refine, solver::solve,
                solver::solveTransposed, values -> made.refactorise(values) <= SparseLu.RELIABLE_GROWTH);
    }

    /**
     * Takes other values. Reuses the order of elimination and, where they are still good ones, the pivots.
     *
     * @param values a matrix of the same structure
     * @throws IllegalArgumentException if the structure is another
     * @throws FactorisationException   if the matrix is singular or a limit is reached; the solver is of no use then
     */
    public void update(CsrMatrix values) {
        long start = System.nanoTime();
        matrix = values;
        forget();
        notes.clear();
        if (symmetric != null && !equalsTranspose(values)) {
            symmetric = null;
            general = null;
            factorise();
        } else if (!refactorised(values)) {
            factorise();
        }
        setup = (System.nanoTime() - start) * 1e-9;
    }

    /** Says whether the old order of elimination, and old pivots, are good for other values. */
    private boolean refactorised(CsrMatrix values) {
        try {
            return factors.refactorise().test(values);
        } catch (FactorisationException e) {
            requirePivot(e);
            return false;
        }
    }

    /**
     * Solves {@code Aᵀ x = b} without refinement.
     *
     * @param x the right-hand side, overwritten by the solution
     * @throws IllegalArgumentException if the length is not that of the matrix
     */
    public void solveTransposed(double[] x) {
        Checks.length("length of b", x.length, matrix.rows());
        factors.solveTransposed().accept(x);
    }

    /**
     * Estimates the condition number {@code ‖A‖₁ ‖A⁻¹‖₁} by Hager's and Higham's method. Costs some ten solutions when
     * it is first called.
     *
     * @return at least 1; infinite for what is singular but for rounding
     */
    public double condition() {
        if (Double.isNaN(condition)) {
            condition = 1 / ConditionEstimate.reciprocal(matrix, factors.solve(), factors.solveTransposed());
        }
        return condition;
    }

    /**
     * Returns the number of entries of the factors.
     *
     * @return more than 0, unless the matrix is empty
     */
    public long factorNonZeros() {
        return factors.nonZeros().getAsLong();
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        if (factors == null) {
            throw new IllegalStateException(this + " is not factorised");
        }
        Checks.length("length of b", b.length(), matrix.rows());
        Checks.length("length of x", x.length(), matrix.rows());
        long start = System.nanoTime();
        double[] right = onHost(b);
        double[] first = onHost(x);
        FiniteInput.require("right-hand side", right);
        FiniteInput.require("first guess", first);
        double scale = VectorArithmetic.norm(right);
        double before = isZero(first) ? scale : residual(right, first);
        double[] solution = new double[right.length];
        Refinement.Result reached = factors.refining().refine(matrix, right, solution, ENOUGH);
        HostVector rounded = HostVector.of(solution).convert(x.precision());
        x.copyFrom(rounded);
        double after = residual(right, rounded.toDoubleArray());
        double seconds = (System.nanoTime() - start) * 1e-9;
        observer.iterated(1, after);
        double threshold = criteria.threshold(criteria.toFirstResidual() ? before : scale);
        boolean converged = after <= threshold;
        List<String> said = new ArrayList<>(notes);
        ErrorEstimate error = estimates ? errorEstimate(right, rounded, after) : ErrorEstimate.UNKNOWN;
        addUncertainty(said, error);
        String detail = "solved by " + factors.name + " with " + factors.nonZeros().getAsLong() + " entries and "
                + reached.steps() + (reached.steps() == 1 ? " step" : " steps")
                + " of refinement, componentwise backward error " + reached.backwardError();
        return new SolveReport(converged ? SolveStatus.CONVERGED : SolveStatus.STAGNATED, 1, 0, List.of(before, after),
                scale, after, seconds, converged
                        ? detail
                        : detail + "; rounding in " + x.precision().label()
                                + " allows no smaller residual than " + after + ", expected " + threshold,
                new SolveFacts("direct", factors.name, setup, 0, 12L * factors.nonZeros().getAsLong(), said,
                        error));
    }

    private static void addUncertainty(List<String> said, ErrorEstimate error) {
        if (error.forwardBound() > UNCERTAIN) {
            said.add(String.format(Locale.ROOT,
                    "direct: the condition number of the matrix is about %.1e, so the relative "
                            + "error of the solution may be up to %.1e although the residual is small",
                    error.condition(), error.forwardBound()));
        }
    }

    /** Bounds the error by the condition and the normwise backward error, and row by row where that is much. */
    private ErrorEstimate errorEstimate(double[] b, HostVector x, double residual) {
        double[] solution = x.toDoubleArray();
        double size = largestRowSum() * VectorArithmetic.norm(solution);
        double backward = size == 0 ? 0 : residual / size;
        double bound = condition() * Math.max(backward, x.precision().unitRoundoff());
        if (bound > UNCERTAIN) {
            bound = Math.min(bound, Math.max(x.precision().unitRoundoff(), ConditionEstimate.forwardError(matrix, b,
                    solution, factors.solve(), factors.solveTransposed())));
        }
        return new ErrorEstimate(condition(), bound, "in the 1-norm, by Hager's and Higham's method");
    }

    private double largestRowSum() {
        if (Double.isNaN(largestRowSum)) {
            CsrRowCursor rows = new CsrRowCursor(matrix);
            double largest = 0;
            for (int i = 0; i < matrix.rows(); i++) {
                rows.moveTo(i);
                double sum = 0;
                for (int k = rows.start(); k < rows.end(); k++) {
                    sum += Math.abs(rows.value(k));
                }
                largest = Math.max(largest, sum);
            }
            largestRowSum = largest;
        }
        return largestRowSum;
    }

    private double residual(double[] b, double[] x) {
        return VectorArithmetic.norm(Refinement.residualOf(matrix, b, x));
    }

    private static boolean isZero(double[] v) {
        for (double element : v) {
            if (element != 0) {
                return false;
            }
        }
        return true;
    }

    private static double[] onHost(DenseVector v) {
        HostVector copy = HostVector.zeros(v.precision(), v.length());
        v.copyTo(copy);
        return copy.toDoubleArray();
    }

    /** Holds nothing but Java arrays. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return factors == null
                ? "analysis of " + matrix
                : factors.name + " with " + factors.nonZeros().getAsLong() + " entries";
    }
}
