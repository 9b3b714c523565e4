package org.trellis.systems;

import java.util.Objects;
import java.util.Optional;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NearNullSpace;

/**
 * How a system is to be solved, as {@link SystemSolver} has gathered it.
 *
 * @param stack         method, preconditioner, their options, and when to stop
 * @param direct        whether the matrix is factorised and nothing else tried; the stack then says when to stop
 * @param backend       the name of the backend; empty for that of the host, or the configured one
 * @param nearNullSpace what coarse levels of multigrid have to represent; empty for constants
 * @param known         what the caller knows of the matrix; empty to find out
 */
public record SystemSettings(SolverConfig stack, boolean direct, Optional<String> backend,
        Optional<NearNullSpace> nearNullSpace, Optional<MatrixKind> known) {
    /** Checks that there is something. */
    public SystemSettings {
        Objects.requireNonNull(stack);
        Objects.requireNonNull(backend);
        Objects.requireNonNull(nearNullSpace);
        Objects.requireNonNull(known);
    }
}
