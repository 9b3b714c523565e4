package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.HostVector;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.RankedPattern;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.assembled.AssembledSystem;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/**
 * An assembled system over ranks: the rows that each rank owns, in the order of its vectors, as a partitioned matrix.
 * Elements of other ranks are run so far that these rows are complete, so assembling sends no contributions.
 */
final class RankedSystem implements AssembledSystem {
    private static final RingChoice ONE_RING = RingChoice.of(1);

    private final RankMesh share;
    private final AssemblyPattern pattern;
    private final Dat values;
    private final Communicator communicator;
    private final RankBackend backend;
    private PartitionedMatrix matrix;
    private HaloPlan plan;
    private PartitionedOperator operator;

    /**
     * Takes the rows. Called by all ranks.
     *
     * @param share   what the rank has
     * @param pattern a square pattern of the whole mesh
     * @param values  on its entries
     * @param backend the solver's
     */
    @MustBeClosed
    RankedSystem(RankMesh share, AssemblyPattern pattern, Dat values, RankBackend backend) {
        this.share = share;
        this.pattern = pattern;
        this.values = values;
        this.backend = backend;
        this.communicator = share.communicator().split(0, share.communicator().rank());
        refill();
    }

    /** Returns the rows that this rank owns as a partitioned matrix. Called by all ranks. */
    static PartitionedMatrix matrix(Communicator communicator, AssemblyPattern pattern, Dat values) {
        RankedPattern ranked = pattern.onRank().orElseThrow();
        double[] all = values.onRank().orElseThrow().local().toArray();
        int owned = ranked.local().rows().rings().orElseThrow().owned();
        int[] offsets = Arrays.copyOf(ranked.local().rowOffsets(), owned + 1);
        int[] columns = Arrays.copyOf(ranked.local().columnIndices(), offsets[owned]);
        HostVector entries = HostVector.of(values.precision(), offsets[owned], entry -> all[entry]);
        CsrMatrix own = CsrMatrix.of(owned, ranked.local().columns().size(), offsets, columns, entries);
        return PartitionedMatrix.ofLocal(communicator, pattern.rows().size(), own,
                Arrays.stream(ranked.columnUsers()).asLongStream().toArray());
    }

    @Override
    public LinearOperator operator() {
        return operator;
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void refill() {
        release();
        matrix = matrix(communicator, pattern, values);
        plan = HaloPlan.of(matrix, 1, backend.own());
        operator = new PartitionedOperator(plan, backend);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public LinearSolver solver(SolverConfig stack) {
        return PartitionedSolver.prepare(stack, matrix, operator, backend, ONE_RING, null);
    }

    @Override
    public Optional<Preconditioner> preconditioner(String name, Map<String, String> options) {
        // A method that takes any preconditioner.
        SolverConfig stack = new SolverConfig("fgmres", Map.of(), name, options,
                SolverConfig.of("cg", "none").criteria(), false, false);
        return PartitionedSolver.preconditioner(stack, matrix, backend, ONE_RING);
    }

    @Override
    public boolean refresh(Preconditioner made) {
        if (made instanceof RankMultigrid multigrid) {
            multigrid.refresh(matrix);
            return true;
        }
        return false;
    }

    @Override
    public Optional<MultigridReport> levels(Preconditioner made) {
        return made instanceof RankMultigrid multigrid ? Optional.of(multigrid.report()) : Optional.empty();
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public Smoother inverse() {
        return PartitionedSolver.inverse(matrix, backend);
    }

    private void release() {
        if (plan != null) {
            operator.close();
            plan.close();
            plan = null;
        }
    }

    @Override
    public void close() {
        if (plan != null) {
            release();
            communicator.close();
        }
    }

    @Override
    public String toString() {
        return "system of " + pattern + " over " + share.communicator().size() + " ranks";
    }
}
