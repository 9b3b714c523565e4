package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.Layout;
import org.trellis.testing.FailingBackend;
import org.trellis.testing.InterpretedKernel;

/** Changes of sets on a mesh that fits on a line, and all errors that they end in. */
class MeshChangeTest {
    private static final LoopKernel COPY = InterpretedKernel.named("copy").dat(Access.READ, 1).dat(Access.WRITE, 1)
            .does(v -> System.arraycopy(v[0], 0, v[1], 0, 1));
    private static final LoopKernel ADD = InterpretedKernel.named("add").dat(Access.READ, 1).dat(Access.INCREMENT, 1)
            .dat(Access.INCREMENT, 1).does(v -> {
                ((double[]) v[1])[0] += ((double[]) v[0])[0];
                ((double[]) v[2])[0] += ((double[]) v[0])[0];
            });

    private Backend backend;
    private Mesh mesh;
    private MeshSet edges;
    private MeshSet nodes;
    private MeshMap ends;
    private MeshMap row;
    private MeshMap first;
    private Dat x;
    private Dat w;
    private Dat mark;
    private Dat sum;
    private ParallelLoop add;
    private ParallelLoop copy;

    @BeforeEach
    @SuppressWarnings("MustBeClosed") // closed by the test
    void declare() {
        declare(Backends.open("reference", Configuration.load()));
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private void declare(Backend on) {
        backend = on;
        mesh = Mesh.on(backend);
        edges = mesh.set("edges", 3);
        nodes = mesh.set("nodes", 4);
        ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2, 2, 3});
        row = mesh.map("row", edges, nodes, new int[]{0, 2, 2, 3}, new int[]{3, 1, 0});
        first = mesh.map("first", edges, nodes, 1, new int[]{0, 1, 2});
        x = mesh.dat("x", nodes, 2, Precision.F64, new double[]{0, 1, 10, 11, 20, 21, 30, 31});
        w = mesh.dat("w", edges, 1, Precision.F64, new double[]{1, 10, 100});
        mark = mesh.intDat("mark", nodes, 1, new int[]{5, 6, Integer.MIN_VALUE, 8});
        sum = mesh.dat("sum", nodes, 1, Precision.F64);
        add = mesh.loop(ADD, edges, w, sum.at(ends, 0), sum.at(ends, 1));
        copy = mesh.loop(COPY, edges, w, sum.at(first, 0));
    }

    @AfterEach
    void close() {
        mesh.close();
        backend.close();
    }

    @Test
    void anEdgeIsSplit() {
        add.run();
        mesh.change(edit -> edit.resize(nodes, 5).resize(edges, 4, new int[]{0, 1, 2, 2})
                .targets(ends, new int[]{0, 1, 1, 2, 2, 4, 4, 3}).targets(first, new int[]{0, 1, 2, 4})
                .values(x, (old, origins) -> {
                    double[] values = Arrays.copyOf(old, 10);
                    values[8] = (old[4] + old[6]) / 2;
                    return values;
                }).fill(mark, 7));
        assertEquals(List.of(4, 5), List.of(edges.size(), nodes.size()));
        assertArrayEquals(new double[]{0, 1, 10, 11, 20, 21, 30, 31, 25, 0}, x.toArray());
        assertArrayEquals(new double[]{1, 10, 100, 100}, w.toArray());
        assertArrayEquals(new int[]{5, 6, Integer.MIN_VALUE, 8, 7}, mark.toIntArray());
        assertArrayEquals(new double[]{1, 11, 110, 100, 0}, sum.toArray());
        assertArrayEquals(new int[]{3, 1, 0, 0}, row.toArray());
        assertArrayEquals(new int[]{0, 2, 2, 3, 4}, row.rowOffsets());
        add.run();
        assertArrayEquals(new double[]{2, 22, 220, 200, 200}, sum.toArray());
        assertEquals(1, add.report().runs(), "runs before the change are forgotten");
        assertEquals(4 * 8 + 2 * 4 * 4 + 2 * 5 * 8, add.report().usefulBytes());
    }

    @Test
    void elementsGoAndMapsFollow() {
        mesh.renumber(nodes, Permutation.ofNewIndices(2, 0, 3, 1));
        mesh.renumber(edges, Permutation.ofNewIndices(1, 2, 0));
        edges.blocks(0, 1, 3);
        mesh.change(edit -> edit.resize(edges, 2, new int[]{2, 0}));
        assertTrue(edges.inUserOrder());
        assertFalse(edges.hasBlocks());
        assertFalse(nodes.inUserOrder(), "the order of a set that does not change");
        assertArrayEquals(new int[]{2, 3, 0, 1}, ends.toArray());
        assertArrayEquals(new int[]{0, 3, 1}, row.toArray());
        assertArrayEquals(new int[]{0, 1, 3}, row.rowOffsets());
        assertArrayEquals(new double[]{100, 1}, w.toArray());
        assertArrayEquals(new double[]{0, 1, 10, 11, 20, 21, 30, 31}, x.toArray());
        mesh.change(edit -> edit.resize(edges, 1).resize(nodes, 3, new int[]{3, 2, -1})
                .targets(row, new int[]{0, 1}, new int[]{2}));
        assertArrayEquals(new int[]{1, 0}, ends.toArray());
        assertArrayEquals(new int[]{1}, first.toArray());
        assertArrayEquals(new double[]{30, 31, 20, 21, 0, 0}, x.toArray());
        add.run();
        assertArrayEquals(new double[]{100, 100, 0}, sum.toArray());
    }

    @Test
    void setsBecomeEmptyAndGrowAgain() {
        mesh.change(edit -> edit.resize(edges, 0).resize(nodes, 0));
        assertEquals(0, x.toArray().length);
        assertEquals(0, ends.toArray().length);
        add.run();
        x.layout(Layout.SOA);
        mesh.change(edit -> edit.resize(nodes, 2));
        mesh.change(edit -> edit.resize(edges, 1).targets(ends, new int[]{1, 0}).targets(first, new int[]{0})
                .targets(row, new int[]{0, 0}, new int[0]).fill(w, 3));
        x.setAll(new double[]{1, 2, 3, 4});
        assertArrayEquals(new double[]{1, 2, 3, 4}, x.toArray());
        add.run();
        assertArrayEquals(new double[]{3, 3}, sum.toArray());
    }

    @Test
    void targetsAndValuesChangeAlone() {
        int[] before = ends.column(0);
        mesh.change(edit -> edit.targets(ends, new int[]{3, 2, 2, 1, 1, 0}).values(w, new double[]{4, 5, 6})
                .values(mark, new int[]{1, 2, 3, 4}));
        assertArrayEquals(new int[]{3, 2, 2, 1, 1, 0}, ends.toArray());
        assertArrayEquals(new int[]{0, 1, 2}, before, "arrays that backends know are not written");
        assertArrayEquals(new double[]{4, 5, 6}, w.toArray());
        assertArrayEquals(new int[]{1, 2, 3, 4}, mark.toIntArray());
        add.run();
        assertArrayEquals(new double[]{6, 11, 9, 4}, sum.toArray());
    }

    @Test
    void partsChangeToo() {
        MeshSet spread = mesh.set("spread", 1, 2, 3, 4);
        Dat d = mesh.dat("d", spread, 1, Precision.F64, new double[]{1, 2, 3, 4});
        refused("which is in parts", edit -> edit.resize(spread, 5));
        refused("set 'spread' after the change has 2 interior, 1 owned, 3 executed and 4 elements in all",
                edit -> edit.resize(spread, new int[]{2, 1, 3, 4}, new int[4]));
        mesh.change(edit -> edit.resize(spread, new int[]{2, 2, 4, 5}, new int[]{1, 0, -1, 3, 2}));
        assertArrayEquals(new int[]{2, 2, 4, 5}, spread.extents());
        assertArrayEquals(new double[]{2, 1, 0, 4, 3}, d.toArray());
        assertEquals(5, spread.size());
    }

    @Test
    void workOfSequencesKeepsItsMemory() {
        WorkStep work = new WorkStep("work", () -> {}, List.of(new StepData(x, Access.READ)));
        WorkStep view = new WorkStep("view", () -> {}, List.of(new StepData(sum.vector(), Access.WRITE)));
        LoopSequence one = mesh.sequence("one").run(add).run(work).build();
        LoopSequence other = mesh.sequence("other").run(view).build();
        refused(IllegalStateException.class, "the memory of dat 'x' of 2 f64 on set 'nodes' is bound to step 'work'",
                edit -> edit.resize(nodes, 5));
        assertThrows(IllegalStateException.class, x::close);
        one.close();
        refused(IllegalStateException.class, "the memory of dat 'sum'", edit -> edit.values(sum, new double[4]));
        mesh.change(edit -> edit.values(x, new double[8]));
        other.close();
        mesh.change(edit -> edit.resize(nodes, 5));
        x.close();
    }

    /** What a mesh is, in as far as anybody can see it. */
    private List<Object> state() {
        List<Object> state = new ArrayList<>();
        for (MeshSet set : mesh.sets()) {
            state.add(List.of(set.size(), set.order(), set.hasBlocks()));
        }
        mesh.maps().forEach(map -> state.add(map.targets()));
        for (Dat dat : mesh.dats()) {
            state.add(dat.storage());
            state.add(Arrays.toString(dat.toArray()));
        }
        state.add(mesh.structure());
        return state;
    }

    private void refused(String expected, Consumer<MeshChange> edit) {
        refused(IllegalArgumentException.class, expected, edit);
    }

    private void refused(Class<? extends Exception> type, String expected, Consumer<MeshChange> edit) {
        edges.blocks(0, 1, 3);
        add.run();
        PreparedLoop prepared = add.current();
        List<Object> before = state();
        String message = assertThrows(type, () -> mesh.change(edit)).getMessage();
        assertTrue(message.contains(expected), message);
        assertEquals(before, state());
        assertSame(prepared, add.current(), "a loop need not be prepared anew");
    }

    @Test
    void errorsLeaveTheMeshAsItWas() {
        mesh.renumber(nodes, Permutation.ofNewIndices(2, 0, 3, 1));
        refused("new size of set 'nodes' of 4 elements is -1", edit -> edit.resize(nodes, -1));
        refused("number of origins for the new elements of set 'nodes' of 4 elements is 2, expected 3",
                edit -> edit.resize(nodes, 3, new int[2]));
        refused("origin of new element 1 of set 'nodes' of 4 elements is 4, expected -1 (new) to 3",
                edit -> edit.resize(nodes, 2, new int[]{3, 4}));
        refused("is given twice", edit -> edit.resize(nodes, 2).resize(nodes, 3));
        refused("is given twice", edit -> edit.targets(ends, new int[6]).targets(ends, new int[6]));
        refused("is given twice", edit -> edit.fill(x, 1).fill(x, 2));
        refused("element 3 of set 'edges' is new, and map 'ends'", edit -> edit.resize(edges, 4));
        refused("but element 2 leads to element 3 of set 'nodes', which is gone", edit -> edit.resize(nodes, 3));
        refused("but element 0 leads to element 0 of set 'nodes', which becomes several",
                edit -> edit.resize(nodes, 5, new int[]{0, 1, 2, 3, 0}));
        refused("leads from element 1 of set 'edges', entry 0, to 5, expected 0 to 4 (set 'nodes')",
                edit -> edit.resize(nodes, 5).targets(ends, new int[]{0, 1, 5, 2, 3, 4}));
        refused("number of targets of map 'ends' with 2 entries for each of 4 elements",
                edit -> edit.resize(edges, 4).targets(ends, new int[6]));
        refused("run from 0 to 2, expected 0 to 3",
                edit -> edit.targets(row, new int[]{0, 1, 1, 2}, new int[3]));
        refused("without row offsets", edit -> edit.targets(row, new int[3]));
        refused("with row offsets", edit -> edit.targets(ends, new int[4], new int[3]));
        refused("dat 'sum' of 1 f64 on set 'nodes' written through map 'first' from 'edges' to 'nodes' with arity 1, "
                + "which leads to element 3 of set 'nodes' more than once",
                edit -> edit.targets(first, new int[]{3, 1, 3}));
        refused("number of new values for dat 'x' of 2 f64 on set 'nodes' is 8, expected 10",
                edit -> edit.resize(nodes, 5).values(x, new double[8]));
        refused("value for dat 'mark' is 0.5", edit -> edit.fill(mark, 0.5));
        refused("value for dat 'mark' is 0.5", edit -> edit.values(mark, new double[]{1, 2, 0.5, 3}));
        copy.close();
        Dat wide = mesh.dat("wide", edges, 100_000, Precision.F32);
        refused("dat 'wide' of 100000 components on set 'edges' of 3 elements has 3000000000 values",
                edit -> edit.resize(edges, 30_000, new int[30_000]).values(wide, new double[0]));
    }

    @Test
    void failuresOfOthersLeaveTheMeshAsItWas() {
        refused(IllegalStateException.class, "the user's", edit -> {
            edit.resize(nodes, 5);
            throw new IllegalStateException("the user's");
        });
        refused(IllegalStateException.class, "a rule's", edit -> edit.resize(nodes, 5).values(sum, (old, origins) -> {
            throw new IllegalStateException("a rule's");
        }));
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void memoryIsGivenBack() {
        close();
        FailingBackend counting = new FailingBackend();
        declare(counting);
        int needed = (int) mesh.dats().stream().filter(dat -> dat.set() == nodes).count();
        for (int failing = 0; failing < needed; failing++) {
            counting.failAt(failing + 1, new IllegalStateException("no memory"));
            List<Object> before = state();
            assertThrows(IllegalStateException.class, () -> mesh.change(edit -> edit.resize(nodes, 5)));
            assertEquals(before, state());
            assertEquals(Map.of("storage", mesh.dats().size()), counting.open());
        }
        mesh.change(edit -> edit.resize(nodes, 5));
        assertEquals(5, nodes.size());
        assertEquals(Map.of("storage", mesh.dats().size()), counting.open());
        copy.close();
        add.close();
        sum.close();
        assertEquals(Map.of("storage", mesh.dats().size()), counting.open());
        mesh.close();
        assertEquals(Map.of(), counting.open());
    }

    @Test
    void nothingElseHappensMeanwhile() {
        refused(IllegalStateException.class, "is being changed", edit -> mesh.change(inner -> {}));
        refused(IllegalStateException.class, "is being changed", edit -> mesh.set("more", 1));
        refused(IllegalStateException.class, "is being changed",
                edit -> mesh.renumber(nodes, Permutation.identity(4)));
        refused(IllegalStateException.class, "is being changed",
                edit -> edit.resize(nodes, 5).values(x, (old, origins) -> {
                    x.close();
                    return old;
                }));
        MeshChange[] late = new MeshChange[1];
        mesh.change(edit -> late[0] = edit);
        assertThrows(IllegalStateException.class, () -> late[0].resize(nodes, 5));
        try (Backend other = Backends.open("reference", Configuration.load()); Mesh foreign = Mesh.on(other)) {
            MeshSet set = foreign.set("nodes", 4);
            refused("not of this mesh", edit -> edit.resize(set, 3));
            Dat dat = foreign.dat("x", set, 1, Precision.F64);
            refused("not of this mesh", edit -> edit.fill(dat, 1));
        }
        Dat gone = mesh.dat("gone", nodes, 1, Precision.F64);
        gone.close();
        refused("or closed", edit -> edit.fill(gone, 1));
        assertThrows(IllegalArgumentException.class, () -> mesh.loop(COPY, nodes, gone, sum));
    }
}
