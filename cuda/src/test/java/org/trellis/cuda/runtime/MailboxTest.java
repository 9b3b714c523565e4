package org.trellis.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.cuda.compile.KernelCache;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;

/** Messages whose kernels are played by the test. */
class MailboxTest {
    private static final int PLACES = 32;

    @TempDir
    private Path folder;

    @MustBeClosed
    private CudaContext open() {
        KernelCompiler none = new KernelCompiler() {
            @Override
            public String version() {
                return "none";
            }

            @Override
            public byte[] compile(KernelSource source, String architecture) {
                return new byte[]{1};
            }
        };
        return CudaContext.open(new FakeDriver(), 0, none, new KernelCache(folder));
    }

    @SuppressWarnings("restricted")
    private static void write(Mailbox.Message message, int... contents) {
        MemorySegment place = MemorySegment.ofAddress(message.address())
                .reinterpret((2L + contents.length) * Integer.BYTES);
        MemorySegment.copy(MemorySegment.ofArray(contents), 0, place, 2L * Integer.BYTES,
                (long) contents.length * Integer.BYTES);
        place.set(ValueLayout.JAVA_INT, 0, message.number());
    }

    @Test
    void readsWhatKernelsWrote() {
        try (CudaContext context = open()) {
            for (int i = 0; i < 3 * PLACES; i++) {
                Mailbox.Message first = context.mailbox().next();
                Mailbox.Message second = context.mailbox().next();
                assertTrue(first.address() != second.address());
                write(second, i, i + 1);
                write(first, -i);
                assertArrayEquals(new int[]{-i}, first.read(1));
                assertArrayEquals(new int[]{i, i + 1}, second.read(2));
            }
        }
    }

    @Test
    void saysWhatIsWrongWithALetter() {
        try (CudaContext context = open()) {
            Mailbox.Message never = context.mailbox().next();
            assertEquals("message 1 of cuda:0 was not written by any kernel on its stream",
                    assertThrows(IllegalStateException.class, () -> never.read(1)).getMessage());
            for (int i = 0; i < PLACES; i++) {
                context.mailbox().next();
            }
            assertEquals("message 1 of cuda:0 after message 33, expected to be read within 32",
                    assertThrows(IllegalStateException.class, () -> never.read(1)).getMessage());
        }
    }
}
