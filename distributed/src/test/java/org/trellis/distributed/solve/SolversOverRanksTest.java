package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.krylov.NodeBlocks;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Preconditioning;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemMatrix;
import org.trellis.systems.SystemSolver;

/** The solvers of programs on one rank, given a matrix over ranks. */
class SolversOverRanksTest {
    /** What rank 0 has at last. */
    private record Found(HostVector x, Solution solution) {}

    private static Found solve(CsrMatrix a, HostVector b, int ranks, Function<SystemMatrix, SystemSolver> made) {
        return ThreadRanks.run(ranks, communicator -> {
            boolean first = communicator.rank() == 0;
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, first ? a : null);
            try (SystemSolver solver = made.apply(matrix).tolerance(1e-9)) {
                Solution solution = solver.solve(matrix.spread(0, first ? b : null));
                Solution again = solver.solve(matrix.spread(0, first ? b : null));
                assertEquals(solution.report().residualHistory(), again.report().residualHistory());
                return new Found(matrix.gather(0, solution.vector()), solution);
            }
        }).getFirst();
    }

    @Test
    void solvesWithTheProgramOfOneRank() {
        CsrMatrix a = MatrixSpec.parse("poisson2d:nx=30").generate(Precision.F64, ProgressListener.NONE);
        HostVector b = HostVector.of(Precision.F64, a.rows(), i -> 1 + i % 7);
        // Over ranks aggregates grow around independent sets.
        int alone = Solvers.cg(a).multigrid(m -> m.with("aggregates", "mis2")).tolerance(1e-9).solve(b).report()
                .iterations();
        List<Function<SystemMatrix, SystemSolver>> all = List.of(Solvers::auto, Solvers::cg, Solvers::gmres,
                m -> Solvers.cg(m).multigrid(), m -> Solvers.cg(m).preconditioner(Preconditioning.chebyshev(3)),
                m -> Solvers.method(m, "bicgstab", "jacobi"));
        for (int ranks : new int[]{1, 2, 4}) {
            for (int i = 0; i < all.size(); i++) {
                Found found = solve(a, b, ranks, all.get(i));
                HostVector y = a.multiply(found.x());
                for (int row = 0; row < a.rows(); row++) {
                    assertEquals(b.get(row), y.get(row), 1e-5, ranks + " ranks, solver " + i + ", row " + row);
                }
                if (i == 3) {
                    assertEquals(alone, found.solution().report().iterations(), 1, ranks + " ranks");
                }
            }
        }
    }

    private static CsrMatrix generate(String text) {
        return MatrixSpec.parse(text).generate(Precision.F64, ProgressListener.NONE);
    }

    /** Nodes of elasticity stay together and are seen as on one rank; divided ones are unknowns like any others. */
    @Test
    void seesNodesOfSeveralUnknowns() {
        for (String text : List.of("elasticity2d:nx=71", "elasticity3d:nx=15", "poisson2d:nx=100")) {
            CsrMatrix a = generate(text);
            int[] halves = IntStream.range(0, a.rows()).map(row -> row < a.rows() / 4 * 2 + 1 ? 0 : 1).toArray();
            List<List<Integer>> sizes = ThreadRanks.run(2, communicator -> {
                CsrMatrix here = communicator.rank() == 0 ? a : null;
                return List.of(
                        RankProperties.of(PartitionedMatrix.scatter(communicator, here), false, true).blockSize(),
                        RankProperties.of(PartitionedMatrix.scatter(communicator, 0, here, new Partition(halves, 2)),
                                false, true).blockSize());
            });
            int expected = text.startsWith("poisson") ? 1 : text.startsWith("elasticity2d") ? 2 : 3;
            assertEquals(expected, NodeBlocks.sizeOf(a), text);
            assertEquals(List.of(List.of(expected, 1), List.of(expected, 1)), sizes, text);
        }
        CsrMatrix a = generate("elasticity2d:nx=71");
        HostVector b = HostVector.of(Precision.F64, a.rows(), i -> 1 + i % 7);
        Solution alone = Solvers.cg(a).multigrid(m -> m.blockSize(2).with("aggregates", "mis2")).tolerance(1e-9)
                .solve(b);
        Solution together = solve(a, b, 2, Solvers::auto).solution();
        assertTrue(together.report().facts().notes().toString().contains("by nodes of 2 unknowns"),
                together.report().facts().notes()::toString);
        assertEquals(alone.report().iterations(), together.report().iterations(), 1);
    }

    @Test
    void refusesWhatThereIsNotOverRanks() {
        CsrMatrix a = MatrixSpec.parse("poisson2d:nx=5").generate(Precision.F64, ProgressListener.NONE);
        HostVector b = HostVector.zeros(Precision.F64, 25);
        assertThrows(JobFailedException.class, () -> solve(a, b, 2, m -> Solvers.cg(m).backend("abacus")));
        String message = assertThrows(JobFailedException.class, () -> ThreadRanks.run(2, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, communicator.rank() == 0 ? a : null);
            try (SystemSolver solver = Solvers.cg(matrix)) {
                return solver.update(new double[3]);
            }
        })).getMessage();
        assertTrue(message.contains("a matrix that is spread over ranks"), message);
    }
}
