package org.trellis.fem;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.HierarchyLevel;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.OperatorLevel;
import org.trellis.solve.multigrid.OperatorMultigrid;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;

/**
 * Multigrid over degrees: from degree p to p / 2 and so on to 1 on the same mesh, and from there by algebraic
 * coarsening. Levels of degree 2 and more are smoothed by Chebyshev polynomials of their operators and diagonals, so
 * they need no matrix; degree 1 is assembled.
 */
public final class DegreeMultigrid implements AutoCloseable {
    private static final int SMOOTHER_DEGREE = 3;
    private static final double SMOOTHER_RATIO = 10;

    private final Backend backend;
    private final Deque<Runnable> owned = new ArrayDeque<>();
    private final List<OperatorLevel> levels = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final OperatorMultigrid cycle;

    /**
     * What is solved, on any space of the mesh.
     *
     * @param form        the form
     * @param constraints makes them on a space; on all spaces the same unknowns must be fixed
     * @param conditions  of other parts of the boundary
     */
    public record Problem(BilinearForm form, Function<FunctionSpace, Constraints> constraints,
            List<BoundaryCondition> conditions) {
        /** Keeps a copy of the list. */
        public Problem {
            conditions = List.copyOf(conditions);
        }
    }

    /**
     * Sets up the levels.
     *
     * @param problem the problem
     * @param space   the space of the finest level
     * @param finest  the assembled system on it, with constraints eliminated; not closed with this
     * @param options how levels in between are stored, as the finest is
     * @param backend where all of it runs
     * @throws IllegalArgumentException if constraints are rows of the system
     */
    @SuppressWarnings("MustBeClosed") // owned
    public DegreeMultigrid(Problem problem, FunctionSpace space, FormSystem finest, FormOptions options,
            Backend backend) {
        this.backend = backend;
        if (finest.size() != finest.unknowns().free()) {
            throw new IllegalArgumentException("multigrid over degrees of " + finest.size()
                    + " equations with constrained rows, expected constraints eliminated");
        }
        try {
            CsrMatrix lowest = overDegrees(problem, space, finest, options);
            CsrMatrix coarsest = algebraic(lowest);
            CycleOptions cycles = new CycleOptions(CycleShape.V, 1, 1, true);
            cycle = own(OperatorMultigrid.of(levels, coarsest, cycles, backend));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private <T extends LinearOperator> T own(T operator) {
        owned.push(operator::close);
        return operator;
    }

    private FormSystem own(FormSystem system) {
        owned.push(system::close);
        return system;
    }

    private CsrMatrix overDegrees(Problem problem, FunctionSpace space, FormSystem finest, FormOptions options) {
        FunctionSpace fine = space;
        FormSystem system = finest;
        while (fine.element().degree() > 1) {
            int degree = Math.max(1, fine.element().degree() / 2);
            FunctionSpace coarse = FunctionSpace.of(fine.mesh(), degree);
            boolean last = degree == 1;
            FormOptions next = last
                    ? options.withStorage(Storage.CSR).withFormulation(Formulation.GLOBAL_REUSE)
                    : options;
            FormSystem below = own(FormSystem.of(problem.form(), problem.constraints().apply(coarse),
                    problem.conditions(), next, backend));
            below.assemble();
            CsrMatrix p = DegreeTransfer.prolongation(system.unknowns(), fine, below.unknowns(), coarse,
                    options.precision());
            Smoother smoother = own(FormPreconditioners.chebyshev(system.operator(), smoother(), backend));
            levels.add(level(system.operator(), p, smoother));
            names.add("degree " + fine.element().degree() + ", " + p.rows() + " unknowns");
            fine = coarse;
            system = below;
        }
        return system.matrix().orElseThrow(() -> new IllegalArgumentException(
                "multigrid over degrees of a system of degree 1 without a matrix, expected storage csr there"));
    }

    private static Map<String, String> smoother() {
        return Map.of("degree", Integer.toString(SMOOTHER_DEGREE), "ratio", Double.toString(SMOOTHER_RATIO));
    }

    @SuppressWarnings("MustBeClosed") // owned
    private OperatorLevel level(LinearOperator operator, CsrMatrix prolongation, Smoother smoother) {
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        LinearOperator up = own(kernels.prepare(prolongation));
        LinearOperator down = own(kernels.prepare(prolongation.transpose()));
        return new OperatorLevel(operator, up, down, smoother, true);
    }

    @SuppressWarnings("MustBeClosed") // owned
    private CsrMatrix algebraic(CsrMatrix lowest) {
        Hierarchy hierarchy = Hierarchy.of(lowest, null, MultigridOptions.parse(Map.of()).coarsening());
        for (int l = 0; l + 1 < hierarchy.size(); l++) {
            HierarchyLevel level = hierarchy.level(l);
            LinearOperator product = own(backend.kernels(SparseKernels.class).prepare(level.matrix()));
            Smoother smoother =
                    own(Preconditioners.smoother("chebyshev", level.matrix(), product, backend, smoother()));
            levels.add(level(product, level.prolongation().orElseThrow(), smoother));
            names.add((l == 0 ? "degree 1, " : "algebraic, ") + level.matrix().rows() + " unknowns");
        }
        CsrMatrix coarsest = hierarchy.level(hierarchy.size() - 1).matrix();
        names.add((hierarchy.size() == 1 ? "degree 1, " : "algebraic, ") + coarsest.rows() + " unknowns");
        return coarsest;
    }

    /**
     * Returns the preconditioner: one cycle.
     *
     * @return closed with this
     */
    public OperatorMultigrid preconditioner() {
        return cycle;
    }

    /**
     * Returns the levels in words.
     *
     * @return finest first
     */
    public List<String> levels() {
        return List.copyOf(names);
    }

    /** Closes all levels, but not the finest system. */
    @Override
    public void close() {
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }
}
