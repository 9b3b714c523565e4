package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.SolverProvider;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.systems.SystemMatrix;
import org.trellis.systems.SystemSettings;

/** Solvers of {@link org.trellis.systems.Solvers} over ranks. */
public final class PartitionedSystems implements SolverProvider {
    /** For the service loader. */
    public PartitionedSystems() {}

    @Override
    @MustBeClosed
    public SystemMatrix.Prepared prepare(PartitionedMatrix matrix, SystemSettings settings) {
        if (settings.direct()) {
            throw new IllegalArgumentException("a factorisation alone over ranks, expected an automatic choice, which "
                    + "factorises small systems, or a Krylov method");
        }
        return new Prepared(matrix, settings);
    }

    /** Backend, halo, product and method of one rank. */
    private static final class Prepared implements SystemMatrix.Prepared {
        private final Backend own;
        private final RankBackend backend;
        private final HaloPlan plan;
        private final PartitionedOperator product;
        private final PartitionedSolver solver;
        private final boolean onHost;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Prepared(PartitionedMatrix matrix, SystemSettings settings) {
            own = open(matrix.communicator(), settings);
            backend = new RankBackend(matrix.communicator(), own);
            HaloPlan halo = null;
            PartitionedOperator operator = null;
            try {
                halo = HaloPlan.of(matrix, 1, own);
                operator = new PartitionedOperator(halo, backend);
                RankSpace space =
                        settings.nearNullSpace().map(whole -> RankSpace.spread(matrix, 0, whole)).orElse(null);
                solver = PartitionedSolver.prepare(settings.stack(), matrix, operator, backend, RingChoice.of(1),
                        space);
            } catch (RuntimeException | Error e) {
                close(operator, halo);
                throw e;
            }
            plan = halo;
            product = operator;
            onHost = own.device().space().equals(MemorySpace.HOST);
        }

        /** Ranks of one machine share its processors. */
        @MustBeClosed
        private static Backend open(Communicator communicator, SystemSettings settings) {
            int threads = Math.max(1, Configuration.load().get(ConfigurationKeys.THREADS) / communicator.size());
            Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, threads).build();
            String configured = configuration.get(ConfigurationKeys.BACKEND);
            String usual = configured.equals(Backends.BEST) ? "cpu" : configured;
            return Backends.open(settings.backend().orElse(usual), configuration);
        }

        @Override
        public SolveReport solve(HostVector b, HostVector x, StoppingCriteria criteria, IterationObserver observer) {
            if (onHost) {
                return solver.solve(b, x, criteria, observer);
            }
            try (DenseVector right = own.vector(b.precision(), b.length());
                    DenseVector solution = own.vector(x.precision(), x.length())) {
                right.copyFrom(b);
                solution.copyFrom(x);
                SolveReport report = solver.solve(right, solution, criteria, observer);
                solution.copyTo(x);
                return report;
            }
        }

        private void close(PartitionedOperator operator, HaloPlan halo) {
            if (operator != null) {
                operator.close();
            }
            if (halo != null) {
                halo.close();
            }
            backend.close();
            own.close();
        }

        @Override
        public void close() {
            solver.close();
            close(product, plan);
        }
    }
}
