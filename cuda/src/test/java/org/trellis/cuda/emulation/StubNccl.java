package org.trellis.cuda.emulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.trellis.cuda.driver.LibraryFinder;

/** A stand-in for NCCL among threads on emulated GPUs, built by the C compiler. */
public final class StubNccl {
    private final Path library;

    private StubNccl(Path library) {
        this.library = library;
    }

    /**
     * Builds the stand-in, or skips the test where there is no C compiler.
     *
     * @param folder where to; the library stays loaded until the process ends
     * @return the stand-in
     */
    public static StubNccl in(Path folder) {
        Assumptions.assumeTrue(System.getProperty("os.name").equals("Linux")
                && LibraryFinder.ofSystem().program("cc").isPresent(),
                "there is no C compiler (cc) for a stub of NCCL");
        Path source = folder.resolve("stub_nccl.c");
        Path library = folder.resolve("libnccl.so.2");
        try (InputStream text = StubNccl.class.getResourceAsStream("stub_nccl.c")) {
            Files.write(source, text.readAllBytes());
            Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-pthread",
                    "-Wl,-z,noexecstack", "-o",
                    library.toString(), source.toString()).inheritIO().start();
            if (!compiler.waitFor(60, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                throw new AssertionError("the stand-in for NCCL does not compile");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return new StubNccl(library);
    }

    /**
     * Returns the library.
     *
     * @return for the setting that names NCCL
     */
    public Path library() {
        return library;
    }

    /**
     * Counts messages.
     *
     * @return those of all ranks since the library was loaded, the parts of gatherings among them
     */
    public long sent() {
        return number("stubSent");
    }

    /**
     * Counts sums.
     *
     * @return those of all ranks since the library was loaded
     */
    public long reduced() {
        return number("stubReduced");
    }

    /**
     * Counts communicators that were neither destroyed nor aborted.
     *
     * @return at least 0
     */
    public long open() {
        return number("stubOpen");
    }

    @SuppressWarnings({"restricted", "checkstyle:IllegalCatch"})
    private long number(String function) {
        try {
            return (long) Linker.nativeLinker().downcallHandle(
                    SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(function),
                    FunctionDescriptor.of(ValueLayout.JAVA_LONG)).invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(function, e);
        }
    }
}
