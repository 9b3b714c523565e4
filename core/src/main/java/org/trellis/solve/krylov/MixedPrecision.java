package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.ResidualHistory;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.LinearOperator;

/**
 * Iterative refinement in mixed precision (N. J. Higham, Accuracy and Stability of Numerical Algorithms, chapter 12;
 * with iterations inside, A. Buttari et al., ACM Trans. Math. Softw. 34(4), 2008): corrections are solved for in single
 * precision, residuals and the solution are kept in double precision. Where single precision can reduce a residual at
 * all, the solution becomes as exact as in double precision, at the cost of half the memory traffic.
 *
 * <p>Each correction costs, beside its iterations, a product in double precision, and a residual and a correction that
 * are converted on the host. Iterations reported are those in single precision.
 */
public final class MixedPrecision extends KrylovSolver {
    /** By how much a correction reduces the residual. */
    private static final double INNER_TOLERANCE = 1e-4;
    /** Of what is requested, so that a correction need not be followed by another one because of its last digit. */
    private static final double SAFETY = 0.5;

    private final LinearSolver inner;
    private final DenseVector innerRight;
    private final DenseVector innerSolution;
    private final DenseVector correction;
    private final DenseVector residualVector;
    private final DenseVector solutionVector;
    private final HostVector wide;
    private double norm;

    /**
     * Prepares the refinement.
     *
     * @param matrix  in double precision
     * @param inner   solves with the matrix in single precision; closed by this object
     * @param backend of both
     * @throws IllegalArgumentException if the matrix is not in double precision
     */
    @MustBeClosed
    public MixedPrecision(LinearOperator matrix, LinearSolver inner, Backend backend) {
        super("refinement of " + inner, matrix, null, backend, 1);
        this.inner = inner;
        int n = matrix.rows();
        innerRight = mesh.dat("inner right-hand side", rows, 1, Precision.F32).vector();
        innerSolution = mesh.dat("inner solution", rows, 1, Precision.F32).vector();
        correction = vector("correction").vector();
        residualVector = residual.vector();
        solutionVector = solution.vector();
        wide = HostVector.zeros(Precision.F64, n);
        prepare(() -> {});
    }

    @Override
    boolean begin(double residualNorm) {
        norm = residualNorm;
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        residualVector.copyTo(wide);
        double[] elements = wide.doubles();
        for (int i = 0; i < elements.length; i++) {
            elements[i] /= norm;
        }
        innerRight.copyFrom(wide.convert(Precision.F32));
        innerSolution.copyFrom(HostVector.zeros(Precision.F32, elements.length));
        double wanted = Math.max(INNER_TOLERANCE, SAFETY * scaled(history.threshold()) / norm);
        StoppingCriteria criteria = StoppingCriteria.relative(wanted,
                Math.max(1, history.criteria().maximumIterations() - history.iterations()))
                .within(history.secondsLeft());
        // Judged afterwards: while the method inside iterates, ranks may have sums under way.
        List<Double> norms = new ArrayList<>();
        SolveReport report =
                inner.solve(innerRight, innerSolution, criteria, (iteration, relative) -> norms.add(norm * relative));
        norms.forEach(found -> add(history, found));
        HostVector narrow = HostVector.zeros(Precision.F32, elements.length);
        innerSolution.copyTo(narrow);
        correction.copyFrom(narrow.convert(Precision.F64));
        if (report.status() != SolveStatus.DIVERGED) {
            arithmetic.update(norm, correction, 1, solutionVector);
        }
        if (report.status() == SolveStatus.TIME_LIMIT) {
            history.timeIsUp();
        }
        return cycle("a correction in single precision, which ended with " + report);
    }

    @Override
    public void close() {
        if (inner != null) {
            inner.close();
        }
        super.close();
    }
}
