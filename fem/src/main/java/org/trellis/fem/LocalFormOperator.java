package org.trellis.fem;

import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * The product of a form on the unknowns that a rank owns: brings what its cells have of other ranks, multiplies with
 * its cells, and keeps its own rows, which are complete, since all cells that touch them are there.
 */
final class LocalFormOperator extends CheckedOperator {
    private final LinearOperator cells;
    private final LocalFormSpace share;
    private final FormRanks.Halo halo;
    private final ElementKernels elements;
    private final VectorSpace space;
    private final DenseVector operand;
    private final DenseVector result;
    private final DenseVector ownOperand;
    private final DenseVector ownResult;

    /**
     * Opens the exchange. Collective.
     *
     * @param cells   the product of the rank's cells; not closed with this
     * @param backend that of solvers, whose sums are those of all ranks
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    LocalFormOperator(LinearOperator cells, LocalFormSpace share, Precision precision, Backend backend) {
        this.cells = cells;
        this.share = share;
        this.elements = backend.kernels(ElementKernels.class);
        this.space = VectorSpace.of(share.owned(), precision, backend.device().space());
        this.halo = share.ranks().halo(share.numbers(), precision);
        this.operand = backend.vector(precision, cells.columns());
        this.result = backend.vector(precision, cells.rows());
        this.ownOperand = operand.part(0, share.owned());
        this.ownResult = result.part(0, share.owned());
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
        elements.update(1, null, x, 0, ownOperand);
        halo.bring(operand);
        cells.apply(operand, result);
        elements.update(alpha, null, ownResult, beta, y);
    }

    @Override
    public Optional<HostVector> diagonal() {
        return cells.diagonal().map(share::own);
    }

    @Override
    protected void release() {
        halo.close();
        operand.close();
        result.close();
    }

    @Override
    public String toString() {
        return share.owned() + " rows of " + cells;
    }
}
