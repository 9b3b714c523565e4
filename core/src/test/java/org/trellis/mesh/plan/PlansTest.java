package org.trellis.mesh.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.testing.TestSeed;

/** Plans of every scheme on small graphs worked out by hand and on random ones, judged by the checker. */
class PlansTest {
    private static Conflicts conflicts(int targets, int[]... columns) {
        TargetTable table = new TargetTable(targets);
        for (int[] column : columns) {
            table.column(column);
        }
        return new Conflicts(columns[0].length, List.of(table));
    }

    /** Edges of a path: edge e leads to nodes e and e + 1. */
    private static Conflicts path(int edges) {
        int[] left = new int[edges];
        int[] right = new int[edges];
        Arrays.setAll(left, e -> e);
        Arrays.setAll(right, e -> e + 1);
        return conflicts(edges + 1, left, right);
    }

    /** Edges from one node to all others: no two may run at once. */
    private static Conflicts star(int edges) {
        int[] rays = new int[edges];
        Arrays.setAll(rays, e -> e + 1);
        return conflicts(edges + 1, new int[edges], rays);
    }

    private static Conflicts random(int elements, int targets, SplittableRandom random) {
        TargetTable first = new TargetTable(targets);
        for (int c = 0; c < 3; c++) {
            first.column(random.ints(elements, 0, Math.max(1, targets)).toArray());
        }
        int[] offsets = new int[elements + 1];
        for (int e = 0; e < elements; e++) {
            offsets[e + 1] = offsets[e] + random.nextInt(4);
        }
        first.rows(offsets, random.ints(offsets[elements], 0, Math.max(1, targets)).toArray());
        return new Conflicts(elements, List.of(first));
    }

    @Test
    void blocksOfAPathAlternate() {
        LoopPlan plan = PlanBuilder.plan(LoopScheme.TWO_LEVEL, path(10), PlanBuilder.uniformBlocks(10, 3));
        assertArrayEquals(new int[]{0, 3, 6, 9, 10}, plan.blockOffsets());
        assertArrayEquals(new int[]{0, 2, 1, 3}, plan.blockMap());
        assertArrayEquals(new int[]{0, 2, 4}, plan.colourOffsets());
    }

    @Test
    void elementsOfAPathAlternateInsideBlocks() {
        LoopPlan plan = PlanBuilder.plan(LoopScheme.BLOCK_PERMUTE, path(7), PlanBuilder.uniformBlocks(7, 4));
        assertArrayEquals(new int[]{0, 2, 1, 3, 4, 6, 5}, plan.order());
        assertArrayEquals(new int[]{0, 1, 0, 1, 0, 1, 0}, plan.elementColours().colours());
    }

    @Test
    void allElementsOfAPathAlternate() {
        LoopPlan plan = PlanBuilder.plan(LoopScheme.FULL_PERMUTE, path(7), PlanBuilder.uniformBlocks(7, 3));
        assertArrayEquals(new int[]{0, 2, 4, 6, 1, 3, 5}, plan.order());
        assertEquals(2, plan.colours());
        assertArrayEquals(new int[]{0, 3, 4, 7}, plan.blockOffsets());
        assertArrayEquals(new int[]{0, 2, 3}, plan.colourOffsets());
    }

    @Test
    void ownersOfAPathShareTheEdgeBetweenThem() {
        LoopPlan plan = PlanBuilder.plan(LoopScheme.OWNER_COMPUTE, path(5), PlanBuilder.uniformBlocks(5, 3));
        assertArrayEquals(new int[]{0, 3, 6}, plan.ownedOffsets());
        assertArrayEquals(new int[]{0, 1, 2, 2, 3, 4}, plan.order());
        assertArrayEquals(new int[]{0, 3, 6}, plan.blockOffsets());
    }

    @Test
    void moreThanSixtyFourColoursTakeMorePasses() {
        Conflicts star = star(300);
        Colouring elements = Colouring.ofElements(star);
        assertEquals(300, elements.count());
        assertArrayEquals(new int[]{0, 63, 64, 299}, new int[]{elements.colours()[0], elements.colours()[63],
            elements.colours()[64], elements.colours()[299]});
        assertEquals(100, Colouring.ofBlocks(star, PlanBuilder.uniformBlocks(300, 3)).count());
        for (LoopScheme scheme : LoopScheme.values()) {
            PlanChecker.check(PlanBuilder.plan(scheme, star, PlanBuilder.uniformBlocks(300, 3)), star);
        }
    }

    @ParameterizedTest
    @EnumSource
    void plansOfRandomTablesAreRight(LoopScheme scheme) {
        SplittableRandom random = TestSeed.random("plansOfRandomTablesAreRight" + scheme);
        for (int[] size : new int[][]{{0, 0}, {0, 3}, {1, 1}, {2, 1}, {97, 3}, {101, 400}, {1009, 211}}) {
            Conflicts conflicts = random(size[0], size[1], random);
            for (int blockSize : new int[]{1, 7, 64, 2000}) {
                LoopPlan plan =
                        PlanBuilder.plan(scheme, conflicts, PlanBuilder.uniformBlocks(size[0], blockSize));
                PlanChecker.check(plan, conflicts);
                assertEquals(size[0], plan.elements());
            }
            if (size[0] == 101) {
                PlanChecker.check(PlanBuilder.plan(scheme, conflicts, new int[]{0, 10, 10, 60, 101}), conflicts);
            }
        }
    }

