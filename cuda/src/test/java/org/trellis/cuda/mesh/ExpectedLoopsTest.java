package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.runtime.FakeDriver;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;

/** Loops that are declared are compiled ahead as what they are prepared as later. */
class ExpectedLoopsTest {
    @TempDir
    private Path folder;

    /** Notes what is compiled. */
    private static final class Noting implements KernelCompiler {
        private final Set<KernelSource> compiled = ConcurrentHashMap.newKeySet();

        @Override
        public String version() {
            return "fake 1";
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            compiled.add(source);
            return architecture.getBytes(StandardCharsets.US_ASCII);
        }
    }

    private static boolean isDirect(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity()).allMatch(a -> loop.map(a) == null);
    }

    @Test
    void sourcesOfDeclaredLoopsAreThoseOfPreparedOnes() {
        Noting compiler = new Noting();
        Configuration configuration =
                Configuration.builder().set(ConfigurationKeys.CACHE_DIRECTORY, folder.resolve("cache")).build();
        int direct = 0;
        try (CudaBackend backend = CudaBackend.open(new FakeDriver(), compiler, configuration)) {
            DeviceArrays arrays = new DeviceArrays(backend.context());
            CudaGlobals globals = new CudaGlobals(backend.context());
            for (Precision precision : Precision.values()) {
                for (Layout layout : Layout.values()) {
                    MeshOptions options = new MeshOptions(layout, Optional.empty(), Optional.empty(), false, false);
                    try (LoopCases cases = new LoopCases(backend, options, new int[]{257, 300}, precision, 1)) {
                        for (ParallelLoop loop : cases.loops()) {
                            if (isDirect(loop.declaration())) {
                                KernelSource expected = new CudaLoopBuilder(backend.context(), arrays, globals,
                                        loop.declaration(), loop.parameters()).directSource();
                                loop.prepare();
                                assertTrue(compiler.compiled.contains(expected), loop + ": " + expected.text());
                                direct++;
                            }
                        }
                    }
                }
            }
        }
        assertTrue(direct >= 4, direct + " loops without maps");
    }
}
