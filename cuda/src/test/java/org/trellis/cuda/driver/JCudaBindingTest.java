package org.trellis.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.DeviceException;

/** The binding against a stand-in for the driver, built by the C compiler; skipped where the real driver is. */
class JCudaBindingTest {
    private static final Path STUB_SOURCE = Path.of("src/test/c/stub_driver.c");

    // The library stays loaded until the process ends.
    @TempDir(cleanup = CleanupMode.NEVER)
    private static Path folder;
    private static CudaDriver driver;

    @BeforeAll
    @SuppressWarnings("restricted")
    static void buildStub() throws IOException, InterruptedException {
        assumeTrue(Boolean.getBoolean("trellis.test.stub.driver"),
                "the stand-in for the driver is loaded only into a process of its own");
        LibraryFinder finder = LibraryFinder.ofSystem();
        assumeTrue(NativeLibraries.driverFiles(finder).isEmpty(), "the real driver is installed");
        assumeTrue(STUB_SOURCE.toFile().exists(), "the tests do not run in the module's folder");
        assumeTrue(System.getProperty("os.name").equals("Linux") && finder.program("cc").isPresent(),
                "there is no C compiler (cc) to build the stand-in for the driver");
        Path library = folder.resolve("libcuda.so.1");
        Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-O1", "-Wl,-soname,libcuda.so.1", "-o",
                library.toString(), STUB_SOURCE.toString()).inheritIO().start();
        assertTrue(compiler.waitFor(60, TimeUnit.SECONDS), "cc takes too long");
        assertEquals(0, compiler.exitValue(), "the stand-in does not compile");
        SymbolLookup.libraryLookup(library, Arena.global());
        driver = JCudaBinding.load(library);
    }

    @Test
    void asksForFacts() {
        assertEquals(13_000, driver.driverVersion());
        assertEquals(2, driver.deviceCount());
        assertEquals("Stub B", driver.deviceName(1));
        assertEquals(7L << 30, driver.deviceMemory(1));
        assertEquals(1075, driver.deviceAttribute(1, DeviceAttribute.CAPABILITY_MAJOR));
        assertTrue(driver.canAccessPeer(0, 1));
        assertFalse(driver.canAccessPeer(1, 0));
    }

    @Test
    void namesCallCodeAndTextOfAFailure() {
        useContext(0);
        DeviceException e = assertThrows(DeviceException.class, () -> driver.allocate(5L << 30));
        assertEquals("cuMemAlloc", e.call());
        assertEquals(2, e.code());
        assertEquals("CUDA_ERROR_OUT_OF_MEMORY (out of memory)", e.text());
        assertThrows(DeviceException.class, () -> driver.deviceName(2));
    }

    @Test
    void copiesThroughAllKindsOfMemory() {
        NativeHandle first = useContext(0);
        NativeHandle second = driver.retainPrimaryContext(1);
        NativeHandle stream = driver.createStream();
        MemorySegment pinned = driver.allocatePinned(64);
        long a = driver.allocate(64);
        long b = driver.allocate(64);
        pinned.setAtIndex(ValueLayout.JAVA_LONG, 7, 42);
        driver.copyToDevice(a, pinned.address(), 64, stream);
        driver.clear(a, 8, stream);
        driver.copyOnDevice(b, a, 64, stream);
        driver.clear(a, 64, stream);
        driver.copyBetween(a + 8, second, b + 8, first, 56, stream);
        pinned.fill((byte) 1);
        driver.copyToHost(pinned.address(), a, 64, stream);
        driver.synchronizeStream(stream);
        assertEquals(42, pinned.getAtIndex(ValueLayout.JAVA_LONG, 7));
        assertEquals(0, pinned.getAtIndex(ValueLayout.JAVA_LONG, 0));
        assertEquals(123, driver.freeMemory());
        driver.free(a);
        driver.free(b);
        driver.freePinned(pinned);
        driver.destroyStream(stream);
        driver.releasePrimaryContext(1);
        driver.releasePrimaryContext(0);
    }

    @Test
    void timesByEvents() {
        useContext(0);
        NativeHandle stream = driver.createStream();
        NativeHandle start = driver.createEvent();
        NativeHandle end = driver.createEvent();
        driver.recordEvent(start, stream);
        driver.recordEvent(end, stream);
        driver.waitForEvent(stream, end);
        assertFalse(driver.hasHappened(end));
        assertTrue(driver.hasHappened(end));
        driver.synchronizeEvent(end);
        assertEquals(1.0, driver.elapsedMilliseconds(start, end));
        driver.destroyEvent(start);
        driver.destroyEvent(end);
        driver.destroyStream(stream);
        driver.releasePrimaryContext(0);
    }

    @Test
    void launchesWithArgumentsInOrder() {
        useContext(0);
        NativeHandle stream = driver.createStream();
        NativeHandle module = driver.loadModule("cubin\0".getBytes(StandardCharsets.US_ASCII));
        NativeHandle add = driver.function(module, "add");
        assertEquals(14, driver.functionAttribute(add, FunctionAttribute.REGISTERS));
        driver.setSharedLimit(add, 100_000);
        assertThrows(DeviceException.class, () -> driver.setSharedLimit(add, 1));
        assertEquals(96, driver.residentBlocks(add, 64, 32));
        assertThrows(DeviceException.class, () -> driver.function(module, "other"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment y = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1, 2, 3);
            MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_LONG, y.address(),
                    Double.doubleToRawLongBits(0.5), 2L);
            MemorySegment pointers = arena.allocateFrom(ValueLayout.JAVA_LONG, values.address(), values.address() + 8,
                    values.address() + 16);
            driver.launch(add, new LaunchShape(3, 2, 64, 16), stream, pointers);
            assertEquals(2.5, y.getAtIndex(ValueLayout.JAVA_DOUBLE, 1));
            assertEquals(3, y.getAtIndex(ValueLayout.JAVA_DOUBLE, 2));
            assertThrows(DeviceException.class, () -> driver.launch(add, LaunchShape.of(1, 1), stream, pointers));
        }
        driver.unloadModule(module);
        driver.destroyStream(stream);
        driver.releasePrimaryContext(0);
    }

    /** The stand-in looks at the description, and adds the height to the address. */
    @Test
    void describesTextures() {
        useContext(0);
        NativeHandle texture = driver.createTexture(4096, 5, 3, 96);
        assertEquals(4099, texture.address());
        driver.destroyTexture(texture);
        assertThrows(DeviceException.class, () -> driver.createTexture(4096, 5, 3, 64));
        driver.releasePrimaryContext(0);
    }

    @Test
    void runsGraphsWhoseArgumentsChange() {
        useContext(0);
        assertTrue(driver.hasGraphs());
        NativeHandle stream = driver.createStream();
        NativeHandle module = driver.loadModule("cubin\0".getBytes(StandardCharsets.US_ASCII));
        NativeHandle add = driver.function(module, "add");
        LaunchShape shape = new LaunchShape(3, 2, 64, 16);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment y = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1, 2, 3);
            MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_LONG, y.address(),
                    Double.doubleToRawLongBits(0.5), 3L);
            MemorySegment pointers = arena.allocateFrom(ValueLayout.JAVA_LONG, values.address(), values.address() + 8,
                    values.address() + 16);
            NativeHandle graph = driver.createGraph();
            NativeHandle first = driver.addKernel(graph, null, add, shape, pointers);
            values.setAtIndex(ValueLayout.JAVA_DOUBLE, 1, 10);
            NativeHandle second = driver.addKernel(graph, first, add, shape, pointers);
            assertThrows(DeviceException.class, () -> driver.addKernel(graph, first, add, shape, pointers));
            NativeHandle executable = driver.instantiate(graph);
            driver.launchGraph(executable, stream);
            assertEquals(13.5, y.getAtIndex(ValueLayout.JAVA_DOUBLE, 2));
            values.setAtIndex(ValueLayout.JAVA_DOUBLE, 1, 100);
            driver.updateKernel(executable, second, add, shape, pointers);
            driver.launchGraph(executable, stream);
            assertEquals(114, y.getAtIndex(ValueLayout.JAVA_DOUBLE, 2));
            driver.updateKernel(executable, first, add, LaunchShape.of(1, 1), pointers);
            assertThrows(DeviceException.class, () -> driver.launchGraph(executable, stream));
            driver.destroyExecutable(executable);
            driver.destroyGraph(graph);
        }
        driver.unloadModule(module);
        driver.destroyStream(stream);
        driver.releasePrimaryContext(0);
    }

    private static NativeHandle useContext(int device) {
        NativeHandle context = driver.retainPrimaryContext(device);
        driver.setCurrentContext(context);
        return context;
    }
}
