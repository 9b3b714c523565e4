package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.SparsityPattern.ElementMap;
import org.trellis.testing.DenseReference;
import org.trellis.testing.TestSeed;

/** Patterns and assembly against sets of pairs and dense sums. */
final class SparsityPatternTest {
    private static int[] table(int length, int targets, SplittableRandom random) {
        return targets == 0 ? new int[0] : random.ints(length, 0, targets).toArray();
    }

    private static ElementMap variable(int elements, int targets, SplittableRandom random) {
        int[] offsets = new int[elements + 1];
        for (int e = 0; e < elements; e++) {
            offsets[e + 1] = offsets[e] + (targets == 0 ? 0 : random.nextInt(6));
        }
        return ElementMap.of(table(offsets[elements], targets, random), offsets, targets);
    }

    @Test
    void agreesWithBruteForce() {
        SplittableRandom random = TestSeed.random("agreesWithBruteForce");
        for (int trial = 0; trial < 60; trial++) {
            int rows = random.nextInt(1, 90);
            int columns = random.nextInt(1, 90);
            int elements = random.nextInt(0, 120);
            int arity = random.nextInt(1, 5);
            ElementMap fixed = ElementMap.of(table(elements * arity, rows, random), arity, rows);
            ElementMap other = ElementMap.of(table(elements * 3, columns, random), 3, columns);
            String context = "trial " + trial + ", seed " + TestSeed.value();
            check(fixed, fixed, random, context);
            check(fixed, other, random, context);
            check(fixed, variable(elements, columns, random), random, context);
            check(variable(elements, rows, random), variable(elements, columns, random), random, context);
        }
    }

    private static void check(ElementMap rowMap, ElementMap columnMap, SplittableRandom random, String context) {
        SparsityPattern pattern = SparsityPattern.of(rowMap, columnMap);
        TreeSet<Long> pairs = new TreeSet<>();
        double[][] sums = new double[rowMap.targets()][columnMap.targets()];
        long seed = random.nextLong();
        for (int e = 0; e < rowMap.elements(); e++) {
            for (int i = rowMap.start(e); i < rowMap.end(e); i++) {
                for (int j = columnMap.start(e); j < columnMap.end(e); j++) {
                    int row = rowMap.table()[i];
                    int column = columnMap.table()[j];
                    pairs.add((long) row << 32 | column);
                    sums[row][column] += value(seed, e, i - rowMap.start(e), j - columnMap.start(e));
                    int position = pattern.position(e, i - rowMap.start(e), j - columnMap.start(e));
                    assertEquals(column, pattern.columnIndices()[position], context);
                    assertTrue(position >= pattern.rowOffsets()[row] && position < pattern.rowOffsets()[row + 1],
                            context);
                }
            }
        }
        assertEquals(pairs.size(), pattern.nonZeros(), context);
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = pattern.assemble(precision, (e, block) -> {
                int width = columnMap.arity(e);
                assertEquals(rowMap.arity(e) * width, block.length, context);
                for (int k = 0; k < block.length; k++) {
                    assertEquals(0, block[k], context);
                    block[k] = value(seed, e, k / width, k % width);
                }
            });
            assertEquals(Optional.empty(), matrix.firstViolation(), context);
            matrix.forEachEntry((i, j, value) -> assertTrue(pairs.contains((long) i << 32 | j), context));
            DenseReference.assertElements(sums, columnMap.targets(), matrix, 200 * precision.unitRoundoff(), context);
        }
    }

    private static double value(long seed, int element, int i, int j) {
        return new SplittableRandom(seed + 1000L * element + 10L * i + j).nextDouble(-1, 1);
    }

    @Test
    void hasThePatternOfQuadrilaterals() {
        SparsityPattern pattern = SparsityPattern.of(quadrilaterals(2, 1));
        assertArrayEquals(new int[]{0, 4, 10, 14, 18, 24, 28}, pattern.rowOffsets());
        assertArrayEquals(new int[]{0, 1, 3, 4}, Arrays.copyOf(pattern.columnIndices(), 4));
        assertEquals("sparsity pattern 6 x 6, 28 entries of 2 elements", pattern.toString());
        CsrMatrix ones = pattern.assemble(Precision.F32, (e, block) -> Arrays.fill(block, 1));
        assertEquals(2, ones.get(1, 4));
        assertEquals(1, ones.get(0, 4));
        assertEquals(0, ones.get(0, 5));
    }

    /** Cells of a grid, four points each. */
    static ElementMap quadrilaterals(int width, int height) {
        int[] table = new int[4 * width * height];
        int at = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int corner = y * (width + 1) + x;
                table[at++] = corner;
                table[at++] = corner + 1;
                table[at++] = corner + width + 2;
                table[at++] = corner + width + 1;
            }
        }
        return ElementMap.of(table, 4, (width + 1) * (height + 1));
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertEquals("target 1 of element 0 is 5, expected 0 to 4", assertThrows(IllegalArgumentException.class,
                () -> ElementMap.of(new int[]{0, 5}, 2, 5)).getMessage());
        assertEquals("table has 3 entries, expected a multiple of 2, its arity", assertThrows(
                IllegalArgumentException.class, () -> ElementMap.of(new int[3], 2, 5)).getMessage());
        assertEquals("offset 1 is 4, expected 0 to 3", assertThrows(IllegalArgumentException.class,
                () -> ElementMap.of(new int[3], new int[]{0, 4}, 5)).getMessage());
        assertEquals("offsets of elements start with 1, expected 0 and one offset an element", assertThrows(
                IllegalArgumentException.class, () -> ElementMap.of(new int[3], new int[]{1, 3}, 5)).getMessage());
        ElementMap two = ElementMap.of(new int[2], 1, 5);
        assertEquals("number of elements of the column map is 3, expected 2", assertThrows(
                IllegalArgumentException.class, () -> SparsityPattern.of(two, ElementMap.of(new int[3], 1, 5)))
                .getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SparsityPattern.of(
                ElementMap.of(new int[1 << 16], 1 << 16, 1))).getMessage().contains("pairs of rows and columns"));
        assertThrows(IllegalArgumentException.class,
                () -> SparsityPattern.of(two).matrix(HostVector.of(new double[0])));
        assertEquals("column of element 1 is 1, expected 0 to 0", assertThrows(IndexOutOfBoundsException.class,
                () -> SparsityPattern.of(two).position(1, 0, 1)).getMessage());
    }
}
