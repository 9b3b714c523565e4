package org.trellis.solve.smooth;

import java.util.List;
import java.util.Objects;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.DatVectors;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.loop.Layout;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * A smoother of one's own: sequences of loops over a mesh that improve a dat x by a dat b, for an operator that has no
 * matrix. Vectors are copied into the dats and x out of it, three passes at most beside the loops.
 *
 * <p>The dats belong to the smoother while it runs. The sequences read b, write every element of x, and leave b as it
 * is. Operands are in the user's order, as those of Krylov methods are; nothing is closed with the smoother.
 */
public final class LoopSmoother extends CheckedOperator implements Smoother {
    private final Dat b;
    private final Dat x;
    private final Sweeps sweeps;
    private final boolean symmetric;
    private final String description;
    private final ElementKernels elements;
    private VectorSpace space;
    private DenseVector ownB;
    private DenseVector ownX;

    /**
     * What a smoother runs.
     *
     * @param fromZero computes {@code x = M⁻¹ b} without reading x
     * @param forward  computes {@code x = x + M⁻¹ (b − A x)}
     * @param backward the same in the opposite order, or {@code forward} itself if there is none
     */
    public record Sweeps(LoopSequence fromZero, LoopSequence forward, LoopSequence backward) {
        /** Checks that there is something. */
        public Sweeps {
            Objects.requireNonNull(fromZero);
            Objects.requireNonNull(forward);
            Objects.requireNonNull(backward);
        }
    }

    private LoopSmoother(Dat b, Dat x, Sweeps sweeps, boolean symmetric, String description) {
        this.b = b;
        this.x = x;
        this.sweeps = Objects.requireNonNull(sweeps);
        this.symmetric = symmetric;
        this.description = Objects.requireNonNull(description);
        this.elements = b.set().mesh().solverBackend().kernels(ElementKernels.class);
        DatVectors.announce(b);
        DatVectors.announce(x);
    }

    /** Takes vectors when they are needed first, which divides a mesh over ranks. */
    private VectorSpace vectors() {
        if (space == null) {
            ownB = DatVectors.inside(b);
            ownX = DatVectors.inside(x);
            space = VectorSpace.of(ownX.length(), ownX.precision(), ownX.space());
        }
        return space;
    }

    /**
     * Makes a smoother of loops.
     *
     * @param b           the right-hand side that the loops read
     * @param x           the iterate that they improve; another dat on the same set, of the same components and
     *                    precision
     * @param sweeps      the loops
     * @param symmetric   whether {@code M⁻¹} is symmetric, and positive definite where the operator is
     * @param description a name and settings, for reports
     * @return the smoother
     * @throws IllegalArgumentException if the dats do not fit, or the set is not in the user's order
     */
    public static LoopSmoother of(Dat b, Dat x, Sweeps sweeps, boolean symmetric, String description) {
        if (b == x || !b.set().equals(x.set()) || b.components() != x.components() || b.type() != x.type()
                || !x.type().real() || !isUserOrder(b) || !isUserOrder(x)) {
            throw new IllegalArgumentException("smoother " + description + " of " + b + " and " + x
                    + ", expected two dats on one set in the user's order, of the same components and precision");
        }
        return new LoopSmoother(b, x, sweeps, symmetric, description);
    }

    /** A rank numbers what it owns by itself, as solvers there do. */
    private static boolean isUserOrder(Dat dat) {
        return dat.set().mesh().ranks().isPresent() || (dat.set().inUserOrder()
                && (dat.components() == 1 || dat.layout() == Layout.AOS));
    }

    @Override
    public VectorSpace domain() {
        return vectors();
    }

    @Override
    public VectorSpace range() {
        return vectors();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    private void requireUserOrder() {
        ownB.numbering().requireCurrent();
        ownX.numbering().requireCurrent();
    }

    private void enter(DenseVector from, DenseVector to) {
        requireUserOrder();
        DatVectors.requireStep(b.set().mesh(), this);
        if (from.overlaps(ownX) || to.overlaps(ownB)) {
            throw new IllegalArgumentException(this + " with the vector of " + x + " as right-hand side or that of " + b
                    + " as iterate, expected other vectors");
        }
        if (!from.overlaps(ownB)) {
            DatVectors.overwriting(b);
            elements.update(1, null, from, 0, ownB);
        }
    }

    @Override
    protected void run(double alpha, DenseVector r, double beta, DenseVector z) {
        enter(r, z);
        if (z.overlaps(ownX) && beta != 0) {
            throw new IllegalArgumentException("z = a M^-1 r + " + beta + " z of " + this + " with z the vector of " + x
                    + ", which the loops overwrite, expected another vector or a factor of 0");
        }
        sweeps.fromZero().run();
        if (!z.overlaps(ownX) || alpha != 1) {
            elements.update(alpha, null, ownX, beta, z);
        }
    }

    @Override
    protected void runTransposed(double alpha, DenseVector r, double beta, DenseVector z) {
        if (symmetric) {
            run(alpha, r, beta, z);
        } else {
            super.runTransposed(alpha, r, beta, z);
        }
    }

    private void check(DenseVector right, DenseVector iterate) {
        vectors().check("sweep", "the right-hand side", right);
        vectors().check("sweep", "the iterate", iterate);
        requireOpen("sweep");
        if (right.overlaps(iterate)) {
            throw new IllegalArgumentException("sweep of " + this
                    + ": right-hand side and iterate are one vector or overlap, expected two that do not");
        }
    }

    private void runSweep(DenseVector right, DenseVector iterate, SweepDirection direction) {
        enter(right, iterate);
        boolean own = iterate.overlaps(ownX);
        if (!own) {
            DatVectors.overwriting(x);
            elements.update(1, null, iterate, 0, ownX);
        }
        (direction == SweepDirection.BACKWARD ? sweeps.backward() : sweeps.forward()).run();
        if (direction == SweepDirection.SYMMETRIC && hasDirections()) {
            sweeps.backward().run();
        }
        if (!own) {
            elements.update(1, null, ownX, 0, iterate);
        }
    }

    @Override
    public void sweep(DenseVector right, DenseVector iterate, SweepDirection direction) {
        check(right, iterate);
        runSweep(right, iterate, direction);
    }

    @Override
    public List<PreparedStep> bindSweep(DenseVector right, DenseVector iterate, SweepDirection direction) {
        check(right, iterate);
        return List.of(() -> {
            requireOpen("run of a bound sweep");
            right.numbering().requireCurrent();
            iterate.numbering().requireCurrent();
            runSweep(right, iterate, direction);
        });
    }

    @Override
    public boolean symmetric() {
        return symmetric;
    }

    /** Returns true if there are loops for the opposite direction. */
    @Override
    public boolean hasDirections() {
        return !sweeps.backward().equals(sweeps.forward());
    }

    /** Returns the bytes of the two dats; what else the loops use is not known. */
    @Override
    public long storedBytes() {
        return 2L * vectors().length() * vectors().precision().bytes();
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public String toString() {
        return description + " by loops on " + x.set();
    }
}
