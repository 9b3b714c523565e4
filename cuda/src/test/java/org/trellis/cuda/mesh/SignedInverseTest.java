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
}
