package org.trellis.solve.krylov;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.TrellisException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.LinearOperator;

/**
 * Chooses method and preconditioner by what the matrix is, and falls back on another choice where one breaks down, does
 * not get on or cannot be made. Each choice, why it was made and why it was left is a note of the report. A choice that
 * has solved a system is the first for the next one.
 *
 * <p>Multigrid is the first choice for systems of 10,000 rows and more that look like diffusion, or whose near null
 * space is given.
 *
 * <p>To find out costs a transposition and a comparison. Whether a symmetric matrix is definite shows on the way: its
 * diagonal must be positive, and conjugate gradients break down if it is not.
 */
final class AutomaticSolver implements PreconditionedSolver {
    /** The most rows of which an LU factorisation is the last choice. */
    private static final int LARGEST_DIRECT = 20_000;
    /** Iterations without progress after which the next choice is tried. */
    private static final int PATIENCE = 500;
    private static final double ROUNDINGS = 16;
    private static final double LEAST_SECONDS = 0.01;
    /** Of residuals that are the same but for so much, that of the later choice is reported, which knows more. */
    private static final double TIE = 1 + 1e-6;
    /** Rows from which multigrid's set-up pays. */
    private static final int LEAST_MULTIGRID = 10_000;
    /** The most that positive couplings may amount to of all. */
    private static final double MOST_POSITIVE = 0.35;
    /** The least that couplings amount to of the diagonal where errors spread from row to row. */
    private static final double LEAST_COUPLED = 0.9;

    private final CsrMatrix matrix;
    private final LinearOperator product;
    private final StackParts parts;
    private final Backend backend;
    private final String finding;
    private final List<Choice> choices = new ArrayList<>();
    private int current;
    private LinearSolver prepared;

    /** A method with a preconditioner; {@code lu} stands for a factorisation. */
    private record Choice(KrylovMethod method, Map<String, String> options, String preconditioner, String reason) {
        @Override
        public String toString() {
            return method + (options.isEmpty() ? "" : "(" + String.join(", ", options.values()) + ")") + " with "
                    + preconditioner;
        }
    }

    AutomaticSolver(CsrMatrix matrix, LinearOperator product, StackParts parts) {
        this.matrix = matrix;
        this.product = product;
        this.parts = parts;
        this.backend = parts.backend();
        this.finding = choose();
    }

    private String choose() {
        if (matrix.rows() != matrix.columns()) {
            add(KrylovMethod.LSQR, Map.of(), "none", "the only method for a matrix that is not square");
            return "the matrix has " + matrix.rows() + " rows and " + matrix.columns() + " columns";
        }
        int nonPositive = firstNonPositive();
        boolean symmetric = matrix.closeTo(matrix.transpose(), ROUNDINGS * matrix.precision().unitRoundoff(), 0);
        String found = "the matrix is " + (symmetric ? "symmetric" : "not symmetric") + ", its diagonal is "
                + (nonPositive < 0 ? "positive" : "not positive, for the first time in row " + nonPositive);
        if (symmetric) {
            chooseSymmetric(nonPositive < 0);
        }
        add(KrylovMethod.GMRES, Map.of("restart", "50"), "ilu0", "for matrices that need not be symmetric");
        add(KrylovMethod.BICGSTAB, Map.of(), "ilu0", "which needs less memory than longer cycles of gmres");
        add(KrylovMethod.GMRES, Map.of("restart", "100"), "spai0", "whose cycles are longer, and whose preconditioner "
                + "needs no pivots");
        add(KrylovMethod.GMRES, Map.of("restart", "100"), "none", "which needs no diagonal");
        if (matrix.rows() <= LARGEST_DIRECT) {
            add(KrylovMethod.FGMRES, Map.of("restart", "10"), "lu", "since nothing less has led to a solution");
        }
        add(KrylovMethod.LSQR, Map.of(), "none", "which solves singular systems that have solutions");
        return found;
    }

    private void chooseSymmetric(boolean positiveDiagonal) {
        if (positiveDiagonal) {
            if (matrix.rows() >= LEAST_MULTIGRID && (parts.nearNullSpace().isPresent() || isElliptic())) {
                add(KrylovMethod.CG, Map.of(), NamedPreconditioners.AMG, parts.nearNullSpace().isPresent()
                        ? "whose coarse levels represent the near null space that is given"
                        : "since couplings are mostly negative and balance the diagonal, as those of diffusion do, so "
                                + "that iterations hardly grow with the size");
            }
            boolean onHost = backend.device().space().equals(MemorySpace.HOST);
            if (onHost) {
                add(KrylovMethod.CG, Map.of(), "ic0", "which takes the fewest iterations if it can be made");
            }
            add(KrylovMethod.CG, Map.of(), "jacobi", "which can be made wherever the diagonal is positive");
        }
        add(KrylovMethod.MINRES, Map.of(), "none", "which does not need a definite matrix");
    }

    private void add(KrylovMethod method, Map<String, String> options, String preconditioner, String reason) {
        choices.add(new Choice(method, options, preconditioner, reason));
    }

