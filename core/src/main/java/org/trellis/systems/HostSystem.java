package org.trellis.systems;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.DirectSolver;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.solve.krylov.PreconditionedSolver;
import org.trellis.solve.krylov.ScaledSolver;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.krylov.SolverContext;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** A matrix of one rank. */
final class HostSystem implements SystemMatrix {
    private CsrMatrix matrix;

    HostSystem(CsrMatrix matrix) {
        this.matrix = matrix;
    }

    void take(CsrMatrix values) {
        matrix = values;
    }

    @Override
    public int ownedRows() {
        return matrix.rows();
    }

    @Override
    public Precision precision() {
        return matrix.precision();
    }

    @Override
    @MustBeClosed
    public Prepared prepare(SystemSettings settings) {
        double largest = FiniteInput.largestEntry("linear system", matrix);
        return settings.direct() ? new Factored(matrix, settings) : new Iterated(matrix, largest, settings);
    }

    /** Factors on the host. */
    private static final class Factored implements Prepared {
        private final DirectSolver solver;

        @MustBeClosed
        Factored(CsrMatrix matrix, SystemSettings settings) {
            FactorLimits limits = FactorLimits.ofHeap().within(settings.stack().criteria().maximumSeconds());
            boolean symmetric = settings.known().map(kind -> kind != MatrixKind.GENERAL).orElse(true);
            solver = DirectSolver.of(matrix, symmetric, LuOptions.defaults().with(limits), Double.POSITIVE_INFINITY);
        }

        @Override
        public SolveReport solve(HostVector b, HostVector x, StoppingCriteria criteria, IterationObserver observer) {
            return solver.solve(b, x, criteria, observer);
        }

        @Override
        public boolean update(CsrMatrix values) {
            FiniteInput.largestEntry("linear system", values);
            solver.update(values);
            return true;
        }

        @Override
        public void solveTransposed(double[] x) {
            solver.solveTransposed(x);
        }

        @Override
        public double conditionEstimate() {
            return solver.condition();
        }

        @Override
        public void close() {}
    }

    /** A product that is prepared when a method first iterates: factorisations, which are tried first, need none. */
    private static final class Product implements AutoCloseable {
        private final Backend backend;
        private CsrMatrix matrix;
        private SpmvOperator prepared;

        Product(Backend backend, CsrMatrix matrix) {
            this.backend = backend;
            this.matrix = matrix;
        }

        @SuppressWarnings("MustBeClosed") // closed with this
        SpmvOperator get() {
            if (prepared == null) {
                prepared = backend.kernels(SparseKernels.class).prepare(matrix);
            }
            return prepared;
        }

        void refill(CsrMatrix values) {
            matrix = values;
            if (prepared != null) {
                prepared.refill(values.onlySegment().values());
            }
        }

        @Override
        public void close() {
            if (prepared != null) {
                prepared.close();
            }
        }
    }

    /** A method on a backend. */
    private static final class Iterated implements Prepared {
        private final Backend backend;
        private final Product product;
        private final LinearSolver solver;
        private final boolean onHost;
        private final boolean ordinary;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Iterated(CsrMatrix matrix, double largest, SystemSettings settings) {
            ordinary = ordinary(matrix, largest);
            backend = Backends.openForSystem(settings.backend(), Configuration.load());
            Product made = new Product(backend, matrix);
            try {
                SolverContext usual = SolverContext.of(backend);
                SolverContext parts = new SolverContext(backend, usual.products(), settings.nearNullSpace(),
                        settings.known().map(kind -> new MatrixProperties.Known(kind != MatrixKind.GENERAL,
                                kind == MatrixKind.SPD)));
                solver = ordinary && isPlainChoice(settings.stack())
                        ? new AutomaticSolver(matrix, made::get, parts)
                        : settings.stack().prepareEstimated(matrix, made.get(), parts);
            } catch (RuntimeException | Error e) {
                made.close();
                backend.close();
                throw e;
            }
            product = made;
            onHost = backend.device().space().equals(MemorySpace.HOST);
        }

        @Override
        public SolveReport solve(HostVector b, HostVector x, StoppingCriteria criteria, IterationObserver observer) {
            if (onHost) {
                return solver.solve(b, x, criteria, observer);
            }
            try (DenseVector right = backend.vector(b.precision(), b.length());
                    DenseVector solution = backend.vector(x.precision(), x.length())) {
                right.copyFrom(b);
                solution.copyFrom(x);
                SolveReport report = solver.solve(right, solution, criteria, observer);
                solution.copyTo(x);
                return report;
            }
        }

        private static boolean isPlainChoice(SolverConfig stack) {
            return stack.isAutomatic() && !stack.mixedPrecision() && !stack.nullSpaceOfConstants();
        }

        /** Multigrid keeps its structure; everything else is made anew. */
        @Override
        public boolean update(CsrMatrix values) {
            if (!ordinary || !ordinary(values, FiniteInput.largestEntry("linear system", values))
                    || values.segments().size() != 1) {
                return false;
            }
            if (solver instanceof AutomaticSolver automatic) {
                product.refill(values);
                automatic.update(values);
                return true;
            }
            if (PreconditionedSolver.of(solver).orElse(null) instanceof Multigrid multigrid) {
                product.refill(values);
                multigrid.refresh(values);
                if (solver instanceof PreconditionedSolver changed) {
                    changed.valuesChanged(values);
                }
                return true;
            }
            return false;
        }

        /** Says whether solvers take the matrix as it is, and not a scaled copy. */
        private static boolean ordinary(CsrMatrix matrix, double largest) {
            return ScaledSolver.matrixExponent(matrix.precision(), false, largest) == 0;
        }

        @Override
        public void close() {
            solver.close();
            product.close();
            backend.close();
        }

        @Override
        public String toString() {
            return solver.toString();
        }
    }
}
