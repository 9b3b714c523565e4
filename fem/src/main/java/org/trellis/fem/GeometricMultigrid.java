package org.trellis.fem;

import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.solve.multigrid.OperatorMultigrid;

/**
 * Multigrid over refined meshes: the same element on each mesh of a hierarchy, the operator integrated anew on each,
 * stored as the options say (or not at all), smoothed by Chebyshev polynomials of it and its diagonal. Functions of a
 * mesh are taken to the next by the basis of its elements, and residuals back by the transposed. The coarsest mesh has
 * a matrix, and goes on algebraically if it is large.
 */
public final class GeometricMultigrid implements AutoCloseable {
    private final MultigridLevels levels;
    private final OperatorMultigrid cycle;

    /**
     * Sets up the levels.
     *
     * @param problem   the problem, with coefficients that are constants or functions of the place
     * @param hierarchy the meshes; those without free unknowns are left out
     * @param finest    the assembled system on the finest mesh, with constraints eliminated; not closed with this
     * @param space     its space
     * @param options   how levels in between are stored
     * @param backend   where all of it runs
     * @throws IllegalArgumentException if constraints are rows of the system, the space is not on the finest mesh, or
     *                                  a level cannot be made; says why
     */
    @SuppressWarnings("MustBeClosed") // owned
    public GeometricMultigrid(DegreeMultigrid.Problem problem, MeshHierarchy hierarchy, FormSystem finest,
            FunctionSpace space, FormOptions options, Backend backend) {
        if (finest.hasRowsOfConstraints()) {
            throw new IllegalArgumentException("multigrid over meshes of " + finest.size()
                    + " equations with constrained rows, expected constraints eliminated");
        }
        if (space.mesh() != hierarchy.finest()) {
            throw new IllegalArgumentException("multigrid over " + hierarchy + " of a system on " + space
                    + ", expected one on the finest mesh");
        }
        this.levels = new MultigridLevels(backend);
        try {
            backend.optionalKernels(FormRanks.class).ifPresent(ranks -> divide(hierarchy, ranks));
            FormSystem lowest = overMeshes(problem, hierarchy, finest, space, options, backend);
            cycle = levels.finish(lowest, "coarsest mesh");
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Gives each cell to the rank that has its first child, so that most of what levels exchange stays on a rank. */
    private static void divide(MeshHierarchy hierarchy, FormRanks ranks) {
        int[] finer = ranks.divide(hierarchy.finest());
        for (int l = hierarchy.meshes().size() - 2; l >= 0; l--) {
            CellMesh mesh = hierarchy.meshes().get(l);
            int children = finer.length / mesh.cells();
            int[] rankOf = new int[mesh.cells()];
            for (int cell = 0; cell < rankOf.length; cell++) {
                rankOf[cell] = finer[cell * children];
            }
            ranks.divided(mesh, rankOf);
            finer = rankOf;
        }
    }

    private FormSystem overMeshes(DegreeMultigrid.Problem problem, MeshHierarchy hierarchy, FormSystem finest,
            FunctionSpace space, FormOptions options, Backend backend) {
        LagrangeElement element = space.element();
        FunctionSpace fine = space;
        FormSystem system = finest;
        FormOptions rows = options.withStorage(Storage.CSR).withFormulation(Formulation.GLOBAL_REUSE);
        for (int l = hierarchy.meshes().size() - 2; l >= 0; l--) {
            CellMesh mesh = hierarchy.meshes().get(l);
            FunctionSpace coarse = FunctionSpace.of(mesh, element);
            Constraints constraints = problem.constraints().apply(coarse);
            if (!hasFree(constraints, coarse)) {
                break;
            }
            boolean last = l == 0 || !hasFree(problem, hierarchy.meshes().get(l - 1), element);
            FormSystem below = levels.own(FormSystem.of(problem.form(), constraints, problem.conditions(),
                    last ? rows : options, backend));
            below.assemble();
            levels.add(system, fine, below, coarse, fine.mesh().cells() + " cells");
            fine = coarse;
            system = below;
        }
        return system;
    }

    private static boolean hasFree(DegreeMultigrid.Problem problem, CellMesh mesh, LagrangeElement element) {
        FunctionSpace space = FunctionSpace.of(mesh, element);
        return hasFree(problem.constraints().apply(space), space);
    }

    /** Says whether some unknown of a space is free, without which there is no system. */
    static boolean hasFree(Constraints constraints, FunctionSpace space) {
        for (int unknown = 0; unknown < space.nodes() * constraints.fields(); unknown++) {
            if (!constraints.isFixed(unknown)) {
                return true;
            }
        }
        return false;
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
