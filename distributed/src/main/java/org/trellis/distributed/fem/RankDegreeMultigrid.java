package org.trellis.distributed.fem;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.SpaceTransfer;
import org.trellis.fem.Storage;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;

/**
 * Multigrid over degrees on several ranks, as a preconditioner: one V-cycle from degree p to p / 2 and so on to 1,
 * smoothed by the Chebyshev polynomials of {@link DegreeMultigrid}, and from there algebraic multigrid over ranks. All
 * levels have the cells of the finest one, so that interpolation and its transpose are products of a rank alone, each
 * after an exchange. A cycle is one rank's but for the algebraic levels.
 *
 * <p>Making it and applying it are collective.
 */
public final class RankDegreeMultigrid extends CheckedOperator implements Preconditioner {
    private static final Map<String, String> SMOOTHER = Map.of("degree", "3", "ratio", "10");

    private final ElementKernels elements;
    private final VectorSpace space;
    private final Deque<Runnable> owned = new ArrayDeque<>();
    private final List<Level> levels = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final Preconditioner lowest;
    private final HostVector right;
    private final HostVector correction;

    /** A level above the lowest degree. */
    private final class Level {
        private final RankFormOperator product;
        private final RankFormOperator below;
        private final Smoother smoother;
        private final LinearOperator up;
        private final LinearOperator down;
        private final HostVector b;
        private final HostVector x;
        private final HostVector r;
        private final HostVector finePart;
        private final HostVector coarsePart;

        Level(RankSystem fine, RankSystem coarse, Smoother smoother, LinearOperator up, LinearOperator down) {
            this.product = fine.product();
            this.below = coarse.product();
            this.smoother = smoother;
            this.up = up;
            this.down = down;
            this.b = HostVector.zeros(product.precision(), product.rows());
            this.x = HostVector.zeros(product.precision(), product.rows());
            this.r = HostVector.zeros(product.precision(), product.rows());
            this.finePart = HostVector.zeros(product.precision(), up.rows());
            this.coarsePart = HostVector.zeros(product.precision(), up.columns());
        }

        /** Smooths from zero, and writes what is left to the level below. */
        void descend(HostVector next) {
            smoother.apply(b, x);
            elements.update(1, null, b, 0, r);
            product.apply(-1, x, 1, r);
            down.apply(product.complete(r), coarsePart);
            below.own(coarsePart, next);
        }

        /** Adds a correction of the level below, and smooths. */
        void ascend(HostVector correction) {
            up.apply(below.complete(correction), finePart);
            product.own(finePart, r);
            elements.update(1, null, r, 1, x);
            smoother.sweep(b, x, SweepDirection.BACKWARD);
        }
    }

    /**
     * Sets up the levels. Collective, after the system is assembled.
     *
     * @param problem what is solved, as on one rank
     * @param finest  the system; not closed with this
     * @param options how levels in between are stored, as the finest is
     * @param backend the one that the system was made with; not closed with this
     * @throws IllegalArgumentException if a level cannot be made; says why
     */
    public RankDegreeMultigrid(DegreeMultigrid.Problem problem, RankSystem finest, FormOptions options,
            RankBackend backend) {
        this.elements = backend.own().kernels(ElementKernels.class);
        this.space = finest.operator().domain();
        try {
            this.lowest = descend(problem, finest, options, backend);
            this.right = HostVector.zeros(options.precision(), lowest.rows());
            this.correction = HostVector.zeros(options.precision(), lowest.rows());
        } catch (RuntimeException | Error e) {
            release();
            throw e;
        }
    }

    @SuppressWarnings("MustBeClosed") // owned
    private Preconditioner descend(DegreeMultigrid.Problem problem, RankSystem finest, FormOptions options,
            RankBackend backend) {
        FunctionSpace fine = finest.space();
        RankSystem system = finest;
        while (fine.element().degree() > 1) {
            FunctionSpace coarse = FunctionSpace.of(fine.mesh(), Math.max(1, fine.element().degree() / 2));
            FormOptions next = coarse.element().degree() > 1
                    ? options
                    : options.withStorage(Storage.CSR).withFormulation(Formulation.GLOBAL_REUSE);
            RankSystem below = system.coarser(problem, coarse, next, backend);
            owned.push(below::close);
            below.assemble();
            CsrMatrix p = SpaceTransfer.prolongation(system.part().unknowns(), system.spaceOfPart(),
                    below.part().unknowns(), below.spaceOfPart(), options.precision());
            SparseKernels kernels = backend.own().kernels(SparseKernels.class);
            levels.add(new Level(system, below, own(new RankPreconditioners(system, backend).chebyshev(SMOOTHER)),
                    own(kernels.prepare(p)), own(kernels.prepare(p.transpose()))));
            names.add("degree " + fine.element().degree() + ", " + system.unknowns() + " unknowns");
            fine = coarse;
            system = below;
        }
        names.add("degree 1, " + system.unknowns() + " unknowns, algebraic from there");
        return own(new RankPreconditioners(system, backend).multigrid());
    }

    private <T extends LinearOperator> T own(T operator) {
        owned.push(operator::close);
        return operator;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        elements.update(1, null, x, 0, levels.isEmpty() ? right : levels.getFirst().b);
        for (int l = 0; l < levels.size(); l++) {
            levels.get(l).descend(l + 1 < levels.size() ? levels.get(l + 1).b : right);
        }
        lowest.apply(right, correction);
        HostVector result = correction;
        for (int l = levels.size() - 1; l >= 0; l--) {
            levels.get(l).ascend(result);
            result = levels.get(l).x;
        }
        elements.update(alpha, null, result, beta, y);
    }

    /**
     * Returns the levels in words.
     *
     * @return finest first
     */
    public List<String> levels() {
        return List.copyOf(names);
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

    /** Returns true: a cycle goes down as it comes up. */
    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    protected void release() {
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }

    @Override
    public String toString() {
        return "multigrid over degrees and ranks: " + String.join("; ", names);
    }
}
