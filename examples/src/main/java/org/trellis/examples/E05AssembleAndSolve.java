package org.trellis.examples;

import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.assembly.AssembledMatrices;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.LinearSystems;

/** From a mesh to a matrix to a solution: the temperature of a rod that conducts and loses heat along its length. */
public final class E05AssembleAndSolve {
    private static final int PIECES = 64;
    private static final double LOSS = 4;

    private E05AssembleAndSolve() {}

    /**
     * The matrix of one piece of the rod by linear elements: conduction, and the loss along it, both ends alike.
     *
     * @param length the length of the piece
     * @param matrix row i and column j of the piece's matrix at {@code matrix[2 * i + j][0]}
     */
    @MeshKernel
    static void piece(@Read double[] length, @Increment(value = 1, entries = 4) double[][] matrix) {
        double conduction = 1 / length[0];
        double loss = LOSS * length[0] / 6;
        matrix[0][0] += conduction + 2 * loss;
        matrix[1][0] += loss - conduction;
        matrix[2][0] += loss - conduction;
        matrix[3][0] += conduction + 2 * loss;
    }

    /**
     * Runs the example.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        int[] targets = new int[2 * PIECES];
        double[] lengths = new double[PIECES];
        for (int i = 0; i < PIECES; i++) {
            targets[2 * i] = i;
            targets[2 * i + 1] = i + 1;
            lengths[i] = 1.0 / PIECES;
        }
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet points = mesh.set("points", PIECES + 1);
            MeshSet pieces = mesh.set("pieces", PIECES);
            MeshMap ends = mesh.map("ends", pieces, points, 2, targets);
            Dat length = mesh.dat("length", pieces, 1, Precision.F64, lengths);
            AssemblyPattern pattern = AssemblyPattern.of("K", ends, ends);
            Dat values = pattern.values("values", Precision.F64);
            mesh.loop(E05AssembleAndSolveLoops.PIECE, pieces, length, values.at(pattern.positions())).run();
            CsrMatrix matrix = AssembledMatrices.view(pattern, values);

            double[] heat = new double[PIECES + 1];
            heat[0] = 1; // what flows in at the left end
            double[] temperature = LinearSystems.solve(matrix, heat);
            double exact = 1 / (Math.sqrt(LOSS) * Math.tanh(Math.sqrt(LOSS)));
            System.out.println(matrix.rows() + " points, " + matrix.nonZeros() + " entries");
            System.out.printf(Locale.ROOT, "left end %.3f, exact %.3f%n", temperature[0], exact);
        }
    }
}
