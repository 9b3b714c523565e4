package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;

/** A diagonal matrix, or the identity. */
final class DiagonalOperator extends CompoundOperator {
    private final VectorSpace space;
    private final DenseVector diagonal;
    private final ElementKernels elements;

    /** A null diagonal makes the identity. */
    DiagonalOperator(VectorSpace space, DenseVector diagonal, ElementKernels elements) {
        this.space = space;
        this.diagonal = diagonal;
        this.elements = elements;
    }

    @Override
    public VectorSpace domain() {
        return diagonal == null ? space : space.in(diagonal.numbering());
    }

    @Override
    public VectorSpace range() {
        return domain();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        elements.update(alpha, diagonal, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        run(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, () -> elements.bindUpdate(alpha, diagonal, x, beta, y));
    }

    @Override
    public LinearOperator transposed() {
        return this;
    }

    @Override
    public Optional<HostVector> diagonal() {
        HostVector copy = HostVector.zeros(precision(), rows()).fill(1);
        if (diagonal != null) {
            diagonal.copyTo(copy);
        }
        return Optional.of(copy);
    }

    @Override
    public String toString() {
        return (diagonal == null ? "identity of " : "diagonal matrix of ") + rows() + " " + precision().label();
    }
}
