package org.trellis.cuda.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.cuda.TestNvcc;
import org.trellis.cuda.compile.KernelSource;

/** Compiles conjugate gradients as one kernel where nvcc is found; no shape may spill registers. */
@Tag("nightly")
class PersistentCompilationTest {
    private static final Pattern SPILLS = Pattern.compile("[1-9]\\d* bytes spill");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Precision.class)
    void compilesWithoutSpills(Precision precision) throws IOException, InterruptedException {
        Path nvcc = TestNvcc.path();
        int[][] shapes = {{128, 1}, {1024, 1}, {512, 4}};
        for (int[] shape : shapes) {
            for (boolean diagonal : new boolean[]{false, true}) {
                KernelSource source = CudaPersistentKernels.source(precision,
                        new PersistentShape(132, 1, shape[0], shape[1], 0), diagonal);
                Files.writeString(folder.resolve(source.name()), source.text());
                List<String> command = new ArrayList<>(List.of(nvcc.toString(), "-arch=sm_90", "--std=c++17", "-cubin",
                        "-Xptxas", "-v", source.name(), "-o", "all.cubin"));
                command.addAll(source.options());
                Process process =
                        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
                String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertEquals(0, process.waitFor(), log);
                assertTrue(log.contains("Compiling entry function 'trellisResidentCg'"), log);
                assertFalse(SPILLS.matcher(log).find(), log);
            }
        }
    }
}
