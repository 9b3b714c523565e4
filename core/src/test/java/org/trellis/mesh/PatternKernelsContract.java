package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.mesh.device.PatternArrays;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.mesh.device.PatternTables;
import org.trellis.testing.TestSeed;

/**
 * What the patterns of every backend must be: those of {@code reference}, bit for bit. A backend's test extends this
 * class and opens the backend.
 */
public abstract class PatternKernelsContract {
    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /** Agrees with the reference on awkward sizes and several kinds of elements. */
    @Test
    void agreesWithReference() {
        SplittableRandom random = TestSeed.random("pattern");
        try (Backend backend = openBackend(); Backend reference = Backends.open("reference", Configuration.load())) {
            for (int[] size : RandomMesh.SIZES) {
                for (int kinds = 1; kinds <= 3; kinds++) {
                    PatternTables tables = tables(size, kinds, random);
                    PatternArrays expected = reference.kernels(PatternKernels.class).build(tables);
                    PatternArrays actual = backend.kernels(PatternKernels.class).build(tables);
                    String context = tables.blocks() + ", seed " + TestSeed.value();
                    assertArrayEquals(expected.rowOffsets(), actual.rowOffsets(), context);
                    assertArrayEquals(expected.columnIndices(), actual.columnIndices(), context);
                    assertEquals(kinds, actual.positions().size());
                    for (int kind = 0; kind < kinds; kind++) {
                        assertArrayEquals(expected.positions().get(kind), actual.positions().get(kind), context);
                    }
                }
            }
        }
    }

    private static PatternTables tables(int[] size, int kinds, SplittableRandom random) {
        int columns = size[1] / 2 + (size[1] > 0 ? 1 : 0);
        List<PatternTables.Block> blocks = new ArrayList<>();
        for (int kind = 0; kind < kinds; kind++) {
            // The second kind has no elements.
            int elements = kind == 1 ? 0 : size[0];
            blocks.add(new PatternTables.Block(elements, columns(elements, 1 + kind, size[1], random),
                    columns(elements, 4 - kind, columns, random)));
        }
        return new PatternTables(size[1], columns, blocks);
    }

    private static int[][] columns(int elements, int arity, int targets, SplittableRandom random) {
        int[][] columns = new int[arity][];
        for (int entry = 0; entry < arity; entry++) {
            columns[entry] = RandomMesh.table(elements, 1, targets, random);
        }
        return columns;
    }

    /** Sorts rows of very different lengths, one of which every element touches. */
    @Test
    void sortsLongRows() {
        int elements = 3000;
        int[] column = new int[elements];
        SplittableRandom random = TestSeed.random("longRows");
        for (int e = 0; e < elements; e++) {
            column[e] = random.nextInt(elements);
        }
        PatternTables tables = new PatternTables(3, elements,
                List.of(new PatternTables.Block(elements, new int[][]{new int[elements]}, new int[][]{column})));
        try (Backend backend = openBackend(); Backend reference = Backends.open("reference", Configuration.load())) {
            PatternArrays expected = reference.kernels(PatternKernels.class).build(tables);
            PatternArrays actual = backend.kernels(PatternKernels.class).build(tables);
            assertArrayEquals(expected.columnIndices(), actual.columnIndices(), "seed " + TestSeed.value());
            assertArrayEquals(expected.positions().getFirst(), actual.positions().getFirst());
        }
    }

    /** Assembles by a loop through positions, whatever is renumbered and changed in between. */
    @Test
    void assemblesThroughPositions() {
        SplittableRandom random = TestSeed.random("assembly");
        try (Backend backend = openBackend(); AssemblyCase made = new AssemblyCase(backend, random)) {
            made.assembleAndCompare("at first");
            Mesh mesh = made.mesh();
            for (MeshSet set : mesh.sets()) {
                if (!set.pinned()) {
                    mesh.renumber(set, Permutation.random(set.size(), random));
                    made.compare("renumbered " + set);
                }
            }
            made.assembleAndCompare("renumbered");
            made.change(random);
            made.assembleAndCompare("changed");
            MeshOrder.shuffle(mesh, random);
            MeshOrder.restore(mesh);
            for (MeshSet set : mesh.sets()) {
                assertEquals(true, set.pinned() || set.inUserOrder(), set.toString());
            }
            made.assembleAndCompare("restored");
        }
    }

    /** A mesh on which a matrix is assembled by loops, and the same matrix as a dense one. */
    private static final class AssemblyCase implements AutoCloseable {
        private final Mesh mesh;
        private final MeshSet cells;
        private final MeshSet nodes;
        private final MeshMap corners;
        private final MeshMap pair;
        private final AssemblyPattern pattern;
        private final Dat weight;
        private final Dat x;
        private final Dat y;
        private final Dat values;
        private final ParallelLoop couple;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        AssemblyCase(Backend backend, SplittableRandom random) {
            mesh = Mesh.on(backend);
            cells = mesh.set("cells", 211);
            nodes = mesh.set("nodes", 97);
            MeshSet sides = mesh.set("sides", 31);
            corners = mesh.map("corners", cells, nodes, 3, RandomMesh.table(211, 3, 97, random));
            pair = mesh.map("pair", cells, sides, 2, RandomMesh.table(211, 2, 31, random));
            weight = mesh.dat("weight", cells, 1, Precision.F64, RandomMesh.values(211, random));
            x = mesh.dat("x", nodes, 1, Precision.F64, RandomMesh.values(97, random));
            y = mesh.dat("y", sides, 1, Precision.F64, RandomMesh.values(31, random));
            pattern = AssemblyPattern.of("K", corners, pair);
            values = pattern.values("stiffness", Precision.F64);
            couple = mesh.loop(CaseKernelsLoops.COUPLE, cells, weight, x.at(corners), y.at(pair),
                    values.at(pattern.positions()));
        }

        Mesh mesh() {
            return mesh;
        }

        void assembleAndCompare(String context) {
            values.fill(0);
            couple.run();
            compare(context);
        }

        void compare(String context) {
            int columns = pattern.columns().size();
            double[][] dense = new double[nodes.size()][columns];
            boolean[][] there = new boolean[nodes.size()][columns];
            int[] rows = corners.toArray();
            int[] sides = pair.toArray();
            for (int e = 0; e < cells.size(); e++) {
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 2; j++) {
                        int row = rows[3 * e + i];
                        int column = sides[2 * e + j];
                        there[row][column] = true;
                        dense[row][column] += weight.get(e, 0) * x.get(row, 0) - y.get(column, 0) + j;
                    }
                }
            }
            for (int row = 0; row < dense.length; row++) {
                for (int column = 0; column < columns; column++) {
                    int entry = pattern.entry(row, column);
                    String where = context + ": row " + row + ", column " + column + ", seed " + TestSeed.value();
                    assertEquals(there[row][column], entry >= 0, where);
                    if (entry >= 0) {
                        assertEquals(dense[row][column], values.get(entry, 0), where);
                    }
                }
            }
        }

        void change(SplittableRandom random) {
            mesh.change(edit -> edit.resize(cells, 150).resize(nodes, 110)
                    .targets(corners, RandomMesh.table(150, 3, 110, random)).fill(x, 7));
        }

        @Override
        public void close() {
            mesh.close();
        }
    }
}
