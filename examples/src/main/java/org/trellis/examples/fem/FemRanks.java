package org.trellis.examples.fem;

import org.trellis.bench.ranks.RankJob;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.fem.RankSystem;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FunctionErrors;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;

/** Makes, solves and measures one system on several ranks. */
final class FemRanks {
    private static final int TIMED = 3;

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

    /** Solves, on one of the ranks. */
    @SuppressWarnings("MustBeClosed") // the backend of ranks closes that of this one
    Result solve(Communicator ranks, PoissonProblems known) {
        long start = System.nanoTime();
        int[] rankOfCell = RankSystem.divide(ranks, space.mesh(), job.division(), Division.USUAL_TOLERANCE);
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
            HostVector b = system.rightHandSide(known::load);
            HostVector x = HostVector.zeros(b.precision(), b.length());
            SolveReport report;
            try (Preconditioner jacobi = how.preconditioner().equals("none")
                    ? null
                    : FormPreconditioners.jacobi(system.operator(), backend);
                    ConjugateGradient method = new ConjugateGradient(system.operator(), jacobi, backend)) {
                report = method.solve(b, x, how.criteria());
            }
            double[] nodes = system.gather(x);
            FunctionErrors errors = ranks.rank() > 0
                    ? null
                    : FunctionErrors.of(space, nodes, 1, known::value, known::gradient);
            FemRun run = new FemRun(space.mesh().cells(), system.unknowns(), new FemTuning.Chosen(options, "rule"),
                    how.preconditioner(), setup, assembly, report, errors, ranks.sum(system.part().storedBytes()),
                    ranks.sum(system.part().modelBytes()),
                    FemRun.rounding(system.operator(), x, report.rightHandSideNorm(),
                            value -> combined(ranks, Reduction.SUM, value),
                            value -> combined(ranks, Reduction.MAX, value)));
            return new Result(run, nodes, ranks.sum(system.cells()), ranks.greatest(system.cells()),
                    ranks.greatest(system.neighbours()));
        }
    }

    private static double seconds(long since) {
        return 1e-9 * (System.nanoTime() - since);
    }

    private static double combined(Communicator ranks, Reduction how, double value) {
        double[] all = {value};
        ranks.allReduce(how, all);
        return all[0];
    }

    /** Refuses what is for one rank. */
    static void check(FemOptions how) {
        if (!how.preconditioner().equals("none") && !how.preconditioner().equals("jacobi")) {
            throw new IllegalArgumentException("--preconditioner is " + how.preconditioner()
                    + " on several ranks, expected none or jacobi");
        }
        if (how.tuning().isAsked() || how.report()) {
            throw new IllegalArgumentException("--tune, --profile and --report are for one rank");
        }
    }
}
