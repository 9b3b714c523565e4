package org.trellis.distributed.solve;

import java.util.Optional;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * What a rank has of a diagonal preconditioner: its own part, and the knowledge whether all elements of all ranks are
 * the same, which decides whether solvers apply it. A rank alone would decide that by its own part, and differently.
 */
public final class RankDiagonal extends CheckedOperator implements Preconditioner {
    private final Preconditioner own;
    private final ElementKernels elements;
    private final boolean multipleOfIdentity;

    /**
     * Asks all ranks. Collective; one reduction.
     *
     * @param communicator the ranks
     * @param kernels      the operations on vectors of this rank
     * @param own          the diagonal preconditioner of the owned rows, closed with this one
     */
    public RankDiagonal(Communicator communicator, ElementKernels kernels, Preconditioner own) {
        this.own = own;
        this.elements = kernels;
        DenseVector inverse = own.inverseDiagonal().orElseThrow();
        HostVector copy = HostVector.zeros(inverse.precision(), inverse.length());
        inverse.copyTo(copy);
        // The least, and minus the greatest, so that one reduction finds both.
        double[] bounds = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        for (int i = 0; i < copy.length(); i++) {
            bounds[0] = Math.min(bounds[0], copy.get(i));
            bounds[1] = Math.min(bounds[1], -copy.get(i));
        }
        communicator.allReduce(Reduction.MIN, bounds);
        this.multipleOfIdentity = bounds[0] > 0 && bounds[0] == -bounds[1];
    }

    /** Returns the diagonal preconditioner of the owned rows. */
    Preconditioner own() {
        return own;
    }

    @Override
    public boolean isMultipleOfIdentity() {
        return multipleOfIdentity;
    }

    @Override
    public Optional<DenseVector> inverseDiagonal() {
        return own.inverseDiagonal();
    }

    @Override
    public boolean symmetric() {
        return own.symmetric();
    }

    @Override
    public VectorSpace domain() {
        return own.domain();
    }

    @Override
    public VectorSpace range() {
        return own.range();
    }

    @Override
    public Optional<HostVector> diagonal() {
        return own.diagonal();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        own.apply(alpha, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        own.applyTransposed(alpha, x, beta, y);
    }

    @Override
    protected void release() {
        own.close();
    }

    @Override
    public String toString() {
        return own.toString();
    }
}
