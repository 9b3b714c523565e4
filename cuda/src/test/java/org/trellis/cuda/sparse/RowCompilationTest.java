package org.trellis.cuda.sparse;

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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;

/** Compiles the kernels of rows and of bases where nvcc is found; none of them may spill registers. */
class RowCompilationTest {
    private static final Pattern SPILLS = Pattern.compile("[1-9]\\d* bytes spill");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Precision.class)
    void compilesWithoutSpills(Precision precision) throws IOException, InterruptedException {
        compile(CudaBasis.source(precision), "trellisBasisProducts", "trellisBasisCombine");
        for (int width : new int[]{1, 32}) {
            compile(CudaRows.source(precision, width), "trellisCombineRows", "trellisSweepRows", "trellisSplitRows");
        }
    }

    private void compile(KernelSource source, String... kernels) throws IOException, InterruptedException {
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
}
