package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.mesh.Mesh;
import org.trellis.testing.TestSeed;

/** Lists of contributions are in the order of columns and elements, whichever thread found them. */
class SignedInverseTest {
    @Test
    void listsAreInTheOrderOfColumns() {
        SplittableRandom random = TestSeed.random("inverse");
        int targets = 5000;
        int[] first = random.ints(70_000, 0, targets).toArray();
        int[] second = random.ints(90_000, 10, targets).toArray(); // the first ones get little or nothing
        List<List<Integer>> expected = new ArrayList<>();
        IntStream.range(0, targets).forEach(t -> expected.add(new ArrayList<>()));
        for (int e = 0; e < first.length; e++) {
            expected.get(first[e]).add(200_000 + e);
        }
        for (int e = 0; e < second.length; e++) {
            expected.get(second[e]).add(~(50 + e));
        }
        try (Backend threads = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(threads)) {
            SignedInverse inverse =
                    SignedInverse.of(mesh, targets, List.of(first, second), List.of(200_000, 50), List.of(1, -1));
            assertArrayEquals(expected.stream().flatMap(List::stream).mapToInt(k -> k).toArray(), inverse.places(),
                    "seed " + TestSeed.value());
            assertArrayEquals(IntStream.rangeClosed(0, targets)
                    .map(t -> expected.subList(0, t).stream().mapToInt(List::size).sum()).toArray(), inverse.offsets());
            assertSame(inverse, SignedInverse.of(mesh, targets, List.of(first, second), List.of(200_000, 50),
                    List.of(1, -1)), "kept by the mesh");
        }
    }

    @Test
    void listsThatTheMeshKeepsAreNotSortedAgain() {
        SplittableRandom random = TestSeed.random("lists");
        int targets = 700;
        List<int[]> columns = List.of(random.ints(30_000, 0, targets).toArray(),
                random.ints(20_000, 0, targets).toArray());
        List<Integer> firsts = List.of(0, 0);
        List<Integer> signs = List.of(1, -1);
        try (Backend threads = Backends.open("threads", Configuration.load());
                Mesh mesh = Mesh.on(threads);
                Mesh other = Mesh.on(threads)) {
            SignedInverse lists = SignedInverse.inOrder(mesh, targets, columns);
            int[] before = lists.places().clone();
            SignedInverse stored = SignedInverse.of(mesh, targets, columns, firsts, signs);
            SignedInverse alone = SignedInverse.of(other, targets, columns, firsts, signs);
            assertSame(lists.offsets(), stored.offsets(), "lists are as long");
            assertArrayEquals(alone.offsets(), stored.offsets());
            assertArrayEquals(alone.places(), stored.places(), "seed " + TestSeed.value());
            assertArrayEquals(before, lists.places(), "what the mesh keeps stays as it was");
            assertArrayEquals(IntStream.of(before).map(place -> place < 30_000 ? place : ~(place - 30_000)).toArray(),
                    stored.places());
            assertSame(lists, SignedInverse.of(mesh, targets, columns, List.of(0, 30_000), List.of(1, 1)),
                    "stored one column after the other");
        }
    }
}
