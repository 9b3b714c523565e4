package org.trellis.mesh.matrix;

import java.util.Objects;
import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.Numbering;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.DatVectors;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * An operator without a matrix: a sequence of loops over a mesh that reads one dat and writes another. It multiplies
 * any vectors of these lengths, which are copied into and out of the dats: that is one copy and one update of vectors
 * beside the loops, and nothing where the operand is the dat's own vector. So a Krylov method or a cycle of multigrid
 * can take a discretisation as it stands.
 *
 * <pre>{@code
 * LoopSequence product = mesh.sequence("y = A x").run(clear).run(flux).build();
 * LoopOperator a = LoopOperator.of(x, y, product).withDiagonal(d);
 * }</pre>
 *
 * <p>Operands are in the numbering that the sets of the dats have. As long as that is the user's order, they may be
 * bound to nothing, or to the rows of a solver; afterwards they must be bound to the sets. The dats belong to the
 * operator between two products, and the sequence must write every element of the result and change nothing that it
 * reads again. Nothing is closed with the operator; an operator that loops make has no adjoint.
 *
 * <p>Over ranks, vectors are those of the elements that the rank owns, and solvers take {@link Mesh#solverBackend};
 * what the loops read of other ranks' elements they exchange.
 */
public final class LoopOperator extends CheckedOperator {
    private final Dat operand;
    private final Dat result;
    private final LoopSequence product;
    private final Dat diagonal;
    private final ElementKernels elements;
    private DenseVector from;
    private DenseVector to;
    private VectorSpace domain;
    private VectorSpace range;

    private LoopOperator(Dat operand, Dat result, LoopSequence product, Dat diagonal) {
        this.operand = operand;
        this.result = result;
        this.product = product;
        this.diagonal = diagonal;
        this.elements = operand.set().mesh().solverBackend().kernels(ElementKernels.class);
        DatVectors.announce(operand);
        DatVectors.announce(result);
    }

    /**
     * Makes an operator of loops.
     *
     * @param operand what the loops read, x
     * @param result  what they write, y; another dat of the same mesh and precision
     * @param product computes {@code y = A x}
     * @return the operator
     * @throws IllegalArgumentException if the dats are one, belong to two meshes, or differ in precision
     * @throws IllegalStateException    if a dat holds whole numbers or is closed
     */
    @SuppressWarnings("ReferenceEquality") // a mesh is what it is
    public static LoopOperator of(Dat operand, Dat result, LoopSequence product) {
        Objects.requireNonNull(product);
        Mesh mesh = operand.set().mesh();
        if (operand == result || mesh != result.set().mesh() || operand.type() != result.type()) {
            throw new IllegalArgumentException("operator of " + product + " from " + operand + " to " + result
                    + ", expected two dats of one mesh and of one precision");
        }
        operand.precision(); // refuses whole numbers
        return new LoopOperator(operand, result, product, null);
    }

    /**
     * Gives the diagonal, for those who ask an operator for it.
     *
     * @param values a dat like the result; read whenever a caller asks
     * @return an operator of the same loops
     * @throws IllegalArgumentException if the dat is on another set, or differs in components or precision
     */
    public LoopOperator withDiagonal(Dat values) {
        if (!values.set().equals(result.set()) || values.components() != result.components()
                || values.type() != result.type()) {
            throw new IllegalArgumentException("diagonal " + values + " of " + this + ", expected a dat like "
                    + result);
        }
        return new LoopOperator(operand, result, product, values);
    }

    private void take() {
        from = DatVectors.inside(operand);
        to = DatVectors.inside(result);
        domain = space(from);
        range = space(to);
    }

    /** What is in the user's order fits what is bound to nothing, and with it the vectors of solvers. */
    private static VectorSpace space(DenseVector vector) {
        VectorSpace plain = VectorSpace.of(vector.length(), vector.precision(), vector.space());
        return vector.numbering().isUserOrder() ? plain : plain.in(vector.numbering());
    }

    /** Takes vectors when they are needed first, which divides a mesh over ranks, and when a set has changed. */
    private void follow() {
        if (from == null || !from.numbering().isCurrent() || !to.numbering().isCurrent()) {
            take();
        }
    }

    @Override
    public VectorSpace domain() {
        follow();
        return domain;
    }

    @Override
    public VectorSpace range() {
        follow();
        return range;
    }

    @Override
    public boolean overRanks() {
        return operand.set().mesh().ranks().isPresent();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        follow();
        DatVectors.requireStep(operand.set().mesh(), this);
        if (x.overlaps(to) || y.overlaps(from)) {
            throw new IllegalArgumentException("y = A x of " + this + ": x is the vector of " + result
                    + ", which the loops write, or y that of " + operand + ", expected other vectors");
        }
        if (!x.overlaps(from)) {
            DatVectors.overwriting(operand);
            elements.update(1, null, x, 0, from);
        }
        boolean inPlace = y.overlaps(to);
        if (inPlace && beta != 0) {
            throw new IllegalArgumentException("y = a A x + " + beta + " y of " + this + " with y the vector of "
                    + result + ", which the loops overwrite, expected another vector or a factor of 0");
        }
        product.run();
        if (!inPlace || alpha != 1) {
            elements.update(alpha, null, to, beta, y);
        }
    }

    /**
     * Returns the diagonal, if a dat was named for it.
     *
     * @return a vector in the current numbering of the rows; bound to it unless that is the user's order
     */
    @Override
    public Optional<HostVector> diagonal() {
        if (diagonal == null) {
            return Optional.empty();
        }
        HostVector copy = HostVector.zeros(range().precision(), rows());
        Numbering numbering = range().numbering();
        diagonal.vector().copyTo(copy);
        copy.bind(numbering);
        return Optional.of(copy);
    }

    @Override
    public String toString() {
        return "loops of " + product + " from " + operand + " to " + result;
    }
}
