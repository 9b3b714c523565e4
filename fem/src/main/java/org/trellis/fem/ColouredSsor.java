package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * Symmetric Gauss–Seidel, {@code M = (L + D) D⁻¹ (L + D)ᵀ}, in the order of colours (thesis, algorithm 6), of a form
 * that is not in compressed rows, for which the smoother {@code ssor} of
 * {@link org.trellis.solve.smooth.Preconditioners} is there. Unknowns of one element have different colours, so a row
 * needs the others' products alone. Where element matrices or rows are kept, and on devices that have forms of their
 * own, an application multiplies every row twice, one colour after the other; elsewhere it takes two whole products for
 * each colour.
 */
public final class ColouredSsor extends CheckedOperator implements Preconditioner {
    private final LinearOperator operator;
    private final ElementKernels elements;
    private final ColourSweeps sweeps;
    private final int colours;
    private final DenseVector inverse;
    private final DenseVector r;
    private final DenseVector y;
    private final DenseVector z;
    private final PreparedStep both;

    @SuppressWarnings("MustBeClosed") // closed with this
    private ColouredSsor(FormSystem system, RowColours colours, Backend backend) {
        this.operator = system.operator();
        this.elements = backend.kernels(ElementKernels.class);
        this.colours = colours.count();
        double[] values = inverse(operator);
        int n = values.length;
        this.inverse = backend.vector(operator.precision(), n);
        this.r = backend.vector(operator.precision(), n);
        this.y = backend.vector(operator.precision(), n);
        this.z = backend.vector(operator.precision(), n);
        ColourSweeps made = null;
        try {
            inverse.copyFrom(HostVector.of(operator.precision(), n, row -> values[row]));
            made = system.sweeps(colours, inverse)
                    .orElseGet(() -> new ProductSweeps(operator, colours, values, backend));
            this.both = made.bind(r, y, z);
            this.sweeps = made;
        } catch (RuntimeException | Error e) {
            if (made != null) {
                made.close();
            }
            List.of(inverse, r, y, z).forEach(DenseVector::close);
            throw e;
        }
    }

    private static double[] inverse(LinearOperator operator) {
        HostVector diagonal = FormPreconditioners.diagonal(operator).diagonal();
        double[] inverse = new double[diagonal.length()];
        for (int row = 0; row < inverse.length; row++) {
            if (!(diagonal.get(row) > 0)) {
                throw new IllegalArgumentException("SSOR of " + operator + ": diagonal element of row " + row + " is "
                        + diagonal.get(row) + ", expected a positive one");
            }
            inverse[row] = 1 / diagonal.get(row);
        }
        return inverse;
    }

    /**
     * Prepares the preconditioner of a system.
     *
     * @param system  a symmetric system with constraints eliminated and values assembled; not closed with the
     *                preconditioner, which may keep a copy of its values
     * @param backend its backend
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException if a diagonal element is not positive; names the row
     */
    @MustBeClosed
    public static ColouredSsor of(FormSystem system, Backend backend) {
        return new ColouredSsor(system, RowColours.of(system.unknowns(), system.size()), backend);
    }

    /**
     * Returns the number of colours.
     *
     * @return at least as many as an element has free unknowns
     */
    public int colours() {
        return colours;
    }

    @Override
    public VectorSpace domain() {
        return operator.domain();
    }

    @Override
    public VectorSpace range() {
        return operator.range();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector into) {
        elements.update(1, null, x, 0, r);
        both.run();
        elements.update(alpha, null, z, beta, into);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector into) {
        return combine(new DenseVector[]{x, into}, () -> sweeps.bind(x, y, z),
                () -> elements.bindUpdate(alpha, null, z, beta, into));
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector into) {
        run(alpha, x, beta, into);
    }

    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    protected void release() {
        both.close();
        sweeps.close();
        List.of(inverse, r, y, z).forEach(DenseVector::close);
    }

    @Override
    public String toString() {
        return "ssor " + sweeps + ", " + colours + " colours";
    }
}
