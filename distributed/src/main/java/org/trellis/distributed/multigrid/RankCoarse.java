package org.trellis.distributed.multigrid;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.RankPhase;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.HierarchyLevel;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridParts;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.SmootherSpec;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * The last levels, which the first rank has alone, run there as one rank runs them: the coarsest one by an inverse, by
 * factors, or by sweeps where it is too large for these; on a GPU all of them as one graph. On the host it is the
 * coarsest level alone. Right-hand side and solution travel if other ranks have rows of it.
 */
final class RankCoarse implements AutoCloseable {
    private static final Pattern LEVEL = Pattern.compile("\\blevel (\\d+)\\b");

    private final RankHierarchy hierarchy;
    private final int first;
    private final RankMultigridOptions options;
    private final RankDevices place;
    private final RankTimeline timeline;
    private final int activity;
    /** Null if the first rank has all rows in their order. */
    private final RankTransfer gather;
    private final RankTransfer spread;
    private final DenseVector b;
    private final DenseVector x;
    private final DenseVector wholeB;
    private final DenseVector wholeX;
    /** On the first rank, else null. */
    private Multigrid solver;
    private List<PreparedStep> fromZero = List.of();
    private List<PreparedStep> improving = List.of();
    private List<Integer> visits;
    private List<Line> lines;
    private List<String> remarks;

    /**
     * What is said of a level.
     *
     * @param bytes    memory on the first rank
     * @param seconds  of a cycle
     * @param smoother what is done there
     */
    record Line(long bytes, double seconds, String smoother) {}

    /**
     * Prepares the solution. Collective.
     *
     * @param hierarchy the hierarchy
     * @param first     the first of the levels; only the coarsest one may have rows on other ranks than the first
     * @param options   smoother and cycle
     * @param place     where vectors are
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    RankCoarse(RankHierarchy hierarchy, int first, RankMultigridOptions options, RankDevices place) {
        this.hierarchy = hierarchy;
        this.first = first;
        this.options = options;
        this.place = place;
        PartitionedMatrix matrix = matrix();
        Communicator communicator = hierarchy.communicator();
        this.timeline = communicator.timeline();
        timeline.naming("level " + first);
        this.activity = timeline.activity(first == hierarchy.levels() - 1 ? "solution" : "levels of one rank");
        Precision precision = matrix.precision();
        this.b = place.zeros(precision, matrix.ownedRows());
        this.x = place.zeros(precision, matrix.ownedRows());
        if (communicator.sum(isInPlace(matrix.rows(), communicator.rank()) ? 0 : 1) == 0) {
            this.gather = null;
            this.spread = null;
            this.wholeB = b;
            this.wholeX = x;
        } else {
            PartitionedMatrix gathered = gathered();
            this.gather = new RankTransfer(identity(gathered.rows()), matrix, communicator, hierarchy.tags().next(),
                    place);
            this.spread = new RankTransfer(identity(matrix.rows()), gathered, communicator, hierarchy.tags().next(),
                    place);
            this.wholeB = place.zeros(precision, gathered.ownedRows());
            this.wholeX = place.zeros(precision, gathered.ownedRows());
        }
        timeline.naming("");
        prepare();
    }

    private PartitionedMatrix matrix() {
        return hierarchy.level(first).matrix();
    }

    /** Says whether the rows of a rank need not travel: those of the first one if they are in order, or none. */
    private static boolean isInPlace(RowBlock rows, int rank) {
        boolean inOrder = rank == 0 || rows.rows() == 0;
        for (int row = 0; row < rows.rows(); row++) {
            inOrder &= rows.indices()[row] == row;
        }
        return inOrder;
    }

    /** Gives all rows to the first rank, in their global order. */
    private PartitionedMatrix gathered() {
        PartitionedMatrix matrix = matrix();
        RowBlock rows = matrix.redistribute(new int[matrix.ownedRows()]).rows();
        return PartitionedMatrix.ofRows(hierarchy.communicator(), matrix.globalRows(), sorted(rows));
    }

    /** Returns the rows of the identity that bring elements where some rows are. */
    private static RowBlock identity(RowBlock rows) {
        int[] offsets = new int[rows.rows() + 1];
        Arrays.setAll(offsets, row -> row);
        return new RowBlock(rows.indices(), offsets, rows.indices(),
                HostVector.of(rows.precision(), rows.rows(), row -> 1));
    }

    /** Takes other values. Collective. */
    void refresh() {
        unprepare();
        prepare();
    }

