package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.RankRows;
import org.trellis.testing.TestSeed;

/** Meshes of which each rank brings some rows: the same divisions as of whole ones, and what is refused. */
class RankRowsTest {
    private static final int ACROSS = 23;
    private static final int ALONG = 31;

    /** A strip of squares whose nodes are numbered at random, with coordinates; whole, or by rows of each rank. */
    private static final class Squares {
        private final MeshSet nodes;
        private final MeshSet cells;
        private final MeshMap corners;
        private final Dat x;

        Squares(Mesh mesh, boolean whole) {
            Permutation numbers = Permutation.random(ACROSS * ALONG, TestSeed.random("squares"));
            nodes = mesh.set("nodes", ACROSS * ALONG);
            cells = mesh.set("cells", (ACROSS - 1) * (ALONG - 1));
            int[] targets = IntStream.range(0, cells.size()).flatMap(cell -> {
                int at = cell / (ALONG - 1) * ALONG + cell % (ALONG - 1);
                return IntStream.of(at, at + 1, at + ALONG + 1, at + ALONG);
            }).map(numbers::newIndex).toArray();
            double[] values = new double[2 * nodes.size()];
            for (int node = 0; node < nodes.size(); node++) {
                int row = node / ALONG;
                values[2 * numbers.newIndex(node)] = row;
                values[2 * numbers.newIndex(node) + 1] = 0.5 * (node % ALONG) - 7;
            }
            if (whole) {
                corners = mesh.map("corners", cells, nodes, 4, targets);
                x = mesh.dat("x", nodes, 2, Precision.F64, values);
            } else {
                RankRows rows = RankRows.of(mesh);
                int[] some = rows.block(cells);
                corners = rows.map("corners", cells, nodes, 4, some, of(targets, 4, some));
                // Nodes go round.
                int ranks = mesh.ranks().orElseThrow().ranks();
                int rank = mesh.ranks().orElseThrow().rank();
                int[] others = IntStream.range(0, nodes.size()).filter(node -> node % ranks == rank).toArray();
                x = rows.dat("x", nodes, 2, Precision.F64, others, Arrays.stream(others)
                        .flatMap(node -> IntStream.of(2 * node, 2 * node + 1)).mapToDouble(i -> values[i]).toArray());
            }
        }

        private static int[] of(int[] targets, int arity, int... elements) {
            return Arrays.stream(elements).flatMap(e -> Arrays.stream(targets, e * arity, (e + 1) * arity)).toArray();
        }
    }

