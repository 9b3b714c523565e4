package org.trellis.examples.tsunami;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.trellis.bench.console.Usage;
import org.trellis.matrices.mesh.MeshFiles;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What the command line names: a mesh file or a built-in case, changed as the options say. */
final class SeaInput {
    private SeaInput() {}

    static TsunamiCase read(String input, SeaOptions sea, Settings settings, CommandSpec spec) throws IOException {
        TsunamiCase read = unchanged(input, sea, settings, spec);
        return Usage.get(spec, () -> sea.applied(read));
    }

    private static TsunamiCase unchanged(String input, SeaOptions sea, Settings settings, CommandSpec spec)
            throws IOException {
        if (TsunamiCase.isBuiltIn(input)) {
            return Usage.get(spec, () -> TsunamiCase.builtIn(input, settings));
        }
        Path file = Path.of(input);
        if (!MeshFiles.hasMeshName(file)) {
            throw new ParameterException(spec.commandLine(), "MESH is '" + input
                    + "', expected a file with the extension of a mesh format, or one of the cases "
                    + String.join(", ", TsunamiCase.BUILT_IN));
        }
        Map<String, Integer> boundaries = Usage.get(spec, sea::boundaries);
        return TsunamiCase.of(input, new SeaFile(MeshFiles.read(file), boundaries).mesh(sea.degrees()));
    }
}
