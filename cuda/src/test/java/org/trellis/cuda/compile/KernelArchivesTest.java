package org.trellis.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelArchivesTest {
    private static final KernelSource A = new KernelSource("a.cu", "a", Map.of(), List.of("-DN=1"));
    private static final KernelSource B = new KernelSource("a.cu", "a", Map.of(), List.of("-DN=2"));
    private static final KernelSource C = new KernelSource("c.cu", "c", Map.of(), List.of());

    @TempDir
    private Path folder;

    /** Its code says what was compiled for what. */
    private static final class Naming implements KernelCompiler {
        private final AtomicInteger compiled = new AtomicInteger();

        @Override
        public String version() {
            return "naming 1";
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            compiled.incrementAndGet();
            return (source + " for " + architecture).getBytes(StandardCharsets.UTF_8);
        }
    }

    private KernelArchive written(String name, List<String> architectures, KernelSource... sources)
            throws IOException {
        Path place = folder.resolve(name);
        long bytes = KernelArchives.write(List.of(sources), architectures, new Naming(), place);
        assertTrue(bytes > 0);
        return file -> Files.exists(place.resolve(file)) ? Files.newInputStream(place.resolve(file)) : null;
    }

    private static String found(KernelArchives archives, KernelSource source, String architecture) {
        Optional<byte[]> code = archives.find(source, architecture);
        assertEquals(code.isPresent(), archives.contains(source, architecture));
        return code.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("none");
    }

    @Test
    void findsByEverythingThatDecidesTheCode() throws IOException {
        KernelArchives archives = KernelArchives.of(written("one", List.of("sm_80", "sm_90"), A, B, A));
        assertEquals("a.cu -DN=1 for sm_90", found(archives, A, "sm_90"));
        assertEquals("a.cu -DN=2 for sm_80", found(archives, B, "sm_80"));
        assertEquals("none", found(archives, C, "sm_90"));
        assertEquals("none", found(archives, B.define("M", 1), "sm_90"));
        assertEquals("none", found(KernelArchives.of(), A, "sm_90"));
    }

    @Test
    void laterArchivesHaveWhatEarlierOnesLack() throws IOException {
        KernelArchives archives =
                KernelArchives.of(written("one", List.of("sm_90"), A), written("two", List.of("sm_90"), B));
        assertEquals("a.cu -DN=1 for sm_90", found(archives, A, "sm_90"));
        assertEquals("a.cu -DN=2 for sm_90", found(archives, B, "sm_90"));
    }

    @Test
    void devicesRunWhatIsNotLaterThanThey() {
        List<String> known = List.of("sm_80", "sm_89", "sm_90", "sm_120", "compute_80", "compute_90");
        assertEquals(List.of("sm_89", "sm_80", "compute_80"), KernelArchives.candidates(known, "sm_89"));
        assertEquals(List.of("sm_80", "compute_80"), KernelArchives.candidates(known, "sm_86"));
        assertEquals(List.of("sm_90", "compute_90", "compute_80"), KernelArchives.candidates(known, "sm_90"));
        assertEquals(List.of("sm_120", "compute_90", "compute_80"), KernelArchives.candidates(known, "sm_121"));
        assertEquals(List.of("compute_90", "compute_80"), KernelArchives.candidates(known, "sm_100"));
        assertEquals(List.of(), KernelArchives.candidates(known, "sm_75"));
        assertEquals(List.of(), KernelArchives.candidates(known, "emulated"));
        assertEquals(List.of("emulated"), KernelArchives.candidates(List.of("emulated"), "emulated"));
    }

    @Test
    void saysWhomItServes() throws IOException {
        KernelArchives archives = KernelArchives.of(written("one", List.of("sm_80"), A));
        assertTrue(archives.serves("sm_86"));
        assertFalse(archives.serves("sm_75"));
        assertFalse(KernelArchives.of().serves("sm_86"));
    }

    @Test
    void leavesOutWhatCannotBeRead() throws IOException {
        Logger logger = Logger.getLogger(KernelArchives.class.getName());
        logger.setLevel(Level.OFF);
        try {
            KernelArchive good = written("one", List.of("sm_90"), A, B);
            Files.writeString(folder.resolve("one").resolve(KernelArchives.entry(A, "sm_90")), "damaged");
            KernelArchives archives = KernelArchives.of(name -> null, name -> {
                throw new IOException("no such thing");
            }, good);
            assertEquals("a.cu -DN=2 for sm_90", found(archives, B, "sm_90"));
            assertEquals(Optional.empty(), archives.find(A, "sm_90"));
        } finally {
            logger.setLevel(null);
        }
    }

    @Test
    void codeOfArchivesIsNeitherCompiledNorKept() throws IOException {
        Naming compiler = new Naming();
        KernelArchives archives = KernelArchives.of(written("one", List.of("sm_90"), A, B));
        CompiledKernels kernels =
                new CompiledKernels(new KernelCache(folder.resolve("cache")), "sm_90", compiler, archives);
        kernels.prepare(List.of(A, C));
        assertTrue(kernels.isPrecompiled());
        assertTrue(kernels.get(A).isPrecompiled());
        assertTrue(kernels.get(B).isPrecompiled());
        assertFalse(kernels.get(C).isPrecompiled());
        assertEquals(1, compiler.compiled.get());
        assertArrayEquals(compiler.compile(B, "sm_90"), kernels.refused(B));
        assertFalse(kernels.isPrecompiled(), "what was refused once is not asked for again");
        assertFalse(kernels.get(A).isPrecompiled());
    }

    @Test
    void installedArchivesAreThoseOfTheServiceLoader() {
        // Tests of this module have none.
        assertFalse(KernelArchives.installed().serves("sm_90"));
    }
}