    /** Says whether a matrix looks like that of diffusion, which smooths and coarsens well. */
    private boolean isElliptic() {
        double diagonal = 0;
        double negative = 0;
        double positive = 0;
        for (CsrSegment segment : matrix.segments()) {
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    double value = segment.values().get(k);
                    if (segment.columnIndices()[k] == row) {
                        diagonal += value;
                    } else if (value < 0) {
                        negative -= value;
                    } else {
                        positive += value;
                    }
                }
            }
        }
        return positive <= MOST_POSITIVE * negative && negative >= LEAST_COUPLED * diagonal;
    }

    private int firstNonPositive() {
        HostVector diagonal = matrix.diagonal();
        for (int row = 0; row < diagonal.length(); row++) {
            if (!(diagonal.get(row) > 0)) {
                return row;
            }
        }
        return -1;
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        List<String> notes = new ArrayList<>();
        notes.add("auto: " + finding);
        HostVector guess = HostVector.zeros(matrix.precision(), matrix.columns());
        x.copyTo(guess);
        SolveReport best = null;
        HostVector bestSolution = guess;
        int left = criteria.maximumIterations();
        double setup = 0;
        long began = System.nanoTime();
        while (true) {
            Choice choice = choices.get(current);
            boolean last = current == choices.size() - 1;
            long start = System.nanoTime();
            String obstacle = prepare(choice);
            setup += (System.nanoTime() - start) * 1e-9;
            if (obstacle == null) {
                x.copyFrom(guess);
                double spent = (System.nanoTime() - began) * 1e-9;
                SolveReport report =
                        consistent(prepared.solve(b, x, share(criteria, left, spent, last), observer), criteria);
                left -= Math.min(left, report.iterations());
                if (best == null || report.converged() || report.trueResidual() <= TIE * best.trueResidual()) {
                    best = report;
                    bestSolution = HostVector.zeros(matrix.precision(), matrix.columns());
                    x.copyTo(bestSolution);
                }
                obstacle = report.converged()
                        ? null
                        : "ended after " + report.iterations() + " iterations: " + report.detail();
            }
            notes.add("auto: " + choice + ", " + choice.reason()
                    + (obstacle == null ? "" : ": " + obstacle));
            if (obstacle == null || last || left == 0
                    || (System.nanoTime() - began) * 1e-9 > criteria.maximumSeconds()) {
                x.copyFrom(bestSolution);
                SolveReport found = best == null ? nothing(obstacle, x, b, criteria) : best;
                return finish(found, obstacle == null, notes, setup);
            }
            notes.add("auto: on to the next choice");
            closePrepared();
            current++;
        }
    }

    /** A solution of the least squares solves no square system, and says that there is none. */
    private SolveReport consistent(SolveReport report, StoppingCriteria criteria) {
        boolean square = matrix.rows() == matrix.columns();
        double scale = criteria.toFirstResidual() ? report.residualHistory().getFirst() : report.rightHandSideNorm();
        if (!square || !report.converged() || report.trueResidual() <= criteria.threshold(scale)) {
            return report;
        }
        return new SolveReport(SolveStatus.STAGNATED, report.iterations(), report.restarts(), report.residualHistory(),
                report.rightHandSideNorm(), report.trueResidual(), report.seconds(), "the least residual of all is "
                        + report.trueResidual() + ": the matrix is singular or nearly so, and the system has no "
                        + "solution; the right-hand side has a part outside of the range of the matrix",
                report.facts());
    }

    /** Half of the iterations and of the time that are left; all of it for the last choice. */
    private static StoppingCriteria share(StoppingCriteria criteria, int left, double spent, boolean last) {
        double seconds = Math.max(LEAST_SECONDS, criteria.maximumSeconds() - spent);
        return last
                ? criteria.atMost(left).within(seconds)
                : criteria.atMost((left + 1) / 2).within(seconds / 2).stagnatingAfter(patience(criteria));
    }

    private static int patience(StoppingCriteria criteria) {
        return criteria.stagnationWindow() == 0 ? PATIENCE : Math.min(PATIENCE, criteria.stagnationWindow());
    }

    private SolveReport finish(SolveReport report, boolean solved, List<String> notes, double setup) {
        if (!solved) {
            closePrepared();
            current = 0;
        }
        return report.withNotes(notes).withPreparation(report.preconditioner(), setup - report.setupSeconds());
    }

    /** The report of no iteration at all, since nothing could be prepared. */
    private SolveReport nothing(String obstacle, DenseVector x, DenseVector b, StoppingCriteria criteria) {
        try (LinearSolver none = KrylovMethod.RICHARDSON.prepare(product, null, backend, Map.of())) {
            SolveReport report = none.solve(b, x, criteria.atMost(0));
            return new SolveReport(report.converged() ? report.status() : SolveStatus.BREAKDOWN, 0, 0,
                    report.residualHistory(), report.rightHandSideNorm(), report.trueResidual(), report.seconds(),
                    "none of the choices could be prepared, the last of them, " + choices.get(current) + ", "
                            + obstacle,
                    report.facts());
        }
    }

    /** Prepares a choice unless it is there; returns why it cannot be. */
    private String prepare(Choice choice) {
        if (prepared != null) {
            return null;
        }
        try {
            if (choice.preconditioner().equals("lu")) {
                long start = System.nanoTime();
                prepared = StackSolver.prepare(choice.method(), choice.options(), new LuPreconditioner(matrix, backend),
                        start, product, backend);
            } else {
                prepared = StackSolver.prepare(new SolverStack(choice.method().label(), choice.options(),
                        choice.preconditioner(), Map.of(), StoppingCriteria.relative(0, 0), false, false), matrix,
                        product, parts);
            }
            return null;
        } catch (IllegalArgumentException | TrellisException e) {
            return "cannot be prepared: " + e.getMessage();
        }
    }

    private void closePrepared() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return prepared == null ? Optional.empty() : PreconditionedSolver.of(prepared);
    }

    @Override
    public void close() {
        closePrepared();
    }

    @Override
    public String toString() {
        return "auto, " + choices.get(current);
    }
}
