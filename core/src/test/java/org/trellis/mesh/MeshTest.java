package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopStyle;
import org.trellis.memory.HostVector;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.MeshReport;
import org.trellis.testing.InterpretedKernel;

/** Declarations, their checks, and data in every layout and numbering. */
class MeshTest {
    private static final LoopKernel COPY = InterpretedKernel.named("copy").dat(Access.READ, 2).dat(Access.WRITE, 2)
            .does(v -> System.arraycopy(v[0], 0, v[1], 0, 2));
    private static final LoopKernel ADD = InterpretedKernel.named("add").dat(Access.READ, 2).dat(Access.INCREMENT, 2)
            .does(v -> {});
    private static final LoopKernel PAIR = InterpretedKernel.named("pair").dat(Access.READ, 2, 2)
            .global(Access.SUM, 1).constant(1).does(v -> {});
    private static final LoopKernel ROW = InterpretedKernel.named("row")
            .dat(Access.READ, 2, ArgumentSignature.VARIABLE).does(v -> {});
    private static final LoopKernel ADD_TWICE = InterpretedKernel.named("addTwice").dat(Access.INCREMENT, 2)
            .repeated(2, 0, -1).global(Access.SUM, 1).does(v -> {});

    private Backend backend;
    private Mesh mesh;
    private MeshSet edges;
    private MeshSet nodes;
    private MeshMap ends;
    private MeshMap row;
    private Dat x;
    private Dat w;

