package org.trellis.bench.tune;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.RankMatrices;
import org.trellis.bench.report.SolverTuningDocument.TunedRings;
import org.trellis.bench.solve.RingedSolvers;
import org.trellis.bench.solve.SolverRings;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.krylov.NodeBlocks;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.KnownSolvers;
import org.trellis.tuner.solver.TunedSolver;

/**
 * What {@code trellis run --ranks N tune --solve} does with a system: it is solved several times by a solver that tunes
 * itself and its rings. All ranks call it alike and decide alike; rank 0 reads, prints and writes.
 */
final class RankedSolverTuning {
    private final RankJob job;
    private final Communicator communicator;
    private final RankBackend backend;
    private final SolverTuning tuning;
    private final long seed;
    private final Path export;
    private final Console console;
    private final ProgressListener progress;
    private int failures;

    /**
     * Makes what tunes.
     *
     * @param tuning prints and collects, on rank 0
     * @param export the profile to add to, or null
     */
    RankedSolverTuning(RankJob job, Communicator communicator, RankBackend backend, SolverTuning tuning,
            long seed, Path export, Console console, ProgressListener progress) {
        this.job = job;
        this.communicator = communicator;
        this.backend = backend;
        this.tuning = tuning;
        this.seed = seed;
        this.export = export;
        this.console = console;
        this.progress = progress;
    }

    /** A rank's part of the systems of a matrix. */
    private record Part(PartitionedMatrix matrix, PartitionedOperator operator, long seed)
            implements
                SolverProgram.Problem {
        @Override
        public Precision precision() {
            return matrix.precision();
        }

        @Override
        public int rows() {
            return matrix.ownedRows();
        }

        /** However rows are divided, the same. */
        @Override
        public Supplier<HostVector> solutions() {
            SplittableRandom each = new SplittableRandom(seed);
            return () -> {
                long now = each.nextLong();
                return matrix.vector(row -> new SplittableRandom(now + row).nextDouble(-1, 1));
            };
        }

        @Override
        public void multiply(DenseVector x, DenseVector y) {
            operator.apply(x, y);
        }
    }

    /** The solutions that failed, the same on all ranks. */
    int failures() {
        return failures;
    }

    /**
     * Solves a system. Collective.
     *
     * @param known profiles, on rank 0
     */
    void run(MatrixSource source, Precision precision, List<Profile> known) throws IOException {
        boolean first = communicator.rank() == 0;
        CsrMatrix loaded = RankMatrices.load(communicator, source, progress);
        CsrMatrix whole = first ? loaded.toPrecision(precision) : null;
        long nodes = communicator.greatest(first ? NodeBlocks.sizeOf(whole) : 1);
        PartitionedMatrix matrix = RankMatrices.divide(communicator, whole, job, (int) nodes);
        SolverRings rings = SolverRings.of(RingChoice.TUNED, (int) nodes, export, whole, job, communicator);
        try (HaloPlan plan = HaloPlan.of(matrix, 1, backend.own());
                PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
            RingedSolvers maker = new RingedSolvers(matrix, operator, backend, rings);
            KnownSolvers solvers =
                    RingedSolvers.known(known, whole, backend.own(), tuning.solves(), communicator);
            Part part = new Part(matrix, operator, seed);
            SolverProgram program = new SolverProgram(source.name(), part, backend, tuning.solves(), progress);
            Settled settled = new Settled(source.name(), whole, maker);
            SolverProgram.Run run = program.tuned(() -> maker.tuned(tuning.solves(), solvers), settled);
            failures += run.failures().size();
            if (first) {
                tuning.add(source.name(), whole, run, List.of(), Optional.empty(), settled.rings.stream()
                        .map(found -> new TunedRings(found.stack().toString(), found.levels())).toList());
                settled.rings.forEach(found -> rings.report(console, source.name(), found.stack() + ": ",
                        found.stack(), found.levels()));
            }
        }
    }

    /** Ends the choice of rings before solvers are closed, and keeps solvers; rank 0 writes. */
    private final class Settled implements SolverProgram.Keeper {
        private final String name;
        private final CsrMatrix whole;
        private final RingedSolvers maker;
        private List<RingedSolvers.Found> rings = List.of();

        Settled(String name, CsrMatrix whole, RingedSolvers maker) {
            this.name = name;
            this.whole = whole;
            this.maker = maker;
        }

        @Override
        public void keep(TunedSolver solver) throws IOException {
            rings = maker.settle();
            if (whole != null && export != null) {
                new ProfileFile(export).update(before -> solver.addTo(before, name, whole,
                        TuningDevice.of(backend.own()), communicator.size()));
            }
        }
    }
}
