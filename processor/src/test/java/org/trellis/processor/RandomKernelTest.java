package org.trellis.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.processor.diagnostic.Code;

/**
 * Random kernels: the scalar loops give what the methods give, and the SIMD loops the bits of the scalar ones. The
 * property {@code trellis.test.kernels} says how many are tried, {@code trellis.test.seed} repeats a run.
 */
class RandomKernelTest {
    private static final String SEED = "trellis.test.seed";
    private static final Path RUNNER = Path.of("src/test/resources/fuzz/Runner.java");
    private static final int BATCH = 12;
    private static final int DIVIDED = 6;
    private static final int SETTINGS = 5;

    @TempDir
    private Path folder;

    @Test
    void loopsEqualTheMethods() throws IOException, ReflectiveOperationException {
        check();
    }

    /** The same with every SIMD loop divided into several methods. */
    @Test
    void dividedLoopsEqualTheMethods() throws IOException, ReflectiveOperationException {
        check("-Atrellis.pieces=true");
    }

    /** Integers component by component beside reals that lie in rows, which are moved by short vectors. */
    @Test
    void integersInColumnsBesideRowsAreStoredWhereTheyAre() throws IOException, ReflectiveOperationException {
        Path source = Files.writeString(folder.resolve("Columns.java"), """
                package fuzz;

                import org.trellis.kernel.*;

                public final class Columns {
                    private Columns() {}

                    public static String check(int settings, long seed) {
                        return Runner.check(ColumnsLoops.RUN, Columns::single, true, settings, seed);
                    }

                    @MeshKernel
                    static void run(@Read(2) double[] a, @Increment(2) double[] sum, @ReadWrite(3) int[] marks) {
                        sum[1] += a[0] * a[1];
                        marks[1] += marks[2];
                    }

                    static void single(Object[] a) {
                        ((float[]) a[1])[1] += ((float[]) a[0])[0] * ((float[]) a[0])[1];
                        ((int[]) a[2])[1] += ((int[]) a[2])[2];
                    }
                }
                """);
        KernelCompilation compilation = new KernelCompilation(folder);
        assertEquals(List.of(), compilation.compile(List.of(RUNNER, source), "-Atrellis.pieces=true").messages());
        URL[] places = {compilation.classes().toUri().toURL(), compilation.api().toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            assertEquals("", loader.loadClass("fuzz.Columns").getMethod("check", int.class, long.class).invoke(null,
                    50, 3L));
        }
    }

    private void check(String... options) throws IOException, ReflectiveOperationException {
        String given = System.getProperty(SEED, "");
        long seed = given.isBlank() ? System.nanoTime() : Long.parseLong(given);
        System.out.println("Random kernels: repeat with -D" + SEED + "=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int kernels = Integer.getInteger("trellis.test.kernels", options.length == 0 ? BATCH : DIVIDED);
        KernelCompilation compilation = new KernelCompilation(folder);
        for (int first = 0; first < kernels; first += BATCH) {
            List<Path> sources = new ArrayList<>(List.of(RUNNER));
            List<String> names = new ArrayList<>();
            for (int i = first; i < Math.min(kernels, first + BATCH); i++) {
                names.add("Kernel" + i);
                sources.add(Files.writeString(folder.resolve("Kernel" + i + ".java"),
                        new RandomKernel("Kernel" + i, random.split()).source()));
            }
            check(compilation, sources, names, random, seed, options);
        }
    }

    private void check(KernelCompilation compilation, List<Path> sources, List<String> names, SplittableRandom random,
            long seed, String... options) throws IOException, ReflectiveOperationException {
        List<KernelCompilation.Message> messages = compilation.compile(sources, options).messages();
        // Kernels that grow too large for the JIT compiler are the only ones that may be refused.
        List<String> refused = messages.stream().filter(m -> m.text().startsWith(Code.SIZE.label()))
                .map(KernelCompilation.Message::file).toList();
        assertEquals(refused.size(), messages.size(), () -> "seed " + seed + ": " + messages);
        if (!refused.isEmpty()) {
            List<Path> kept = sources.stream().filter(s -> !refused.contains(s.toString())).toList();
            assertTrue(kept.size() > 1, "seed " + seed + ": every kernel was refused");
            check(compilation, kept,
                    kept.stream().skip(1).map(s -> s.getFileName().toString().replace(".java", "")).toList(), random,
                    seed, options);
            return;
        }
        URL[] places = {compilation.classes().toUri().toURL(), compilation.api().toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            for (String name : names) {
                String difference = (String) loader.loadClass("fuzz." + name)
                        .getMethod("check", int.class, long.class).invoke(null, SETTINGS, random.nextLong());
                assertEquals("", difference, () -> "seed " + seed + ":\n" + text(name));
            }
        }
    }

    private String text(String name) {
        try {
            return Files.readString(folder.resolve(name + ".java"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
