package com.example;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.matrices.MatrixFiles;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.LinearSystems;

/** Reads a matrix, multiplies, solves, and runs one loop of its own on a mesh. */
public final class FirstSteps {
    private FirstSteps() {}

    /**
     * What flows along an edge: the difference of its ends.
     *
     * @param first  the value at the first end
     * @param second the value at the second end
     * @param into   what flows into the first end
     * @param out    what flows into the second end
     */
    @MeshKernel
    static void flow(@Read double[] first, @Read double[] second, @Increment double[] into, @Increment double[] out) {
        double flow = second[0] - first[0];
        into[0] += flow;
        out[0] -= flow;
    }

    /**
     * Runs the program.
     *
     * @param arguments a Matrix Market file with a square matrix
     * @throws IOException if it cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        CsrMatrix matrix = MatrixFiles.read(Path.of(arguments[0]));
        double[] ones = new double[matrix.rows()];
        Arrays.fill(ones, 1);
        double[] b = matrix.multiply(ones);
        double[] x = LinearSystems.solve(matrix, b);
        System.out.printf(Locale.ROOT, "product %.3f, solution %.3f%n", b[0], x[0]);

        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet nodes = mesh.set("nodes", 4);
            MeshSet edges = mesh.set("edges", 3);
            MeshMap ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2, 2, 3});
            Dat heat = mesh.dat("heat", nodes, 1, Precision.F64, new double[]{0, 1, 4, 9});
            Dat change = mesh.dat("change", nodes, 1, Precision.F64);
            mesh.loop(FirstStepsLoops.FLOW, edges, heat.at(ends, 0), heat.at(ends, 1), change.at(ends, 0),
                    change.at(ends, 1)).run();
            System.out.println("change " + Arrays.toString(change.toArray()));
        }
    }
}
