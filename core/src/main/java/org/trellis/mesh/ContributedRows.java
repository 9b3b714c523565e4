package org.trellis.mesh;

/**
 * The rows of a map that one rank brings ({@link RankRows}), in the user's numbering of both sets, as they were
 * declared. The arrays are not copied and not to be changed.
 *
 * @param elements the elements that have the rows, each once, in any order
 * @param offsets  where the row of each of them starts in {@code targets}, one more than there are elements; null if
 *                 all rows have as many entries
 * @param targets  row after row
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record ContributedRows(int[] elements, int[] offsets, int[] targets) {
    /**
     * Returns where a row starts.
     *
     * @param row   which of the elements; their number for the end of the last row
     * @param arity entries of a row, if all have as many
     * @return the place in {@code targets}
     */
    public int start(int row, int arity) {
        return offsets == null ? row * arity : offsets[row];
    }
}
