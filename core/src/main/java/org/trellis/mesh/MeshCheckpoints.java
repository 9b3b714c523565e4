package org.trellis.mesh;

import com.google.errorprone.annotations.MustBeClosed;

/**
 * Saves the state of a mesh now and then, and brings it back. A mesh gets it by {@link MeshOptions#withCheckpoints};
 * package {@code org.trellis.mesh.checkpoint} has it, and what finds out what would be saved.
 */
@FunctionalInterface
public interface MeshCheckpoints {
    /**
     * Begins with a mesh.
     *
     * @param mesh an empty mesh that is being made: it may be kept, but not be used before its first step
     * @return what sees its steps; the mesh closes it
     */
    @MustBeClosed
    StepInterceptor begin(Mesh mesh);
}
