package org.trellis.examples.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.JobFacts;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.fem.RankDegreeMultigrid;
import org.trellis.distributed.fem.RankSystem;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FunctionErrors;
import org.trellis.fem.PointFunction;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;

/** Makes, solves and measures one system on several ranks. */
final class FemRanks {
    private static final int TIMED = 3;
    private static final List<String> PRECONDITIONERS =
            List.of("none", "jacobi", "block-jacobi", "chebyshev", "amg", FemOptions.P_MULTIGRID);

    private final FemOptions how;
    private final RankJob job;
    private final FormOptions options;
    private final DegreeMultigrid.Problem problem;
    private final FunctionSpace space;

    /**
     * What came out.
     *
     * @param run        the numbers of the whole, errors on rank 0 only
     * @param nodes      the solution at all nodes
     * @param cells      cells that the ranks run, together
     * @param mostCells  cells of the rank that runs the most
     * @param neighbours of the rank that has the most
     */
    record Result(FemRun run, double[] nodes, long cells, long mostCells, long neighbours) {}

    FemRanks(FemOptions how, RankJob job, FormOptions options, DegreeMultigrid.Problem problem, FunctionSpace space) {
        this.how = how;
        this.job = job;
        this.options = options;
        this.problem = problem;
        this.space = space;
    }

    /**
     * What is known of a problem.
     *
     * @param load     the right-hand side
     * @param exact    the solution, or null
     * @param gradient its derivatives
     */
    record Known(PointFunction load, PointFunction exact, PointFunction gradient) {}

    /** Solves, on one of the ranks. */
    @SuppressWarnings("MustBeClosed") // the backend of ranks closes that of this one
    Result solve(Communicator ranks, Known known) {
        long start = System.nanoTime();
        int[] rankOfCell = job.together()
                .map(partitioner -> RankSystem.divideTogether(ranks, space.mesh(), partitioner,
                        Division.USUAL_TOLERANCE))
                .orElseGet(() -> RankSystem.divide(ranks, space.mesh(), job.division(), Division.USUAL_TOLERANCE));
        try (RankBackend backend = new RankBackend(ranks, job.open(ranks).orElseGet(how::openForRank));
                RankSystem system = new RankSystem(problem.form(), problem.constraints().apply(space),
                        problem.conditions(), options, backend, ranks, rankOfCell)) {
            double setup = seconds(start);
            double assembly = Double.POSITIVE_INFINITY;
            for (int k = 0; k < TIMED; k++) {
                ranks.barrier();
                long begun = System.nanoTime();
                system.assemble();
                assembly = Math.min(assembly, combined(ranks, Reduction.MAX, seconds(begun)));
            }
            HostVector b = system.rightHandSide(known.load());
            HostVector x = HostVector.zeros(b.precision(), b.length());
            long prepared = System.nanoTime();
            SolveReport report;
            String words;
            try (Preconditioner preconditioner = preconditioner(system, backend);
                    ConjugateGradient method = new ConjugateGradient(system.operator(), preconditioner, backend)) {
                setup += combined(ranks, Reduction.MAX, seconds(prepared));
                report = method.solve(b, x, how.criteria(system.unknowns(), space.mesh().dimension()));
                words = how.preconditioner() + (preconditioner instanceof RankDegreeMultigrid degrees
                        ? " (" + String.join("; ", degrees.levels()) + ")"
                        : "");
            }
            double[] nodes = system.gather(x);
            FunctionErrors errors = ranks.rank() > 0 || known.exact() == null
                    ? null
                    : FunctionErrors.of(space, nodes, problem.form().fields(), known.exact(), known.gradient());
            FemRun run = new FemRun(space.mesh().cells(), system.unknowns(), new FemTuning.Chosen(options, "rule"),
                    words, setup, assembly, report, errors, ranks.sum(system.part().storedBytes()),
                    ranks.sum(system.part().modelBytes()),
                    FemRun.rounding(system.operator(), x, report.rightHandSideNorm(),
                            value -> combined(ranks, Reduction.SUM, value),
                            value -> combined(ranks, Reduction.MAX, value)));
            return new Result(run, nodes, ranks.sum(system.cells()), ranks.greatest(system.cells()),
                    ranks.greatest(system.neighbours()));
        }
    }

    @MustBeClosed
    private Preconditioner preconditioner(RankSystem system, RankBackend backend) {
        String name = how.preconditioner();
        if (name.equals(FemOptions.P_MULTIGRID) && space.element().degree() > 1) {
            return new RankDegreeMultigrid(problem, system, options, backend);
        }
        return system.preconditioner(name.equals(FemOptions.P_MULTIGRID) ? "amg" : name, backend).orElse(null);
    }

    private static double seconds(long since) {
        return 1e-9 * (System.nanoTime() - since);
    }

    private static double combined(Communicator ranks, Reduction how, double value) {
        double[] all = {value};
        ranks.allReduce(how, all);
        return all[0];
    }

    /** Says what results tell of the ranks, whose products exchange one ring. */
    static Optional<JobFacts> facts(RankJob job) {
        return Optional.of(new JobFacts(job.ranks(), job.transport().name().toLowerCase(Locale.ROOT), 1, null));
    }

    /** Says how much of the mesh the ranks share. */
    static String division(Result result, int cells) {
        return String.format(Locale.ROOT,
                "%.1f %% of the cells run by several ranks, at most %,d by one; at most %d neighbours",
                100.0 * (result.cells() - cells) / cells, result.mostCells(), result.neighbours());
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
        if (!PRECONDITIONERS.contains(how.preconditioner())) {
            throw new IllegalArgumentException("--preconditioner is " + how.preconditioner()
                    + " on several ranks, expected one of " + String.join(", ", PRECONDITIONERS)
                    + ": those that do not depend on the number of ranks");
        }
        if (how.tuning().isAsked() || how.report()) {
            throw new IllegalArgumentException("--tune, --profile and --report are for one rank");
        }
    }
}
