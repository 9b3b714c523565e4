package org.trellis.mesh.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.testing.TestSeed;

/** Colours that threads find together are those of first fit, one thing after the other. */
class ColouringTest {
    /** Elements with two targets in one set and up to three in another; few targets make for more colours than 64. */
    private static Conflicts conflicts(SplittableRandom random, int elements, int targets) {
        TargetTable columns = new TargetTable(targets).column(random.ints(elements, 0, targets).toArray())
                .column(random.ints(elements, 0, targets).toArray());
        int[] offsets = new int[elements + 1];
        for (int e = 0; e < elements; e++) {
            offsets[e + 1] = offsets[e] + random.nextInt(4);
        }
        TargetTable rows = new TargetTable(10 * targets).rows(offsets,
                random.ints(offsets[elements], 0, 10 * targets).toArray());
        return new Conflicts(elements, List.of(columns, rows));
    }

    /** Gives each group of elements the least colour that no earlier one with a common target has. */
    private static int[] firstFit(Conflicts conflicts, int[] groups, int from, int to) {
        int[] colours = new int[to - from];
        for (int g = from; g < to; g++) {
            BitSet taken = new BitSet();
            for (int before = from; before < g; before++) {
                if (meet(conflicts, groups, before, g)) {
                    taken.set(colours[before - from]);
                }
            }
            colours[g - from] = taken.nextClearBit(0);
        }
        return colours;
    }

    private static boolean meet(Conflicts conflicts, int[] groups, int a, int b) {
        return conflicts.tables().stream().anyMatch(
                table -> targets(table, groups, a).intersects(targets(table, groups, b)));
    }

    private static BitSet targets(TargetTable table, int[] groups, int group) {
        BitSet targets = new BitSet();
        for (int e = groups[group]; e < groups[group + 1]; e++) {
            int[] list = new int[table.entries(e)];
            table.list(e, list, 0);
            Arrays.stream(list).forEach(targets::set);
        }
        return targets;
    }

    @ParameterizedTest
    @CsvSource({"300, 500, 7", "300, 40, 1", "200, 3, 5", "64, 1, 64", "1, 1, 1"})
    void areThoseOfFirstFit(int elements, int targets, int block) {
        Conflicts conflicts = conflicts(TestSeed.random("colours " + targets), elements, targets);
        String what = "seed " + TestSeed.value();
        int[] blocks = PlanBuilder.uniformBlocks(elements, block);
        int[] ofBlocks = firstFit(conflicts, blocks, 0, blocks.length - 1);
        for (Colouring found : List.of(Colouring.blocksAtOnce(conflicts, blocks),
                Colouring.blocksInOrder(conflicts, blocks), Colouring.ofBlocks(conflicts, blocks))) {
            assertArrayEquals(ofBlocks, found.colours(), what);
            assertEquals(Arrays.stream(ofBlocks).max().orElseThrow() + 1, found.count());
        }
        int[] each = PlanBuilder.uniformBlocks(elements, 1);
        Colouring all = Colouring.ofElements(conflicts);
        assertArrayEquals(firstFit(conflicts, each, 0, elements), all.colours(), what);
        assertEquals(Arrays.stream(all.colours()).max().orElseThrow() + 1, all.count());
        for (Colouring within : List.of(Colouring.withinAtOnce(conflicts, blocks),
                Colouring.withinInOrder(conflicts, blocks), Colouring.within(conflicts, blocks))) {
            for (int b = 0; b + 1 < blocks.length; b++) {
                assertArrayEquals(firstFit(conflicts, each, blocks[b], blocks[b + 1]),
                        Arrays.copyOfRange(within.colours(), blocks[b], blocks[b + 1]), "block " + b + ", " + what);
            }
            assertEquals(Arrays.stream(within.colours()).max().orElseThrow() + 1, within.count());
        }
    }
}
