package org.trellis.fem;

import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/** Diagonal in two blocks: the preconditioner of displacements, and a number for all pressures. */
final class MixedPreconditioner extends CheckedOperator implements Preconditioner {
    private final Preconditioner first;
    private final VectorSpace all;
    private final ElementKernels elements;
    private final double factor;

    /**
     * Takes over the preconditioner of displacements.
     *
     * @param first     the preconditioner
     * @param pressures how many stand behind the displacements
     * @param factor    what these are multiplied by
     * @param backend   where it is applied
     */
    MixedPreconditioner(Preconditioner first, int pressures, double factor, Backend backend) {
        this.first = first;
        this.all = VectorSpace.of(first.domain().length() + pressures, Precision.F64, backend.device().space());
        this.elements = backend.kernels(ElementKernels.class);
        this.factor = factor;
    }

    @Override
    public VectorSpace domain() {
        return all;
    }

    @Override
    public VectorSpace range() {
        return all;
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        int size = first.domain().length();
        int pressures = all.length() - size;
        first.apply(alpha, x.part(0, size), beta, y.part(0, size));
        elements.update(alpha * factor, null, x.part(size, pressures), beta, y.part(size, pressures));
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (symmetric()) {
            run(alpha, x, beta, y);
        } else {
            super.runTransposed(alpha, x, beta, y);
        }
    }

    @Override
    public boolean symmetric() {
        return first.symmetric();
    }

    @Override
    public boolean variable() {
        return first.variable();
    }

    @Override
    protected void release() {
        first.close();
    }

    @Override
    public String toString() {
        return "blocks: displacements by " + first + ", pressures by their mass matrix";
    }
}
