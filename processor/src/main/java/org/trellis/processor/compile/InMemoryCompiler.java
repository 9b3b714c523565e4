package org.trellis.processor.compile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.processing.ProcessingEnvironment;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles generated loops in memory. */
public final class InMemoryCompiler {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";
    /** What javac says of a method with more bytecode than a class file can hold. */
    private static final String TOO_LARGE = "compiler.err.limit.code";

    private final ProcessingEnvironment environment;

    /**
     * Creates a compiler.
     *
     * @param environment that of the compilation around it
     */
    public InMemoryCompiler(ProcessingEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Says whether the JDK that compiles has the Vector API.
     *
     * @return true if it can compile SIMD loops
     */
    public boolean vectors() {
        return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent()
                || java.lang.module.ModuleFinder.ofSystem().find(VECTOR_MODULE).isPresent();
    }

    /**
     * Compiles classes.
     *
     * @param sources sources by qualified name
     * @return class files by qualified name, without those that have a method larger than a class file can hold
     * @throws IllegalStateException if others do not compile, which is a defect of the generator
     * @throws UncheckedIOException  if the compiler's files cannot be closed
     */
    public Map<String, byte[]> compile(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        Map<String, String> all = new LinkedHashMap<>(new ApiStubs(environment.getElementUtils()).sources());
        all.putAll(sources);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null);
                Memory memory = new Memory(files)) {
            files.setLocation(StandardLocation.CLASS_PATH, List.of());
            String release = environment.getSourceVersion().name().replace("RELEASE_", "");
            List<String> options = new java.util.ArrayList<>(List.of("-proc:none", "-Xlint:none", "-source", release,
                    "-target", release));
            if (vectors()) {
                options.addAll(List.of("--add-modules", VECTOR_MODULE));
            }
            List<Source> units = all.entrySet().stream().map(entry -> new Source(entry.getKey(), entry.getValue()))
                    .toList();
            if (!compiler.getTask(new StringWriter(), memory, diagnostics, options, null, units).call()) {
                Map<String, String> smaller = withoutTooLarge(sources, diagnostics.getDiagnostics());
                if (smaller.size() < sources.size()) {
                    return compile(smaller);
                }
                throw new IllegalStateException("generated loops do not compile: " + diagnostics.getDiagnostics()
                        .stream().filter(found -> found.getKind() == Diagnostic.Kind.ERROR)
                        .map(found -> found.getMessage(Locale.ROOT) + " at "
                                + (found.getSource() == null ? "" : found.getSource().getName() + ":")
                                + found.getLineNumber())
                        .collect(Collectors.joining("; ")));
            }
            Map<String, byte[]> results = new HashMap<>(memory.results());
            results.keySet().retainAll(sources.keySet());
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException("generated loops cannot be compiled", e);
        }
    }

    /** Leaves out sources with a method of more than 64 kB; all of them stay if anything else is wrong. */
    private static Map<String, String> withoutTooLarge(Map<String, String> sources,
            List<Diagnostic<? extends JavaFileObject>> found) {
        Map<String, String> smaller = new LinkedHashMap<>(sources);
        for (Diagnostic<? extends JavaFileObject> one : found) {
            if (one.getKind() == Diagnostic.Kind.ERROR) {
                if (!TOO_LARGE.equals(one.getCode()) || one.getSource() == null) {
                    return sources;
                }
                smaller.keySet().removeIf(name -> Source.uri(name).equals(one.getSource().toUri()));
            }
        }
        return smaller;
    }

    /**
     * Returns the size of a class's largest method, which decides whether the JIT compiler takes it.
     *
     * @param classFile the class
     * @return bytes of bytecode
     */
    public static int largestMethod(byte[] classFile) {
        return ClassFile.of().parse(classFile).methods().stream()
                .flatMap(method -> method.findAttribute(Attributes.code()).stream())
                .mapToInt(code -> code.codeLength()).max().orElse(0);
    }

    /** A source in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(uri(name), Kind.SOURCE);
            this.text = text;
        }

        static URI uri(String name) {
            return URI.create("memory:///" + name.replace('.', '/') + Kind.SOURCE.extension);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Keeps class files in memory. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        Map<String, byte[]> results() {
            return classes.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().toByteArray()));
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
                FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/') + kind.extension),
                    kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(className, name -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
