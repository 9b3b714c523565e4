package org.trellis.examples.poisson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.checkpoint.CheckpointReport;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * What checkpoints cost conjugate gradients: {@code trellis measure solver-checkpoints FOLDER N PAIRS CHECKPOINTS}.
 * Solutions of the five-point Laplacian on N by N points, 50 iterations each, without checkpoints and with some that
 * never come, in turns; then a few that are asked for in the middle of a
 * solution.
 */
public final class SolverCheckpointCost {
    private static final int ITERATIONS = 50;
    private static final int WARM_UP = 200;

    private SolverCheckpointCost() {}

    /**
     * Runs the program.
     *
     * @param arguments as above
     * @throws IOException if a file cannot be read or written
     */
    public static void start(String... arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        int n = Integer.parseInt(arguments[1]);
        int pairs = Integer.parseInt(arguments[2]);
        int wanted = Integer.parseInt(arguments[3]);
        Checkpoints checkpoints = Checkpoints.to(folder.resolve("state"));
        MeshOptions options = MeshOptions.of(Configuration.load());
        CsrMatrix matrix = laplacian(n);
        try (Backend backend = Backends.open("cpu", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                ConjugateGradient one = new ConjugateGradient(product, null, backend);
                ConjugateGradient other = new ConjugateGradient(product, null, backend);
                Mesh without = Mesh.on(backend, options);
                Mesh with = Mesh.on(backend, options.withCheckpoints(checkpoints))) {
            Dat[] plain = vectors(without, matrix.rows());
            Dat[] watched = vectors(with, matrix.rows());
            double[] ratio = new double[pairs];
            double[] alone = new double[pairs];
            for (int pair = pairs == 0 ? 0 : -WARM_UP; pair < pairs; pair++) {
                boolean first = pair % 2 == 0;
                double begun = first ? seconds(one, plain) : seconds(other, watched);
                double ended = first ? seconds(other, watched) : seconds(one, plain);
                if (pair >= 0) {
                    alone[pair] = first ? begun : ended;
                    ratio[pair] = (first ? ended : begun) / alone[pair];
                }
            }
            Arrays.sort(ratio);
            Arrays.sort(alone);
            if (pairs > 0) {
                System.out.printf(Locale.ROOT,
                        "%d unknowns: an iteration with a gate takes %.4f of one without (median "
                                + "of %d pairs of %d iterations, quartiles %.4f and %.4f); %.2f us without%n",
                        matrix.rows(),
                        ratio[pairs / 2], pairs, ITERATIONS, ratio[pairs / 4], ratio[3 * pairs / 4],
                        1e6 * alone[pairs / 2] / ITERATIONS);
            }
            while (checkpoints.reports().size() < wanted) {
                watched[1].fill(0);
                other.solve(watched[0].vector(), watched[1].vector(), StoppingCriteria.relative(1e-12, ITERATIONS),
                        (iteration, norm) -> {
                            if (iteration == ITERATIONS / 2) {
                                checkpoints.request();
                            }
                        });
            }
        }
        for (CheckpointReport report : checkpoints.reports()) {
            System.out.printf(Locale.ROOT, "%s: blocked for %.2f %% of it%n", report,
                    100 * report.blocked() / report.seconds());
        }
    }

    private static CsrMatrix laplacian(int n) {
        int[] offsets = new int[n * n + 1];
        int[] columns = new int[5 * n * n];
        double[] values = new double[columns.length];
        int count = 0;
        for (int row = 0; row < n * n; row++) {
            int i = row / n;
            int j = row % n;
            int[] others = {i > 0 ? row - n : -1, j > 0 ? row - 1 : -1, row, j < n - 1 ? row + 1 : -1,
                i < n - 1 ? row + n : -1};
            for (int column : others) {
                if (column >= 0) {
                    columns[count] = column;
                    values[count++] = column == row ? 4 : -1;
                }
            }
            offsets[row + 1] = count;
        }
        return CsrMatrix.of(n * n, n * n, offsets, Arrays.copyOf(columns, count), Arrays.copyOf(values, count));
    }

    private static Dat[] vectors(Mesh mesh, int rows) {
        MeshSet set = mesh.set("rows", rows);
        double[] ones = new double[rows];
        Arrays.fill(ones, 1);
        return new Dat[]{mesh.dat("b", set, 1, Precision.F64, ones), mesh.dat("x", set, 1, Precision.F64)};
    }

    private static double seconds(ConjugateGradient solver, Dat... vectors) {
        vectors[1].fill(0);
        long start = System.nanoTime();
        solver.solve(vectors[0].vector(), vectors[1].vector(), StoppingCriteria.relative(1e-12, ITERATIONS));
        return 1e-9 * (System.nanoTime() - start);
    }
}
