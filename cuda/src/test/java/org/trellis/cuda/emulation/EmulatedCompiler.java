package org.trellis.cuda.emulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;

/**
 * Compiles CUDA C for the host with the C++ compiler, kernels of one struct only. What it returns in place of machine
 * code is the name of a shared library.
 */
final class EmulatedCompiler implements KernelCompiler {
    private static final Pattern KERNEL =
            Pattern.compile(
                    "__launch_bounds__\\(THREADS(?:, \\d+)?\\) (\\w+)\\(const __grid_constant__ Arguments a\\)");

    private final Path compiler;
    private final Path folder;

    private EmulatedCompiler(Path compiler, Path folder) {
        this.compiler = compiler;
        this.folder = folder;
    }

    /** Finds a C++ compiler. */
    static Optional<EmulatedCompiler> find(Path folder) {
        for (String place : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path file = Path.of(place, "c++");
            if (Files.isExecutable(file)) {
                return Optional.of(new EmulatedCompiler(file, folder));
            }
        }
        return Optional.empty();
    }

    @Override
    public String version() {
        return "emulation";
    }

    /** One at a time, since ranks may want the same. */
    @Override
    public byte[] compile(KernelSource source, String architecture) {
        synchronized (EmulatedCompiler.class) {
            return compileOne(source);
        }
    }

    private byte[] compileOne(KernelSource source) {
        String stem = "kernel" + Integer.toHexString(source.hashCode());
        try {
            for (Map.Entry<String, String> header : source.headers().entrySet()) {
                Files.writeString(folder.resolve(header.getKey()), header.getValue());
            }
            Path file = folder.resolve(stem + ".cpp");
            Path library = folder.resolve(stem + ".so");
            Files.writeString(file, text(source));
            List<String> command = new ArrayList<>(List.of(compiler.toString(), "-std=c++17", "-O0", "-fPIC",
                    "-shared", "-Wno-unknown-pragmas", "-o", library.toString()));
            source.options().stream().filter(option -> option.startsWith("-D")).forEach(command::add);
            command.add(file.toString());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(source + " does not compile:\n" + log + "\n" + text(source));
            }
            return library.toString().getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String text(KernelSource source) throws IOException {
        String text = source.text().replace("extern __shared__ __align__(16) unsigned char pool[];",
                "unsigned char* const pool = emulatedPool;");
        List<String> kernels = KERNEL.matcher(text).results().map(kernel -> kernel.group(1)).toList();
        if (kernels.isEmpty()) {
            throw new AssertionError(source + " has no kernel that takes one struct");
        }
        String header;
        try (var in = EmulatedCompiler.class.getResourceAsStream("emulation.hpp")) {
            header = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        StringBuilder all = new StringBuilder(header).append(text)
                .append("static thread_local const Arguments* emulatedArguments;\n");
        for (String kernel : kernels) {
            all.append(
                    """
                            extern "C" int emulatedBytes_%1$s() { return (int) sizeof(Arguments); }
                            static void emulatedBody_%1$s() { %1$s(*emulatedArguments); }
                            extern "C" int emulated_%1$s(const Arguments* a, unsigned blocks, unsigned threads,
                                    unsigned shared) {
                                emulatedArguments = a;
                                return emulation::run(emulatedBody_%1$s, blocks, threads, shared);
                            }
                            """
                            .replace("%1$s", kernel));
        }
        return all.toString();
    }
}
