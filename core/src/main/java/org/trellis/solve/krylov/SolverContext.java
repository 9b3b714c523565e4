package org.trellis.solve.krylov;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.solve.multigrid.BackendProducts;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * What a stack is prepared with beside the matrix.
 *
 * @param backend       where it runs
 * @param products      prepares products of matrices that the stack makes: multigrid's levels and transfers, the matrix
 *                      in single precision; a tuner's, for instance
 * @param nearNullSpace what multigrid has to represent on coarse levels; empty for constants
 * @param known         what is known of the matrix; empty to find out where that is needed
 */
public record SolverContext(Backend backend, Function<CsrMatrix, SpmvOperator> products,
        Optional<NearNullSpace> nearNullSpace, Optional<MatrixProperties.Known> known) {
    /** Checks that there is something. */
    public SolverContext {
        Objects.requireNonNull(backend);
        Objects.requireNonNull(products);
        Objects.requireNonNull(nearNullSpace);
        Objects.requireNonNull(known);
    }

    /**
     * Takes a matrix of which nothing is known.
     *
     * @param backend       where it runs
     * @param products      prepares products of matrices that the stack makes
     * @param nearNullSpace what multigrid has to represent on coarse levels; empty for constants
     */
    public SolverContext(Backend backend, Function<CsrMatrix, SpmvOperator> products,
            Optional<NearNullSpace> nearNullSpace) {
        this(backend, products, nearNullSpace, Optional.empty());
    }

    /**
     * Takes the products that the backend's rule proposes, and constants.
     *
     * @param backend where it runs
     * @return the parts
     */
    public static SolverContext of(Backend backend) {
        return new SolverContext(backend, new BackendProducts(backend), Optional.empty());
    }
}