    @BeforeEach
    @SuppressWarnings("MustBeClosed") // closed by the test
    void declare() {
        backend = Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
        mesh = Mesh.on(backend);
        edges = mesh.set("edges", 3);
        nodes = mesh.set("nodes", 4);
        ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2, 2, 3});
        row = mesh.map("row", edges, nodes, new int[]{0, 2, 2, 3}, new int[]{3, 1, 0});
        x = mesh.dat("x", nodes, 2, Precision.F64, new double[]{0, 1, 10, 11, 20, 21, 30, 31});
        w = mesh.dat("w", edges, 2, Precision.F64);
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
    void declarationsAreChecked() {
        refused("size of set 'cells' is -1", () -> mesh.set("cells", -1));
        refused("has a set 'edges' already", () -> mesh.set("edges", 3));
        refused("has a dat 'x' already", () -> mesh.dat("x", nodes, 1, Precision.F64));
        refused("number of targets of map 'm' with 2 entries for each of 3 elements of set 'edges' is 5, expected 6",
                () -> mesh.map("m", edges, nodes, 2, new int[5]));
        refused("map 'm' leads from element 1 of set 'edges', entry 0, to 4, expected 0 to 3 (set 'nodes')",
                () -> mesh.map("m", edges, nodes, 2, new int[]{0, 1, 4, 0, 0, 0}));
        refused("arity of map 'm' is 0", () -> mesh.map("m", edges, nodes, 0, new int[0]));
        refused("row offset 2 of map 'm' is 1, expected at least 2",
                () -> mesh.map("m", edges, nodes, new int[]{0, 2, 1, 3}, new int[3]));
        refused("run from 0 to 2, expected 0 to 3",
                () -> mesh.map("m", edges, nodes, new int[]{0, 1, 1, 2}, new int[3]));
        refused("map 'm' leads from element 0 of set 'edges', entry 1, to -1",
                () -> mesh.map("m", edges, nodes, new int[]{0, 2, 2, 2}, new int[]{0, -1}));
        refused("number of components of dat 'd' is 0", () -> mesh.dat("d", nodes, 0, Precision.F64));
        refused("number of values for dat 'd' of 2 components on set 'nodes' of 4 elements is 7, expected 8",
                () -> mesh.dat("d", nodes, 2, Precision.F64, new double[7]));
        refused("has 4000000000 values", () -> mesh.dat("d", nodes, 1_000_000_000, Precision.F64));
        refused("number of components of global 'g' is 0", () -> mesh.global("g"));
        mesh.map("m", edges, nodes, 1, new int[]{3, 3, 3});
        mesh.dat("d", nodes, 1, Precision.F64);
    }

    @Test
    void dataOfAnotherMeshIsRefused() {
        try (Mesh other = Mesh.on(backend)) {
            MeshSet foreign = other.set("foreign", 3);
            refused("another mesh", () -> mesh.map("m", edges, foreign, 1, new int[3]));
            refused("another mesh", () -> mesh.dat("d", foreign, 1, Precision.F64));
            refused("another mesh", () -> mesh.loop(COPY, foreign, w, w));
            refused("another mesh", () -> mesh.renumber(foreign, Permutation.identity(3)));
            refused("another mesh",
                    () -> mesh.loop(PAIR, edges, x.at(ends), other.global("g", 0), mesh.constant("c", 1)));
        }
    }

    @Test
    void closedMeshesAreRefused() {
        ParallelLoop loop = mesh.loop(COPY, nodes, x, mesh.dat("y", nodes, 2, Precision.F64));
        LoopSequence sequence = mesh.sequence("copy").run(loop).build();
        Global sum = mesh.global("sum", 7);
        mesh.close();
        assertEquals(7, sum.get(0), "results of a program outlive its mesh");
        List<Executable> uses = List.of(() -> mesh.set("cells", 3), () -> mesh.map("m", edges, nodes, 1, new int[3]),
                () -> mesh.dat("d", nodes, 1, Precision.F64), () -> mesh.global("g", 0), () -> x.get(0, 0),
                () -> x.fill(1), x::toArray, x::vector, () -> x.set(0, 0, 1), loop::run, sequence::run,
                () -> mesh.loop(COPY, nodes, x, x), () -> mesh.renumber(nodes, Permutation.identity(4)));
        for (int i = 0; i < uses.size(); i++) {
            String message = assertThrows(IllegalStateException.class, uses.get(i), "use " + i).getMessage();
            assertTrue(message.contains("closed"), message);
        }
        mesh.close();
    }

    /** The second thread is refused, and the first goes on with the right result. */
    @Test
    void aSecondThreadIsRefused() throws InterruptedException {
        CountDownLatch within = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        LoopKernel slow = InterpretedKernel.named("slow").dat(Access.READ, 2).dat(Access.WRITE, 2).does(v -> {
            within.countDown();
            try {
                assertTrue(tried.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            System.arraycopy(v[0], 0, v[1], 0, 2);
        });
        Dat y = mesh.dat("y", nodes, 2, Precision.F64);
        ParallelLoop first = mesh.loop(slow, nodes, x, y);
        ParallelLoop second = mesh.loop(COPY, edges, w, mesh.dat("v", edges, 2, Precision.F64));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread other = new Thread(() -> {
            try {
                within.await();
                second.run();
            } catch (InterruptedException | RuntimeException e) {
                failure.set(e);
            } finally {
                tried.countDown();
            }
        });
        other.start();
        first.run();
        other.join();
        assertTrue(failure.get() instanceof IllegalStateException, String.valueOf(failure.get()));
        assertTrue(failure.get().getMessage().contains("in use by another thread"), failure.get().getMessage());
        assertArrayEquals(x.toArray(), y.toArray());
    }

    @Test
    void argumentsAreChecked() {
        Global sum = mesh.global("sum", 0);
        MeshConstant one = mesh.constant("one", 1);
        Dat narrow = mesh.dat("narrow", edges, 1, Precision.F64);
        Dat single = mesh.dat("single", edges, 2, Precision.F32);
        Dat whole = mesh.intDat("whole", edges, 2);
        refused("loop copy over set 'edges' has 1 arguments, expected 2: [p0, p1]", () -> mesh.loop(COPY, edges, w));
        refused("argument 1 'p1': found dat 'narrow' of 1 f64 on set 'edges' with 1 components, expected 2",
                () -> mesh.loop(COPY, edges, w, narrow));
        refused("expected the precision of dat 'w'", () -> mesh.loop(COPY, edges, w, single));
        refused("of whole numbers, expected real numbers", () -> mesh.loop(COPY, edges, w, whole));
        refused("expected a dat on set 'edges', or a map to set 'nodes'", () -> mesh.loop(COPY, edges, x, w));
        refused("expected a map from set 'nodes'", () -> mesh.loop(COPY, nodes, x.at(ends, 0), x));
        refused("expected one entry of a map, as in at(map, 0)", () -> mesh.loop(COPY, edges, x.at(ends), w));
        refused("expected all entries of a map with arity 2, as in at(map)",
                () -> mesh.loop(PAIR, edges, x.at(ends, 1), sum, one));
        refused("expected a dat through all entries of a map with arity 2",
                () -> mesh.loop(PAIR, edges, w, sum, one));
        refused("expected all entries of a map with variable arity", () -> mesh.loop(ROW, edges, x.at(ends)));
        refused("found constant 'one' [1.0], expected a global", () -> mesh.loop(PAIR, edges, x.at(ends), one, one));
        refused("expected a constant", () -> mesh.loop(PAIR, edges, x.at(ends), sum, sum));
        refused("expected a dat", () -> mesh.loop(COPY, edges, sum, w));
        refused("reached through entry 2 of map 'ends'", () -> x.at(ends, 2));
        refused("expected all entries", () -> x.at(row, 0));
        refused("at(map) takes all", () -> x.at(ends, -1));
        refused("expected a map to set 'edges'", () -> w.at(ends, 0));
        mesh.loop(PAIR, edges, x.at(ends), sum, one);
        mesh.loop(ROW, edges, x.at(row));
    }

    @Test
    void conflictsAreRefused() {
        Dat other = mesh.dat("other", nodes, 2, Precision.F64);
        MeshMap same = mesh.map("same", edges, nodes, 1, new int[]{1, 2, 1});
        MeshMap apart = mesh.map("apart", edges, nodes, 1, new int[]{1, 2, 0});
        refused("'x' with access INCREMENT beside argument 0 with access READ",
                () -> mesh.loop(ADD, edges, x.at(ends, 0), x.at(ends, 1)));
        refused("'w' with access WRITE beside argument 0 with access READ", () -> mesh.loop(COPY, edges, w, w));
        refused("written through map 'same' from 'edges' to 'nodes' with arity 1, which leads to element 1 of set "
                + "'nodes' more than once", () -> mesh.loop(COPY, edges, w, x.at(same, 0)));
        mesh.loop(COPY, edges, x.at(ends, 0), other.at(apart, 0)).run();
        assertArrayEquals(new double[]{20, 21, 0, 1, 10, 11, 0, 0}, other.toArray());
    }

    @Test
    void parametersAreChecked() {
        ParallelLoop direct = mesh.loop(COPY, edges, mesh.dat("v", edges, 2, Precision.F64), w);
        ParallelLoop adding = mesh.loop(ADD_TWICE, edges, x.at(ends, 0), x.at(ends, 1), mesh.global("g", 0));
        unsupported("expected in-order for a loop that does not add through maps", direct,
                LoopParameters.of(LoopScheme.TWO_LEVEL));
        unsupported("in-order on 2 threads", adding, LoopParameters.of(LoopScheme.IN_ORDER));
        unsupported("fission of a loop whose kernel declares no increment", direct,
                LoopParameters.of(LoopScheme.IN_ORDER).withFission(true));
        unsupported("style is SIMD", direct, LoopParameters.of(LoopScheme.IN_ORDER).withStyle(LoopStyle.SIMD));
        unsupported("has access SUM; expected increments through maps only", adding,
                LoopParameters.of(LoopScheme.OWNER_COMPUTE));
        unsupported("has no blocks of its own", adding, LoopParameters.of(LoopScheme.TWO_LEVEL).withBlockSize(0));
        adding.parameters(LoopParameters.of(LoopScheme.TEMPORARY).withFission(true)).run();
    }

    private static void unsupported(String expected, ParallelLoop loop, LoopParameters parameters) {
        String message =
                assertThrows(UnsupportedKernelException.class, () -> loop.parameters(parameters)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void optionsHoldForLoopsThatTheyConcern() {
        MeshOptions options = MeshOptions.of(Configuration.builder().set(ConfigurationKeys.MESH_SCHEME, "temporary")
                .set(ConfigurationKeys.MESH_BLOCK_SIZE, 17).set(ConfigurationKeys.MESH_LAYOUT, "soa")
                .set(ConfigurationKeys.MESH_FISSION, true).build());
        assertEquals(new MeshOptions(Layout.SOA, Optional.of(LoopScheme.TEMPORARY), Optional.of(17), true, false),
                options);
        try (Mesh own = Mesh.on(backend, options.withCheckPlans(true))) {
            MeshSet from = own.set("from", 3);
            MeshMap map = own.map("map", from, own.set("to", 3), 2, new int[6]);
            Dat a = own.dat("a", map.to(), 2, Precision.F32);
            Dat b = own.dat("b", from, 2, Precision.F32);
            assertEquals(Layout.SOA, a.layout());
            LoopParameters adding = own.loop(ADD_TWICE, from, a.at(map, 0), a.at(map, 1), own.global("g", 0))
                    .parameters();
            assertEquals(LoopParameters.of(LoopScheme.TEMPORARY).withBlockSize(17).withFission(true), adding);
            assertEquals(LoopParameters.of(LoopScheme.IN_ORDER).withBlockSize(17),
                    own.loop(COPY, from, a.at(map, 0), b).parameters());
        }
        try (Mesh own = Mesh.on(backend, mesh.options().withScheme(LoopScheme.BLOCK_PERMUTE))) {
            MeshSet from = own.set("from", 3);
            MeshMap map = own.map("map", from, own.set("to", 3), 2, new int[6]);
            Dat a = own.dat("a", map.to(), 2, Precision.F32);
            assertEquals(LoopParameters.of(LoopScheme.BLOCK_PERMUTE).withBlockSize(4096),
                    own.loop(ADD_TWICE, from, a.at(map, 0), a.at(map, 1), own.global("g", 0)).parameters());
        }
        assertThrows(IllegalArgumentException.class,
                () -> Configuration.builder().set(ConfigurationKeys.MESH_SCHEME, "none").build());
    }

    @Test
    void valuesComeBackInTheUsersOrder() {
        double[] values = x.toArray();
        mesh.renumber(nodes, Permutation.ofNewIndices(2, 0, 3, 1));
        mesh.renumber(edges, Permutation.ofNewIndices(1, 2, 0));
        x.layout(Layout.SOA);
        assertArrayEquals(values, x.toArray());
        assertEquals(21, x.get(2, 1));
        x.set(2, 1, -5);
        values[5] = -5;
        assertArrayEquals(values, x.toArray());
        assertArrayEquals(new double[]{10, 30, 0, 20, 11, 31, 1, -5}, ((HostVector) x.vector()).toDoubleArray());
        assertArrayEquals(new int[]{0, 1, 1, 2, 2, 3}, ends.toArray());
        assertArrayEquals(new int[]{3, 2, 0}, ends.column(0));
        assertArrayEquals(new int[]{3, 1, 0}, row.toArray());
        assertArrayEquals(new int[]{0, 1, 3, 3}, row.offsets());
        MeshMap late = mesh.map("late", edges, nodes, new int[]{0, 2, 2, 3}, new int[]{3, 1, 0});
        assertArrayEquals(row.entries(), late.entries());
        mesh.renumber(nodes, nodes.order().inverse());
        assertTrue(nodes.inUserOrder());
        assertFalse(edges.inUserOrder());
        assertArrayEquals(new double[]{0, 10, 20, 30, 1, 11, -5, 31}, ((HostVector) x.vector()).toDoubleArray());
        refused("size of the permutation", () -> mesh.renumber(nodes, Permutation.identity(3)));
    }

    @Test
    void wholeNumbersStayWhole() {
        Dat mark = mesh.intDat("mark", edges, 1, new int[]{1, Integer.MIN_VALUE, Integer.MAX_VALUE});
        assertArrayEquals(new int[]{1, Integer.MIN_VALUE, Integer.MAX_VALUE}, mark.toIntArray());
        refused("value for dat 'mark' is 0.5", () -> mark.set(0, 0, 0.5));
        refused("expected a whole number", () -> mark.fill(1e10));
        assertArrayEquals(new int[]{7, 7, 7}, mark.fill(7).toIntArray());
        assertThrows(IllegalStateException.class, mark::vector);
        assertThrows(IllegalStateException.class, mark::precision);
        assertThrows(IllegalStateException.class, w::toIntArray);
        assertThrows(IndexOutOfBoundsException.class, () -> mark.get(3, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> mark.get(0, 1));
        Global count = mesh.intGlobal("count", 1, 2);
        refused("expected a whole number", () -> count.set(1, 2.5));
        refused("one value for global 'count', expected 2", () -> count.set(1));
        count.set(3, 4);
        assertEquals(4, count.get(1));
        assertThrows(IllegalStateException.class, count::doubles);
    }

    @Test
    void globalsWaitForALateResult() {
        Global late = mesh.global("late", 1);
        int[] calls = {0};
        Runnable finish = () -> {
            calls[0]++;
            late.doubles()[0] += 10;
        };
        late.pending(finish);
        assertEquals(0, calls[0]);
        assertEquals(11, late.get());
        assertEquals(11, late.get());
        assertEquals(1, calls[0]);
        late.pending(finish);
        late.set(3);
        assertEquals(3, late.get());
        assertEquals(1, calls[0]);
    }

    @Test
    void partitionsAreChecked() {
        refused("expected 0 to 3", () -> edges.blocks(0, 2));
        refused("block offset 2 of set 'edges' is 1, expected at least 2", () -> edges.blocks(0, 2, 1, 3));
        edges.blocks(0, 2, 3);
        assertArrayEquals(new int[]{0, 2, 3}, edges.blockOffsets());
        mesh.renumber(edges, Permutation.ofNewIndices(0, 2, 1));
        assertFalse(edges.hasBlocks());
    }

    @Test
    void usefulBytesCountIndirectValuesOnce() {
        ParallelLoop loop = mesh.loop(ADD_TWICE, edges, x.at(ends, 0), x.at(ends, 1), mesh.global("g", 0));
        loop.run();
        LoopReport report = mesh.report().loops().getFirst();
        assertEquals(2 * 3 * 4 + 2 * 4 * 2 * 8, report.usefulBytes());
        assertEquals(1, report.runs());
        assertEquals(1, report.statistics().blocks());
        assertEquals(6.0 / 4, report.statistics().reuse());
        ParallelLoop direct = mesh.loop(COPY, edges, x.at(ends, 0), w);
        assertEquals(3 * 4 + 3 * 2 * 8 + 3 * 2 * 8, direct.report().usefulBytes());
    }

    @Test
    void parametersGoThroughMaps() {
        LoopParameters parameters = LoopParameters.of(LoopScheme.BLOCK_PERMUTE).withBlockSize(33).withFission(true)
                .withStyle(LoopStyle.SIMD);
        assertEquals(parameters, LoopParameters.fromMap(parameters.toMap()));
        assertEquals("block-permute 33 fission simd", parameters.toString());
        LoopParameters onGpu = LoopParameters.of(LoopScheme.TWO_LEVEL).withDevice(new LoopDeviceParameters(
                LoopDeviceParameters.Staging.INCREMENTS, true, true, true, 128, 64, 4, true));
        assertEquals(onGpu, LoopParameters.fromMap(onGpu.toMap()));
        assertEquals("two-level 1024 staged increments sorted colour-ordered streaming 128 threads 64 registers"
                + " 4 per thread transposed", onGpu.toString());
        refused("staging is 'some'", () -> LoopParameters.fromMap(Map.of("scheme", "atomics", "staging", "some")));
        refused("sorted is 1", () -> LoopParameters.fromMap(Map.of("scheme", "atomics", "sorted", 1)));
        refused("threads is all", () -> LoopParameters.fromMap(Map.of("scheme", "atomics", "threads", "all")));
        for (LoopScheme scheme : LoopScheme.values()) {
            assertEquals(scheme, LoopScheme.of(scheme.label()));
        }
        refused("scheme is 'best'", () -> LoopScheme.of("best"));
        refused("layout is 'x'", () -> Layout.of("x"));
        refused("have no scheme", () -> LoopParameters.fromMap(Map.of()));
        refused("'colour' is unknown",
                () -> LoopParameters.fromMap(Map.of("scheme", "in-order", "colour", 1)));
        refused("blockSize is x", () -> LoopParameters.fromMap(Map.of("scheme", "in-order", "blockSize",
                "x")));
        refused("simd is 1", () -> LoopParameters.fromMap(Map.of("scheme", "in-order", "simd", 1)));
    }

    @Test
    void reportsAreTables() {
        LoopReport flux = new LoopReport("Airfoil.flux", "edges",
                LoopParameters.of(LoopScheme.TWO_LEVEL).withBlockSize(4096), 2000, 4, 0.25, 50_000_000,
                new LoopStatistics(352, 2, 1, 1_438_600, 2.5208, 1));
        LoopReport idle = new LoopReport("idle", "cells", LoopParameters.of(LoopScheme.IN_ORDER), 0, 0, 0, 8,
                new LoopStatistics(0, 0, 0, 0, 1, 0));
        assertEquals("""
                loop            count     time s     GB/s   blocks   colours  reuse prepare s  parameters
                Airfoil.flux     2000     4.0000    25.00      352       2/1   2.52    0.2500  two-level 4096
                idle                0     0.0000     0.00        0       0/0   1.00    0.0000  in-order 1024
                all loops on backend threads: 4.0000 s
                """, new MeshReport("threads", List.of(flux, idle), List.of()).toString());
    }

    @Test
    void namesAreReadable() {
        assertEquals(List.of("set 'edges' of 3 elements", "map 'ends' from 'edges' to 'nodes' with arity 2",
                "dat 'x' of 2 f64 on set 'nodes'"), List.of(edges.toString(), ends.toString(), x.toString()));
    }
}