    /** Prepares the solution on the first rank, and sends the others what it is. */
    private void prepare() {
        Communicator communicator = hierarchy.communicator();
        boolean here = communicator.rank() == 0;
        // A single level may have rows elsewhere, and is gathered; further ones are here.
        boolean known = hierarchy.isGathered();
        RowBlock rows = gather == null || known ? matrix().rows() : gathered().rows();
        String words = "";
        if (here) {
            solver = known ? solver() : solver(rows);
            fromZero = solver.bindApplication(wholeB, wholeX);
            improving = hierarchy.levels() > first + 1
                    ? solver.bindSweep(wholeB, wholeX, SweepDirection.SYMMETRIC)
                    : fromZero;
            words = words(solver.report());
        }
        String[] said = new String(communicator.broadcast(0, words.getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8).split("\n");
        visits = Arrays.stream(said[0].split(" ")).map(level -> first + Integer.parseInt(level)).toList();
        int count = hierarchy.levels() - first;
        lines = Arrays.stream(said).skip(1).limit(count).map(line -> line.split("\t", 3))
                .map(parts -> new Line(Long.parseLong(parts[0]), Double.parseDouble(parts[1]), parts[2])).toList();
        remarks = Arrays.stream(said).skip(1L + count).map(this::numbered).toList();
    }

    private static String words(MultigridReport report) {
        List<String> words = new ArrayList<>();
        words.add(String.join(" ", report.visits().stream().map(String::valueOf).toList()));
        for (MultigridReport.Level level : report.levels()) {
            words.add(level.bytes() + "\t" + level.seconds() + "\t" + level.smoother());
        }
        words.addAll(report.remarks());
        return String.join("\n", words);
    }

    /** Gives levels in a remark the numbers that they have here. */
    private String numbered(String remark) {
        return LEVEL.matcher(remark)
                .replaceAll((MatchResult level) -> "level " + (first + Integer.parseInt(level.group(1))));
    }

    private static RowBlock sorted(RowBlock rows) {
        if (isInPlace(rows, 0)) {
            return rows;
        }
        Integer[] order = new Integer[rows.rows()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (left, right) -> Long.compare(rows.indices()[left], rows.indices()[right]));
        return rows.select(Arrays.stream(order).mapToInt(Integer::intValue).toArray());
    }

    /** Takes the levels where the device of this rank has set them up. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private Multigrid solver() {
        Hierarchy levels = hierarchy.onDevice(first).orElseThrow();
        return Multigrid.of(levels, options.options().smoother(), cycle(levels.size()), place.backend());
    }

    private CycleOptions cycle(int levels) {
        return levels == 1 ? CycleOptions.V11 : options.options().cycle();
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private Multigrid solver(RowBlock rows) {
        List<HierarchyLevel> levels = new ArrayList<>();
        for (int l = first; l < hierarchy.levels(); l++) {
            RankHierarchy.Level level = hierarchy.level(l);
            CsrMatrix matrix = csr(l == first ? rows : level.matrix().rows(), level.matrix().globalRows());
            long coarse = hierarchy.level(Math.min(l + 1, hierarchy.levels() - 1)).matrix().globalRows();
            Optional<CsrMatrix> prolongation = Optional.ofNullable(level.prolongation()).map(p -> csr(p, coarse));
            Optional<CsrMatrix> restriction = Optional.ofNullable(level.restriction())
                    .map(r -> csr(r, level.matrix().globalRows()));
            levels.add(new HierarchyLevel(matrix, prolongation, restriction));
        }
        return Multigrid.of(Hierarchy.given(levels), cycle(levels.size()),
                MultigridParts.of(place.backend(), (level, matrix, product) -> spec(first + level).on(place.backend())
                        .make(level, matrix, product)));
    }

    private static CsrMatrix csr(RowBlock given, long columns) {
        RowBlock rows = sorted(given);
        CsrBuilder builder = new CsrBuilder((int) columns, rows.precision(), rows.nonZeros());
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                builder.add((int) rows.columns()[k], rows.values().get(k));
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** Returns the smoother of a level with what the set-up knows already. */
    private SmootherSpec spec(int level) {
        SmootherSpec spec = options.options().smoother();
        double radius = hierarchy.level(level).radius();
        return Double.isNaN(radius) ? spec : spec.with(radius);
    }

    /** Returns the owned elements of the right-hand side, to be written. */
    DenseVector b() {
        return b;
    }

    /** Returns those of the solution. */
    DenseVector x() {
        return x;
    }

    /**
     * Solves, or runs a cycle on the levels if there are several. Collective.
     *
     * @param zero whether the solution of before is not read
     */
    void solve(boolean zero) {
        if (gather != null) {
            gather.multiply(b, wholeB, false);
        }
        timeline.enter(activity);
        long began = timeline.begin();
        for (PreparedStep step : zero ? fromZero : improving) {
            step.run();
        }
        timeline.end(RankPhase.INTERIOR, began);
        if (spread != null) {
            spread.multiply(wholeX, x, false);
        }
    }

    /** Returns the levels in the order in which a cycle comes to them. */
    List<Integer> visits() {
        return visits;
    }

    /** Returns what is said of a level. */
    Line line(int level) {
        return lines.get(level - first);
    }

    /** Returns what was noticed. */
    List<String> remarks() {
        return remarks;
    }

    private void unprepare() {
        if (solver != null) {
            fromZero.forEach(PreparedStep::close);
            improving.forEach(PreparedStep::close);
            solver.close();
            solver = null;
        }
    }

    @Override
    public void close() {
        unprepare();
        if (gather != null) {
            gather.close();
            spread.close();
            wholeB.close();
            wholeX.close();
        }
        b.close();
        x.close();
    }
}
