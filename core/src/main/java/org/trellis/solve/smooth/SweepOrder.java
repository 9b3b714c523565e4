package org.trellis.solve.smooth;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.trellis.memory.HostVector;
import org.trellis.mesh.plan.Colouring;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.sparse.algebra.MatrixProduct;

/**
 * In which order sweeps over the rows of a matrix go: by colours, by levels or by blocks. Cuts the matrix into what is
 * visited before and after each row.
 */
final class SweepOrder {
    /** Which entries of a row. */
    enum Part {
        /** Columns that are visited before the row. */
        LOWER,
        /** Columns that are visited after the row. */
        UPPER,
        /** All but the diagonal. */
        BOTH
    }

    private final CsrMatrix matrix;
    private final StagedRows.Schedule schedule;
    private final int[] stageOf;
    private final int[] offsets;
    /** The rows stage by stage; null if that is their own order. */
    private final int[] rows;

    private SweepOrder(CsrMatrix matrix, StagedRows.Schedule schedule, Colouring stages) {
        this.matrix = matrix;
        this.schedule = schedule;
        this.stageOf = stages.colours();
        this.offsets = stages.offsets();
        int[] sorted = stages.sorted();
        boolean identity = true;
        for (int i = 0; i < sorted.length && identity; i++) {
            identity = sorted[i] == i;
        }
        this.rows = identity ? null : sorted;
    }

    /** Colour by colour. */
    static SweepOrder coloured(CsrMatrix matrix) {
        return new SweepOrder(matrix, StagedRows.Schedule.STAGES, MatrixGraphs.firstFit(matrix));
    }

    /** Colour by colour, all rows of a block at once, which have no entries in each other's columns. */
    static SweepOrder coloured(CsrMatrix matrix, int[] blockOf) {
        int[] one = new int[blockOf.length];
        Arrays.fill(one, 1);
        int blocks = blockOf.length == 0 ? 0 : blockOf[blockOf.length - 1] + 1;
        CsrMatrix members = CsrFill.fill(blocks, matrix.precision(), one, () -> (row, columns, values, at) -> {
            columns[at] = blockOf[row];
            values.set(at, 1);
        });
        Colouring colours = MatrixGraphs.firstFit(MatrixProduct.triple(members.transpose(), matrix, members));
        int[] ofRow = new int[matrix.rows()];
        Arrays.setAll(ofRow, row -> colours.colours()[blockOf[row]]);
        return new SweepOrder(matrix, StagedRows.Schedule.STAGES, new Colouring(ofRow, colours.count()));
    }

    /** Colour by colour, all colours of one part of the rows before those of the other. */
    static SweepOrder colouredByParts(CsrMatrix matrix, IntPredicate last) {
        Colouring all = MatrixGraphs.firstFit(matrix);
        int[] stage = new int[2 * all.count()];
        int[] ofRow = all.colours();
        for (int row = 0; row < ofRow.length; row++) {
            ofRow[row] += last.test(row) ? all.count() : 0;
            stage[ofRow[row]] = 1;
        }
        int stages = 0;
        for (int colour = 0; colour < stage.length; colour++) {
            stages += stage[colour];
            stage[colour] = stages - 1;
        }
        Arrays.setAll(ofRow, row -> stage[ofRow[row]]);
        return new SweepOrder(matrix, StagedRows.Schedule.STAGES, new Colouring(ofRow, stages));
    }

    /** Returns how many stages come before those of the last part, see {@link #colouredByParts}. */
    int stagesBefore(IntPredicate last) {
        int stage = 0;
        while (stage < stages() && !last.test(row(offsets[stage]))) {
            stage++;
        }
        return stage;
    }

    /** In the order of the rows: by levels where these are wide enough for the backend, else in one go. */
    static SweepOrder natural(CsrMatrix matrix, SmootherKernels kernels) {
        return natural(matrix, kernels.rowsWorthAStage());
    }

    /** In the order of the rows: by levels where these have so many rows on average, else in one go. */
    static SweepOrder natural(CsrMatrix matrix, int rowsWorthALevel) {
        if (rowsWorthALevel < Integer.MAX_VALUE) {
            Colouring levels = MatrixGraphs.levels(matrix);
            if (matrix.rows() >= (long) levels.count() * rowsWorthALevel) {
                return new SweepOrder(matrix, StagedRows.Schedule.STAGES, levels);
            }
        }
        return blocks(matrix, 0, matrix.rows());
    }

    /** In the order of the rows within blocks that know nothing of each other. */
    static SweepOrder blocks(CsrMatrix matrix, int... offsets) {
        int[] blocks = new int[matrix.rows()];
        for (int block = 0; block + 1 < offsets.length; block++) {
            Arrays.fill(blocks, offsets[block], offsets[block + 1], block);
        }
        return new SweepOrder(matrix, StagedRows.Schedule.BLOCKS, new Colouring(blocks, offsets.length - 1));
    }

    boolean inBlocks() {
        return schedule == StagedRows.Schedule.BLOCKS;
    }

    StagedRows.Schedule schedule() {
        return schedule;
    }

    /** The rows in the order of the stages; empty if that is their own. */
    Optional<int[]> permutation() {
        return Optional.ofNullable(rows);
    }

    int stages() {
        return offsets.length - 1;
    }

    int[] offsets() {
        return offsets.clone();
    }

    /** All stages in order. */
    SmootherKernels.Visit all(boolean backward) {
        return new SmootherKernels.Visit(backward, 0, stages());
    }

    private boolean takes(Part part, int row, int column) {
        if (row == column || (inBlocks() && stageOf[row] != stageOf[column])) {
            return false;
        }
        boolean before = inBlocks() ? column < row : stageOf[column] < stageOf[row];
        return part == Part.BOTH || (part == Part.LOWER) == before;
    }

    /**
     * Takes out entries of all rows, in the order of the stages.
     *
     * @param part    which entries
     * @param factors one for each row, in the order of the rows; or null
     */
    StagedRows take(Part part, HostVector factors) {
        int size = matrix.rows();
        int[] lengths = new int[size];
        for (int stored = 0; stored < size; stored++) {
            int row = row(stored);
            CsrSegment segment = matrix.segmentOf(row);
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                lengths[stored] += takes(part, row, segment.columnIndices()[k]) ? 1 : 0;
            }
        }
        CsrMatrix entries = CsrFill.fill(size, matrix.precision(), lengths,
                () -> (stored, columns, values, at) -> store(part, row(stored), columns, values, at));
        HostVector ordered = factors == null || rows == null
                ? factors
                : HostVector.of(factors.precision(), size, stored -> factors.get(rows[stored]));
        return new StagedRows(entries, rows, ordered, offsets, schedule);
    }

    private int row(int stored) {
        return rows == null ? stored : rows[stored];
    }

    private void store(Part part, int row, int[] columns, HostVector values, int at) {
        CsrSegment segment = matrix.segmentOf(row);
        int to = at;
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            if (takes(part, row, segment.columnIndices()[k])) {
                columns[to] = segment.columnIndices()[k];
                segment.values().copyRange(k, values, to++, 1);
            }
        }
    }
}
