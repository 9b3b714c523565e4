package org.trellis.distributed.fem;

import java.util.Optional;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * The product of a form on the unknowns of one rank: brings what its cells have of other ranks, multiplies with its
 * cells, and keeps its own rows, which are complete, since all cells that touch them are there.
 */
final class RankFormOperator extends CheckedOperator {
    private final LinearOperator part;
    private final UnknownExchange exchange;
    private final int[] places;
    private final ElementKernels elements;
    private final VectorSpace space;
    private final HostVector operand;
    private final HostVector result;
    private final HostVector kept;

    RankFormOperator(LinearOperator part, UnknownExchange exchange, RankBackend backend, int... places) {
        this.part = part;
        this.exchange = exchange;
        this.places = places;
        this.elements = backend.kernels(ElementKernels.class);
        this.space = VectorSpace.of(places.length, part.precision(), backend.device().space());
        this.operand = HostVector.zeros(part.precision(), part.rows());
        this.result = HostVector.zeros(part.precision(), part.rows());
        this.kept = HostVector.zeros(part.precision(), places.length);
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
        part.apply(complete((HostVector) x), result);
        own(result, kept);
        elements.update(alpha, null, kept, beta, y);
    }

    /**
     * Brings what the rank's cells have of a vector. Collective.
     *
     * @param own the rank's own elements
     * @return those of all unknowns of the rank's cells, which the next product overwrites
     */
    HostVector complete(HostVector own) {
        for (int k = 0; k < places.length; k++) {
            operand.set(places[k], own.get(k));
        }
        exchange.run(operand);
        return operand;
    }

    /** Writes the rank's own elements of a vector of all unknowns of its cells. */
    void own(HostVector all, HostVector own) {
        for (int k = 0; k < places.length; k++) {
            own.set(k, all.get(places[k]));
        }
    }

    @Override
    public Optional<HostVector> diagonal() {
        return part.diagonal().map(this::own);
    }

    /** Picks the rank's own rows. */
    HostVector own(HostVector all) {
        HostVector own = HostVector.zeros(all.precision(), places.length);
        own(all, own);
        return own;
    }

    @Override
    public String toString() {
        return places.length + " rows of " + part;
    }
}