    private static <T> T onRanks(int ranks, Division division, Function<Mesh, T> program) {
        return ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("reference", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator,
                            RankOptions.usual().withDivision(division))) {
                return program.apply(mesh);
            }
        }).getFirst();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void firstSetIsDividedAsAWholeOne(int ranks) {
        int[] given = IntStream.range(0, ACROSS * ALONG).map(node -> node * 7 % ranks).toArray();
        List<Division> divisions = new ArrayList<>(List.of(Division.byCoordinates("x"), Division.blocks(),
                Division.given("nodes", given), Division.blocks().of("cells")));
        if (ranks == 3) {
            divisions.add(Division.blocks().withShares(2, 0, 3));
        }
        for (Division division : divisions) {
            Function<Squares, int[]> owners =
                    squares -> DistributedMesh
                            .owners(division.toString().equals("blocks") ? squares.cells : squares.nodes);
            int[] expected = onRanks(ranks, division, mesh -> owners.apply(new Squares(mesh, true)));
            int[] actual = onRanks(ranks, division, mesh -> owners.apply(new Squares(mesh, false)));
            if (division.toString().startsWith("blocks")) {
                // Votes that are equal may go otherwise; blocks of a set itself do not.
                expected = onRanks(ranks, division, mesh -> DistributedMesh.owners(first(new Squares(mesh, true))));
                actual = onRanks(ranks, division, mesh -> DistributedMesh.owners(first(new Squares(mesh, false))));
            }
            assertArrayEquals(expected, actual, division + " on " + ranks + " ranks, seed " + TestSeed.value());
        }
    }

    private static MeshSet first(Squares squares) {
        String name = DistributedMesh.division(squares.nodes.mesh()).firsts().getFirst();
        return name.equals("nodes") ? squares.nodes : squares.cells;
    }

    /** Of the same graph, whose neighbours are listed in another order. */
    @Test
    void graphIsThatOfTheWhole() {
        double[] cuts = new double[2];
        for (int way = 0; way < 2; way++) {
            boolean whole = way == 0;
            DivisionReport report = onRanks(4, Division.usual(), mesh -> {
                Squares squares = new Squares(mesh, whole);
                int[] owners = DistributedMesh.owners(squares.nodes);
                int[] sizes = new int[4];
                Arrays.stream(owners).forEach(owner -> sizes[owner]++);
                assertTrue(Arrays.stream(sizes).max().orElseThrow() <= Math.ceil(Division.USUAL_TOLERANCE
                        * owners.length / 4), Arrays.toString(sizes));
                return DistributedMesh.division(mesh);
            });
            assertEquals(List.of("nodes"), report.firsts());
            cuts[way] = report.edgeCut().orElseThrow();
        }
        assertEquals(1, cuts[1] / cuts[0], 0.2);
    }

    @Test
    void valuesComeBackInTheUsersNumbering() {
        double[] expected = onRanks(1, Division.usual(), mesh -> new Squares(mesh, true).x.toArray());
        onRanks(3, Division.usual(), mesh -> {
            Squares squares = new Squares(mesh, false);
            assertArrayEquals(expected, squares.x.toArray()); // divides the mesh
            assertThrows(IllegalStateException.class, () -> squares.corners.toArray());
            assertEquals(expected[9], squares.x.get(4, 1));
            squares.x.set(4, 1, 0.25);
            assertEquals(0.25, squares.x.toArray()[9]);
            return null;
        });
    }

    /** A mesh without ranks takes rows as if they were declared whole. */
    @Test
    void oneRankBringsEverything() {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet from = mesh.set("from", 3);
            MeshSet to = mesh.set("to", 4);
            RankRows rows = RankRows.of(mesh);
            assertArrayEquals(new int[]{0, 1, 2}, rows.block(from));
            assertArrayEquals(new int[]{3, 3, 0, 1, 2, 0},
                    rows.map("map", from, to, 2, new int[]{2, 0, 1}, new int[]{2, 0, 3, 3, 0, 1}).toArray());
            MeshMap variable = rows.map("variable", from, to, new int[]{2, 0, 1}, new int[]{0, 1, 1, 3},
                    new int[]{3, 1, 2});
            assertArrayEquals(new int[]{1, 2, 3}, variable.toArray());
            assertArrayEquals(new int[]{0, 0, 2, 3}, variable.rowOffsets());
            assertArrayEquals(new int[]{20, 30, 10}, rows.intDat("dat", from, 1, new int[]{2, 0, 1},
                    new int[]{10, 20, 30}).toIntArray());
            assertMessage("element 1 of set 'from' has no row of dat 'few'", assertThrows(
                    IllegalArgumentException.class,
                    () -> rows.dat("few", from, 1, Precision.F64, new int[]{2, 0}, new double[2])));
        }
    }

    // What is refused.

    private static void assertMessage(String part, Throwable thrown) {
        String messages = Stream.iterate(thrown, t -> t != null, Throwable::getCause).map(Throwable::getMessage)
                .toList().toString();
        assertTrue(messages.contains(part), messages + ", expected " + part);
    }

    /** Runs a declaration of a mesh of ten nodes and six edges on two ranks, which has to be refused with a message. */
    private static void refused(String part, BiConsumer<RankRows, MeshSet[]> declaration) {
        assertMessage(part, assertThrows(RuntimeException.class, () -> onRanks(2, Division.usual(), mesh -> {
            MeshSet nodes = mesh.set("nodes", 10);
            MeshSet edges = mesh.set("edges", 6);
            declaration.accept(RankRows.of(mesh), new MeshSet[]{nodes, edges});
            mesh.divide();
            return null;
        })));
    }

    private static int rank(MeshSet[] sets) {
        return sets[0].mesh().ranks().orElseThrow().rank();
    }

    @Test
    void elementsThatNoRankOrTwoRanksBringAreRefused() {
        refused("element 4 of set 'edges' of 6 elements was brought by rank 0 and by rank 1 for map 'ends'",
                (rows, sets) -> {
                    int[] own = rank(sets) == 0 ? new int[]{0, 4, 1} : new int[]{2, 3, 4, 5};
                    rows.map("ends", sets[1], sets[0], 1, own, new int[own.length]);
                });
        refused("element 3 of set 'edges' of 6 elements was brought by none of the 2 ranks for map 'ends'",
                (rows, sets) -> {
                    int[] own = rank(sets) == 0 ? new int[]{0, 4, 1} : new int[]{2, 5};
                    rows.map("ends", sets[1], sets[0], 1, own, new int[own.length]);
                });
        refused("element 7 of set 'nodes' of 10 elements was brought by none of the 2 ranks for dat 'x'",
                (rows, sets) -> {
                    int[] own = IntStream.range(0, 10).filter(e -> e != 7 && e % 2 == rank(sets)).toArray();
                    rows.dat("x", sets[0], 1, Precision.F64, own, new double[own.length]);
                });
    }

    @Test
    void rowsThatDoNotFitAreRefused() {
        refused("rank 1 brings element 2 of map 'ends' twice", (rows, sets) -> {
            int[] own = rank(sets) == 0 ? new int[]{0, 1} : new int[]{2, 3, 2};
            rows.map("ends", sets[1], sets[0], 1, own, new int[own.length]);
        });
        refused("map 'ends' leads from element 3 of set 'edges', entry 1, brought by rank 1, to 10, expected 0 to 9",
                (rows, sets) -> {
                    int[] own = rank(sets) == 0 ? new int[]{0, 1, 2} : new int[]{5, 3, 4};
                    int[] targets = new int[6];
                    targets[3] = rank(sets) == 0 ? 9 : 10;
                    rows.map("ends", sets[1], sets[0], 2, own, targets);
                });
        refused("row 1 of dat 'x' on rank 0 is of element 10, expected 0 to 9",
                (rows, sets) -> rows.dat("x", sets[0], 1,
                        Precision.F64, rank(sets) == 0 ? new int[]{0, 10} : new int[0],
                        new double[rank(sets) == 0 ? 2 : 0]));
        refused("number of values for dat 'x' of 2 components on 3 elements of rank", (rows, sets) -> rows.dat("x",
                sets[0], 2, Precision.F64, new int[]{0, 1, 2}, new double[5]));
        refused(" is 0, expected at least 1", (rows, sets) -> rows.map("ends",
                sets[1], sets[0], new int[]{0, 1, 2}, new int[]{0, 1, 0, 1}, new int[1]));
        refused("renumbering of set 'nodes'", (rows, sets) -> {
            rows.dat("x", sets[0], 1, Precision.F64, rows.block(sets[0]), new double[rows.block(sets[0]).length]);
            sets[0].mesh().renumber(sets[0], Permutation.random(10, new SplittableRandom(1)));
        });
        refused("value for dat 'kind' is NaN", (rows, sets) -> {
            int[] own = rows.block(sets[0]);
            rows.intDat("kind", sets[0], 1, own, own).fill(Double.NaN);
        });
        refused("dat 'x' on set", (rows, sets) -> {
            try (Backend backend = Backends.open("reference", Configuration.load()); Mesh other = Mesh.on(backend)) {
                rows.dat("x", other.set("nodes", 1), 1, Precision.F64, new int[1], new double[1]);
            }
        });
    }

    @Test
    void coordinatesThatAreNoneAreRefused() {
        assertMessage("coordinate 0 of element 7 in dat 'x'", assertThrows(RuntimeException.class,
                () -> onRanks(3, Division.byCoordinates("x"), mesh -> {
                    MeshSet nodes = mesh.set("nodes", 10);
                    RankRows rows = RankRows.of(mesh);
                    int[] own = rows.block(nodes);
                    rows.dat("x", nodes, 2, Precision.F64, own, Arrays.stream(own).flatMap(e -> IntStream.of(e, e))
                            .mapToDouble(e -> e).map(e -> e == 7 ? Double.NaN : e).toArray());
                    mesh.divide();
                    return null;
                })));
    }
}
