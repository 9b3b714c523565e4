package org.trellis.cuda.compile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.BackendUnavailableException;
import org.trellis.file.TemporaryFolder;

/** Compiles by running nvcc, where there is no NVRTC. A second or more a kernel. */
public final class NvccCompiler implements KernelCompiler {
    private static final Pattern RELEASE = Pattern.compile("release [0-9.]+, V([0-9.]+)");
    private static final int TIMEOUT_SECONDS = 300;

    private final Path nvcc;
    private final String version;

    /**
     * Finds out nvcc's version by running it.
     *
     * @param nvcc the program
     * @throws BackendUnavailableException if it does not run or is not nvcc
     */
    public NvccCompiler(Path nvcc) {
        this.nvcc = nvcc;
        String answer = run(List.of(nvcc.toString(), "--version"), Path.of(".")).output();
        Matcher release = RELEASE.matcher(answer);
        if (!release.find()) {
            throw new BackendUnavailableException(nvcc + " does not answer like nvcc: " + answer.strip());
        }
        this.version = "nvcc " + release.group(1);
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public boolean isConcurrent() {
        return true;
    }

    @Override
    public byte[] compile(KernelSource source, String architecture) {
        try (TemporaryFolder folder = TemporaryFolder.create()) {
            return compileIn(folder.path(), source, architecture);
        } catch (IOException e) {
            throw new UncheckedIOException("the temporary folder of nvcc cannot be used", e);
        }
    }

    private byte[] compileIn(Path folder, KernelSource source, String architecture) throws IOException {
        Files.writeString(folder.resolve(source.name()), source.text());
        for (Map.Entry<String, String> header : source.headers().entrySet()) {
            Files.writeString(folder.resolve(header.getKey()), header.getValue());
        }
        Path image = folder.resolve("kernel.image");
        List<String> command = new ArrayList<>(List.of(nvcc.toString(),
                NvrtcCompiler.isVirtual(architecture) ? "-ptx" : "-cubin", "-arch=" + architecture,
                "--std=c++17", "-I", folder.toString(), "-o", image.toString()));
        command.addAll(source.options());
        command.add(source.name());
        Result result = run(command, folder);
        if (result.code() != 0) {
            throw CompilerLog.failure(source, version + " for " + architecture + " (exit code " + result.code() + ")",
                    result.output());
        }
        byte[] code = Files.readAllBytes(image);
        // The driver takes text that ends with a 0.
        return NvrtcCompiler.isVirtual(architecture) ? Arrays.copyOf(code, code.length + 1) : code;
    }

    private static Result run(List<String> command, Path folder) {
        try {
            Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output;
            try (InputStream in = process.getInputStream()) {
                output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new BackendUnavailableException(command + " did not end within " + TIMEOUT_SECONDS + " s");
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new BackendUnavailableException(command.getFirst() + " cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("interrupted while waiting for " + command.getFirst());
        }
    }

    @Override
    public String toString() {
        return version;
    }

    /**
     * What a program answered.
     *
     * @param code   its exit code
     * @param output what it wrote
     */
    private record Result(int code, String output) {}
}
