package org.trellis.tuner.solver;

import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.sparse.LinearOperator;

/** Solvers of an operator, which its owner prepares: one over ranks, for example. */
final class MadeContenders implements Contenders {
    private final MatrixProperties properties;
    private final LinearOperator operator;
    private final Backend backend;
    private final AutomaticSolver.Maker maker;
    private final SolverSpace space;

    MadeContenders(MatrixProperties properties, LinearOperator operator, Backend backend,
            AutomaticSolver.Maker maker) {
        this.properties = properties;
        this.operator = operator;
        this.backend = backend;
        this.maker = maker;
        this.space = SolverSpace.of(SolverSpace.Traits.of(properties, maker.isWhole(),
                operator.precision() == Precision.F32));
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public LinearOperator operator() {
        return operator;
    }

    @Override
    public SolverSpace space() {
        return space;
    }

    @Override
    public LinearSolver prepare(SolverChoice choice, double seconds) {
        if (choice.isDirect()) {
            return maker.direct(FactorLimits.ofHeap().within(seconds), Double.POSITIVE_INFINITY);
        }
        return choice.isAutomatic()
                ? new AutomaticSolver(properties, operator, backend, maker)
                : maker.stack(choice.stack().orElseThrow());
    }

    @Override
    public boolean refresh(SolverChoice choice, LinearSolver solver) {
        return false;
    }

    /** Whose operator it is knows what its preconditioners hold; here that is not known. */
    @Override
    public boolean canKeep(SolverChoice choice) {
        return false;
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return operator.toString();
    }
}
