package org.trellis.bench.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.report.SolveRun;
import org.trellis.bench.report.SolveTuning;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.DenseVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.krylov.NullSpaceSolver;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.KnownSolvers;
import org.trellis.tuner.solver.TunedSolver;

/**
 * A solver that tunes itself over ranks, all of which decide alike. Rank 0 reads the profile and sends the others what
 * it knows; it alone prints and writes what was learnt.
 */
final class RankedTuning {
    private final TunedRounds rounds;
    private final KnownSolvers known;
    private final SolverRings rings;
    /** Null without a profile, and on ranks other than 0. */
    private final ProfileFile file;
    private TunedSolver solver;
    private List<RingedSolvers.Found> foundRings = List.of();

    private RankedTuning(TunedRounds rounds, KnownSolvers known, SolverRings rings, ProfileFile file) {
        this.rounds = rounds;
        this.known = known;
        this.rings = rings;
        this.file = file;
    }

    /**
     * Takes what a profile knows. Collective.
     *
     * @param rings   how many rings each of the solvers exchanges
     * @param profile the file, which need not be there, or null
     * @param whole   the matrix on rank 0, else null
     * @param own     what the rank computes with
     * @throws IOException on rank 0, if the file cannot be read
     */
    static RankedTuning of(TunedRounds rounds, SolverRings rings, Path profile, CsrMatrix whole, Backend own,
            Communicator communicator) throws IOException {
        ProfileFile file = profile == null || whole == null ? null : new ProfileFile(profile);
        KnownSolvers known = RingedSolvers.known(file == null ? List.of() : List.of(file.load()), whole, own,
                rounds.rounds(), communicator);
        return new RankedTuning(rounds, known, rings, file);
    }

    /** Solves with owned parts, from zero each time. Collective. */
    @SuppressWarnings("MustBeClosed") // closed with what calls it
    SolveRun solve(PartitionedMatrix matrix, PartitionedOperator operator, RankBackend backend, DenseVector b,
            DenseVector x, ProgressListener progress) {
        RingedSolvers maker = new RingedSolvers(matrix, operator, backend, rings);
        solver = maker.tuned(rounds.rounds(), known);
        try (LinearSolver caller = withNullSpace(operator, backend)) {
            SolveRun run = rounds.solve(solver, caller, b, x, progress);
            foundRings = rings.areTuned() ? maker.settle() : List.of();
            return run;
        }
    }

    @MustBeClosed
    private LinearSolver withNullSpace(PartitionedOperator operator, RankBackend backend) {
        if (!rounds.nullSpace()) {
            return solver;
        }
        try {
            return NullSpaceSolver.ofConstants(operator, solver, backend);
        } catch (RuntimeException | Error e) {
            solver.close();
            throw e;
        }
    }

    /** Says what it began with and what was tried. */
    SolveTuning tuning() {
        return SolveTuning.of(solver);
    }

    /**
     * Prints what was tried and keeps what was measured. On rank 0.
     *
     * @throws IOException if the profile cannot be read or written
     */
    void report(Console console, String name, CsrMatrix whole, RankBackend backend, int ranks) throws IOException {
        tuning().lines().forEach(line -> console.print("  %s", line));
        foundRings.forEach(found -> rings.report(console, name, found.stack() + ": ", found.stack(), found.levels()));
        if (file != null) {
            file.update(before -> solver.addTo(before, name, whole, TuningDevice.of(backend.own()), ranks));
            console.print("  profile           %s", file);
        }
    }
}
