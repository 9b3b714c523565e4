package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.mesh.Mesh;
import org.trellis.testing.TestSeed;

/** Slices have the elements of each target in their order, and what these reach, with two bytes or four. */
class TargetSlicesTest {
    private static final int ROWS = 61;
    private static final int COLUMNS = 100;

    private record Element(int number, int slot, int other, int node) {}

    /** Two cells for each side of a lattice, and a node. */
    private static int[][] lattice(int rows, int columns) {
        List<int[]> sides = new ArrayList<>();
        for (int cell = 0; cell < rows * columns; cell++) {
            if (cell % columns < columns - 1) {
                sides.add(new int[]{cell, cell + 1, cell + cell / columns});
            }
            if (cell / columns < rows - 1) {
                sides.add(new int[]{cell, cell + columns, cell + cell / columns + 1});
            }
        }
        return IntStream.range(0, 3).mapToObj(c -> sides.stream().mapToInt(side -> side[c]).toArray())
                .toArray(int[][]::new);
    }

    private static int[][] random(int elements, int targets, SplittableRandom random) {
        return IntStream.range(0, 3).mapToObj(c -> random.ints(elements, 0, targets).toArray()).toArray(int[][]::new);
    }

    private static List<List<Element>> expected(int targets, int[][] columns) {
        List<List<Element>> lists = new ArrayList<>();
        IntStream.range(0, targets).forEach(target -> lists.add(new ArrayList<>()));
        for (int slot = 0; slot < 2; slot++) {
            for (int e = 0; e < columns[0].length; e++) {
                lists.get(columns[slot][e]).add(new Element(e, slot, columns[1 - slot][e], columns[2][e]));
            }
        }
        return lists;
    }

    private static List<List<Element>> found(TargetSlices slices, int targets) {
        List<List<Element>> lists = new ArrayList<>(Collections.nCopies(targets, null));
        for (int position = 0; position < (slices.rows().length - 1) * TargetSlices.WIDTH; position++) {
            int target = slices.runs()[position / TargetRuns.LENGTH] * TargetRuns.LENGTH
                    + position % TargetRuns.LENGTH;
            int slice = position / TargetSlices.WIDTH;
            List<Element> list = new ArrayList<>();
            for (int row = slices.rows()[slice]; row < slices.rows()[slice + 1]; row++) {
                int first = entry(slices, 0, row, position);
                if (first == -1) {
                    break;
                }
                list.add(new Element(first & Integer.MAX_VALUE, first >>> 31, entry(slices, 2, row, position),
                        entry(slices, 1, row, position)));
            }
            if (target < targets) {
                lists.set(target, list);
            } else {
                assertEquals(List.of(), list, "behind the last target");
            }
        }
        return lists;
    }

    /** An entry as those of four bytes are. */
    private static int entry(TargetSlices slices, int table, int row, int position) {
        int at = row * TargetSlices.WIDTH + position % TargetSlices.WIDTH;
        if (!slices.narrow()) {
            return ((int[]) slices.tables().get(table))[at];
        }
        int entry = Short.toUnsignedInt(((short[]) slices.tables().get(table))[at]);
        int base = slices.bases()[TargetSlices.MOST_NARROW * row + table];
        if (table > 0) {
            return base + entry;
        }
        return entry == 0xffff ? -1 : base + (entry & 0x7fff) | entry >> 15 << 31;
    }

    private static TargetSlices check(Mesh mesh, int targets, int[][] columns) {
        List<int[]> slots = List.of(columns[0], columns[1]);
        TargetSlices slices = TargetSlices.of(mesh, targets, new TargetSlices.Columns(slots,
                List.of(List.of(), Collections.nCopies(2, columns[2]), slots.reversed())));
        assertEquals(expected(targets, columns), found(slices, targets), "seed " + TestSeed.value());
        return slices;
    }

    @Test
    void entriesOfNeighboursHaveTwoBytesAndOthersFour() {
        SplittableRandom random = TestSeed.random("slices");
        try (Backend threads = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(threads)) {
            assertEquals(true, check(mesh, ROWS * COLUMNS, lattice(ROWS, COLUMNS)).narrow(), "of a lattice");
            assertEquals(false, check(mesh, 200_001, random(300_000, 200_001, random)).narrow(), "at random");
            assertEquals(true, check(mesh, 45, random(1000, 45, random)).narrow(), "of few targets");
            assertEquals(true, check(mesh, 5000, random(32_000, 5000, random)).narrow(), "of long lists");
        }
    }

