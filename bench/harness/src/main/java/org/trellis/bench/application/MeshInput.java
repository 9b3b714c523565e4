package org.trellis.bench.application;

import java.io.IOException;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.mesh.Mesh;
import picocli.CommandLine.Model.CommandSpec;

/** The mesh of an application and its data, as a command line names them. */
public interface MeshInput {
    /** Declares an application on a mesh; once for each order in which the mesh is measured. */
    @FunctionalInterface
    interface Declaration {
        /**
         * Declares sets, data and loops.
         *
         * @param mesh      an empty mesh
         * @param precision the precision of all data
         * @return what is to be tuned or measured
         */
        LoopProgram on(Mesh mesh, Precision precision);
    }

    /**
     * Returns the mesh as the user named it.
     *
     * @return a file, or the parameters of what is generated
     */
    String name();

    /**
     * Reads or makes the mesh.
     *
     * @param spec     the command, for complaints about the command line
     * @param progress receives what is read
     * @return declares the application on it
     * @throws IOException if a file cannot be read
     */
    Declaration read(CommandSpec spec, ProgressListener progress) throws IOException;
}
