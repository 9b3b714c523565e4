package org.trellis.processor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles sources with the processor, against the annotations as they are in {@code core}'s sources. */
final class KernelCompilation {
    private static final Path CORE = Path.of("../core/src/main/java/org/trellis");

    private final Path api;
    private final Path classes;

    /** A message of the compiler. */
    record Message(String file, int line, String text) {}

    /** What a compilation said. */
    record Result(boolean success, List<Message> messages) {}

    /** Prepares compilations whose results go to {@code classes} in a folder. */
    KernelCompilation(Path folder) throws IOException {
        api = Files.createDirectories(folder.resolve("api"));
        classes = Files.createDirectories(folder.resolve("classes"));
        List<Path> sources = new ArrayList<>();
        for (String part : List.of("kernel", "common")) {
            try (Stream<Path> files = Files.list(CORE.resolve(part))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        Result result = run(sources, api, List.of("-proc:none"));
        if (!result.success()) {
            throw new IllegalStateException("core's annotations do not compile: " + result.messages());
        }
    }

    Path api() {
        return api;
    }

    Path classes() {
        return classes;
    }

    /** Compiles sources that hold kernels, all warnings on and each an error. */
    Result compile(List<Path> sources, String... options) {
        List<String> all = new ArrayList<>(List.of("-Xlint:all", "-Werror"));
        all.addAll(List.of(options));
        return run(sources, classes, all);
    }

    private Result run(List<Path> sources, Path output, List<String> options) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of(api));
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
            files.setLocationFromPaths(StandardLocation.SOURCE_OUTPUT, List.of(output));
            JavaCompiler.CompilationTask task = compiler.getTask(null, files, diagnostics, options, null,
                    files.getJavaFileObjectsFromPaths(sources));
            if (!options.contains("-proc:none")) {
                task.setProcessors(List.of(new MeshKernelProcessor()));
            }
            boolean success = task.call();
            List<Message> messages = diagnostics.getDiagnostics().stream()
                    .map(found -> new Message(found.getSource() == null ? "" : found.getSource().getName(),
                            (int) found.getLineNumber(), found.getMessage(Locale.ROOT)))
                    .toList();
            return new Result(success, messages);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
