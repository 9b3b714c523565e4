package org.trellis.mesh.assembly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.HostVector;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.AssemblyPattern.Coupling;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.device.PatternTables;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.InterpretedKernel;

/** The Laplacian of a square of two triangles, 0 1 2 and 2 1 3, by hand. */
class AssemblyPatternTest {
    /** One on the diagonal of element matrices, and minus a half beside it. */
    private static final LoopKernel ELEMENT = InterpretedKernel.named("element").dat(Access.READ, 1)
            .dat(Access.INCREMENT, 1, 9).does(v -> {
                double weight = ((double[]) v[0])[0];
                Object[] matrix = (Object[]) v[1];
                for (int k = 0; k < 9; k++) {
                    ((double[]) matrix[k])[0] += k % 4 == 0 ? weight : -weight / 2;
                }
            });

    private Backend backend;
    private Mesh mesh;
    private MeshSet nodes;
    private MeshSet cells;
    private MeshMap corners;
    private AssemblyPattern pattern;
    private Dat values;
    private ParallelLoop element;

    @BeforeEach
    @SuppressWarnings("MustBeClosed") // closed by the test
    void declare() {
        backend = Backends.open("threads", Configuration.load());
        mesh = Mesh.on(backend);
        nodes = mesh.set("nodes", 4);
        cells = mesh.set("cells", 2);
        corners = mesh.map("corners", cells, nodes, 3, new int[]{0, 1, 2, 2, 1, 3});
        pattern = AssemblyPattern.of("K", corners, corners);
        values = pattern.values("stiffness", Precision.F64);
        Dat weight = mesh.dat("weight", cells, 1, Precision.F64, new double[]{1, 10});
        element = mesh.loop(ELEMENT, cells, weight, values.at(pattern.positions()));
    }

    @AfterEach
    void close() {
        mesh.close();
        backend.close();
    }

