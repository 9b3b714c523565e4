package org.trellis.examples.airfoil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointReport;
import org.trellis.mesh.checkpoint.Checkpoints;

/**
 * What checkpoints cost Airfoil: {@code trellis measure checkpoints FOLDER I J ROUNDS CHECKPOINTS}. First iterations
 * without checkpoints and with some that never come, in turns; then a few that are asked for.
 */
public final class CheckpointCost {
    private static final int WARM_UP = 20;
    private static final int BETWEEN = 10;

    private CheckpointCost() {}

    /**
     * Runs the program.
     *
     * @param arguments as above
     * @throws IOException if a file cannot be read or written
     */
    public static void start(String... arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        AirfoilMesh file = AirfoilGenerator.generate(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        int rounds = Integer.parseInt(arguments[3]);
        int wanted = Integer.parseInt(arguments[4]);
        Checkpoints checkpoints = Checkpoints.to(folder.resolve("state"));
        MeshOptions options = MeshOptions.of(Configuration.load());
        try (Backend backend = Backends.open("cpu", Configuration.load());
                Mesh without = Mesh.on(backend, options);
                Mesh with = Mesh.on(backend, options.withCheckpoints(checkpoints))) {
            AirfoilSolver plain = new AirfoilSolver(without, file, Precision.F64);
            AirfoilSolver watched = new AirfoilSolver(with, file, Precision.F64);
            double[] ratio = new double[rounds];
            double[] alone = new double[rounds];
            double[] guarded = new double[rounds];
            for (int round = -WARM_UP; round < rounds; round++) {
                double one = seconds(round % 2 == 0 ? plain : watched);
                double other = seconds(round % 2 == 0 ? watched : plain);
                if (round >= 0) {
                    alone[round] = round % 2 == 0 ? one : other;
                    guarded[round] = round % 2 == 0 ? other : one;
                    ratio[round] = guarded[round] / alone[round];
                }
            }
            Arrays.sort(ratio);
            Arrays.sort(alone);
            Arrays.sort(guarded);
            if (rounds > 0) {
                System.out.printf(Locale.ROOT,
                        "%d cells: an iteration with a gate takes %.4f of one without (median of %d pairs, quartiles "
                                + "%.4f and %.4f); medians %.2f and %.2f us, lower quartiles %.2f and %.2f%n",
                        file.cells(), ratio[rounds / 2], rounds, ratio[rounds / 4], ratio[3 * rounds / 4],
                        1e6 * alone[rounds / 2], 1e6 * guarded[rounds / 2], 1e6 * alone[rounds / 4],
                        1e6 * guarded[rounds / 4]);
            }
            for (int i = 0; i < wanted; i++) {
                checkpoints.request();
                while (checkpoints.reports().size() == i) {
                    watched.iterate();
                }
                for (int k = 0; k < BETWEEN; k++) {
                    watched.advance();
                }
            }
        }
        for (CheckpointReport report : checkpoints.reports()) {
            System.out.printf(Locale.ROOT, "%d cells: %s: blocked for %.2f %% of it%n", file.cells(), report,
                    100 * report.blocked() / report.seconds());
        }
    }

    private static double seconds(AirfoilSolver solver) {
        long start = System.nanoTime();
        solver.iterate();
        return 1e-9 * (System.nanoTime() - start);
    }
}
