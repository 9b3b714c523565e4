package org.trellis.cuda;

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
import org.trellis.cuda.compile.KernelSource;

/** The CUDA compiler of the machine that tests run on, if it has one. No GPU is needed. */
public final class TestNvcc {
    private static final Pattern SPILLS = Pattern.compile("[1-9]\\d* bytes spill");

    private TestNvcc() {}

    /**
     * Finds the compiler, or skips the test.
     *
     * @return the program
     */
    public static Path path() {
        for (String place : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path file = Path.of(place, "nvcc");
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        return Assumptions.abort("nvcc is not on the path");
    }

    /**
     * Compiles a source, whose kernels may not spill registers.
     *
     * @param source  the source
     * @param folder  for files
     * @param kernels those that must be there
     */
    public static void compileWithoutSpills(KernelSource source, Path folder, String... kernels)
            throws IOException, InterruptedException {
        for (Map.Entry<String, String> header : source.headers().entrySet()) {
            Files.writeString(folder.resolve(header.getKey()), header.getValue());
        }
        Files.writeString(folder.resolve(source.name()), source.text());
        List<String> command = new ArrayList<>(List.of(path().toString(), "-arch=sm_90", "--std=c++17", "-cubin",
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
}
