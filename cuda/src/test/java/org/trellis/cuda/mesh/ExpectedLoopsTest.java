package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;

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

    /** Schemes whose code depends on a plan, and one that stores contributions. */
    private static List<LoopParameters> others(ParallelLoop loop) {
        if (!loop.declaration().incrementsIndirectly()) {
            return List.of();
        }
        LoopParameters plain = loop.parameters().withDevice(LoopDeviceParameters.NONE);
        return Stream.of(LoopScheme.TEMPORARY, LoopScheme.TWO_LEVEL, LoopScheme.OWNER_COMPUTE).map(plain::withScheme)
                .filter(other -> CudaLoopConstraints.objection(loop.declaration(), other).isEmpty()).toList();
    }

    /** Prepares a loop, whose code must have been expected; returns how much was. */
    private static int prepared(Noting compiler, ParallelLoop loop, List<KernelSource> expected) {
        loop.prepare();
        expected.forEach(one -> assertTrue(compiler.compiled.contains(one),
                loop + " as " + loop.parameters() + ": " + one.text()));
        return expected.size();
    }

    @Test
    void sourcesOfDeclaredLoopsAreThoseOfPreparedOnes() {
        Noting compiler = new Noting();
        Configuration configuration =
                Configuration.builder().set(ConfigurationKeys.CACHE_DIRECTORY, folder.resolve("cache")).build();
        int direct = 0;
        int pulled = 0;
        Map<LoopScheme, Integer> byScheme = new EnumMap<>(LoopScheme.class);
        try (CudaBackend backend = CudaBackend.open(new FakeDriver(), compiler, configuration)) {
            DeviceArrays arrays = new DeviceArrays(backend.context());
            CudaGlobals globals = new CudaGlobals(backend.context());
            for (Precision precision : Precision.values()) {
                for (Layout layout : Layout.values()) {
                    MeshOptions options = new MeshOptions(layout, Optional.empty(), Optional.empty(), false, false);
                    try (LoopCases cases = new LoopCases(backend, options, new int[]{257, 300}, precision, 1)) {
                        for (ParallelLoop loop : cases.loops()) {
                            int count = prepared(compiler, loop, new CudaLoopBuilder(backend.context(), arrays,
                                    globals, loop.declaration(), loop.parameters()).expectedSources());
                            direct += isDirect(loop.declaration()) ? count : 0;
                            pulled += loop.parameters().scheme() == LoopScheme.RECOMPUTE ? count : 0;
                            for (LoopParameters other : others(loop)) {
                                List<KernelSource> more = new CudaLoopBuilder(backend.context(), arrays, globals,
                                        loop.declaration(), other).expectedSources();
                                loop.parameters(other);
                                byScheme.merge(other.scheme(), prepared(compiler, loop, more), Integer::sum);
                            }
                        }
                    }
                }
            }
        }
        assertTrue(direct >= 4, direct + " loops without maps");
        assertTrue(pulled >= 4, pulled + " loops whose targets run their elements");
        assertEquals(Set.of(LoopScheme.TEMPORARY, LoopScheme.TWO_LEVEL, LoopScheme.OWNER_COMPUTE), byScheme.keySet());
        byScheme.forEach((scheme, count) -> assertTrue(count >= 4, count + " kernels of " + scheme));
    }
}
