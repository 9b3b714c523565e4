package org.trellis.fem;

import java.util.List;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.solve.multigrid.OperatorMultigrid;

/**
 * Multigrid over degrees: from degree p to p / 2 and so on to 1 on the same mesh, and from there by algebraic
 * coarsening. Levels of degree 2 and more are smoothed by Chebyshev polynomials of their operators and diagonals, so
 * they need no matrix; degree 1 is assembled.
 */
public final class DegreeMultigrid implements AutoCloseable {
    private final Backend backend;
    private final MultigridLevels levels;
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
        this.levels = new MultigridLevels(backend);
        if (finest.hasRowsOfConstraints()) {
            throw new IllegalArgumentException("multigrid over degrees of " + finest.size()
                    + " equations with constrained rows, expected constraints eliminated");
        }
        try {
            FormSystem lowest = overDegrees(problem, space, finest, options);
            cycle = levels.finish(lowest, "degree 1");
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private FormSystem overDegrees(Problem problem, FunctionSpace space, FormSystem finest, FormOptions options) {
        FunctionSpace fine = space;
        FormSystem system = finest;
        while (fine.element().degree() > 1) {
            int degree = Math.max(1, fine.element().degree() / 2);
            FunctionSpace coarse = FunctionSpace.of(fine.mesh(), degree);
            boolean last = degree == 1;
            FormOptions next = last
                    ? options.withStorage(Storage.CSR).withFormulation(Formulation.GLOBAL_REUSE)
                    : options;
            FormSystem below = levels.own(FormSystem.of(problem.form(), problem.constraints().apply(coarse),
                    problem.conditions(), next, backend));
            below.assemble();
            levels.add(system, fine, below, coarse, "degree " + fine.element().degree());
            fine = coarse;
            system = below;
        }
        return system;
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
        return levels.names();
    }

    /** Closes all levels, but not the finest system. */
    @Override
    public void close() {
        levels.close();
    }
}
