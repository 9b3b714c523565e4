package org.trellis.distributed.partitioned;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.systems.SystemMatrix;
import org.trellis.systems.SystemSettings;

/** Prepares solvers of partitioned matrices; found as a service, since solvers stand on matrices. */
@FunctionalInterface
public interface SolverProvider {
    /**
     * Prepares a solver. Collective.
     *
     * @param matrix   the matrix
     * @param settings how the system is solved
     * @return the prepared solver, which the caller closes
     * @throws IllegalArgumentException            if the settings do not suit the matrix, or cannot be used over ranks
     * @throws org.trellis.common.TrellisException if a preconditioner cannot be made
     */
    @MustBeClosed
    SystemMatrix.Prepared prepare(PartitionedMatrix matrix, SystemSettings settings);
}
