package org.trellis.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.DeviceException;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelArchives;
import org.trellis.cuda.compile.KernelCache;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.memory.HostVector;
import org.trellis.testing.TestSeed;

/** Life and death of what lives on a device, on a driver in plain Java. */
class CudaContextTest {
    private static final KernelSource SOURCE = new KernelSource("k.cu", "text", Map.of(), List.of());
    private static final String NOTHING_ALIVE = "0 blocks, 0 pinned, 0 handles, 0 contexts";

    private static final KernelCompiler COMPILER = new KernelCompiler() {
        @Override
        public String version() {
            return "fake 1";
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            return architecture.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        }
    };

    @TempDir
    private Path folder;

    @MustBeClosed
    private CudaContext open(FakeDriver driver) {
        return CudaContext.open(driver, 0, COMPILER, new KernelCache(folder));
    }

    /** An archive may have been compiled by a toolkit that is newer than the driver. */
    @Test
    void compilesWhatTheDriverDoesNotTakePrecompiled() throws IOException {
        byte[] code = {1, 2, 3};
        KernelCompiler early = new KernelCompiler() {
            @Override
            public String version() {
                return "early 1";
            }

            @Override
            public byte[] compile(KernelSource source, String architecture) {
                return code;
            }
        };
        KernelArchives.write(List.of(SOURCE), List.of("sm_90"), early, folder.resolve("archive"));
        KernelArchives archives =
                KernelArchives.of(name -> Files.newInputStream(folder.resolve("archive").resolve(name)));
        Logger logger = Logger.getLogger(CudaContext.class.getName());
        logger.setLevel(Level.OFF);
        FakeDriver driver = new FakeDriver().refusing(code);
        try (CudaContext context = CudaContext.open(driver, 0, COMPILER, new KernelCache(folder.resolve("cache")),
                archives, Optional.empty())) {
            assertNotNull(context.kernel(SOURCE, "k"));
        } finally {
            logger.setLevel(null);
        }
        assertEquals(NOTHING_ALIVE, driver.alive());
        try (Stream<Path> kept = Files.list(folder.resolve("cache"))) {
            assertEquals(1, kept.count(), "kernels that the compiler has compiled");
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void closesItsChildrenOnce() {
        FakeDriver driver = new FakeDriver();
        CudaContext context = open(driver);
        CudaVector vector = context.vector(Precision.F32, 10);
        CudaBuffer buffer = context.buffer(1000);
        CudaEvent event = context.newEvent();
        CudaStream stream = context.newStream();
        PinnedBuffer pinned = context.pinned(8);
        KernelLaunch launch = context.kernel(SOURCE, "k").launch(LaunchShape.of(1, 32), 0);
        buffer.close();
        buffer.close();
        context.close();
        assertEquals(NOTHING_ALIVE, driver.alive());
        int calls = driver.calls();
        context.close();
        vector.close();
        event.close();
        stream.close();
        pinned.close();
        launch.close();
        assertEquals(calls, driver.calls(), "closing again does nothing");
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void useAfterCloseNamesTheObject() {
        FakeDriver driver = new FakeDriver();
        CudaContext context = open(driver);
        CudaVector vector = context.vector(Precision.F64, 3);
        KernelLaunch launch = context.kernel(SOURCE, "k").launch(LaunchShape.of(1, 32), 1);
        vector.close();
        refused("vector of 3 f64 on cuda:0 is closed", vector::address);
        refused("vector of 3 f64 on cuda:0 is closed", () -> vector.copyTo(HostVector.zeros(Precision.F64, 3)));
        refused("vector of 3 f64 on cuda:0 is closed", () -> launch.set(0, vector));
        launch.close();
        refused("launch of kernel k on cuda:0 is closed", launch::run);
        context.close();
        refused("cuda:0 is closed", () -> context.vector(Precision.F64, 1));
        refused("cuda:0 is closed", () -> context.kernel(SOURCE, "k"));
        refused("cuda:0 is closed", context::synchronize);
    }

    private static void refused(String message, Runnable use) {
        assertEquals(message, assertThrows(IllegalStateException.class, use::run).getMessage());
    }

    /** Whichever call fails, everything is given back, and the failure is the one that the program sees. */
    @Test
    void nothingLeaksWhicheverCallFails() {
        FakeDriver counting = new FakeDriver();
        work(counting);
        assertEquals(NOTHING_ALIVE, counting.alive());
        int closing = counting.calls();
        assertTrue(closing > 40, closing + " calls");
        for (int call = 1; call <= closing; call++) {
            FakeDriver driver = new FakeDriver();
            driver.failAt(call);
            try {
                work(driver);
            } catch (DeviceException e) {
                assertEquals(999, e.code(), "call " + call);
            }
            // A call that gives back and fails has not given back; nothing else may be left. A graph has two handles.
            assertTrue(List.of(NOTHING_ALIVE, "1 blocks, 0 pinned, 0 handles, 0 contexts",
                    "0 blocks, 1 pinned, 0 handles, 0 contexts", "0 blocks, 0 pinned, 1 handles, 0 contexts",
                    "0 blocks, 0 pinned, 2 handles, 0 contexts",
                    "0 blocks, 0 pinned, 1 handles, 1 contexts").contains(driver.alive()),
                    "call " + call + " of " + closing + " failed: " + driver.alive());
        }
    }

    private void work(FakeDriver driver) {
        try (CudaContext context = open(driver);
                CudaVector vector = context.vector(Precision.F64, 100);
                CudaBuffer buffer = context.upload(MemorySegment.ofArray(new int[]{1, 2, 3}));
                CudaEvent event = context.newEvent();
                PinnedBuffer pinned = context.pinned(16);
                KernelLaunch launch = context.kernel(SOURCE, "k").launch(LaunchShape.of(2, 64), 2)) {
            vector.copyFrom(HostVector.zeros(Precision.F64, 100));
            launch.set(0, buffer).setAddress(1, pinned.address()).run();
            event.record();
            event.synchronize();
            CudaGraph graph = context.newGraph();
            StructLaunch node = context.kernel(SOURCE, "k").structLaunch(16);
            graph.add(node, LaunchShape.of(1, 32));
            graph.add(node, LaunchShape.of(2, 32));
            graph.finish().run();
            node.block().set(ValueLayout.JAVA_INT, 0, 1);
            graph.update(1, node);
            graph.run();
            vector.copyTo(HostVector.zeros(Precision.F64, 100));
            context.synchronize();
        }
    }

    @Test
    void graphsAreFinishedBeforeTheyRun() {
        FakeDriver driver = new FakeDriver();
        try (CudaContext context = open(driver)) {
            StructLaunch node = context.kernel(SOURCE, "k").structLaunch(16);
            CudaGraph graph = context.newGraph();
            assertEquals(0, graph.add(node, LaunchShape.of(1, 32)));
            assertEquals(1, graph.add(node, LaunchShape.of(1, 32)));
            refused("graph of cuda:0 is not finished", graph::run);
            graph.finish();
            refused("graph of cuda:0 is finished, expected kernels to be added before",
                    () -> graph.add(node, LaunchShape.of(1, 32)));
            int calls = driver.calls();
            graph.update(0, node);
            assertEquals(calls, driver.calls(), "nothing has changed");
            node.block().set(ValueLayout.JAVA_INT, 0, 7);
            graph.update(0, node);
            assertTrue(driver.calls() > calls);
            graph.run();
            assertEquals("graph of 2", driver.launches().getLast());
            graph.close();
            refused("graph of cuda:0 is closed", graph::run);
        }
        assertEquals(NOTHING_ALIVE, driver.alive());
    }

    @Test
    void copiesEveryLengthThroughItsStagingBuffers() {
        SplittableRandom random = TestSeed.random("staging");
        long chunk = Staging.CHUNK_BYTES;
        try (CudaContext context = open(new FakeDriver())) {
            for (long bytes : new long[]{0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 17, 5 * chunk}) {
                byte[] data = new byte[(int) bytes];
                random.nextBytes(data);
                byte[] back = new byte[data.length];
                try (CudaBuffer buffer = context.upload(MemorySegment.ofArray(data));
                        CudaBuffer copy = context.buffer(bytes)) {
                    copy.copyFrom(buffer);
                    copy.copyTo(MemorySegment.ofArray(back));
                }
                assertArrayEquals(data, back, bytes + " bytes");
            }
        }
    }

    @Test
    void refusesCopiesThatDoNotFit() {
        try (CudaContext context = open(new FakeDriver());
                CudaBuffer buffer = context.buffer(8);
                CudaVector vector = context.vector(Precision.F32, 2)) {
            assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyFrom(MemorySegment.ofArray(new int[3])));
            assertThrows(IndexOutOfBoundsException.class,
                    () -> buffer.copyTo(MemorySegment.ofArray(new int[1]), 5));
            assertThrows(IllegalArgumentException.class, () -> vector.copyFrom(HostVector.of(1f, 2f, 3f)));
            assertThrows(IllegalArgumentException.class, () -> vector.copyFrom(HostVector.of(1.0, 2.0)));
            assertThrows(IllegalArgumentException.class, () -> context.buffer(-1));
        }
    }

    @Test
    void vectorsStartAsZeros() {
        try (CudaContext context = open(new FakeDriver())) {
            try (CudaVector dirty = context.vector(Precision.F64, 4)) {
                dirty.copyFrom(HostVector.of(1.0, 2, 3, 4));
            }
            try (CudaVector vector = context.vector(Precision.F64, 4)) {
                HostVector back = HostVector.of(9.0, 9, 9, 9);
                vector.copyTo(back);
                assertArrayEquals(new double[4], back.doubles());
            }
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void launchesPassTheirArguments() {
        FakeDriver driver = new FakeDriver();
        try (CudaContext context = open(driver); CudaBuffer buffer = context.buffer(8)) {
            KernelLaunch launch = context.kernel(SOURCE, "k").launch(LaunchShape.of(3, 64), 3);
            launch.set(0, buffer).setLong(1, -7);
            assertEquals("argument 2 of kernel k on cuda:0 was not set",
                    assertThrows(IllegalStateException.class, launch::run).getMessage());
            launch.setDouble(2, 1.5).run();
            launch.setLong(1, 8).shape(new LaunchShape(1, 2, 32, 256)).run();
            assertEquals(
                    List.of("3 blocks of 64 threads " + buffer.address() + " -7 " + Double.doubleToRawLongBits(1.5),
                            "1 x 2 blocks of 32 threads with 256 bytes of shared memory " + buffer.address() + " 8 "
                                    + Double.doubleToRawLongBits(1.5)),
                    driver.launches());
            assertThrows(IndexOutOfBoundsException.class, () -> launch.setInt(3, 1));
            assertThrows(IllegalArgumentException.class,
                    () -> context.kernel(SOURCE, "k").launch(LaunchShape.of(1, 1), 33));
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void whatIsLaunchedOftenBecomesAGraph() {
        FakeDriver driver = new FakeDriver();
        try (CudaContext context = open(driver); CudaBuffer buffer = context.buffer(8)) {
            KernelLaunch launch = context.kernel(SOURCE, "k").launch(LaunchShape.of(3, 64), 2);
            launch.set(0, buffer).setLong(1, -7);
            int open = driver.open();
            for (int i = 0; i < RepeatedLaunch.LAUNCHES_BEFORE_GRAPH; i++) {
                launch.run();
                assertEquals("3 blocks of 64 threads " + buffer.address() + " -7", driver.launches().getLast()
                        .replaceFirst("( -?\\d+ -?\\d+).*", "$1"));
            }
            assertEquals(open, driver.open());
            launch.run();
            assertEquals("graph of 1", driver.launches().getLast());
            assertEquals(open + 2, driver.open(), "a graph and what can be run");
            assertEquals(2, callsOf(driver, launch), "context and launch");
            launch.setLong(1, -7);
            assertEquals(2, callsOf(driver, launch), "the same argument again");
            launch.setLong(1, 8);
            assertEquals(3, callsOf(driver, launch), "another argument");
            launch.shape(LaunchShape.of(3, 64));
            assertEquals(2, callsOf(driver, launch), "the same shape again");
            launch.shape(LaunchShape.of(4, 64));
            assertEquals(3, callsOf(driver, launch), "another shape");
            driver.failAt(2);
            assertEquals("launching kernel k as 4 blocks of 64 threads on cuda:0: cuGraphLaunch failed with code 999: "
                    + "CUDA_ERROR_UNKNOWN (made to fail)",
                    assertThrows(DeviceException.class, launch::run).getMessage());
            launch.close();
            assertEquals(open, driver.open());
        }
        assertEquals(NOTHING_ALIVE, driver.alive());
    }

    private static int callsOf(FakeDriver driver, KernelLaunch launch) {
        int before = driver.calls();
        launch.run();
        return driver.calls() - before;
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed with the context
    void aGraphThatCannotBeMadeLeavesNothing() {
        for (int call = 1; call <= 5; call++) {
            FakeDriver driver = new FakeDriver();
            try (CudaContext context = open(driver)) {
                StructLaunch launch = context.kernel(SOURCE, "k").structLaunch(16);
                for (int i = 0; i < RepeatedLaunch.LAUNCHES_BEFORE_GRAPH; i++) {
                    launch.run(LaunchShape.of(1, 32));
                }
                int open = driver.open();
                driver.failAt(1 + call);
                assertThrows(DeviceException.class, () -> launch.run(LaunchShape.of(1, 32)), "call " + call);
                assertEquals(call == 5 ? open + 2 : open, driver.open(), "call " + call);
                launch.run(LaunchShape.of(1, 32));
                assertEquals("graph of 1", driver.launches().getLast());
            }
            assertEquals(NOTHING_ALIVE, driver.alive());
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed with the context
    void driversWithoutGraphsLaunchKernels() {
        FakeDriver driver = new FakeDriver().withoutGraphs();
        try (CudaContext context = open(driver)) {
            StructLaunch launch = context.kernel(SOURCE, "k").structLaunch(16);
            for (int i = 0; i < 2 * RepeatedLaunch.LAUNCHES_BEFORE_GRAPH; i++) {
                launch.run(LaunchShape.of(1, 32));
            }
            assertEquals(2 * RepeatedLaunch.LAUNCHES_BEFORE_GRAPH, driver.launches().size());
            assertTrue(driver.launches().getLast().startsWith("1 blocks of 32 threads"));
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void aFailedLaunchSaysWhatWasLaunched() {
        FakeDriver driver = new FakeDriver();
        try (CudaContext context = open(driver)) {
            KernelLaunch launch = context.kernel(SOURCE, "k").launch(LaunchShape.of(3, 64), 0);
            driver.failAt(2);
            DeviceException e = assertThrows(DeviceException.class, launch::run);
            assertEquals("launching kernel k as 3 blocks of 64 threads on cuda:0: cuLaunchKernel failed with code 999: "
                    + "CUDA_ERROR_UNKNOWN (made to fail)", e.getMessage());
            assertEquals("cuLaunchKernel", e.call());
        }
    }

    @Test
    void keepsKernelsOfAContext() {
        try (CudaContext first = open(new FakeDriver()); CudaContext second = open(new FakeDriver())) {
            assertSame(first.kernel(SOURCE, "k"), first.kernel(SOURCE, "k"));
            assertNotSame(first.kernel(SOURCE, "k"), first.kernel(SOURCE.define("N", 2), "k"));
            assertNotSame(first.kernel(SOURCE, "k"), second.kernel(SOURCE, "k"));
        }
    }

    @Test
    void devicesHaveSpacesOfTheirOwn() {
        FakeDriver driver = new FakeDriver();
        try (CudaContext first = open(driver);
                CudaContext second = CudaContext.open(driver, 1, COMPILER, new KernelCache(folder))) {
            assertFalse(first.space() == second.space());
            assertEquals("cuda:1", second.space().name());
            assertEquals("sm_90", second.device().architecture());
            assertEquals(List.of("Fake 0", "Fake 1"), CudaDevice.all(driver).stream().map(CudaDevice::name).toList());
        }
        assertEquals(NOTHING_ALIVE, driver.alive());
        assertThrows(IllegalArgumentException.class,
                () -> CudaContext.open(driver, 2, COMPILER, new KernelCache(folder)));
    }
}
