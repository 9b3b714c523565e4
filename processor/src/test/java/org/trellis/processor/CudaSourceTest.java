package org.trellis.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CUDA C of the sample kernels in the tests of {@code core}: what it says, and that nvcc takes it. */
class CudaSourceTest {
    private static final Path SAMPLES = Path.of("../core/src/test/java/org/trellis/kernel/SampleKernels.java");

    @TempDir
    private static Path folder;

    private static List<String> names;
    private static List<String> sources;

    @BeforeAll
    static void generate() throws IOException, ReflectiveOperationException {
        KernelCompilation compilation = new KernelCompilation(folder);
        assertEquals(List.of(), compilation.compile(List.of(SAMPLES)).messages());
        names = new ArrayList<>();
        sources = new ArrayList<>();
        URL[] places = {compilation.classes().toUri().toURL(), compilation.api().toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            Class<?> loops = loader.loadClass("org.trellis.kernel.SampleKernelsLoops");
            Class<?> kernel = loader.loadClass("org.trellis.kernel.LoopKernel");
            for (Field field : loops.getDeclaredFields()) {
                if (field.getType().equals(kernel)) {
                    field.setAccessible(true);
                    names.add(field.getName());
                    sources.add((String) kernel.getMethod("cudaSource").invoke(field.get(null)));
                }
            }
        }
    }

    private static String source(String name) {
        return sources.get(names.indexOf(name));
    }

    @Test
    void layoutAndRealTypeAreMacros() {
        String flux = source("FLUX");
        assertTrue(flux.contains("void SampleKernels_flux(const REAL* v_x1, const REAL* v_x2, const REAL* v_q1, "),
                flux);
        assertTrue(flux.contains("v_q1[v_n_"), flux);
        assertTrue(flux.contains("* STRIDE_q1]"), flux);
        assertTrue(flux.contains("TRELLIS_ADD(v_res2["), flux);
        assertTrue(source("BOUNDARY").contains("const REAL* v_scale, REAL v_factor, int v_shift)"), source("BOUNDARY"));
        assertTrue(source("UPDATE").contains("TRELLIS_SUM* v_change, REAL* v_least, "), source("UPDATE"));
        String rows = source("NEIGHBOURS");
        assertTrue(rows.contains("TRELLIS_ENTRY(entry_x_") && rows.contains(", v_x + ROW_x[v_k_"), rows);
        assertTrue(rows.contains("< LENGTH_x;"), rows);
    }

    @Test
    void functionsOfScalarsAreDeviceFunctions() {
        String step = source("TIME_STEP");
        int length = step.indexOf("REAL SampleKernels_length(REAL v_dx, REAL v_dy) {");
        assertTrue(length > 0 && length < step.indexOf("void SampleKernels_timeStep("), step);
    }

    @Test
    void nvccCompilesBothRealTypesAndLayouts() throws IOException, InterruptedException {
        Optional<Path> nvcc = nvcc();
        assumeTrue(nvcc.isPresent(), "there is no nvcc on the PATH or in /usr/local");
        for (String real : List.of("float", "double")) {
            StringBuilder all = new StringBuilder("#define REAL " + real + "\n");
            for (String source : sources) {
                all.append(source.replaceAll("(#define STRIDE_\\w+) 1", "float".equals(real) ? "$1 1" : "$1 1000"))
                        .append('\n');
                source.lines().filter(line -> line.startsWith("#define STRIDE_"))
                        .forEach(line -> all.append("#undef ").append(line.split(" ")[1]).append('\n'));
            }
            Path file = Files.writeString(folder.resolve(real + ".cu"), all);
            Process process =
                    new ProcessBuilder(nvcc.get().toString(), "-arch=sm_90", "-Werror", "all-warnings", "-ptx",
                            "-o", folder.resolve(real + ".ptx").toString(), file.toString()).redirectErrorStream(true)
                            .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), output);
        }
    }

    private static Optional<Path> nvcc() {
        return Stream.concat(Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
                Stream.of("/usr/local/bin", "/usr/local/cuda/bin"))
                .map(place -> Path.of(place, "nvcc")).filter(Files::isExecutable).findFirst();
    }
}
