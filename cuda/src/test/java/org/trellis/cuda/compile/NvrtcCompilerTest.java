package org.trellis.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.KernelCompilationException;
import org.trellis.cuda.driver.LibraryFinder;
import org.trellis.cuda.driver.NativeLibraries;

/** The real NVRTC, which needs no GPU to compile for one; skipped where it is not installed. */
class NvrtcCompilerTest {
    private static KernelCompiler compiler() {
        Assumptions.assumeFalse(Boolean.getBoolean("trellis.test.stub.driver"),
                "NVRTC looks for the driver and must not meet its stand-in");
        try {
            return new NvrtcCompiler(
                    NativeLibraries.nvrtc(NativeLibraries.nvrtcFiles(LibraryFinder.ofSystem(), List.of()), 99_000));
        } catch (BackendUnavailableException e) {
            return Assumptions.abort(e.getMessage());
        }
    }

    @Test
    void compilesToMachineCode() {
        KernelCompiler compiler = compiler();
        KernelSource source = new KernelSource("twice.cu",
                "#include \"factor.cuh\"\nextern \"C\" __global__ void twice(REAL* x) { x[threadIdx.x] *= FACTOR; }\n",
                Map.of("factor.cuh", "#define FACTOR 2\n"), List.of("-DREAL=float"));
        byte[] code = compiler.compile(source, "sm_90");
        assertEquals("\u007fELF", new String(code, 0, 4, StandardCharsets.US_ASCII));
        assertTrue(compiler.version().startsWith("nvrtc 1"), compiler.version());
    }

    @Test
    void reportsTheOffendingLine() {
        KernelCompiler compiler = compiler();
        KernelSource source = new KernelSource("bad.cu",
                "extern \"C\" __global__ void bad(float* x) {\n    x[0] = nothing;\n}\n", Map.of(), List.of());
        KernelCompilationException e =
                assertThrows(KernelCompilationException.class, () -> compiler.compile(source, "sm_90"));
        assertEquals("bad.cu:2: x[0] = nothing;", e.sourceLine());
        assertTrue(e.log().contains("identifier \"nothing\" is undefined"), e.log());
        assertTrue(e.getMessage().contains("NVRTC_ERROR_COMPILATION"), e.getMessage());
    }

    @Test
    void refusesAnUnknownArchitecture() {
        KernelCompiler compiler = compiler();
        KernelSource source = new KernelSource("empty.cu", "", Map.of(), List.of());
        assertThrows(KernelCompilationException.class, () -> compiler.compile(source, "sm_1"));
    }
}
