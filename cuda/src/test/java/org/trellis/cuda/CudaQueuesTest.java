package org.trellis.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.cuda.compile.KernelCache;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.NativeHandle;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.FakeDriver;

/** The second queue: what is queued where, and what waits for what. */
class CudaQueuesTest {
    private static final KernelCompiler NONE = new KernelCompiler() {
        @Override
        public String version() {
            return "none";
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            throw new AssertionError("nothing is to be compiled");
        }
    };

    private final List<String> log = new ArrayList<>();

    @TempDir
    private Path folder;

    /** Notes what is done on which stream, by a letter for each handle. */
    private CudaDriver noting(FakeDriver driver, List<Long> handles) {
        return (CudaDriver) Proxy.newProxyInstance(CudaDriver.class.getClassLoader(), new Class<?>[]{CudaDriver.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "recordEvent" ->
                            log.add("record " + name(handles, arguments[0]) + " on " + name(handles, arguments[1]));
                        case "waitForEvent" ->
                            log.add(name(handles, arguments[0]) + " waits for " + name(handles, arguments[1]));
                        case "clear" -> log.add("work on " + name(handles, arguments[2]));
                        default -> {
                            // Of no interest.
                        }
                    }
                    try {
                        return method.invoke(driver, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static String name(List<Long> handles, Object handle) {
        long address = ((NativeHandle) handle).address();
        if (!handles.contains(address)) {
            handles.add(address);
        }
        return String.valueOf((char) ('a' + handles.indexOf(address)));
    }

    @Test
    void workAsideWaitsForTheMarkOnlyAndJoins() {
        FakeDriver driver = new FakeDriver();
        try (CudaContext context =
                CudaContext.open(noting(driver, new ArrayList<>()), 0, NONE, new KernelCache(folder));
                CudaBuffer buffer = context.buffer(8)) {
            CudaQueues queues = new CudaQueues(context);
            assertThrows(IllegalStateException.class, queues::aside);
            buffer.clear();
            queues.mark();
            buffer.clear();
            queues.aside();
            buffer.clear();
            queues.join();
            buffer.clear();
            assertEquals(List.of("work on a", "record b on a", "work on a", "c waits for b", "work on c",
                    "record d on c", "a waits for d", "work on a"), log);
            try (CudaContext other = CudaContext.open(driver, 1, NONE, new KernelCache(folder))) {
                assertNotEquals(other.stream(), context.stream());
                String message = assertThrows(IllegalArgumentException.class, () -> context.queueOn(other.stream()))
                        .getMessage();
                assertTrue(message.contains("cuda:1"), message);
            }
        }
        assertEquals("0 blocks, 0 pinned, 0 handles, 0 contexts", driver.alive());
    }
}