    @Test
    void groupsOfALatticeArePatches() {
        try (Backend threads = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(threads)) {
            int columns = 16 * TargetRuns.LENGTH;
            int[] runs = check(mesh, 64 * columns, lattice(64, columns)).runs();
            int[] sorted = runs.clone();
            Arrays.sort(sorted);
            assertArrayEquals(IntStream.range(0, runs.length).toArray(), sorted, "each run once");
            int group = 256 / TargetRuns.LENGTH;
            assertArrayEquals(IntStream.range(0, group).map(row -> 16 * row).toArray(), Arrays.copyOf(runs, group),
                    "runs above each other");
        }
    }

    @Test
    void runsWithoutNeighboursStayInOrder() {
        int[] own = IntStream.range(0, 1000).toArray();
        try (Backend threads = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(threads)) {
            TargetSlices slices = TargetSlices.of(mesh, own.length,
                    new TargetSlices.Columns(List.of(own), List.of(List.of())));
            assertArrayEquals(IntStream.range(0, slices.runs().length).toArray(), slices.runs());
        }
    }

    @Test
    void loopsThatAddThroughTheSameColumnsShareTheOrderAndTables() {
        int[][] columns = lattice(ROWS, COLUMNS);
        List<int[]> slots = List.of(columns[0], columns[1]);
        List<int[]> nodes = Collections.nCopies(2, columns[2]);
        int[] scattered = TestSeed.random("scattered").ints(columns[0].length, 0, 1 << 20).toArray();
        try (Backend threads = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(threads)) {
            TargetSlices all = check(mesh, ROWS * COLUMNS, columns);
            TargetSlices fewer = TargetSlices.of(mesh, ROWS * COLUMNS,
                    new TargetSlices.Columns(slots, List.of(List.of(), nodes)));
            TargetSlices others = TargetSlices.of(mesh, ROWS * COLUMNS,
                    new TargetSlices.Columns(slots, List.of(slots.reversed())));
            TargetSlices far = TargetSlices.of(mesh, ROWS * COLUMNS,
                    new TargetSlices.Columns(slots, List.of(List.of(), Collections.nCopies(2, scattered), nodes)));
            for (TargetSlices other : List.of(fewer, others, far)) {
                assertSame(all.runs(), other.runs(), "runs");
                assertSame(all.rows(), other.rows(), "rows");
            }
            assertSame(all.tables().get(0), fewer.tables().get(0), "elements");
            assertSame(all.tables().get(1), fewer.tables().get(1), "nodes");
            assertEquals(false, far.narrow(), "one table of numbers that are far apart makes all of them wide");
            for (int row = 0; row < all.rows()[all.rows().length - 1]; row++) {
                for (int lane = 0; lane < TargetSlices.WIDTH; lane++) {
                    int first = entry(all, 0, row, lane);
                    assertEquals(first, entry(far, 0, row, lane), "elements with four bytes");
                    if (first == -1) {
                        assertEquals(-1, entry(others, 0, row, lane), "lists end where they did");
                    } else {
                        assertEquals(entry(all, 1, row, lane), entry(far, 2, row, lane), "nodes with four bytes");
                        assertEquals(entry(all, 2, row, lane) | first & Integer.MIN_VALUE, entry(others, 0, row, lane),
                                "others, with the slot");
                    }
                }
            }
        }
    }

    @Test
    void slicesThatAreExpectedAreThoseThatAreAskedForLater() {
        int[][] columns = lattice(ROWS, COLUMNS);
        List<int[]> slots = List.of(columns[0], columns[1]);
        TargetSlices.Columns others = new TargetSlices.Columns(slots, List.of(slots.reversed()));
        TargetSlices.Columns elements = new TargetSlices.Columns(slots, List.of(List.of(), slots.reversed()));
        try (Backend threads = Backends.open("threads", Configuration.load());
                Mesh mesh = Mesh.on(threads);
                Mesh alone = Mesh.on(threads)) {
            TargetSlices.expect(mesh, ROWS * COLUMNS, others);
            TargetSlices.expect(mesh, ROWS * COLUMNS, elements);
            TargetSlices.expect(mesh, ROWS * COLUMNS, others);
            for (TargetSlices.Columns one : List.of(elements, others)) {
                TargetSlices found = TargetSlices.of(mesh, ROWS * COLUMNS, one);
                TargetSlices expected = TargetSlices.of(alone, ROWS * COLUMNS, one);
                assertSame(found, TargetSlices.of(mesh, ROWS * COLUMNS, one), "kept by the mesh");
                assertArrayEquals(expected.runs(), found.runs());
                assertArrayEquals(expected.rows(), found.rows());
                assertArrayEquals(expected.bases(), found.bases());
                for (int table = 0; table < expected.tables().size(); table++) {
                    assertArrayEquals((short[]) expected.tables().get(table), (short[]) found.tables().get(table));
                }
            }
        }
    }
}
