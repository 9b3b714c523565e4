package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.trellis.common.ParallelRanges;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.mesh.device.PatternArrays;
import org.trellis.mesh.device.PatternTables;

/**
 * Makes one pattern on a team of threads, in passes that each go through elements or through rows in parallel: count
 * how often each row is touched, list by whom, gather the columns of each row, sort them and drop repetitions, and find
 * the position of each pair by bisection. Which thread lists an element first does not show in the result, since rows
 * are sorted. Beside the result it takes 4 bytes for each row that each element touches, and the columns twice.
 */
final class TeamPattern {
    /** Fewer are not worth a unit of their own. */
    private static final int SMALLEST_UNIT = 256;
    private static final int UNITS_PER_THREAD = 4;

    private final PatternTables tables;
    private final WorkerTeam team;
    /** The number of the first element of each block, if elements of all blocks are numbered on. */
    private final int[] firstElements;
    private final int[] rowOffsets;

    TeamPattern(PatternTables tables, WorkerTeam team) {
        this.tables = tables;
        this.team = team;
        this.rowOffsets = new int[tables.rows() + 1];
        this.firstElements = new int[tables.blocks().size() + 1];
        for (int b = 0; b < tables.blocks().size(); b++) {
            firstElements[b + 1] = firstElements[b] + tables.blocks().get(b).elements();
        }
    }

    PatternArrays build() {
        int[] touchOffsets = new int[tables.rows() + 1];
        int[] touching = touching(touchOffsets);
        int[] columnIndices = entries(touchOffsets, touching);
        List<int[][]> positions = new ArrayList<>();
        for (PatternTables.Block block : tables.blocks()) {
            positions.add(positions(block, columnIndices));
        }
        return new PatternArrays(rowOffsets, columnIndices, positions);
    }

    private int units(int count) {
        return team.size() == 1
                ? 1
                : Math.clamp(Math.ceilDiv(count, SMALLEST_UNIT), 1, UNITS_PER_THREAD * team.size());
    }

    private static int bound(int count, int unit, int units) {
        return (int) ((long) count * unit / units);
    }

    /** Work on consecutive elements or rows. */
    private interface RangeTask {
        void run(int unit, int from, int to);
    }

    private void each(int count, RangeTask task) {
        int units = units(count);
        team.run(units, unit -> task.run(unit, bound(count, unit, units), bound(count, unit + 1, units)));
    }

    /** Lists the elements that touch each row; gives where the list of each row starts. */
    private int[] touching(int[] touchOffsets) {
        AtomicIntegerArray counts = new AtomicIntegerArray(tables.rows());
        eachTouch((row, element) -> counts.getAndIncrement(row));
        for (int row = 0; row < tables.rows(); row++) {
            touchOffsets[row + 1] = touchOffsets[row] + counts.get(row);
            counts.set(row, touchOffsets[row]);
        }
        int[] touching = new int[touchOffsets[tables.rows()]];
        eachTouch((row, element) -> touching[counts.getAndIncrement(row)] = element);
        return touching;
    }

    /** What is done with a row that an element touches. */
    private interface Touch {
        void of(int row, int element);
    }

    private void eachTouch(Touch touch) {
        for (int b = 0; b < tables.blocks().size(); b++) {
            PatternTables.Block block = tables.blocks().get(b);
            int first = firstElements[b];
            for (int entry = 0; entry < block.rowArity(); entry++) {
                int[] targets = block.rowTargets(entry);
                each(block.elements(), (unit, from, to) -> {
                    for (int e = from; e < to; e++) {
                        touch.of(targets[e], first + e);
                    }
                });
            }
        }
    }

    /** Makes row offsets and columns. */
    private int[] entries(int[] touchOffsets, int[] touching) {
        int units = units(tables.rows());
        RowColumns[] found = new RowColumns[units];
        each(tables.rows(), (unit, from, to) -> {
            RowColumns columns = new RowColumns();
            for (int row = from; row < to; row++) {
                for (int k = touchOffsets[row]; k < touchOffsets[row + 1]; k++) {
                    gather(touching[k], columns);
                }
                rowOffsets[row + 1] = columns.endRow();
            }
            found[unit] = columns;
        });
        ParallelRanges.accumulate(rowOffsets);
        int[] columnIndices = new int[rowOffsets[tables.rows()]];
        each(tables.rows(), (unit, from, to) -> System.arraycopy(found[unit].columns, 0, columnIndices,
                rowOffsets[from], rowOffsets[to] - rowOffsets[from]));
        return columnIndices;
    }

    private void gather(int element, RowColumns columns) {
        int b = 0;
        while (firstElements[b + 1] <= element) {
            b++;
        }
        PatternTables.Block block = tables.blocks().get(b);
        for (int entry = 0; entry < block.columnArity(); entry++) {
            columns.add(block.columnTargets(entry)[element - firstElements[b]]);
        }
    }

    private int[][] positions(PatternTables.Block block, int[] columnIndices) {
        int[][] positions = new int[block.rowArity() * block.columnArity()][block.elements()];
        each(block.elements(), (unit, from, to) -> {
            for (int pair = 0; pair < positions.length; pair++) {
                int[] rows = block.rowTargets(pair / block.columnArity());
                int[] columns = block.columnTargets(pair % block.columnArity());
                for (int e = from; e < to; e++) {
                    positions[pair][e] = PatternTables.find(columnIndices, rowOffsets[rows[e]], rowOffsets[rows[e] + 1],
                            columns[e]);
                }
            }
        });
        return positions;
    }

    /** The columns of consecutive rows. */
    private static final class RowColumns {
        private int[] columns = new int[SMALLEST_UNIT];
        private int start;
        private int end;

        void add(int column) {
            if (end == columns.length) {
                columns = Arrays.copyOf(columns, (int) Math.min(PatternTables.MAXIMUM_PAIRS, 2L * end));
            }
            columns[end++] = column;
        }

        /** Sorts the row, drops repetitions, and returns how many columns are left. */
        int endRow() {
            Arrays.sort(columns, start, end);
            int next = start;
            for (int k = start; k < end; k++) {
                if (next == start || columns[next - 1] != columns[k]) {
                    columns[next++] = columns[k];
                }
            }
            int length = next - start;
            start = next;
            end = next;
            return length;
        }
    }
}
