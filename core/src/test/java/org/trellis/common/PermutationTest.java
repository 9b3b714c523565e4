package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

final class PermutationTest {
    @Test
    void movesElementsByHand() {
        Permutation cycle = Permutation.ofNewIndices(2, 0, 1);
        assertEquals(2, cycle.newIndex(0));
        assertArrayEquals(new int[]{1, 2, 0}, cycle.inverse().toArray());
        assertEquals(cycle, Permutation.ofOldIndices(1, 2, 0));
        assertArrayEquals(new int[]{1, 2, 0}, cycle.then(cycle).toArray());
    }

    @Test
    void inverseUndoes() {
        SplittableRandom random = TestSeed.random("inverseUndoes");
        for (int size : new int[]{0, 1, 2, 17, 1000}) {
            Permutation drawn = Permutation.random(size, random);
            assertEquals(Permutation.identity(size), drawn.then(drawn.inverse()), "seed " + TestSeed.value());
            assertEquals(Permutation.identity(size), drawn.inverse().then(drawn), "seed " + TestSeed.value());
        }
    }

    @Test
    void refusesWhatIsNoBijection() {
        assertEquals("permutation: entry 1 is 3, expected 0 to 2",
                assertThrows(IllegalArgumentException.class, () -> Permutation.ofNewIndices(0, 3, 1)).getMessage());
        assertEquals("permutation: entries 0 and 2 are both 1, expected each index once",
                assertThrows(IllegalArgumentException.class, () -> Permutation.ofNewIndices(1, 0, 1)).getMessage());
    }

    @Test
    void doesNotShareItsArray() {
        int[] given = {1, 0};
        Permutation swap = Permutation.ofNewIndices(given);
        given[0] = 7;
        swap.toArray()[1] = 7;
        assertArrayEquals(new int[]{1, 0}, swap.toArray());
    }
}
