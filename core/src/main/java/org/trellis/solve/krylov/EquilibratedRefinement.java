package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.ResidualHistory;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * Solves {@code A x = b} by corrections {@code C y} with {@code (R A C) y = R r}, where R and C equilibrate A and r is
 * the residual of the system itself, which also says when to stop. One correction is most often enough; the next one
 * begins where rows that R makes small have a larger residual than is asked for. Costs two products of vectors and a
 * residual for each correction.
 */
final class EquilibratedRefinement extends KrylovSolver {
    /** Of what is asked for, so that a correction need not be followed by another one because of its last digit. */
    private static final double SAFETY = 0.5;
    /** The least that a correction has to reduce the residual of the equilibrated system by. */
    private static final double MOST_TOLERANCE = 0.1;

    private final LinearSolver inner;
    private final ElementKernels elements;
    private final DenseVector rowFactors;
    private final DenseVector columnFactors;
    private final DenseVector innerRight;
    private final DenseVector innerSolution;
    private final DenseVector residualVector;
    private final DenseVector solutionVector;
    private double norm;
    private SolveReport last;

    /**
     * Prepares the refinement.
     *
     * @param matrix  the matrix
     * @param factors of its rows and columns
     * @param inner   solves with the equilibrated matrix; not closed by this object
     * @param backend of both
     */
    @MustBeClosed
    EquilibratedRefinement(LinearOperator matrix, Equilibration factors, LinearSolver inner, Backend backend) {
        super("equilibrated " + inner, matrix, null, backend, 1);
        this.inner = inner;
        elements = backend.kernels(ElementKernels.class);
        rowFactors = vector("factors of rows").vector();
        rowFactors.copyFrom(factors.rowFactors());
        columnFactors = vector("factors of columns").vector();
        columnFactors.copyFrom(factors.columnFactors());
        innerRight = vector("equilibrated right-hand side").vector();
        innerSolution = vector("equilibrated solution").vector();
        residualVector = residual.vector();
        solutionVector = solution.vector();
        prepare(() -> {});
    }

    /** Returns the preconditioner of the last solution in words. */
    Optional<String> innerPreconditioner() {
        return Optional.ofNullable(last).map(SolveReport::preconditioner);
    }

    /** Returns the time that preparing the stack inside took, as it reports it. */
    double innerSetupSeconds() {
        return last == null ? 0 : last.setupSeconds();
    }

    @Override
    boolean begin(double residualNorm) {
        norm = residualNorm;
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        elements.update(1 / norm, rowFactors, residualVector, 0, innerRight);
        arithmetic.clear(innerRight, innerSolution);
        StoppingCriteria asked = history.criteria();
        StoppingCriteria criteria = StoppingCriteria
                .relative(Math.min(MOST_TOLERANCE, SAFETY * scaled(history.threshold()) / norm),
                        Math.max(1, asked.maximumIterations() - history.iterations()))
                .within(history.secondsLeft()).stagnatingAfter(asked.stagnationWindow());
        double first = arithmetic.norm(innerRight);
        List<Double> norms = new ArrayList<>();
        last = inner.solve(innerRight, innerSolution, criteria,
                (iteration, equilibrated) -> norms.add(norm * equilibrated / first));
        norms.forEach(found -> add(history, found));
        if (last.status() != SolveStatus.DIVERGED) {
            elements.update(norm, columnFactors, innerSolution, 1, solutionVector);
        }
        if (last.status() == SolveStatus.TIME_LIMIT) {
            history.timeIsUp();
        }
        return cycle("a correction by the equilibrated matrix, which ended with " + last);
    }
}
