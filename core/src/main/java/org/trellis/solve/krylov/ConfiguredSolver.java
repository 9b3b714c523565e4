package org.trellis.solve.krylov;

import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** A method with a preconditioner that it owns. */
final class ConfiguredSolver implements PreconditionedSolver {
    private final LinearSolver solver;
    private final Preconditioner preconditioner;
    private final String text;
    private final double preparation;

    private ConfiguredSolver(LinearSolver solver, Preconditioner preconditioner, String text, double preparation) {
        this.solver = solver;
        this.preconditioner = preconditioner;
        this.text = text;
        this.preparation = preparation;
    }

    static ConfiguredSolver prepare(SolverConfig stack, CsrMatrix matrix, LinearOperator product, SolverContext parts) {
        KrylovMethod method = stack.krylovMethod();
        method.refuse(product, null);
        long start = System.nanoTime();
        Preconditioner made = stack.preconditioner().equals(NamedPreconditioners.AMG)
                ? NamedPreconditioners.multigrid(matrix, stack.preconditionerOptions(),
                        parts.nearNullSpace().orElse(null), parts.backend(), parts.products())
                : NamedPreconditioners.of(stack.preconditioner(), matrix, product, parts.backend(),
                        stack.preconditionerOptions()).orElse(null);
        return prepare(method, stack.methodOptions(), made, start, product, parts.backend());
    }

    /** Takes over a preconditioner, also to close it if the method cannot be prepared. */
    static ConfiguredSolver prepare(KrylovMethod method, Map<String, String> options, Preconditioner made, long start,
            LinearOperator product, Backend backend) {
        double preparation = (System.nanoTime() - start) * 1e-9;
        try {
            return new ConfiguredSolver(method.prepare(product, made, backend, options), made,
                    made == null ? "none" : made.toString(), preparation);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (made != null) {
                made.close();
            }
            throw e;
        }
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        return solver.solve(b, x, criteria, observer).withPreparation(text, preparation);
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return Optional.ofNullable(preconditioner);
    }

    @Override
    public void close() {
        solver.close();
        if (preconditioner != null) {
            preconditioner.close();
        }
    }

    @Override
    public String toString() {
        return solver.toString();
    }
}
