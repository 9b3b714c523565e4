package org.trellis.adapt;

import java.util.Locale;

/** What an adaptation spends time with. */
public enum AdaptPhase {
    /** Everything else: the data that change are made, lists are put together. */
    OTHER,
    /** Edges that are too long or too short, and bad elements, are found. */
    MARK,
    /** What is found is tried: which elements would come, and how good they would be. */
    PLAN,
    /** Independent sets of what can be done are found by priorities. */
    SELECT,
    /** Elements are replaced. */
    REPLACE,
    /** Gaps are closed, vertices and elements get new numbers. */
    COMPACT,
    /** Neighbours, where vertices may move, and colours. */
    COLOUR,
    /** Vertices move. */
    MOVE,
    /** Lengths of edges and quality are measured. */
    MEASURE;

    /**
     * Returns the name in reports.
     *
     * @return in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
