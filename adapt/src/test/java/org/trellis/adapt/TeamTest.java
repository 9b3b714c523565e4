package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.testing.TestSeed;

/** Threads of an adaptation, and what they do together: colours, compaction. */
class TeamTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void doesEveryPieceOnceAndSharesNoWorkspace(int threads) {
        AtomicInteger workspaces = new AtomicInteger();
        try (Team team = new Team(threads)) {
            int[] visits = new int[1003];
            for (int step = 0; step < 2000; step++) {
                workspaces.set(0);
                team.run(visits.length, 17, () -> new int[]{workspaces.getAndIncrement(), 0}, (from, to, own) -> {
                    assertEquals(1, ++own[1], "one thread at a time");
                    for (int i = from; i < to; i++) {
                        visits[i]++;
                    }
                    own[1]--;
                });
                assertTrue(workspaces.get() <= threads);
            }
            assertTrue(Arrays.stream(visits).allMatch(count -> count == 2000));
            team.run(0, 4, () -> visits, (from, to, all) -> all[0] = 0);
            assertEquals(2000, visits[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void failuresReachTheCallerAndTheTeamGoesOn(int threads) {
        try (Team team = new Team(threads)) {
            for (int step = 0; step < 20; step++) {
                IllegalStateException thrown = assertThrows(IllegalStateException.class,
                        () -> team.run(100, 1, () -> "", (from, to, own) -> {
                            if (from <= 50 && to > 50) {
                                throw new IllegalStateException("at 50");
                            }
                        }));
                assertEquals("at 50", thrown.getMessage());
                AtomicInteger sum = new AtomicInteger();
                team.run(10, 1, () -> sum, (from, to, all) -> all.addAndGet(to - from));
                assertEquals(10, sum.get());
            }
        }
    }

    /** The square of unit squares in a random order of vertices, so that blocks of the colouring depend on others. */
    private static SimplexMesh renumbered(int n, SplittableRandom random) {
        SimplexMesh plain = SimplexMesh.square(n);
        int[] places = new int[plain.vertices()];
        Arrays.setAll(places, v -> v);
        for (int v = places.length - 1; v > 0; v--) {
            int other = random.nextInt(v + 1);
            int kept = places[v];
            places[v] = places[other];
            places[other] = kept;
        }
        double[] x = new double[2 * places.length];
        for (int v = 0; v < places.length; v++) {
            System.arraycopy(plain.coordinates(), 2 * v, x, 2 * places[v], 2);
        }
        return SimplexMesh.of(2, x, Arrays.stream(plain.corners()).map(v -> places[v]).toArray());
    }

    /** The definition: in the order of numbers, the least colour that no neighbour of the class has. */
    private static int[][] firstFit(VertexGraph graph, boolean[] second) {
        int[] colours = new int[second.length];
        Arrays.fill(colours, -1);
        List<List<Integer>> sets = new ArrayList<>();
        for (boolean kind : new boolean[]{false, true}) {
            int base = sets.size();
            for (int v = 0; v < second.length; v++) {
                if (second[v] == kind) {
                    int colour = base;
                    for (int i = graph.offsets[v]; i < graph.offsets[v + 1]; i++) {
                        if (colours[graph.neighbours[i]] == colour) {
                            colour++;
                            i = graph.offsets[v] - 1;
                        }
                    }
                    colours[v] = colour;
                    while (sets.size() <= colour) {
                        sets.add(new ArrayList<>());
                    }
                    sets.get(colour).add(v);
                }
            }
        }
        return sets.stream().map(set -> set.stream().mapToInt(v -> v).toArray()).toArray(int[][]::new);
    }

    @Test
    void colouringAtOnceIsTheFirstFitColouring() {
        SplittableRandom random = TestSeed.random("colours");
        for (SimplexMesh mesh : List.of(SimplexMesh.square(90), renumbered(90, random), SimplexMesh.cube(4))) {
            boolean[] second = new boolean[mesh.vertices()];
            for (int v = 0; v < second.length; v++) {
                second[v] = random.nextInt(4) == 0;
            }
            for (int threads = 1; threads <= 4; threads += 3) {
                try (Team team = new Team(threads)) {
                    VertexGraph graph = new VertexGraph(
                            new CavityMesh(mesh, AnalyticMetrics.uniform(mesh.dimension(), 1), team), team);
                    int[][] sets = graph.sets(second);
                    int[][] expected = firstFit(graph, second);
                    assertEquals(expected.length, sets.length, "seed " + TestSeed.value());
                    for (int c = 0; c < sets.length; c++) {
                        assertArrayEquals(expected[c], sets[c], "colour " + c + ", seed " + TestSeed.value());
                    }
                }
            }
        }
    }

    /** Coarsening leaves gaps; what is left keeps its order, and lists of elements name the new numbers. */
    @Test
    void compactingKeepsTheMesh() {
        try (Team team = new Team(3)) {
            CavityMesh mesh = new CavityMesh(SimplexMesh.square(40), AnalyticMetrics.uniform(2, 0.06), team);
            new IndependentRounds(mesh, team).run(new EdgeCollapse(mesh, 0.7, 1.4, 0), 0);
            List<Double> corners = corners(mesh);
            int gaps = mesh.vertices;
            mesh.compact();
            assertTrue(mesh.vertices < gaps);
            assertEquals(corners, corners(mesh));
            for (int v = 0; v < mesh.vertices; v++) {
                assertTrue(mesh.isUsed(v));
                for (int i = 0; i < mesh.degrees[v]; i++) {
                    assertTrue(mesh.contains(mesh.stars[v][i], v));
                }
            }
            assertEquals(3 * mesh.elements, Arrays.stream(mesh.degrees).limit(mesh.vertices).sum());
            mesh.toMesh().verify();
        }
    }

    /** Coordinates of the corners of living elements, with quality, patch and region. */
    private static List<Double> corners(CavityMesh mesh) {
        List<Double> all = new ArrayList<>();
        for (int e = 0; e < mesh.elements; e++) {
            if (mesh.isAlive(e)) {
                all.add(mesh.quality[e]);
                all.add((double) mesh.regions[e]);
                for (int k = 0; k < 3; k++) {
                    all.add((double) mesh.patches[3 * e + k]);
                    all.add(mesh.coordinates[2 * mesh.corners[3 * e + k]]);
                    all.add(mesh.coordinates[2 * mesh.corners[3 * e + k] + 1]);
                    all.add(mesh.metric[3 * mesh.corners[3 * e + k]]);
                }
            }
        }
        return all;
    }
}
