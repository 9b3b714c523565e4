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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;

/**
 * Compiles CUDA C for the host with the C++ compiler. What it returns in place of machine code is the name of a shared
 * library.
 */
final class EmulatedCompiler implements KernelCompiler {
    /** A kernel, its bounds before or after its type. */
    private static final Pattern KERNEL = Pattern.compile("extern \"C\" __global__ (?:void\\s+)?__launch_bounds__"
            + "\\((?:\\w|, )+\\)\\s+(?:void\\s+)?(\\w+)\\(");
    /** Memory of a block whose size is the launch's. */
    private static final Pattern POOL =
            Pattern.compile("extern __shared__ __align__\\(16\\) ((?:unsigned )?char) (\\w+)\\[\\];");
    /** A load by an instruction of the device, in a macro with the names of its operands. */
    private static final Pattern LOAD =
            Pattern.compile("asm\\(\"ld[^:]*::[^:]*: \\w+\\((\\w+)\\) : \"l\"\\((\\w+)\\)\\)");
    /** A look at the clock, by the name of what gets it. */
    private static final Pattern CLOCK =
            Pattern.compile("asm volatile\\(\"mov.u64 %0, %%globaltimer;\" : \"=l\"\\((\\w+)\\)\\)");

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
                Files.writeString(folder.resolve(header.getKey()),
                        LOAD.matcher(header.getValue()).replaceAll("$1 = *($2)"));
            }
            Path file = folder.resolve(stem + ".cpp");
            Path library = folder.resolve(stem + ".so");
            Files.writeString(file, text(source));
            List<String> command = new ArrayList<>(List.of(compiler.toString(), "-std=c++17", "-O0", "-fPIC",
                    "-shared", "-Wno-unknown-pragmas", "-DMOST_LOOKS=(1LL << 40)", "-o", library.toString()));
            source.options().stream().filter(option -> option.startsWith("-D")).forEach(command::add);
            command.add(file.toString());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(source + " does not compile:\n" + log);
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
        String text = POOL.matcher(source.text()).replaceAll("$1* const $2 = ($1*) emulatedPool;");
        text = CLOCK.matcher(text).replaceAll("$1 = emulatedNanoseconds()");
        List<MatchResult> kernels = KERNEL.matcher(text).results().toList();
        if (kernels.isEmpty()) {
            throw new AssertionError(source + " has no kernel");
        }
        String header;
        try (var in = EmulatedCompiler.class.getResourceAsStream("emulation.hpp")) {
            header = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        StringBuilder all = new StringBuilder(header).append(text);
        for (MatchResult kernel : kernels) {
            List<String> conditions = conditions(text.substring(0, kernel.start()));
            conditions.forEach(line -> all.append(line).append('\n'));
            all.append(
                    """
                            extern "C" int emulatedBytes_%1$s(int i) { return emulation::bytes(%1$s, i); }
                            static void emulatedBody_%1$s() { emulation::call(%1$s, emulation::arguments); }
                            extern "C" int emulated_%1$s(void** a, unsigned blocks, unsigned threads,
                                    unsigned shared) {
                                emulation::arguments = a;
                                return emulation::run(emulatedBody_%1$s, blocks, threads, shared);
                            }
                            """
                            .replace("%1$s", kernel.group(1)));
            all.append("#endif\n".repeat((int) conditions.stream().filter(line -> line.startsWith("#if")).count()));
        }
        return all.toString();
    }

    /** Returns the lines of conditions that are open behind a text. */
    private static List<String> conditions(String text) {
        List<String> open = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (line.startsWith("#if") || line.startsWith("#el")) {
                open.add(line);
            } else if (line.startsWith("#endif")) {
                while (!open.removeLast().startsWith("#if")) {
                    // what belongs to the same condition
                }
            }
        }
        return open;
    }
}
