package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.mesh.Mesh;

/** The kernels of messages between ranks compile where nvcc is found; and the lists of targets of runs of elements. */
class HaloCompilationTest {
    private static final Pattern SPILLS = Pattern.compile("[1-9]\\d* bytes spill");

    @TempDir
    private Path folder;

    @Test
    void compilesWithoutSpills() throws IOException, InterruptedException {
        compile(CudaHalo.source(), "trellisPack", "trellisUnpack");
        compile(CudaReduction.source(), "trellisSend", "trellisCombine");
    }

    private void compile(KernelSource source, String... kernels) throws IOException, InterruptedException {
        for (Map.Entry<String, String> header : source.headers().entrySet()) {
            Files.writeString(folder.resolve(header.getKey()), header.getValue());
        }
        Files.writeString(folder.resolve(source.name()), source.text());
        List<String> command = new ArrayList<>(List.of(nvcc().toString(), "-arch=sm_90", "--std=c++17", "-cubin",
                "-Xptxas", "-v", source.name(), "-o", "all.cubin"));
        command.addAll(source.options());
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), log);
        for (String kernel : kernels) {
            assertTrue(log.contains("Compiling entry function '" + kernel + "'"), log);
        }
        assertFalse(SPILLS.matcher(log).find(), log);
    }

    private static Path nvcc() {
        for (String place : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path file = Path.of(place, "nvcc");
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        return Assumptions.abort("nvcc is not on the path");
    }

    /** Elements 1 and 2 of four lead to targets 2, 3 and 5 through two columns, the second of which subtracts. */
    @Test
    void runsOfElementsKnowTheirTargets() {
        int[] first = {0, 2, 3, 1};
        int[] second = {1, 5, 2, 0};
        RangeInverse.Column adds = new RangeInverse.Column(first, 1, 3, 0, 1);
        RangeInverse.Column subtracts = new RangeInverse.Column(second, 1, 3, 4, -1);
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            RangeInverse both = RangeInverse.of(mesh, 6, List.of(adds, subtracts), List.of(adds, subtracts));
            assertArrayEquals(new int[]{2, 3, 5}, both.targets());
            assertArrayEquals(new int[]{0, 2, 3, 4}, both.offsets());
            assertArrayEquals(new int[]{1, ~6, 2, ~5}, both.places());
            RangeInverse one = RangeInverse.of(mesh, 6, List.of(adds, subtracts), List.of(subtracts));
            assertArrayEquals(new int[]{2, 3, 5}, one.targets());
            assertArrayEquals(new int[]{0, 1, 1, 2}, one.offsets());
            assertArrayEquals(new int[]{~6, ~5}, one.places());
        }
    }
}
