package org.trellis.distributed.multigrid;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.HostVector;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.HierarchyLevel;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridParts;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SmootherSpec;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * The coarsest level, solved on the first rank as one rank solves it: by an inverse, by factors, or by sweeps where it
 * is too large for these. Right-hand side and solution travel if other ranks have rows of it.
 */
final class RankCoarse implements AutoCloseable {
    private final RankHierarchy hierarchy;
    private final SmootherSpec spec;
    private final Backend backend;
    private final Imports gathers;
    private final Imports spreads;
    /** On the first rank, else null. */
    private Multigrid solver;
    private final HostVector b;
    private final HostVector x;
    private final HostVector wholeB;
    private final HostVector wholeX;
    private String description;
    private List<String> remarks;
    private long bytes;

    /**
     * Prepares the solution. Collective.
     *
     * @param hierarchy the hierarchy
     * @param spec      the smoother of other levels
     * @param backend   where the first rank solves
     */
    RankCoarse(RankHierarchy hierarchy, SmootherSpec spec, Backend backend) {
        this.hierarchy = hierarchy;
        this.spec = spec;
        this.backend = backend;
        PartitionedMatrix matrix = matrix();
        Communicator communicator = hierarchy.communicator();
        PartitionedMatrix gathered = gathered();
        this.gathers = new Imports(communicator, hierarchy.tags().next(), matrix.directory(),
                gathered.rows().indices());
        this.spreads = new Imports(communicator, hierarchy.tags().next(), gathered.directory(),
                matrix.rows().indices());
        this.b = HostVector.zeros(matrix.precision(), matrix.ownedRows());
        this.x = HostVector.zeros(matrix.precision(), matrix.ownedRows());
        this.wholeB = HostVector.zeros(matrix.precision(), gathered.ownedRows());
        this.wholeX = HostVector.zeros(matrix.precision(), gathered.ownedRows());
        solve(gathered);
    }

    private PartitionedMatrix matrix() {
        return hierarchy.level(hierarchy.levels() - 1).matrix();
    }

    /** Gives all rows to the first rank, in their global order. */
    private PartitionedMatrix gathered() {
        PartitionedMatrix matrix = matrix();
        RowBlock rows = matrix.redistribute(new int[matrix.ownedRows()]).rows();
        return PartitionedMatrix.ofRows(hierarchy.communicator(), matrix.globalRows(), sorted(rows));
    }

    /** Takes other values. Collective. */
    void refresh() {
        close();
        solve(gathered());
    }

    /** Prepares the solution on the first rank, and tells the others what it is. */
    private void solve(PartitionedMatrix gathered) {
        Communicator communicator = hierarchy.communicator();
        boolean first = communicator.rank() == 0;
        solver = first ? solver(gathered.rows(), spec, backend) : null;
        MultigridReport report = first ? solver.report() : null;
        bytes = first ? report.bytes() : 0;
        String words = first
                ? report.levels().getLast().smoother() + "\n" + String.join("\n", report.remarks())
                : "";
        String[] lines = new String(communicator.broadcast(0, words.getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8).split("\n");
        description = lines[0];
        // The solver has one level, which is the first there.
        remarks = Arrays.stream(lines).skip(1)
                .map(remark -> remark.replace("level 0,", "level " + (hierarchy.levels() - 1) + ",")).toList();
    }

    private static RowBlock sorted(RowBlock rows) {
        Integer[] order = new Integer[rows.rows()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (left, right) -> Long.compare(rows.indices()[left], rows.indices()[right]));
        return rows.select(Arrays.stream(order).mapToInt(Integer::intValue).toArray());
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private static Multigrid solver(RowBlock rows, SmootherSpec spec, Backend backend) {
        CsrBuilder builder = new CsrBuilder(rows.rows(), rows.precision(), rows.nonZeros());
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                builder.add((int) rows.columns()[k], rows.values().get(k));
            }
            builder.endRow();
        }
        CsrMatrix matrix = builder.build();
        return Multigrid.of(
                Hierarchy.given(List.of(new HierarchyLevel(matrix, Optional.empty(), Optional.empty()))),
                CycleOptions.V11, MultigridParts.of(backend, spec.on(backend)));
    }

    /** Returns the owned elements of the right-hand side, to be written. */
    HostVector b() {
        return b;
    }

    /** Returns those of the solution. */
    HostVector x() {
        return x;
    }

    /** Solves. Collective. */
    void solve() {
        gathers.exchange(b, wholeB, 0);
        if (solver != null) {
            solver.apply(wholeB, wholeX);
        }
        spreads.exchange(wholeX, x, 0);
    }

    /** Returns the memory that this rank has of it. */
    long bytes() {
        return bytes;
    }

    /** Returns what was noticed. */
    List<String> remarks() {
        return remarks;
    }

    @Override
    public void close() {
        if (solver != null) {
            solver.close();
        }
    }

    @Override
    public String toString() {
        return description;
    }
}
