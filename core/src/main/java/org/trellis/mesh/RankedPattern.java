package org.trellis.mesh;

import java.util.List;

/**
 * What one of several ranks has of an {@link AssemblyPattern}: the entries of rows that it has. All make the same
 * calls.
 */
public interface RankedPattern {
    /**
     * Returns the number of entries of all ranks.
     *
     * @return each counted once
     */
    int entries();

    /**
     * Takes the set and the maps by which loops of the whole mesh reach the entries.
     *
     * @param entries   the entries of all ranks
     * @param positions one map for each coupling
     */
    void bind(MeshSet entries, List<MeshMap> positions);

    /**
     * Finds an entry.
     *
     * @param row    the user's number of the row
     * @param column the user's number of the column
     * @return the user's number of the entry on all ranks, -1 if there is none
     */
    int entry(int row, int column);

    /**
     * Returns the pattern of the rank's own mesh: complete rows of what it owns, first, then what its elements lead to
     * in other rows.
     *
     * @return a pattern whose entries are in parts as its rows are
     */
    AssemblyPattern local();

    /**
     * Returns the rows and columns of {@link #local}.
     *
     * @return the user's number of each row that the rank has, owned ones first; a new array
     */
    int[] rowUsers();

    /**
     * Returns the columns of {@link #local}.
     *
     * @return the user's number of each column that the rank has; a new array
     */
    int[] columnUsers();
}
