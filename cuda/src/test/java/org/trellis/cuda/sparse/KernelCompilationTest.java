package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.common.Precision;
import org.trellis.cuda.TestNvcc;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/**
 * Compiles the kernels of every family with the smallest and the largest shapes of its parameters, for one
 * architecture, with nvcc where it is found, and holds the compiler to its report: no spills, and few enough registers.
 * {@code -Dtrellis.test.compilations=true} compiles every shape, which takes three minutes. Many kernels are compiled
 * in one call, each in a namespace of its own.
 */
@Tag("nightly")
class KernelCompilationTest {
    /** The most registers of a thread, by family: an H200's multiprocessor has 65,536 for up to 2048 threads. */
    private static final Map<String, Integer> MOST_REGISTERS =
            Map.of("csr.cu", 72, "balanced.cu", 64, "hot.cu", 80, "sell.cu", 80, "packed.cu", 128, "stencil.cu", 80,
                    "multiple.cu", 64);

    private static final boolean ALL = Boolean.getBoolean("trellis.test.compilations");
    private static final int[] POWERS = ALL ? new int[]{1, 2, 4, 8, 16, 32} : new int[]{1, 32};
    private static final int[] ROWS_OF_THREAD = ALL ? new int[]{1, 2, 4} : new int[]{1, 4};
    private static final Pattern KERNEL = Pattern.compile("Compiling entry function '(\\w+)'");
    private static final Pattern SPILLS = Pattern.compile("(\\d+) bytes spill stores, (\\d+) bytes spill loads");
    private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");

    @TempDir
    private Path folder;

    static Stream<SpmvFamily> families() {
        return Stream.of(SpmvFamily.CSR, SpmvFamily.CSR_BALANCED, SpmvFamily.CSR_HOT, SpmvFamily.SELL,
                SpmvFamily.SELL_RUNS);
    }

    @ParameterizedTest
    @MethodSource("families")
    void compilesWithoutSpills(SpmvFamily family) throws IOException, InterruptedException {
        Set<KernelSource> sources = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        for (SpmvParameters parameters : combinations(family)) {
            for (NumberTypes types : types()) {
                for (boolean sorted : family == SpmvFamily.CSR ? new boolean[]{false} : new boolean[]{false, true}) {
                    sources.add(ProductSource.of(parameters, types, RowEpilogue.UPDATE, sorted, false));
                }
            }
        }
        NumberTypes doubles = new NumberTypes(Precision.F64, Precision.F64);
        SpmvParameters some = combinations(family).get(0);
        sources.add(ProductSource.of(some, doubles, RowEpilogue.UPDATE_AND_DOT, true, false));
        sources.add(ProductSource.of(some, doubles, RowEpilogue.JACOBI, true, false));
        if (family == SpmvFamily.CSR) {
            sources.add(ProductSource.of(some, doubles, RowEpilogue.UPDATE, false, true));
            for (int vectors : new int[]{1, 2, 3, 8, 33}) {
                types().forEach(types -> sources.add(MultiVectorProduct.source(types, vectors, false)));
            }
        }
        if (family == SpmvFamily.SELL_RUNS) {
            types().forEach(types -> Stream.of(RowEpilogue.UPDATE, RowEpilogue.UPDATE_AND_DOT)
                    .forEach(finish -> sources.add(ProductSource.ofStencil(CudaRule.stencil(), types, finish))));
        }
        compile(new ArrayList<>(sources));
    }

    private static List<NumberTypes> types() {
        return List.of(new NumberTypes(Precision.F64, Precision.F64), new NumberTypes(Precision.F32, Precision.F32),
                new NumberTypes(Precision.F32, Precision.F64));
    }

    private static List<SpmvParameters> combinations(SpmvFamily family) {
        List<SpmvParameters> all = new ArrayList<>();
        for (int cooperating : POWERS) {
            for (int perThread : ROWS_OF_THREAD) {
                if (family == SpmvFamily.CSR && perThread > 1) {
                    continue;
                }
                ChunkShape shape = new ChunkShape(cooperating, perThread);
                switch (family) {
                    case CSR -> {
                        SpmvParameters plain =
                                SpmvParameters.of(family).withCooperatingThreads(cooperating).withBlockSize(256);
                        all.addAll(List.of(plain, plain.withIndexBits(16)));
                    }
                    case SELL -> all.add(Chunked.parameters(family, shape, 1, 256, 32));
                    case SELL_RUNS -> all.add(Chunked.parameters(family, shape, 1, 512, 16));
                    default -> {}
                }
            }
        }
        if (family == SpmvFamily.CSR_BALANCED) {
            for (int[] tile : new int[][]{{512, 2}, {512, 4}, {256, 4}, {256, 2}, {128, 4}}) {
                all.add(CudaRule.tiles(tile[0], tile[1], 32));
                all.add(CudaRule.tiles(tile[0], tile[1], 16));
            }
        }
        if (family == SpmvFamily.CSR_HOT) {
            for (int[] tile : new int[][]{{512, 6}, {512, 4}, {384, 6}}) {
                all.add(CudaRule.hot(tile[0], tile[1]));
            }
        }
        return all;
    }

    private void compile(List<KernelSource> sources) throws IOException, InterruptedException {
        Path nvcc = TestNvcc.path();
        StringBuilder text = new StringBuilder();
        Map<String, KernelSource> names = new LinkedHashMap<>();
        for (KernelSource source : sources) {
            String name = "kernel" + names.size();
            names.put(name, source);
            append(text, name, source);
            write(source.name(), source.text());
            for (Map.Entry<String, String> header : source.headers().entrySet()) {
                write(header.getKey(), header.getValue());
            }
        }
        write("all.cu", text.toString());
        Process process = new ProcessBuilder(nvcc.toString(), "-arch=sm_90", "--std=c++17", "-cubin",
                "--split-compile=0", "-Xptxas", "-v",
                "all.cu", "-o", "all.cubin").directory(folder.toFile()).redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), log);
        check(log, names);
    }

    private static void append(StringBuilder text, String name, KernelSource source) {
        text.append("namespace ").append(name).append(" {\n#undef LOAD_ENTRY\n#undef spmv\n#define spmv ").append(name)
                .append('\n');
        for (String option : source.options()) {
            String[] parts = option.substring("-D".length()).split("=", 2);
            text.append("#undef ").append(parts[0]).append("\n#define ").append(parts[0]).append(' ').append(parts[1])
                    .append('\n');
        }
        text.append("#include \"").append(source.name()).append("\"\n}\n");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static void check(String log, Map<String, KernelSource> names) {
        KernelSource current = null;
        int checked = 0;
        for (String line : log.split("\n")) {
            Matcher kernel = KERNEL.matcher(line);
            Matcher spills = SPILLS.matcher(line);
            Matcher registers = REGISTERS.matcher(line);
            if (kernel.find()) {
                current = names.get(kernel.group(1));
            } else if (spills.find()) {
                assertEquals("0 0", spills.group(1) + " " + spills.group(2), "spilled bytes of " + current);
            } else if (registers.find()) {
                int used = Integer.parseInt(registers.group(1));
                int most = MOST_REGISTERS.get(current.name());
                assertTrue(used <= most, current + " uses " + used + " registers, expected at most " + most);
                checked++;
            }
        }
        assertEquals(names.size(), checked, "kernels in the compiler's report:\n" + log);
    }
}
