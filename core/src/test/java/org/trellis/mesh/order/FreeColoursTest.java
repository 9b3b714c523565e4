package org.trellis.mesh.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The least colour that is free, and what first fit makes of it. */
class FreeColoursTest {
    @Test
    void findsTheLeastAndBeginsAnew() {
        FreeColours free = new FreeColours();
        assertEquals(0, free.least());
        free.take(0);
        free.take(2);
        assertEquals(1, free.least());
        assertEquals(0, free.least());
        for (int colour = 99; colour >= 0; colour--) {
            free.take(colour);
        }
        assertEquals(100, free.least());
        free.take(1);
        assertEquals(0, free.least());
    }

    /** A path of five vertices, of which the middle one is of a second class and the last one of none. */
    @Test
    void coloursClassByClass() {
        int[] offsets = {0, 1, 3, 5, 7, 8};
        int[] neighbours = {1, 0, 2, 1, 3, 2, 4, 3};
        assertArrayEquals(new int[]{0, 1, 2, 0, FirstFit.NONE}, FirstFit.colours(offsets, neighbours,
                new int[]{0, 0, 1, 0, FirstFit.NONE}, (count, task) -> task.run(0, count)));
        assertEquals(0,
                FirstFit.colours(new int[]{0}, new int[0], new int[0], (count, task) -> task.run(0, count)).length);
    }
}
