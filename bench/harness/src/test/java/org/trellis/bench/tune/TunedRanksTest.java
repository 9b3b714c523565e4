package org.trellis.bench.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/** Solvers that tune themselves on several ranks. */
class TunedRanksTest {
    private static final int SOLVES = 8;

    /** Times differ from run to run, but never between ranks: one that decided otherwise would wait for ever. */
    @Test
    void ranksTryTheSame() {
        CsrMatrix whole = MatrixSpec.parse("poisson2d:nx=24").generate(Precision.F64, ProgressListener.NONE);
        List<List<SolverChoice>> tried = ThreadRanks.run(2, communicator -> solve(communicator,
                communicator.rank() == 0 ? whole : null));
        assertEquals(tried.get(0), tried.get(1));
        assertTrue(tried.getFirst().stream().distinct().count() > 2, tried::toString);
    }

    @SuppressWarnings("MustBeClosed") // closed with the ranks' backend
    private static List<SolverChoice> solve(Communicator communicator, CsrMatrix whole) {
        PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, whole);
        Backend own = Backends.open("reference", Configuration.load());
        try (RankBackend backend = new RankBackend(communicator, own);
                HaloPlan plan = HaloPlan.of(matrix, 1, backend.own());
                PartitionedOperator operator = new PartitionedOperator(plan, backend);
                TunedSolver solver = TunedSolver.of(PartitionedSolver.properties(matrix, backend, null), operator,
                        backend, PartitionedSolver.maker(matrix, operator, backend, RingChoice.of(1), null),
                        TunedSolver.Settings.defaults().solves(SOLVES).excess(1e6))) {
            for (int i = 0; i < SOLVES; i++) {
                int shift = i;
                HostVector b = matrix.vector(row -> 1 + (row + shift) % 5);
                HostVector x = matrix.vector(row -> 0);
                SolveReport report = solver.solve(b, x, StoppingCriteria.relative(1e-8, 2000));
                assertTrue(report.converged(), () -> report + " " + report.facts().notes());
            }
            return solver.history().stream().map(TunedSolver.Step::choice).toList();
        }
    }
}
