package org.trellis.bench.solve;

import java.io.IOException;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.report.SolveRun;
import org.trellis.bench.report.SolveTuning;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.solver.TunedSolver;

/** Solves a system once or several times by a solver that tunes itself, and keeps what it learns in a profile. */
final class TunedSolve {
    private final Backend backend;
    private final CsrMatrix matrix;
    private final TunedRounds rounds;
    private SolveTuning tuning;
    private String product = "";

    TunedSolve(Backend backend, CsrMatrix matrix, TunedRounds rounds) {
        this.backend = backend;
        this.matrix = matrix;
        this.rounds = rounds;
    }

    /** Says how products are run. */
    String product() {
        return product;
    }

    /** Says what it began with and what was tried. */
    SolveTuning tuning() {
        return tuning;
    }

    /**
     * Solves from zero each time.
     *
     * @param b    the right-hand side; null for that of the solution of ones
     * @param x    overwritten by the solution
     * @param file what is known, and where to put what is learnt
     */
    SolveRun run(String name, HostVector b, HostVector x, Optional<ProfileFile> file, ProgressListener progress)
            throws IOException {
        TunedSolver.Settings settings = TunedSolver.Settings.defaults().solves(rounds.rounds());
        if (rounds.nullSpace()) {
            settings = settings.withNullSpaceOfConstants();
        }
        if (file.isPresent()) {
            settings = settings.profile(file.get().load());
        }
        try (TunedSolver solver = TunedSolver.of(matrix, backend, settings);
                SpmvOperator plain = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector right = backend.vector(matrix.precision(), matrix.rows());
                DenseVector solution = backend.vector(matrix.precision(), matrix.columns())) {
            product = plain.parameters().toString();
            HostVector ones = HostVector.zeros(matrix.precision(), matrix.columns()).fill(1);
            if (b == null) {
                solution.copyFrom(ones);
                plain.multiply(solution, right);
            } else {
                right.copyFrom(b);
            }
            SolveRun run = rounds.solve(solver, solver, right, solution, progress);
            solution.copyTo(x);
            double error = b == null ? ContenderSolver.largestDifference(x, ones) : Double.NaN;
            tuning = SolveTuning.of(solver);
            if (file.isPresent()) {
                file.get().update(before -> solver.addTo(before, name));
            }
            return new SolveRun(run.stack(), run.report(), run.iterationSeconds(), run.seconds(), run.setupSeconds(),
                    error, Optional.empty(), Optional.empty());
        }
    }
}
