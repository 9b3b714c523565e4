package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;

/** One operator after another; owns the vector between them. */
final class ComposedOperator extends CompoundOperator {
    private final LinearOperator left;
    private final LinearOperator right;
    private final DenseVector between;
    private final ElementKernels elements;

    @MustBeClosed
    private ComposedOperator(LinearOperator left, LinearOperator right, DenseVector between, ElementKernels elements) {
        this.left = left;
        this.right = right;
        this.between = between;
        this.elements = elements;
    }

    @MustBeClosed
    static ComposedOperator of(LinearOperator left, LinearOperator right, Backend backend, ElementKernels elements) {
        if (!left.domain().fits(right.range())) {
            throw new IllegalArgumentException("composition of the " + left + " and the " + right + ": the left takes "
                    + left.domain() + " and the right gives " + right.range());
        }
        @SuppressWarnings("MustBeClosed") // closed with the composition
        DenseVector between = backend.vector(right.precision(), right.rows());
        return new ComposedOperator(left, right, between, elements);
    }

    @Override
    public VectorSpace domain() {
        return right.domain();
    }

    @Override
    public VectorSpace range() {
        return left.range();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        between.bind(right.range().numbering());
        right.apply(x, between);
        left.apply(alpha, between, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        between.bind(left.domain().numbering());
        left.applyTransposed(1, x, 0, between);
        right.applyTransposed(alpha, between, beta, y);
    }

    /** Keeps the fusion of the left operator. */
    @Override
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        between.bind(right.range().numbering());
        right.apply(x, between);
        left.multiplyAndDot(alpha, between, beta, y, w, result, at);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        between.bind(right.range().numbering());
        return combine(new DenseVector[]{x, y}, () -> right.bind(1, x, 0, between),
                () -> left.bind(alpha, between, beta, y));
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // transposed views own nothing
    protected PreparedStep transposedStep(double alpha, DenseVector x, double beta, DenseVector y) {
        between.bind(left.domain().numbering());
        return combine(new DenseVector[]{x, y}, () -> left.transposed().bind(1, x, 0, between),
                () -> right.transposed().bind(alpha, between, beta, y));
    }

    @Override
    @MustBeClosed
    protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        between.bind(right.range().numbering());
        return combine(new DenseVector[]{x, y, w, result}, () -> right.bind(1, x, 0, between),
                () -> left.bindMultiplyAndDot(alpha, between, beta, y, w, result, at));
    }

    @Override
    protected void release() {
        between.close();
    }

    @Override
    public String toString() {
        return "composition of the " + left + " and the " + right;
    }
}
