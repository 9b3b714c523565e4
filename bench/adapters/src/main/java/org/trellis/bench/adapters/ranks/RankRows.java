package org.trellis.bench.adapters.ranks;

import org.trellis.bench.peer.solver.SystemFile;

/**
 * The rows of a process.
 *
 * @param system the whole system
 * @param first  the first row
 * @param end    the row after the last
 */
public record RankRows(SystemFile system, long first, long end) {
    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int count() {
        return Math.toIntExact(end - first);
    }

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    public int nonZeros() {
        return Math.toIntExact(system.offset(end) - system.offset(first));
    }
}