    private static void refused(String expected, Executable action) {
        String message = assertThrows(IllegalArgumentException.class, action).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void entriesAreSortedAndPositionsLeadToThem() {
        assertArrayEquals(new int[]{0, 3, 7, 11, 14}, pattern.rowOffsets());
        assertArrayEquals(new int[]{0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3}, pattern.columnIndices());
        assertArrayEquals(new int[]{0, 1, 2, 3, 4, 5, 7, 8, 9, 9, 8, 10, 5, 4, 6, 12, 11, 13},
                pattern.positions().toArray());
        assertEquals("pattern 'K' of 14 entries in 4 rows and 4 columns", pattern.toString());
        assertEquals(-1, pattern.entry(0, 3));
        assertEquals(13, pattern.entry(3, 3));
    }

    @Test
    void aLoopAssemblesAndTheMatrixIsThere() {
        element.run();
        CsrMatrix matrix = AssembledMatrices.view(pattern, values);
        CsrMatrix copy = AssembledMatrices.copy(pattern, values);
        assertEquals(11, matrix.get(1, 1));
        assertEquals(-5.5, matrix.get(1, 2));
        assertEquals(0, matrix.get(0, 3));
        assertEquals(10, copy.get(3, 3));
        assertSame(pattern.columnIndices(), matrix.onlySegment().columnIndices());
        element.run();
        assertEquals(22, matrix.get(1, 1), "values are shared");
        assertEquals(11, copy.get(1, 1), "values are not shared");
    }

    /** Operators of every family multiply with what has been assembled since, once they have been given it. */
    @Test
    void operatorsAreRefilled() {
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        element.run();
        CsrMatrix matrix = AssembledMatrices.copy(pattern, values);
        HostVector x = HostVector.of(new double[]{1, 0, 0, 1});
        HostVector y = HostVector.zeros(Precision.F64, 4);
        element.run();
        for (SpmvParameters parameters : kernels.parameterSpace(matrix)) {
            try (SpmvOperator product = kernels.prepare(matrix, parameters)) {
                product.multiply(1, x, 0, y);
                assertArrayEquals(new double[]{1, -5.5, -5.5, 10}, y.doubles(), parameters.toString());
                product.refill(values.vector());
                product.multiply(1, x, 0, y);
                assertArrayEquals(new double[]{2, -11, -11, 20}, y.doubles(), parameters.toString());
            }
        }
    }

    @Test
    void entriesFollowRowsAndColumns() {
        element.run();
        refused("renumbering of set 'K entries' of 14 elements, which are the entries of pattern 'K'",
                () -> mesh.renumber(pattern.entries(), Permutation.identity(14)));
        double[] before = values.toArray();
        CsrMatrix old = AssembledMatrices.copy(pattern, values);
        Permutation order = Permutation.ofNewIndices(3, 1, 0, 2);
        mesh.renumber(nodes, order);
        mesh.renumber(cells, Permutation.ofNewIndices(1, 0));
        assertArrayEquals(before, values.toArray(), "values in the user's numbering stay");
        assertTrue(old.permute(order, order).sameAs(AssembledMatrices.view(pattern, values)));
        assertEquals(10, values.get(pattern.entry(3, 3), 0));
        values.fill(0);
        element.run();
        assertTrue(old.permute(order, order).sameAs(AssembledMatrices.view(pattern, values)));
        mesh.renumber(nodes, nodes.order().inverse());
        assertTrue(pattern.entries().inUserOrder());
        assertTrue(old.sameAs(AssembledMatrices.view(pattern, values)));
    }

    @Test
    void aChangeMakesThePatternAnew() {
        element.run();
        mesh.change(edit -> edit.resize(cells, 1, new int[]{1}).resize(nodes, 3, new int[]{3, 2, 1}));
        assertEquals(9, pattern.entries().size());
        assertArrayEquals(new double[9], values.toArray());
        element.run();
        CsrMatrix matrix = AssembledMatrices.view(pattern, values);
        assertEquals(10, matrix.get(0, 0));
        assertEquals(-5, matrix.get(0, 2));
        int[] columns = pattern.columnIndices();
        mesh.change(edit -> edit.fill(mesh.dats().getLast(), 1));
        assertSame(columns, pattern.columnIndices(), "a change elsewhere leaves it alone");
        assertThrows(IllegalArgumentException.class,
                () -> mesh.change(edit -> edit.resize(pattern.entries(), 4)));
        assertThrows(IllegalArgumentException.class,
                () -> mesh.change(edit -> edit.targets(pattern.positions(), new int[9])));
        assertThrows(IllegalArgumentException.class,
                () -> mesh.change(edit -> edit.resize(cells, 0).values(values, new double[5])));
        assertSame(columns, pattern.columnIndices(), "a change that fails leaves it alone");
        mesh.change(edit -> edit.resize(cells, 0));
        assertArrayEquals(new int[4], pattern.rowOffsets());
        element.run();
    }

    @Test
    void severalKindsOfElementsShareAMatrix() {
        MeshSet sides = mesh.set("sides", 1);
        MeshMap ends = mesh.map("ends", sides, nodes, 2, new int[]{0, 3});
        AssemblyPattern both =
                AssemblyPattern.of("B", List.of(new Coupling(corners, corners), new Coupling(ends, ends)));
        assertEquals(16, both.entries().size());
        assertArrayEquals(new int[]{0, 3, 12, 15}, both.positions(1).toArray());
        assertFalse(both.entry(0, 3) < 0);
        assertThrows(IndexOutOfBoundsException.class, () -> both.positions(2));
    }

    @Test
    void morePairsThanAnArrayHoldsAreRefused() {
        int[][] many = new int[50_000][0];
        refused("elements couple 2500000000 pairs",
                () -> new PatternTables(1, 1, List.of(new PatternTables.Block(1, many, many))));
    }

    @Test
    void mistakesAreNamed() {
        MeshMap row = mesh.map("row", cells, nodes, new int[]{0, 1, 2}, new int[]{0, 1});
        MeshMap other = mesh.map("other", cells, cells, 1, new int[]{0, 1});
        MeshMap back = mesh.map("back", nodes, cells, 1, new int[4]);
        refused("pattern by map 'row'", () -> AssemblyPattern.of("P", row, corners));
        refused("expected maps from one set", () -> AssemblyPattern.of("P", corners, back));
        refused("has no coupling", () -> AssemblyPattern.of("P", List.of()));
        refused("expected rows in set 'nodes'", () -> AssemblyPattern.of("P",
                List.of(new Coupling(corners, corners), new Coupling(other, corners))));
        refused("has a set 'K entries' already", () -> AssemblyPattern.of("K", corners, corners));
        Dat two = mesh.dat("two", pattern.entries(), 2, Precision.F64);
        Dat whole = mesh.intDat("whole", pattern.entries(), 1);
        refused("expected 1", () -> AssembledMatrices.view(pattern, two));
        refused("expected real numbers", () -> AssembledMatrices.copy(pattern, whole));
        refused("expected real numbers on set 'K entries'",
                () -> AssembledMatrices.view(pattern, mesh.dat("n", nodes, 1, Precision.F64)));
    }
}
