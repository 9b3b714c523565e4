package org.trellis.distributed.communicate;

import java.util.Locale;

/** What a rank is at. */
public enum RankPhase {
    /** Computes what needs no message, while messages travel or where there are none. */
    INTERIOR(0),
    /** Computes what needed a message. */
    BOUNDARY(1),
    /** Makes messages and takes them out. */
    PACK(2),
    /** Waits for a message, or for a neighbour to have taken the last one. */
    WAIT(3),
    /** Combines numbers over all ranks, the others waited for included. */
    REDUCE(4);

    private final byte number;

    RankPhase(int number) {
        this.number = (byte) number;
    }

    /** Returns the phase of a number, null if there is none. */
    static RankPhase of(int number) {
        for (RankPhase phase : values()) {
            if (phase.number == number) {
                return phase;
            }
        }
        return null;
    }

    /** Returns its place among the phases. */
    byte number() {
        return number;
    }

    /**
     * Returns the name.
     *
     * @return in small letters
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
