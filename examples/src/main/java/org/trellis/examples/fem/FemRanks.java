package org.trellis.examples.fem;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.JobFacts;
import org.trellis.distributed.fem.DistributedForms;
import org.trellis.distributed.mesh.Division;

/** The ranks on which a system is made, solved and measured by the program of one rank. */
final class FemRanks {
    private FemRanks() {}

    /**
     * Runs a program on all ranks.
     *
     * @param job     the ranks, and how they divide cells
     * @param how     says what ranks compute with where the job does not
     * @param program is given the backend of its rank
     * @return what it returns on rank 0, or in another process
     */
    static FemSolver.Result run(RankJob job, FemOptions how, Function<Backend, FemSolver.Result> program) {
        return job.run(communicator -> {
            try (Backend own = job.open(communicator).orElseGet(how::openForRank);
                    Backend backend = DistributedForms.on(own, communicator, division(job))) {
                return program.apply(backend);
            }
        });
    }

    private static Division division(RankJob job) {
        if (job.together().isPresent()) {
            return Division.by(job.together().get(), Division.USUAL_TOLERANCE);
        }
        return job.division() == null
                ? Division.blocks()
                : Division.by(job.division(), Division.USUAL_TOLERANCE);
    }

    /** Says what results hold about the ranks, whose products exchange one ring. */
    static Optional<JobFacts> facts(RankJob job) {
        return Optional.of(new JobFacts(job.ranks(), job.transport().name().toLowerCase(Locale.ROOT), 1, null));
    }

    /**
     * Returns the ranks of a job, or those that an option says.
     *
     * @param job   the job
     * @param ranks what the option says, or null
     * @throws IllegalArgumentException if they differ
     */
    static RankJob ranks(RankJob job, Integer ranks) {
        if (ranks == null) {
            return job;
        }
        if (job.isDistributed() && job.ranks() != ranks) {
            throw new IllegalArgumentException("--ranks is " + ranks + " within a job of " + job.ranks()
                    + ", expected the same, or leave it out");
        }
        return job.isDistributed()
                ? job
                : new RankJob(RankJob.Transport.THREADS, RankJob.checkThreads(ranks), 0,
                        RankJob.DEFAULT_PARTITIONER);
    }

    /** Refuses what is for one rank. */
    static void check(FemOptions how) {
        if (how.checkpointed().isPresent()) {
            throw new IllegalArgumentException("--checkpoint, --restart and --dry-run are for one rank");
        }
        if (how.tuning().isAsked()) {
            throw new IllegalArgumentException("--tune and --profile are for one rank");
        }
    }
}
