package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Diagonal in two blocks: the preconditioner of displacements, and a number for all pressures. */
final class MixedPreconditioner extends CheckedOperator implements Preconditioner {
    private final Preconditioner first;
    private final VectorSpace all;
    private final ElementKernels elements;
    /** Takes the displacements out of a vector, and puts them back; vectors have no parts that operators take. */
    private final SpmvOperator taking;
    private final SpmvOperator putting;
    private final DenseVector taken;
    private final DenseVector improved;
    private final DenseVector scale;

    /**
     * Takes over the preconditioner of displacements.
     *
     * @param first     the preconditioner
     * @param size      displacements
     * @param pressures pressures
     * @param factor    what these are multiplied by
     * @param backend   where it is applied
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    MixedPreconditioner(Preconditioner first, int size, int pressures, double factor, Backend backend) {
        this.first = first;
        this.all = VectorSpace.of(size + pressures, Precision.F64, backend.device().space());
        this.elements = backend.kernels(ElementKernels.class);
        CsrMatrix places = places(size, size + pressures);
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        this.taking = kernels.prepare(places);
        this.putting = kernels.prepare(places.transpose());
        this.taken = backend.vector(Precision.F64, size);
        this.improved = backend.vector(Precision.F64, size);
        this.scale = backend.vector(Precision.F64, size + pressures);
        scale.copyFrom(HostVector.of(Precision.F64, size + pressures, i -> i < size ? 0 : factor));
    }

    private static CsrMatrix places(int rows, int columns) {
        int[] lengths = new int[rows];
        Arrays.fill(lengths, 1);
        return CsrFill.fill(columns, Precision.F64, lengths, () -> (row, indices, values, at) -> {
            indices[at] = row;
            values.set(at, 1);
        });
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
        taking.apply(x, taken);
        first.apply(taken, improved);
        putting.apply(alpha, improved, beta, y);
        elements.update(alpha, scale, x, 1, y);
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
        scale.close();
        improved.close();
        taken.close();
        putting.close();
        taking.close();
        first.close();
    }

    @Override
    public String toString() {
        return "blocks: displacements by " + first + ", pressures by their mass matrix";
    }
}
