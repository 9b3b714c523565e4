package org.trellis.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.KernelCompilationException;

class CompiledKernelsTest {
    @TempDir
    private Path folder;

    /** Counts, and fails the first time for sources that ask for it. */
    private static final class Counting implements KernelCompiler {
        private final AtomicInteger compiled = new AtomicInteger();
        private final CountDownLatch both = new CountDownLatch(2);
        private final CountDownLatch released = new CountDownLatch(1);
        private final boolean concurrent;

        Counting(boolean concurrent) {
            this.concurrent = concurrent;
        }

        @Override
        public String version() {
            return "fake 1";
        }

        @Override
        public boolean isConcurrent() {
            return concurrent;
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            compiled.incrementAndGet();
            if (source.text().equals("wrong")) {
                throw new KernelCompilationException(source.toString(), "wrong", "", "");
            }
            if (source.text().startsWith("held")) {
                try {
                    assertTrue(released.await(60, TimeUnit.SECONDS), "nothing else is compiled meanwhile");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            if (source.text().startsWith("both")) {
                both.countDown();
                try {
                    assertTrue(both.await(60, TimeUnit.SECONDS), "kernels are compiled one after another");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return source.text().getBytes(StandardCharsets.US_ASCII);
        }
    }

    private static KernelSource source(String text) {
        return new KernelSource("a.cu", text, Map.of(), List.of());
    }

    @Test
    void compilesSideBySideAndOnce() {
        Counting compiler = new Counting(true);
        CompiledKernels kernels = new CompiledKernels(new KernelCache(folder), "sm_90", compiler, KernelArchives.of());
        kernels.prepare(List.of(source("both 1"), source("both 2"), source("both 1")));
        assertArrayEquals("both 2".getBytes(StandardCharsets.US_ASCII), kernels.get(source("both 2")).bytes());
        assertArrayEquals("both 1".getBytes(StandardCharsets.US_ASCII), kernels.get(source("both 1")).bytes());
        assertArrayEquals("other".getBytes(StandardCharsets.US_ASCII), kernels.get(source("other")).bytes());
        assertEquals(3, compiler.compiled.get());
        kernels.get(source("both 1"));
        assertEquals(3, compiler.compiled.get(), "code that has been handed out is in the cache");
    }

    @Test
    void whatNoThreadHasBegunIsCompiledByTheOneThatAsks() {
        Counting compiler = new Counting(true);
        CompiledKernels kernels = new CompiledKernels(new KernelCache(folder), "sm_90", compiler, KernelArchives.of());
        // More than there are threads.
        List<KernelSource> held = IntStream.range(0, 17).mapToObj(i -> source("held " + i)).toList();
        kernels.prepare(held);
        kernels.prepare(List.of(source("last")));
        assertArrayEquals("last".getBytes(StandardCharsets.US_ASCII), kernels.get(source("last")).bytes());
        compiler.released.countDown();
        held.forEach(kernels::get);
        assertEquals(18, compiler.compiled.get());
    }

    @Test
    void failuresAreReportedToWhoAsks() {
        CompiledKernels kernels =
                new CompiledKernels(new KernelCache(folder), "sm_90", new Counting(true), KernelArchives.of());
        kernels.prepare(List.of(source("wrong")));
        assertThrows(KernelCompilationException.class, () -> kernels.get(source("wrong")));
    }

    @Test
    void followingKernelsAreCompiledSideBySide() throws InterruptedException {
        Counting compiler = new Counting(true);
        CompiledKernels kernels = new CompiledKernels(new KernelCache(folder), "sm_90", compiler, KernelArchives.of());
        // What is no machine code has no length, so the second list follows.
        kernels.prepare(new FollowingKernels(source("first"), "loop", 100, List.of(source("of long code")),
                List.of(source("both 1"), source("both 2"))));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (compiler.compiled.get() < 3 && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        for (String text : List.of("first", "both 1", "both 2")) {
            assertArrayEquals(text.getBytes(StandardCharsets.US_ASCII), kernels.get(source(text)).bytes());
        }
        assertEquals(3, compiler.compiled.get());
    }

    @Test
    void lengthsOfCodeDecideWhatFollows() {
        byte[] code = CodeSizesTest.image();
        for (int bytes : new int[]{9727, 9728}) {
            FollowingKernels kernels = new FollowingKernels(source("first"), "loop", bytes, List.of(source("long")),
                    List.of(source("short")));
            assertEquals(List.of(source(bytes < 9728 ? "long" : "short")), kernels.after(code));
        }
        assertEquals(List.of(source("short")), new FollowingKernels(source("first"), "other", 0,
                List.of(source("long")), List.of(source("short"))).after(code));
    }

    @Test
    void otherCompilersAreNotCalledAhead() {
        Counting compiler = new Counting(false);
        CompiledKernels kernels = new CompiledKernels(new KernelCache(folder), "sm_90", compiler, KernelArchives.of());
        kernels.prepare(List.of(source("a"), source("b")));
        assertEquals(0, compiler.compiled.get());
        kernels.get(source("a"));
        assertEquals(1, compiler.compiled.get());
    }

    @Test
    void listsAreCompiledUnlessTheirFirstKernelsAreThere() throws InterruptedException {
        Counting compiler = new Counting(true);
        List<KernelSource> list = KernelList.named("multigrid-f64");
        KernelCache cache = new KernelCache(folder);
        new CompiledKernels(cache, "sm_90", compiler, KernelArchives.of()).prepareList("multigrid-f64");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!list.stream().allMatch(source -> cache.contains(source, "sm_90", compiler))
                && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertEquals(list.size(), compiler.compiled.get());
        KernelCache begun = new KernelCache(folder.resolve("begun"));
        for (KernelSource source : list.subList(0, 3)) {
            begun.get(source, "sm_90", compiler);
        }
        Counting other = new Counting(true);
        new CompiledKernels(begun, "sm_90", other, KernelArchives.of()).prepareList("multigrid-f64");
        Thread.sleep(200);
        assertEquals(0, other.compiled.get(), "the first kernels stand for the list");
    }
}
