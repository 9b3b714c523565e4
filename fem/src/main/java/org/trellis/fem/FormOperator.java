package org.trellis.fem;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * A matrix as loops over a mesh multiply it. Vectors have the free unknowns, which are the beginning of the dats; what
 * is behind them is zero in the operand and of no meaning in the result. Symmetric forms only have an adjoint.
 */
final class FormOperator extends CheckedOperator {
    private final String name;
    private final DenseVector operand;
    private final DenseVector result;
    private final LoopSequence product;
    private final Supplier<double[]> diagonal;
    private final ElementKernels elements;
    private final VectorSpace space;

    FormOperator(String name, Dat operand, Dat result, int size, LoopSequence product, Supplier<double[]> diagonal) {
        Backend backend = operand.set().mesh().backend();
        this.name = name;
        this.operand = operand.vector().part(0, size);
        this.result = result.vector().part(0, size);
        this.product = product;
        this.diagonal = diagonal;
        this.elements = backend.kernels(ElementKernels.class);
        this.space = VectorSpace.of(size, operand.precision(), backend.device().space());
    }

    @Override
    public VectorSpace domain() {
        return space;
    }

    @Override
    public VectorSpace range() {
        return space;
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        elements.update(1, null, x, 0, operand);
        product.run();
        elements.update(alpha, null, result, beta, y);
    }

    /** Returns the diagonal, computed when it is asked for. */
    @Override
    public Optional<HostVector> diagonal() {
        double[] all = diagonal.get();
        return Optional.of(space.precision() == Precision.F64
                ? HostVector.of(Arrays.copyOf(all, space.length()))
                : HostVector.of(Precision.F32, space.length(), row -> all[row]));
    }

    @Override
    protected void release() {
        // loops and dats belong to the mesh
    }

    @Override
    public String toString() {
        return name;
    }
}
