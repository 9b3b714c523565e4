package org.trellis.bench.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.krylov.PreconditionedSolver;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.KnownSolvers;
import org.trellis.tuner.solver.TunedSolver;

/**
 * Prepares solvers over ranks for one that chooses among them, each with the numbers of rings that are known of it, and
 * says which numbers those use that are still open. Called by all ranks alike.
 */
public final class RingedSolvers implements AutomaticSolver.Maker {
    private final PartitionedMatrix matrix;
    private final PartitionedOperator operator;
    private final RankBackend backend;
    private final SolverRings rings;
    private final AutomaticSolver.Maker others;
    private final List<Open> open = new ArrayList<>();

    /**
     * The numbers of rings of a solver.
     *
     * @param stack  method and preconditioner
     * @param levels finest first
     */
    public record Found(SolverConfig stack, List<LevelRings> levels) {
        /** Copies the list. */
        public Found {
            Objects.requireNonNull(stack);
            levels = List.copyOf(levels);
        }
    }

    /**
     * Prepares nothing yet.
     *
     * @param matrix   the partitioned matrix
     * @param operator its product
     * @param backend  what its vectors are computed with
     * @param rings    says how many rings a solver exchanges
     */
    public RingedSolvers(PartitionedMatrix matrix, PartitionedOperator operator, RankBackend backend,
            SolverRings rings) {
        this.matrix = matrix;
        this.operator = operator;
        this.backend = backend;
        this.rings = rings;
        this.others = PartitionedSolver.maker(matrix, operator, backend, RingChoice.AUTOMATIC, null);
    }

    /**
     * Looks up what profiles know of the solvers of a matrix on these ranks, which rank 0 sends to all. Collective.
     *
     * @param profiles on rank 0
     * @param whole    the matrix on rank 0, else null
     * @param own      what the rank computes with
     * @param solves   solutions that are expected
     * @param ranks    all of them
     * @return the same on all ranks
     */
    public static KnownSolvers known(List<Profile> profiles, CsrMatrix whole, Backend own, int solves,
            Communicator ranks) {
        KnownSolvers found = whole == null || profiles.isEmpty()
                ? KnownSolvers.NONE
                : KnownSolvers.of(profiles, TuningDevice.of(own), Fingerprint.of(whole), whole.precision(),
                        ranks.size(), solves);
        byte[] text = ranks.broadcast(0, found.toText().getBytes(StandardCharsets.UTF_8));
        return KnownSolvers.parse(new String(text, StandardCharsets.UTF_8));
    }

    /**
     * Makes a solver that chooses among those that are prepared here. Collective.
     *
     * @param solves solutions that are expected
     * @param known  what it begins with, the same on all ranks
     * @return the solver
     */
    @MustBeClosed
    public TunedSolver tuned(int solves, KnownSolvers known) {
        return TunedSolver.of(PartitionedSolver.properties(matrix, backend, null), operator, backend, this,
                TunedSolver.Settings.defaults().solves(solves), known);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // returned
    public LinearSolver stack(SolverConfig stack) {
        Open made = new Open(stack, PartitionedSolver.prepare(stack, matrix, operator, backend,
                rings.choice(stack, matrix.communicator()), null));
        open.add(made);
        return made;
    }

    @Override
    public LinearSolver factorised(KrylovMethod method, Map<String, String> options, FactorLimits limits) {
        return others.factorised(method, options, limits);
    }

    /**
     * Ends the choice of numbers of rings of solvers that are open: the one that is used, and one that may still win.
     * Collective.
     *
     * @return those that exchange rings, in the order in which they were prepared
     */
    public List<Found> settle() {
        return open.stream().map(one -> new Found(one.stack, one.solver.settleRings()))
                .filter(found -> !found.levels().isEmpty()).toList();
    }

    /** Leaves the list when it is closed. */
    private final class Open implements PreconditionedSolver {
        private final SolverConfig stack;
        private final PartitionedSolver solver;

        @MustBeClosed
        Open(SolverConfig stack, PartitionedSolver solver) {
            this.stack = stack;
            this.solver = solver;
        }

        @Override
        public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
            return solver.solve(b, x, criteria, observer);
        }

        @Override
        public Optional<Preconditioner> preconditioner() {
            return solver.preconditioner();
        }

        @Override
        public void close() {
            open.remove(this);
            solver.close();
        }

        @Override
        public String toString() {
            return solver.toString();
        }
    }
}
