package org.trellis.examples.airfoil;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.mesh.AirfoilMesh;

/** The mesh that the command line names: a file, or a C-mesh to generate. */
final class AirfoilInput {
    private static final String GENERATED = "c-mesh:";
    private static final Pattern PARAMETERS = Pattern.compile(GENERATED + "i=(\\d{1,5}),j=(\\d{1,5})");

    private AirfoilInput() {}

    static AirfoilMesh read(String input, ProgressListener progress) throws IOException {
        progress.progress("mesh " + input, 0, 1);
        if (!input.startsWith(GENERATED)) {
            return AirfoilMesh.read(Path.of(input));
        }
        Matcher matcher = PARAMETERS.matcher(input);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("mesh is '" + input
                    + "', expected a file or c-mesh:i=I,j=J with whole numbers, as in c-mesh:i=400,j=600");
        }
        return AirfoilMesh.generate(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }
}