    @Test
    void twoTargetSetsBothCount() {
        int[] same = {0, 0, 0};
        int[] other = {0, 1, 0};
        Conflicts both = new Conflicts(3,
                List.of(new TargetTable(3).column(new int[]{0, 1, 2}), new TargetTable(2).column(other)));
        assertEquals(2, Colouring.ofElements(both).count());
        assertThrows(IllegalArgumentException.class,
                () -> PlanBuilder.plan(LoopScheme.OWNER_COMPUTE, both, new int[]{0, 3}));
        assertEquals(3, Colouring.ofElements(conflicts(1, same)).count());
    }

    @Test
    void inverseListsPositionsByTarget() {
        InverseMap inverse = InverseMap.of(new int[]{2, 0, 2, 3}, 5);
        assertArrayEquals(new int[]{0, 1, 1, 3, 4, 4}, inverse.offsets());
        assertArrayEquals(new int[]{1, 0, 2, 3}, inverse.positions());
    }

    @Test
    void localNumbersOfAPath() {
        int[] left = {5, 4, 3, 2};
        int[] right = {4, 3, 2, 1};
        int[] blocks = {0, 2, 4};
        LocalNumbering numbering = LocalNumbering.of(6, blocks, null, left, right);
        assertArrayEquals(new int[]{3, 4, 5, 1, 2, 3}, numbering.targets());
        assertArrayEquals(new int[]{0, 3, 6}, numbering.targetOffsets());
        assertTrue(numbering.isShort());
        assertArrayEquals(new short[]{2, 1, 2, 1}, numbering.shortPlaces(0));
        assertEquals(8.0 / 6, numbering.reuse());
        assertEquals(3, numbering.largest());
        PlanChecker.checkNumbering(numbering, blocks, null, left, right);
        int[] wrong = {5, 4, 3, 3};
        assertThrows(IllegalStateException.class,
                () -> PlanChecker.checkNumbering(numbering, blocks, null, wrong, right));
    }

    @Test
    void largeBlocksHaveLongPlaces() {
        SplittableRandom random = TestSeed.random("largeBlocksHaveLongPlaces");
        int[] column = random.ints(200_000, 0, 150_000).toArray();
        int[] order = new int[200_000];
        Arrays.setAll(order, i -> (i * 7) % 200_000);
        int[] blocks = {0, 190_000, 200_000};
        LocalNumbering numbering = LocalNumbering.of(150_000, blocks, order, column);
        assertFalse(numbering.isShort());
        PlanChecker.checkNumbering(numbering, blocks, order, column);
    }

    @Test
    void theCheckerCatchesWrongPlans() {
        Conflicts path = path(6);
        int[] blocks = {0, 3, 6};
        wrong("share target 3", LoopPlan.of(LoopScheme.TWO_LEVEL, 6, blocks), path);
        wrong("elements 0 and 1 of colour 0 share target 1",
                LoopPlan.of(LoopScheme.FULL_PERMUTE, 6, blocks).order(0, 1, 2, 3, 4, 5)
                        .elementColours(new Colouring(new int[6], 1)),
                path);
        wrong("element 4 of colour 0 comes after a higher colour",
                LoopPlan.of(LoopScheme.FULL_PERMUTE, 6, blocks).order(0, 2, 1, 4, 3, 5)
                        .elementColours(new Colouring(new int[]{0, 1, 0, 1, 0, 1}, 2)),
                path);
        wrong("runs with colour", LoopPlan.of(LoopScheme.FULL_PERMUTE, 6, blocks).order(0, 2, 4, 1, 3, 5)
                .elementColours(new Colouring(new int[]{0, 1, 0, 1, 0, 1}, 2)), path);
        wrong("element 2 runs twice",
                LoopPlan.of(LoopScheme.FULL_PERMUTE, 6, blocks).order(0, 2, 2, 1, 3, 5)
                        .elementColours(new Colouring(new int[]{0, 1, 0, 1, 0, 1}, 2)).colourOffsets(0, 1, 2),
                path);
        wrong("blocks end at 5", LoopPlan.of(LoopScheme.IN_ORDER, 6, 0, 3, 5), path);
        wrong("of 2 additions of element 2, 1 are applied",
                LoopPlan.of(LoopScheme.OWNER_COMPUTE, 6, 0, 3, 6).order(0, 1, 2, 3, 4, 5).owned(0, 3, 7), path);
        wrong("not all 7",
                LoopPlan.of(LoopScheme.OWNER_COMPUTE, 6, 0, 3, 6).order(0, 1, 2, 3, 4, 5).owned(0, 3, 6), path);
        wrong("has two colours", LoopPlan.of(LoopScheme.TWO_LEVEL, 6, blocks)
                .blockColours(new Colouring(new int[]{0, 0}, 1)).blockMap(1, 1), path);
        wrong("it has 5 elements, the loop has 6", LoopPlan.of(LoopScheme.IN_ORDER, 5, 0, 5), path);
        PlanChecker.check(LoopPlan.of(LoopScheme.TWO_LEVEL, 6, blocks)
                .blockColours(new Colouring(new int[]{1, 0}, 2)).build(), path);
    }

    private static void wrong(String expected, LoopPlan.Builder plan, Conflicts conflicts) {
        String message = assertThrows(IllegalStateException.class, () -> PlanChecker.check(plan.build(), conflicts))
                .getMessage();
        assertTrue(message.contains(expected), message);
    }
}
