package org.trellis.distributed.communicate;

import java.util.Locale;

/** What a rank is at. */
public enum RankPhase {
    /** Computes what needs no message, while messages travel or where there are none. */
    INTERIOR,
    /** Computes what needed a message. */
    BOUNDARY,
    /** Makes messages and takes them out. */
    PACK,
    /** Waits for a message, or for a neighbour to have taken the last one. */
    WAIT,
    /** Combines numbers over all ranks, the others waited for included. */
    REDUCE;

    /**
     * Returns the name.
     *
     * @return in small letters
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
