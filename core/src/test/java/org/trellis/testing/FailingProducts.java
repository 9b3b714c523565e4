package org.trellis.testing;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.FailingLoops.Once;

/** The products of a {@link FailingBackend}. */
final class FailingProducts implements SparseKernels {
    private final FailingBackend backend;
    private final SparseKernels kernels;

    FailingProducts(FailingBackend backend, SparseKernels kernels) {
        this.backend = backend;
        this.kernels = kernels;
    }

    @Override
    public SpmvParameters rule(SparseMatrix matrix) {
        return kernels.rule(matrix);
    }

    @Override
    public List<SpmvParameters> parameterSpace(SparseMatrix matrix) {
        return kernels.parameterSpace(matrix);
    }

    @Override
    public Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters) {
        return kernels.constraint(matrix, parameters);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with what is returned
    public SpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters) {
        Runnable whenClosed = backend.take("product");
        return new CountedOperator(kernels.prepare(matrix, parameters), whenClosed);
    }

    /** A product whose bound steps are counted, too. */
    private final class CountedOperator extends SpmvOperator {
        private final SpmvOperator operator;
        private final Runnable whenClosed;

        CountedOperator(SpmvOperator operator, Runnable whenClosed) {
            super(operator.matrix(), operator.parameters(), operator.space());
            this.operator = operator;
            this.whenClosed = whenClosed;
        }

        @Override
        public long preparedBytes() {
            return operator.preparedBytes();
        }

        @Override
        protected ElementKernels elements() {
            return elementsOf(operator);
        }

        @Override
        protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
            runChecked(operator, alpha, x, beta, y);
        }

        @Override
        protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
            operator.applyTransposed(alpha, x, beta, y);
        }

        @Override
        protected void runMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
            operator.multiply(alpha, x, beta, y);
        }

        @Override
        protected void replaceValues(DenseVector values) {
            operator.refill(values);
            replaceMatrix(operator::matrix);
        }

        @Override
        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with what is returned
        protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
            Once once = new Once(backend.take("step"));
            return new CountedStep(super.step(alpha, x, beta, y), once);
        }

        @Override
        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with what is returned
        protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
                DenseVector result, int at) {
            Once once = new Once(backend.take("step"));
            return new CountedStep(super.dotStep(alpha, x, beta, y, w, result, at), once);
        }

        @Override
        protected void release() {
            operator.close();
            whenClosed.run();
        }
    }

    private record CountedStep(PreparedStep step, Runnable whenClosed) implements PreparedStep {
        @Override
        public void run() {
            step.run();
        }

        @Override
        public void close() {
            step.close();
            whenClosed.run();
        }
    }
}
