package org.trellis.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.processor.compile.InMemoryCompiler;

/** Generated loops with a method larger than a class file can hold are left out, and other errors are not hidden. */
class LargeLoopTest {
    private static final String LARGE = "final class Large { static double f(double x) { double y = x;\n"
            + "y += 1.5 * x;\n".repeat(20_000) + "return y; } }";

    @TempDir
    private Path folder;

    /** Calls the compiler from where the processor calls it. */
    private static final class Caller extends AbstractProcessor {
        private final Map<String, String> sources;
        private Map<String, byte[]> results;
        private IllegalStateException failure;

        Caller(Map<String, String> sources) {
            this.sources = sources;
        }

        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return Set.of("*");
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latestSupported();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            if (results == null && failure == null) {
                try {
                    results = new InMemoryCompiler(processingEnv).compile(sources);
                } catch (IllegalStateException e) {
                    failure = e;
                }
            }
            return false;
        }
    }

    private Map<String, byte[]> compile(Map<String, String> sources) throws IOException {
        KernelCompilation compilation = new KernelCompilation(folder);
        Path file = Files.writeString(folder.resolve("Empty.java"), "final class Empty {}");
        Caller caller = new Caller(sources);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of(compilation.api()));
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(compilation.classes()));
            JavaCompiler.CompilationTask task =
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(file));
            task.setProcessors(List.of(caller));
            assertTrue(task.call());
        }
        if (caller.failure != null) {
            throw caller.failure;
        }
        return caller.results;
    }

    @Test
    void classesThatAreTooLargeAreLeftOut() throws IOException {
        Map<String, byte[]> found = compile(Map.of("Large", LARGE, "Small", "final class Small {}"));
        assertEquals(Set.of("Small"), found.keySet());
    }

    @Test
    void otherErrorsAreDefects() {
        String message = assertThrows(IllegalStateException.class,
                () -> compile(Map.of("Wrong", "final class Wrong { int f() { return none; } }"))).getMessage();
        assertTrue(message.contains("generated loops do not compile"), message);
    }
}
