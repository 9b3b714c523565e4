package org.trellis.mesh.order;

import java.util.Arrays;

/**
 * Finds the least colour that is free: the step that all first-fit colourings share. What neighbours have is noted by
 * {@link #take}; {@link #least} answers, and begins anew for the next element.
 */
public final class FreeColours {
    /** The round in which each colour was taken last. */
    private int[] taken = new int[16];
    private int round = 1;

    /** Begins with all colours free. */
    public FreeColours() {}

    /**
     * Notes that a neighbour has a colour.
     *
     * @param colour from 0
     */
    public void take(int colour) {
        if (colour >= taken.length) {
            taken = Arrays.copyOf(taken, 2 * colour + 1);
        }
        taken[colour] = round;
    }

    /**
     * Returns the least colour that was not taken since the last call; all are free again then.
     *
     * @return from 0
     */
    public int least() {
        int free = 0;
        while (free < taken.length && taken[free] == round) {
            free++;
        }
        if (++round == 0) {
            // All marks have been used up.
            Arrays.fill(taken, 0);
            round = 1;
        }
        return free;
    }
}
