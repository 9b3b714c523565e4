package org.trellis.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.cuda.compile.KernelCache;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;

/** Copies without waiting, on streams of their own. */
class StreamsTest {
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

    @TempDir
    private Path folder;

    @Test
    void copiesOnAnotherStream() {
        FakeDriver driver = new FakeDriver();
        try (CudaContext context = CudaContext.open(driver, 0, NONE, new KernelCache(folder));
                CudaStream stream = context.newStream();
                CudaEvent done = context.newEvent();
                PinnedBuffer there = context.pinned(32);
                PinnedBuffer back = context.pinned(32);
                CudaBuffer first = context.buffer(64);
                CudaBuffer second = context.buffer(64)) {
            there.memory().setAtIndex(ValueLayout.JAVA_INT, 2, 41);
            int waits = driver.synchronisations();
            stream.awaitAll(context.stream());
            first.copyFrom(there, 8, 16, 4, stream);
            second.copyFrom(first, 16, 60, 4, stream);
            second.copyTo(back, 4, 60, 4, stream);
            done.record(stream);
            context.stream().await(done);
            assertEquals(waits, driver.synchronisations(), "the host has waited");
            assertTrue(done.hasHappened());
            assertEquals(41, back.memory().getAtIndex(ValueLayout.JAVA_INT, 1));
            assertThrows(IndexOutOfBoundsException.class, () -> first.copyFrom(there, 30, 0, 4, stream));
            assertThrows(IndexOutOfBoundsException.class, () -> first.copyTo(back, 0, 62, 4, stream));
            assertThrows(IndexOutOfBoundsException.class, () -> second.copyFrom(first, -1, 0, 4, stream));
        }
        assertEquals("0 blocks, 0 pinned, 0 handles, 0 contexts", driver.alive());
    }
}
