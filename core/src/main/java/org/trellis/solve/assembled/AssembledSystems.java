package org.trellis.solve.assembled;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;

/**
 * Makes assembled systems over ranks. A kernel interface of {@link org.trellis.mesh.Mesh#solverBackend}, implemented by
 * what divides meshes.
 */
@FunctionalInterface
public interface AssembledSystems {
    /**
     * Takes a matrix as it has been assembled. Called by all ranks.
     *
     * @param pattern a square pattern of a mesh over ranks
     * @param values  one real number for each of its entries
     * @return the system, which the caller closes
     */
    @MustBeClosed
    AssembledSystem of(AssemblyPattern pattern, Dat values);
}
