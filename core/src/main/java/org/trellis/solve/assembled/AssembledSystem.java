package org.trellis.solve.assembled;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.LinearOperator;

/**
 * A system of equations whose matrix loops assemble: its product and what solves it, for vectors of dats on the rows.
 *
 * <pre>{@code
 * AssemblyPattern pattern = AssemblyPattern.of("K", ends, ends);
 * Dat values = pattern.values("values of K", Precision.F64);
 * mesh.loop(StiffnessLoops.ADD, edges, weight, values.at(pattern.positions())).run();
 * try (AssembledSystem system = AssembledSystem.of(pattern, values);
 *         LinearSolver solver = system.solver(SolverConfig.of("cg", "amg"))) {
 *     solver.solve(b.vector(), x.vector(), criteria);
 * }
 * }</pre>
 *
 * <p>The same program runs on one rank and over several: there each rank has the rows that it owns, derived from its
 * own part of the mesh, and the product exchanges what they need. All ranks make the same calls.
 */
public interface AssembledSystem extends AutoCloseable {
    /**
     * Takes a matrix as it has been assembled: values of now, which {@link #refill} replaces.
     *
     * @param pattern a square pattern
     * @param values  one real number for each of its entries
     * @return the system, which the caller closes before the mesh
     * @throws IllegalArgumentException if rows and columns are different sets, or the values are on another set or are
     *                                  whole numbers
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    static AssembledSystem of(AssemblyPattern pattern, Dat values) {
        if (pattern.rows() != pattern.columns()) {
            throw new IllegalArgumentException("a system of " + pattern + " with rows in " + pattern.rows()
                    + " and columns in " + pattern.columns() + ", expected one set");
        }
        if (values.set() != pattern.entries() || !values.type().real() || values.components() != 1) {
            throw new IllegalArgumentException("a system of " + pattern + " with values " + values
                    + ", expected one real number for each of " + pattern.entries());
        }
        Backend backend = pattern.rows().mesh().solverBackend();
        if (pattern.onRank().isPresent()) {
            return backend.kernels(AssembledSystems.class).of(pattern, values);
        }
        return new WholeSystem(pattern, values);
    }

    /**
     * Returns the product.
     *
     * @return of vectors of dats on the rows; belongs to the system, another one after {@link #refill} over ranks
     */
    LinearOperator operator();

    /**
     * Takes the values that the dat has now. Solvers and preconditioners are made anew afterwards.
     */
    void refill();

    /**
     * Prepares a method with its preconditioner for the values of now.
     *
     * @param stack method, preconditioner and their options
     * @return a solver of vectors of dats on the rows, which the caller closes before the system is refilled or closed
     * @throws IllegalArgumentException                    if the stack does not suit the matrix, or cannot be used over
     *                                                     ranks; says what would
     * @throws org.trellis.common.TrellisException         if a preconditioner cannot be made; names the row
     */
    @MustBeClosed
    LinearSolver solver(SolverConfig stack);

    /**
     * Makes a preconditioner for the values of now.
     *
     * @param name    as in a stack
     * @param options of the preconditioner
     * @return the preconditioner, which the caller closes before the system is refilled or closed; empty for none
     * @throws IllegalArgumentException if there is none of that name, here or over ranks; says what there is
     */
    Optional<Preconditioner> preconditioner(String name, Map<String, String> options);

    /**
     * Gives a preconditioner the values that {@link #refill} has taken, if it can take others without being made anew.
     *
     * @param made by {@link #preconditioner} of this system
     * @return true for multigrid; false if nothing has changed, and the caller makes another one
     */
    boolean refresh(Preconditioner made);

    /**
     * Describes the levels of a preconditioner. Runs a few cycles to time them.
     *
     * @param made by {@link #preconditioner} of this system
     * @return empty unless it is multigrid
     */
    Optional<MultigridReport> levels(Preconditioner made);

    /**
     * Makes what solves the system directly, for small ones, such as the coarsest of multigrid. Over ranks the whole
     * matrix comes together on every rank.
     *
     * @return the inverse of the values of now, which the caller closes; of a singular matrix, sweeps that approximate
     *         it
     */
    @MustBeClosed
    Smoother inverse();

    /** Releases product and matrix. Idempotent. */
    @Override
    void close();
}
