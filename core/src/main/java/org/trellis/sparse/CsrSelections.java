package org.trellis.sparse;

import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;

/**
 * Takes the diagonal out of a {@link CsrMatrix}, and rows and columns by lists, in which a number may come in any order
 * and often.
 */
final class CsrSelections {
    private static final int DIAGONAL_PER_TASK = 1 << 13;

    private CsrSelections() {}

    static HostVector diagonal(CsrMatrix a) {
        HostVector diagonal = HostVector.zeros(a.precision(), Math.min(a.rows(), a.columns()));
        ParallelRanges.strips(diagonal.length(), DIAGONAL_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                diagonal.set(i, a.get(i, i));
            }
        });
        return diagonal;
    }

    static CsrMatrix rows(CsrMatrix a, int[] chosen) {
        checked("row", chosen, a.rows());
        int[] lengths = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            lengths[i] = a.rowLength(chosen[i]);
        }
        return CsrFill.fill(a.columns(), a.precision(), lengths, () -> (row, columns, values, at) -> {
            CsrSegment source = a.segmentOf(chosen[row]);
            int from = source.rowStart(chosen[row]);
            System.arraycopy(source.columnIndices(), from, columns, at, lengths[row]);
            source.values().copyRange(from, values, at, lengths[row]);
        });
    }

    static CsrMatrix select(CsrMatrix a, int[] rows, int[] columns) {
        checked("row", rows, a.rows());
        Places places = Places.of(checked("column", columns, a.columns()), a.columns());
        int[] lengths = new int[rows.length];
        ParallelRanges.run(rows.length, ParallelRanges.grain(a.rows(), 4 * a.nonZeros()), (from, to) -> {
            for (int i = from; i < to; i++) {
                CsrSegment source = a.segmentOf(rows[i]);
                for (int k = source.rowStart(rows[i]); k < source.rowEnd(rows[i]); k++) {
                    lengths[i] = Math.addExact(lengths[i], places.count(source.columnIndices()[k]));
                }
            }
        });
        return CsrFill.fill(columns.length, a.precision(), lengths, () -> {
            RowSorter sorter = new RowSorter();
            return (row, target, values, at) -> store(a.segmentOf(rows[row]), rows[row], places, sorter, target, values,
                    at);
        });
    }

    private static void store(CsrSegment source, int row, Places places, RowSorter sorter, int[] columns,
            HostVector values, int at) {
        sorter.clear();
        for (int k = source.rowStart(row); k < source.rowEnd(row); k++) {
            int column = source.columnIndices()[k];
            for (int p = places.starts[column]; p < places.starts[column + 1]; p++) {
                sorter.add(places.positions[p], source.values().get(k));
            }
        }
        sorter.sort();
        for (int k = 0; k < sorter.size(); k++) {
            columns[at + k] = sorter.column(k);
            values.set(at + k, sorter.value(k));
        }
    }

    private static int[] checked(String what, int[] chosen, int size) {
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] < 0 || chosen[i] >= size) {
                throw new IndexOutOfBoundsException("chosen " + what + " " + i + " is " + chosen[i] + ", expected 0 to "
                        + (size - 1));
            }
        }
        return chosen;
    }

    /** Where each column of a matrix goes: positions of column j from {@code starts[j]} to {@code starts[j + 1]}. */
    private record Places(int[] starts, int[] positions) {
        static Places of(int[] chosen, int columns) {
            int[] starts = new int[Checks.notNegative("columns", columns) + 1];
            for (int column : chosen) {
                starts[column + 1]++;
            }
            for (int j = 0; j < columns; j++) {
                starts[j + 1] += starts[j];
            }
            int[] at = starts.clone();
            int[] positions = new int[chosen.length];
            for (int i = 0; i < chosen.length; i++) {
                positions[at[chosen[i]]++] = i;
            }
            return new Places(starts, positions);
        }

        int count(int column) {
            return starts[column + 1] - starts[column];
        }
    }
}
