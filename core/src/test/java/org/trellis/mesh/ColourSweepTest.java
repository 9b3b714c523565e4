package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.testing.TestSeed;

class ColourSweepTest {
    /** A chain of random links: rows of neighbours in both directions. */
    private static int[][] random(int n, SplittableRandom random) {
        boolean[][] joined = new boolean[n][n];
        for (int i = 0; i < 3 * n; i++) {
            int a = random.nextInt(n);
            int b = random.nextInt(n);
            joined[a][b] = a != b;
            joined[b][a] = a != b;
        }
        int[] offsets = new int[n + 1];
        int[] targets = new int[n * n];
        for (int a = 0; a < n; a++) {
            offsets[a + 1] = offsets[a];
            for (int b = 0; b < n; b++) {
                if (joined[a][b]) {
                    targets[offsets[a + 1]++] = b;
                }
            }
        }
        return new int[][]{offsets, Arrays.copyOf(targets, offsets[n])};
    }

    /** Colour by colour, in the plainest way. */
    private static void expected(ColourSweep sweep, int[][] rows, double[] x) {
        for (ColourSweep.ColourSet colour : sweep.colours()) {
            for (int e : colour.own().toArray()) {
                double sum = x[e];
                for (int p = rows[0][e]; p < rows[0][e + 1]; p++) {
                    sum += 0.5 * x[rows[1][p]];
                }
                x[e] = sum / (1 + rows[0][e + 1] - rows[0][e]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd", "cpu"})
    void readsWhatEarlierColoursWrote(String name) {
        SplittableRandom random = TestSeed.random("sweep");
        try (Backend backend = Backends.open(name, Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            for (int n : new int[]{1, 7, 61, 257}) {
                int[][] rows = random(n, random);
                int[] classes = new int[n];
                Arrays.setAll(classes, e -> e % 5 == 4 ? ColourSweep.LEFT_OUT : e % 3 == 2 ? 1 : 0);
                double[] x = random.doubles(n, -1, 1).toArray();
                MeshSet set = mesh.set("set" + n, n);
                Dat dat = mesh.dat("x" + n, set, 1, Precision.F64, x);
                ColourSweep sweep =
                        ColourSweep.of("colour" + n, mesh.map("near" + n, set, set, rows[0], rows[1]), classes);
                LoopSequence run = sweep.sequence("sweep" + n, CaseKernelsLoops.RELAX,
                        colour -> new LoopArgument[]{dat.at(colour.own(), 0), dat.at(colour.around())});
                run.run();
                run.run();
                expected(sweep, rows, x);
                expected(sweep, rows, x);
                assertArrayEquals(x, dat.toArray(), 0, "seed " + TestSeed.value() + ", size " + n);
            }
        }
    }

    @Test
    void coloursHaveNoNeighboursAndClassesComeInOrder() {
        int[][] rows = random(50, TestSeed.random("colours"));
        int[] classes = new int[50];
        Arrays.setAll(classes, e -> e < 40 ? e % 2 : ColourSweep.LEFT_OUT);
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 50);
            ColourSweep sweep = ColourSweep.of("colour", mesh.map("near", set, set, rows[0], rows[1]), classes);
            boolean[] seen = new boolean[50];
            int before = 0;
            for (ColourSweep.ColourSet colour : sweep.colours()) {
                int[] members = colour.own().toArray();
                int own = classes[members[0]];
                assertTrue(own >= before);
                before = own;
                for (int e : members) {
                    assertEquals(own, classes[e]);
                    assertTrue(!seen[e]);
                    seen[e] = true;
                    for (int p = rows[0][e]; p < rows[0][e + 1]; p++) {
                        int other = rows[1][p];
                        assertTrue(Arrays.stream(members).noneMatch(m -> m == other), "seed " + TestSeed.value());
                    }
                }
            }
            for (int e = 0; e < 50; e++) {
                assertEquals(e < 40, seen[e]);
            }
        }
    }

    /** Blocks at once give the plain first-fit colours, in numberings with neighbours near by and far away. */
    @Test
    void coloursAtOnceAreThoseOfOneAfterTheOther() {
        SplittableRandom random = TestSeed.random("first fit");
        int n = 40_000;
        for (int trial = 0; trial < 4; trial++) {
            int reach = trial % 2 == 0 ? 20 : n;
            int[][] near = new int[n][3];
            int[] degrees = new int[n];
            for (int i = 0; i < 40_000; i++) {
                int a = random.nextInt(n);
                int b = (a + 1 + random.nextInt(reach - 1)) % n;
                if (degrees[a] < 3 && degrees[b] < 3 && near[a][0] != b && near[a][1] != b) {
                    near[a][degrees[a]++] = b;
                    near[b][degrees[b]++] = a;
                }
            }
            int[] offsets = new int[n + 1];
            int[] targets = new int[3 * n];
            int[] classes = new int[n];
            for (int e = 0; e < n; e++) {
                System.arraycopy(near[e], 0, targets, offsets[e], degrees[e]);
                offsets[e + 1] = offsets[e] + degrees[e];
                classes[e] = trial < 2 ? 0 : random.nextInt(3) - 1;
            }
            int[] expected = new int[n];
            int base = 0;
            for (int wanted = 0; wanted < 2; wanted++) {
                int most = base;
                for (int e = 0; e < n; e++) {
                    if (classes[e] == wanted) {
                        boolean[] seen = new boolean[5];
                        for (int p = offsets[e]; p < offsets[e + 1]; p++) {
                            if (targets[p] < e && classes[targets[p]] == wanted) {
                                seen[expected[targets[p]] - base] = true;
                            }
                        }
                        int free = 0;
                        while (seen[free]) {
                            free++;
                        }
                        expected[e] = base + free;
                        most = Math.max(most, base + free + 1);
                    } else if (classes[e] < 0) {
                        expected[e] = ColourSweep.LEFT_OUT;
                    }
                }
                base = most;
            }
            assertArrayEquals(expected, ColourSweep.colours(offsets, Arrays.copyOf(targets, offsets[n]), classes),
                    "seed " + TestSeed.value() + ", trial " + trial);
        }
    }

    @Test
    void takesKnownColours() {
        int[][] rows = {{0, 1, 3, 4}, {1, 0, 2, 1}};
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 3);
            MeshMap near = mesh.map("near", set, set, rows[0], rows[1]);
            ColourSweep sweep = ColourSweep.withColours("known", near, new int[]{2, 0, 1});
            assertEquals(3, sweep.colours().size());
            assertArrayEquals(new int[]{0}, sweep.colours().get(2).members());
            MeshMap around = sweep.colours().getFirst().around();
            assertArrayEquals(new int[]{0, 2}, around.toArray());
            MeshMap other = sweep.colours().getFirst().rows("other", new int[]{0, 0, 3, 3}, new int[]{2, 2, 0});
            assertArrayEquals(new int[]{2, 2, 0}, other.toArray());
            assertThrows(IllegalArgumentException.class,
                    () -> sweep.colours().getFirst().rows("wrong", new int[]{0, 2, 1, 3}, new int[3]));
            String same = assertThrows(IllegalArgumentException.class,
                    () -> ColourSweep.withColours("same", near, new int[]{0, 0, 1})).getMessage();
            assertTrue(same.contains("elements 0 and 1") && same.contains("expected different"), same);
            assertThrows(IllegalArgumentException.class,
                    () -> ColourSweep.withColours("gap", near, new int[]{0, 2, 0}));
            assertThrows(IllegalArgumentException.class, () -> ColourSweep.withColours("few", near, new int[]{0, 1}));
        }
    }

    @Test
    void refusesWhatAreNoNeighboursAndWritesThatOthersRead() {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 3);
            MeshMap away = mesh.map("away", set, set, new int[]{0, 1, 1, 1}, new int[]{2});
            String message = assertThrows(IllegalArgumentException.class, () -> ColourSweep.of("a", away)).getMessage();
            assertTrue(message.contains("not back"), message);
            MeshMap self = mesh.map("self", set, set, new int[]{0, 1, 1, 1}, new int[]{0});
            assertThrows(IllegalArgumentException.class, () -> ColourSweep.of("b", self));
            Dat x = mesh.dat("x", set, 1, Precision.F64);
            MeshMap own = mesh.map("own", set, set, 1, new int[]{0, 1, 2});
            String shared = assertThrows(IllegalArgumentException.class,
                    () -> mesh.loop(CaseKernelsLoops.RELAX, set, x.at(own, 0), x.at(away))).getMessage();
            assertTrue(shared.contains("element 2") && shared.contains("expected maps to different elements"), shared);
        }
    }

    /** A change that makes an element both read and written is refused, and leaves the mesh as it was. */
    @Test
    void changesAreCheckedAgain() {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet all = mesh.set("all", 3);
            MeshSet some = mesh.set("some", 1);
            Dat x = mesh.dat("x", all, 1, Precision.F64, new double[]{1, 2, 4});
            MeshMap own = mesh.map("own", some, all, 1, new int[]{0});
            MeshMap around = mesh.map("around", some, all, new int[]{0, 2}, new int[]{1, 2});
            ParallelLoop loop = mesh.loop(CaseKernelsLoops.RELAX, some, x.at(own, 0), x.at(around));
            assertThrows(IllegalArgumentException.class,
                    () -> mesh.change(edit -> edit.targets(around, new int[]{0, 2}, new int[]{1, 0})));
            loop.run();
            assertEquals(4.0 / 3, x.get(0, 0));
        }
    }
}
