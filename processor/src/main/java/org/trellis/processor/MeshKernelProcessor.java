package org.trellis.processor;

import com.sun.source.util.Trees;
import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import org.trellis.processor.front.KernelReader;
import org.trellis.processor.output.CompilerFiles;

/**
 * The annotation processor: for each class with methods that are marked {@code @MeshKernel} it generates the class
 * {@code NameLoops}. Runs in javac, whose syntax trees it reads. Each class is translated by itself, so builds that
 * compile only what changed need not know of others.
 */
public final class MeshKernelProcessor extends AbstractProcessor {
    private static final Set<String> METHODS = Set.of(KernelReader.PACKAGE + ".MeshKernel",
            KernelReader.PACKAGE + ".KernelFunction");

    private Trees trees;

    /** Creates the processor; for the compiler. */
    public MeshKernelProcessor() {}

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        // All that occur in kernels and in generated code, so that the compiler does not warn about unclaimed ones.
        return Set.of(KernelReader.PACKAGE + ".*", "javax.annotation.processing.Generated");
    }

    @Override
    public Set<String> getSupportedOptions() {
        return Set.of(Translation.PIECES);
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public synchronized void init(ProcessingEnvironment environment) {
        super.init(environment);
        try {
            trees = Trees.instance(unwrapped(environment));
        } catch (IllegalArgumentException e) {
            environment.getMessager().printMessage(Diagnostic.Kind.ERROR,
                    "mesh kernels need javac, whose syntax trees the processor reads; this compiler is another ("
                            + environment.getClass().getName() + ")");
        }
    }

    /** IntelliJ IDEA hands a proxy to processors, and offers a way to the original. */
    private static ProcessingEnvironment unwrapped(ProcessingEnvironment environment) {
        try {
            Class<?> wrappers = Class.forName("org.jetbrains.jps.javac.APIWrappers", true,
                    environment.getClass().getClassLoader());
            Object original = wrappers.getMethod("unwrap", Class.class, Object.class).invoke(null,
                    ProcessingEnvironment.class, environment);
            return (ProcessingEnvironment) original;
        } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException
                | InvocationTargetException e) {
            return environment;
        }
    }

    // Claimed, since the compiler warns about annotations that no processor claims, and builds may fail on warnings.
    // They are no other processor's.
    @SuppressWarnings("DoNotClaimAnnotations")
    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        if (trees == null) {
            return false;
        }
        Set<TypeElement> classes = new LinkedHashSet<>();
        for (TypeElement annotation : annotations) {
            if (METHODS.contains(annotation.getQualifiedName().toString())) {
                for (Element method : round.getElementsAnnotatedWith(annotation)) {
                    classes.add((TypeElement) method.getEnclosingElement());
                }
            }
        }
        for (TypeElement type : classes) {
            KernelReader reader = new KernelReader(processingEnv.getElementUtils(), trees, type);
            new Translation(processingEnv, reader, new CompilerFiles(processingEnv.getFiler(), type)).run(type);
        }
        return true;
    }
}
