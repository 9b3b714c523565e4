package org.trellis.matrices.mesh;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A format of mesh files whose reader is an artifact of its own, since it needs another library. {@link MeshFiles}
 * finds it as a service.
 */
public interface MeshFormat {
    /**
     * Returns how names of such files end.
     *
     * @return in lower case, with the dot
     */
    String ending();

    /**
     * Reads a mesh.
     *
     * @param file a file that exists
     * @return the mesh
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong or of a kind that is not read
     * @throws IOException                              if the file cannot be read
     */
    MeshData read(Path file) throws IOException;
}
