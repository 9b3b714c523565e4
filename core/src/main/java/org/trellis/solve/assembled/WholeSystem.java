package org.trellis.solve.assembled;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.assembly.AssembledMatrices;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.solve.multigrid.OperatorMultigrid;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** A system on one rank. */
final class WholeSystem implements AssembledSystem {
    private final AssemblyPattern pattern;
    private final Dat values;
    private final Backend backend;
    private final SpmvOperator product;
    private CsrMatrix matrix;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    WholeSystem(AssemblyPattern pattern, Dat values) {
        this.pattern = pattern;
        this.values = values;
        this.backend = pattern.rows().mesh().backend();
        this.matrix = AssembledMatrices.copy(pattern, values);
        this.product = backend.kernels(SparseKernels.class).prepare(matrix);
        if (!pattern.rows().inUserOrder()) {
            product.bindTo(pattern.rows().numbering(1), pattern.columns().numbering(1));
        }
    }

    @Override
    public LinearOperator operator() {
        return product;
    }

    @Override
    public void refill() {
        matrix = AssembledMatrices.copy(pattern, values);
        product.refill(values.vector());
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public LinearSolver solver(SolverConfig stack) {
        return stack.prepare(matrix, product, backend);
    }

    @Override
    public Optional<Preconditioner> preconditioner(String name, Map<String, String> options) {
        return NamedPreconditioners.of(name, matrix, product, backend, options);
    }

    @Override
    public boolean refresh(Preconditioner made) {
        if (made instanceof Multigrid multigrid) {
            multigrid.refresh(matrix);
            return true;
        }
        return false;
    }

    @Override
    public Optional<MultigridReport> levels(Preconditioner made) {
        return made instanceof Multigrid multigrid ? Optional.of(multigrid.report()) : Optional.empty();
    }

    /** A hierarchy of one level is what solves small systems directly. */
    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public Smoother inverse() {
        return OperatorMultigrid.of(List.of(), matrix, CycleOptions.V11, backend);
    }

    @Override
    public void close() {
        product.close();
    }

    @Override
    public String toString() {
        return "system of " + pattern;
    }
}
