package org.trellis.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache of compiled kernels, with a compiler that counts. */
class KernelCacheTest {
    private static final KernelSource SOURCE =
            new KernelSource("a.cu", "text", Map.of("h.cuh", "header"), List.of("-DN=1"));

    @TempDir
    private Path folder;

    private final AtomicInteger compiled = new AtomicInteger();

    private final KernelCompiler compiler = new KernelCompiler() {
        @Override
        public String version() {
            return "fake 1";
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            compiled.incrementAndGet();
            return ("code of " + source + " for " + architecture).getBytes(StandardCharsets.US_ASCII);
        }
    };

    @Test
    void compilesOnce() throws IOException {
        byte[] code = new KernelCache(folder).get(SOURCE, "sm_90", compiler);
        assertArrayEquals(code, new KernelCache(folder).get(SOURCE, "sm_90", compiler));
        assertEquals(1, compiled.get());
        new KernelCache(folder).get(SOURCE, "sm_80", compiler);
        assertEquals(2, compiled.get());
        assertEquals(2, files().size(), "temporary files are gone");
    }

    @Test
    void everythingThatMattersIsInTheKey() {
        Set<String> keys = new HashSet<>();
        List<KernelSource> sources = List.of(SOURCE, SOURCE.define("M", 2),
                new KernelSource("b.cu", "text", Map.of("h.cuh", "header"), List.of("-DN=1")),
                new KernelSource("a.cu", "text2", Map.of("h.cuh", "header"), List.of("-DN=1")),
                new KernelSource("a.cu", "text", Map.of("h.cuh", "header2"), List.of("-DN=1")),
                new KernelSource("a.cu", "text", Map.of("h2.cuh", "header"), List.of("-DN=1")),
                new KernelSource("a.cu", "text", Map.of(), List.of("-DN=1")),
                new KernelSource("a.cu", "text", Map.of("h.cuh", "header"), List.of("-DN=", "1")));
        for (KernelSource source : sources) {
            for (String architecture : List.of("sm_80", "sm_90")) {
                keys.add(KernelCache.key(source, architecture, "nvrtc 12.0"));
                keys.add(KernelCache.key(source, architecture, "nvrtc 13.0"));
            }
        }
        assertEquals(4 * sources.size(), keys.size());
    }

    @Test
    void rebuildsWhateverIsDamaged() throws IOException {
        byte[] code = new KernelCache(folder).get(SOURCE, "sm_90", compiler);
        Path file = files().getFirst();
        byte[] entry = Files.readAllBytes(file);
        int damages = 0;
        for (int position = 0; position < entry.length; position += 3) {
            byte[] flipped = entry.clone();
            flipped[position] ^= 4;
            damages += expectRebuild(file, flipped, code);
        }
        for (int length : new int[]{0, 5, 20, entry.length - 1}) {
            damages += expectRebuild(file, java.util.Arrays.copyOf(entry, length), code);
        }
        damages += expectRebuild(file, java.util.Arrays.copyOf(entry, entry.length + 1), code);
        assertEquals(1 + damages, compiled.get());
    }

    private int expectRebuild(Path file, byte[] damaged, byte[] code) throws IOException {
        Files.write(file, damaged);
        assertArrayEquals(code, new KernelCache(folder).get(SOURCE, "sm_90", compiler));
        return 1;
    }

    @Test
    void anEntryUnderAnotherNameIsNotTaken() throws IOException {
        new KernelCache(folder).get(SOURCE, "sm_90", compiler);
        KernelSource other = SOURCE.define("M", 3);
        Files.copy(files().getFirst(), folder.resolve(KernelCache.key(other, "sm_90", "fake 1") + ".cubin"));
        byte[] code = new KernelCache(folder).get(other, "sm_90", compiler);
        assertNotEquals("code of " + SOURCE + " for sm_90", new String(code, StandardCharsets.US_ASCII));
        assertEquals(2, compiled.get());
    }

    @Test
    void manyMayWriteAtATime() throws Exception {
        List<Callable<byte[]>> tasks = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            KernelSource source = SOURCE.define("I", i % 4);
            tasks.add(() -> new KernelCache(folder).get(source, "sm_90", compiler));
        }
        ThreadFactory named = Thread.ofPlatform().name("writer-", 0).factory();
        try (ExecutorService pool = Executors.newFixedThreadPool(8, named)) {
            List<Future<byte[]>> results = pool.invokeAll(tasks);
            for (int i = 0; i < results.size(); i++) {
                assertEquals("code of " + SOURCE.define("I", i % 4) + " for sm_90",
                        new String(results.get(i).get(), StandardCharsets.US_ASCII));
            }
        }
        assertEquals(4, files().size());
    }

    @Test
    void aFolderThatCannotBeMadeCostsTimeOnly() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        KernelCache cache = new KernelCache(file.resolve("kernels"));
        assertArrayEquals(cache.get(SOURCE, "sm_90", compiler), cache.get(SOURCE, "sm_90", compiler));
        assertEquals(2, compiled.get());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
