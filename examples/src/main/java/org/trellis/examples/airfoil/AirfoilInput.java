package org.trellis.examples.airfoil;

import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.matrices.mesh.AirfoilPart;

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
        return AirfoilGenerator.generate(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** Reads this rank's share of a file, which is to be plain text. */
    static AirfoilPart read(String input, Communicator communicator) throws IOException {
        return AirfoilPart.read(Path.of(input), communicator.rank(), communicator.size(), lines -> {
            long[] counts = communicator.gatherNumbers(lines);
            return Arrays.stream(counts, 0, communicator.rank()).sum();
        });
    }

    /** Finds out whether there is a file, before ranks are started that would all miss it. */
    static void requireFile(String input) throws IOException {
        Path.of(input).getFileSystem().provider().checkAccess(Path.of(input), AccessMode.READ);
    }

    /** Says whether a mesh is generated, not read. */
    static boolean isGenerated(String input) {
        return input.startsWith(GENERATED);
    }
}
