package org.trellis.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.DeviceException;
import org.trellis.common.KernelCompilationException;
import org.trellis.cuda.driver.LibraryFinder;
import org.trellis.cuda.driver.Nvrtc;

/** Compilers: NVRTC's calls on a stand-in, the real nvcc where there is one, and what is said when there is none. */
class CompilersTest {
    private static final KernelSource BAD = new KernelSource("bad.cu", "#include \"h.cuh\"\nint x = y;\n",
            Map.of("h.cuh", "// nothing\nint z = ;\n"), List.of("-DN=1"));

    @TempDir
    private Path folder;

    /** Notes the calls; compiles what does not contain the word given. */
    private static final class FakeNvrtc implements Nvrtc {
        private final List<String> calls = new ArrayList<>();
        private final String refused;
        private final String log;

        FakeNvrtc(String refused, String log) {
            this.refused = refused;
            this.log = log;
        }

        @Override
        public int version() {
            return 13_010;
        }

        @Override
        public String errorString(int code) {
            return "NVRTC_ERROR_" + code;
        }

        @Override
        public long createProgram(String source, String name, String[] headers, String[] includeNames) {
            if (source.contains("impossible")) {
                throw new DeviceException("nvrtcCreateProgram", 1, "NVRTC_ERROR_OUT_OF_MEMORY");
            }
            calls.add("create " + name + Arrays.toString(includeNames) + source.contains(refused));
            return source.contains(refused) ? 1 : 2;
        }

        @Override
        public int compileProgram(long program, String[] options) {
            calls.add("compile " + Arrays.toString(options));
            return program == 1 ? 6 : 0;
        }

        @Override
        public byte[] ptx(long program) {
            return new byte[0];
        }

        @Override
        public byte[] cubin(long program) {
            return new byte[]{1, 2, 3};
        }

        @Override
        public String log(long program) {
            return log;
        }

        @Override
        public void destroyProgram(long program) {
            calls.add("destroy " + program);
        }
    }

    @Test
    void nvrtcIsToldOfDeviceAndOptions() {
        FakeNvrtc nvrtc = new FakeNvrtc("nothing refused", "");
        NvrtcCompiler compiler = new NvrtcCompiler(nvrtc);
        assertEquals("nvrtc 13.1", compiler.version());
        assertArrayEquals(new byte[]{1, 2, 3}, compiler.compile(BAD, "sm_90"));
        assertEquals(List.of("create bad.cu[h.cuh]false",
                "compile [-DN=1, --gpu-architecture=sm_90, --std=c++17]", "destroy 2"), nvrtc.calls);
    }

    @Test
    void aCompileErrorHasLogAndLine() {
        assertEquals("bad.cu:2: int x = y;", failure("bad.cu(2): error: identifier \"y\" is undefined\n").sourceLine());
        assertEquals("h.cuh:2: int z = ;", failure("some/h.cuh(2,5): error: expected an expression").sourceLine());
        assertEquals("bad.cu:99", failure("bad.cu(99): catastrophic error: x").sourceLine());
        KernelCompilationException e = failure("the compiler gave up");
        assertEquals("", e.sourceLine());
        assertEquals("the compiler gave up", e.log());
        assertTrue(e.getMessage().contains("nvrtc 13.1 for sm_90 (NVRTC_ERROR_6)"), e.getMessage());
        assertEquals("bad.cu -DN=1", e.kernel());
    }

    private static KernelCompilationException failure(String log) {
        FakeNvrtc nvrtc = new FakeNvrtc("int x", log);
        KernelCompilationException e = assertThrows(KernelCompilationException.class,
                () -> new NvrtcCompiler(nvrtc).compile(BAD, "sm_90"));
        assertEquals("destroy 1", nvrtc.calls.getLast(), "the program is destroyed in any case");
        return e;
    }

    @Test
    void aCallThatFailsIsADeviceException() {
        KernelSource source = new KernelSource("a.cu", "impossible", Map.of(), List.of());
        assertThrows(DeviceException.class,
                () -> new NvrtcCompiler(new FakeNvrtc("x", "")).compile(source, "sm_90"));
    }

    @Test
    void nvccCompilesAndReportsTheOffendingLine() {
        Optional<Path> nvcc = LibraryFinder.ofSystem().program("nvcc");
        Assumptions.assumeTrue(nvcc.isPresent(), "nvcc is not installed");
        NvccCompiler compiler = new NvccCompiler(nvcc.get());
        KernelSource good = new KernelSource("good.cu",
                "#include \"n.cuh\"\nextern \"C\" __global__ void good(float* x) { x[N] = M; }\n",
                Map.of("n.cuh", "#define N 3\n"), List.of("-DM=2"));
        assertEquals(0x7f, compiler.compile(good, "sm_90")[0]);
        KernelCompilationException e =
                assertThrows(KernelCompilationException.class, () -> compiler.compile(BAD, "sm_90"));
        assertEquals("h.cuh:2: int z = ;", e.sourceLine());
        assertTrue(compiler.version().matches("nvcc [0-9.]+"), compiler.version());
    }

    @Test
    void aProgramThatIsNotNvccIsRefused() throws IOException {
        Path program = Files.writeString(folder.resolve("nvcc"), "#!/bin/sh\necho hello\n");
        assertTrue(program.toFile().setExecutable(true));
        BackendUnavailableException e =
                assertThrows(BackendUnavailableException.class, () -> new NvccCompiler(program));
        assertTrue(e.getMessage().endsWith("does not answer like nvcc: hello"), e.getMessage());
        assertThrows(BackendUnavailableException.class, () -> new NvccCompiler(folder.resolve("missing")));
    }

    @Test
    void withoutACompilerItSaysSo() {
        LibraryFinder finder = new LibraryFinder(folder, Map.of());
        assertEquals(Optional.empty(), Compilers.locate(finder, List.of()));
        BackendUnavailableException e = assertThrows(BackendUnavailableException.class,
                () -> Compilers.open(finder, List.of(), 13_000));
        assertEquals("NVRTC (libnvrtc.so) is not installed, and there is no nvcc to compile kernels with either",
                e.getMessage());
    }

    @Test
    void aLibraryThatIsNoneIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("libnvrtc.so.13"), "not a library");
        LibraryFinder finder = new LibraryFinder(folder, Map.of());
        BackendUnavailableException e = assertThrows(BackendUnavailableException.class,
                () -> Compilers.open(finder, List.of(folder), 13_000));
        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }
}
