package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** Colours of rows, and the elements of rows. */
class RowColoursTest {
    /** Four unknowns of each square of a grid. */
    private static int[] squares(int n) {
        int[] cells = new int[4 * n * n];
        for (int e = 0; e < n * n; e++) {
            int corner = e / n * (n + 1) + e % n;
            cells[4 * e] = corner;
            cells[4 * e + 1] = corner + 1;
            cells[4 * e + 2] = corner + n + 1;
            cells[4 * e + 3] = corner + n + 2;
        }
        return cells;
    }

    private static void requireApart(int[] cells, int perCell, int[] colours) {
        for (int first = 0; first < cells.length; first += perCell) {
            for (int i = first; i < first + perCell; i++) {
                for (int j = first; j < i; j++) {
                    if (cells[i] < colours.length && cells[j] < colours.length && cells[i] != cells[j]) {
                        assertNotEquals(colours[cells[i]], colours[cells[j]],
                                "rows " + cells[i] + " and " + cells[j] + ", seed " + TestSeed.value());
                    }
                }
            }
        }
    }

    @Test
    void aGridHasFourColours() {
        int[] colours = RowColours.colours(squares(3), 4, 16, 16);
        assertArrayEquals(new int[]{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}, colours);
        RowColours sorted = RowColours.sorted(colours);
        assertArrayEquals(new int[]{0, 4, 8, 12, 16}, sorted.offsets());
        assertArrayEquals(new int[]{0, 2, 8, 10}, Arrays.copyOf(sorted.order(), 4));
        assertEquals(4, sorted.size(3));
    }

    @Test
    void blocksAreColouredAtOnce() {
        int rows = 41 * 41;
        int[] grid = squares(40);
        for (int block : new int[]{7, 100, 1000}) {
            int[] colours = RowColours.colours(grid, 4, rows, block);
            requireApart(grid, 4, colours);
            assertTrue(Arrays.stream(colours).max().orElseThrow() < 9, "colours with blocks of " + block);
        }
    }

    @Test
    void rowsOfRandomElementsAreApart() {
        SplittableRandom random = TestSeed.random("colours");
        int[] cells = random.ints(3 * 400, 0, 300).toArray();
        requireApart(cells, 3, RowColours.colours(cells, 3, 250, 16));
        RowElements elements = RowElements.of(cells, 250);
        for (int row = 0; row < 250; row++) {
            int wanted = row;
            assertArrayEquals(IntStream.range(0, cells.length).filter(k -> cells[k] == wanted).toArray(),
                    Arrays.copyOfRange(elements.slots(), elements.offsets()[row], elements.offsets()[row + 1]));
        }
        assertTrue(elements.most() > 0 && RowColours.colours(cells, 3, 0, 16).length == 0);
    }
}
