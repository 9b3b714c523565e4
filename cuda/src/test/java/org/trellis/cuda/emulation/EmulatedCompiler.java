package org.trellis.cuda.emulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;

/**
 * Compiles CUDA C for the host with the C++ compiler. What it returns in place of machine code is the name of a shared
 * library. What was compiled stays in the build's folder {@code target}, by its contents, for all tests of the build.
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
    private static final Path LIBRARIES = libraries();
    private static final Map<Path, Object> LOCKS = new ConcurrentHashMap<>();

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

    @Override
    public byte[] compile(KernelSource source, String architecture) {
        try {
            // A copy of its own, since libraries of one file share their static variables.
            Path library = Files.createTempFile(folder, "kernel", ".so");
            Files.copy(compiled(source), library, StandardCopyOption.REPLACE_EXISTING);
            return library.toString().getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the library of a source, from a test before this one if it has compiled the same. */
    private Path compiled(KernelSource source) throws IOException, InterruptedException {
        Map<String, String> headers = new TreeMap<>(source.headers());
        headers.replaceAll((name, text) -> LOAD.matcher(text).replaceAll("$1 = *($2)"));
        String text = text(source);
        List<String> options = source.options().stream().filter(option -> option.startsWith("-D")).toList();
        Path header = header();
        Path library = LIBRARIES.resolve(hash(header + text + headers + options) + ".so");
        synchronized (LOCKS.computeIfAbsent(library, path -> new Object())) { // ranks may need the same
            if (Files.exists(library)) {
                return library;
            }
            Path work = Files.createTempDirectory(folder, "compile");
            for (Map.Entry<String, String> included : headers.entrySet()) {
                Files.writeString(work.resolve(included.getKey()), included.getValue());
            }
            Path file = Files.writeString(work.resolve("kernel.cpp"), text);
            Path made = Files.createTempFile(LIBRARIES, "kernel", ".made");
            List<String> command = new ArrayList<>(List.of("-shared", "-include", header.toString()));
            command.addAll(options);
            run(command, file, made);
            Files.move(made, library, StandardCopyOption.ATOMIC_MOVE);
        }
        return library;
    }

    /** Returns the header of all kernels, which is read once by the compiler where it can keep what it has read. */
    private Path header() throws IOException, InterruptedException {
        String text;
        try (var in = EmulatedCompiler.class.getResourceAsStream("emulation.hpp")) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        Files.createDirectories(LIBRARIES);
        Path header = LIBRARIES.resolve(hash(compiler + text) + ".hpp");
        synchronized (LOCKS.computeIfAbsent(header, path -> new Object())) {
            if (Files.exists(header)) {
                return header;
            }
            Path file = Files.writeString(Files.createTempFile(LIBRARIES, "header", ".made"), text);
            Path read = Files.createTempFile(LIBRARIES, "header", ".made");
            run(List.of("-x", "c++-header"), file, read);
            Files.move(read, LIBRARIES.resolve(header.getFileName() + ".gch"), StandardCopyOption.ATOMIC_MOVE);
            Files.move(file, header, StandardCopyOption.ATOMIC_MOVE);
        }
        return header;
    }

    private void run(List<String> options, Path file, Path made) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(compiler.toString(), "-std=c++17", "-O0", "-fPIC", "-pthread",
                "-Wno-unknown-pragmas", "-DMOST_LOOKS=(1LL << 40)"));
        command.addAll(options);
        command.addAll(List.of("-o", made.toString(), file.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(file + " does not compile:\n" + log);
        }
    }

    private static String hash(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** Returns a folder of the build that all modules share: most kernels are compiled by several tests. */
    private static Path libraries() {
        Path here = Path.of("").toAbsolutePath();
        for (Path root = here; root != null; root = root.getParent()) {
            if (Files.exists(root.resolve(".mvn"))) {
                return root.resolve("target/emulated-kernels");
            }
        }
        return here.resolve("target/emulated-kernels");
    }

    /** Returns the text of a source with headers that have kernels in place of their inclusion. */
    private static String withKernelsOfHeaders(KernelSource source) {
        String text = source.text();
        for (Map.Entry<String, String> header : source.headers().entrySet()) {
            if (header.getValue().contains("__global__")) {
                text = text.replace("#include \"" + header.getKey() + "\"\n", header.getValue());
            }
        }
        return text;
    }

    private static String text(KernelSource source) {
        String text = POOL.matcher(withKernelsOfHeaders(source)).replaceAll("$1* const $2 = ($1*) emulatedPool;");
        text = CLOCK.matcher(text).replaceAll("$1 = emulatedNanoseconds()");
        List<MatchResult> kernels = KERNEL.matcher(text).results().toList();
        if (kernels.isEmpty()) {
            throw new AssertionError(source + " has no kernel");
        }
        StringBuilder all = new StringBuilder(text);
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
                            extern "C" int emulatedTogether_%1$s(void** a, unsigned blocks, unsigned threads,
                                    unsigned shared) {
                                return emulation::runTogether(emulatedBody_%1$s, a, blocks, threads, shared);
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
