package org.trellis.matrices.solve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.SharedData;

/**
 * A solution by another program.
 *
 * @param problem a generator's specification or {@code file:} and a name
 * @param rows    of the matrix
 * @param method  in that program's words
 * @param at      the iterations after which the residual fell below 1e-6, 1e-8 and 1e-10 of the right-hand side; -1 for
 *                never
 */
record ReferenceRow(String problem, int rows, String method, int[] at) {
    /** Reads the rows with the right-hand side {@code mod} of a table. */
    static List<ReferenceRow> of(String table) throws IOException {
        Path folder = SharedData.folder("matrices").resolve("../../reference/solvers");
        return SharedData.manifest(folder.resolve(table)).stream().filter(cells -> cells.get(3).equals("mod"))
                .map(cells -> new ReferenceRow(cells.get(0), Integer.parseInt(cells.get(1)), cells.get(4),
                        new int[]{number(cells.get(5)), number(cells.get(6)), number(cells.get(7))}))
                .toList();
    }

    private static int number(String cell) {
        return cell.isBlank() ? -1 : Integer.parseInt(cell);
    }

    CsrMatrix matrix() throws IOException {
        if (problem.startsWith("file:")) {
            return MatrixFiles.read(SharedData.folder("matrices").resolve(problem.substring("file:".length())));
        }
        return MatrixSpec.parse(problem).generate(Precision.F64, ProgressListener.NONE);
    }

    /** The right-hand side {@code mod}: A x with x_i = ((7919 i + 13) mod 1009) / 1009. */
    static HostVector rightHandSide(CsrMatrix matrix) {
        HostVector x = HostVector.of(Precision.F64, matrix.columns(), i -> (7919L * i + 13) % 1009 / 1009.0);
        return matrix.multiply(x);
    }
}
