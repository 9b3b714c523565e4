package org.trellis.processor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import org.trellis.processor.check.Rules;
import org.trellis.processor.compile.InMemoryCompiler;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.KernelError;
import org.trellis.processor.emit.CudaFunction;
import org.trellis.processor.emit.LoopClasses;
import org.trellis.processor.emit.LoopConstants;
import org.trellis.processor.emit.RealType;
import org.trellis.processor.front.KernelReader;
import org.trellis.processor.lower.Contraction;
import org.trellis.processor.lower.Flattener;
import org.trellis.processor.lower.Inliner;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.lower.Unroller;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Method;
import org.trellis.processor.output.GeneratedFiles;

/** The way of one class through all stages. Nothing is written if anything is wrong with it. */
final class Translation {
    /** The option that has all SIMD loops divided into several methods, whatever their size: for tests. */
    static final String PIECES = "trellis.pieces";

    private static final String SIMD = "Simd";

    /** What HotSpot's option HugeMethodLimit says. */
    private static final int LARGEST_METHOD = 8000;

    private final Elements elements;
    private final InMemoryCompiler compiler;
    private final KernelReader reader;
    private final GeneratedFiles output;
    private final boolean pieces;

    Translation(ProcessingEnvironment environment, KernelReader reader, GeneratedFiles output) {
        elements = environment.getElementUtils();
        compiler = new InMemoryCompiler(environment);
        pieces = Boolean.parseBoolean(environment.getOptions().get(PIECES));
        this.reader = reader;
        this.output = output;
    }

    void run(TypeElement type) {
        KernelClass kernels = reader.read();
        if (reader.failed()) {
            return;
        }
        Rules.check(kernels, reader.diagnostics());
        if (reader.failed()) {
            return;
        }
        Map<Method, Lowered> lowered = new LinkedHashMap<>();
        for (Method kernel : kernels.kernels()) {
            lower(kernels, kernel).ifPresent(result -> lowered.put(kernel, result));
        }
        if (!reader.failed() && !lowered.isEmpty()) {
            write(kernels, lowered, type);
        }
    }

    private Optional<Lowered> lower(KernelClass kernels, Method kernel) {
        try {
            Method unrolled = new Unroller().unroll(new Inliner(kernels.functions(), function -> false).inline(kernel));
            Rules.check(unrolled, reader.diagnostics());
            if (reader.failed()) {
                return Optional.empty();
            }
            Lowered lowered = new Flattener(unrolled).flatten();
            Rules.check(unrolled, lowered, reader.diagnostics());
            return Optional.of(kernels.contracted().contains(kernel.name()) ? Contraction.of(lowered) : lowered);
        } catch (KernelError e) {
            e.report(reader.diagnostics());
            return Optional.empty();
        }
    }

    private void write(KernelClass kernels, Map<Method, Lowered> lowered, TypeElement type) {
        Map<String, LoopConstants.Extras> extras = new LinkedHashMap<>();
        Map<String, String> scalar = new LinkedHashMap<>();
        Map<String, String> simd = new LinkedHashMap<>();
        lowered.forEach((kernel, body) -> {
            String objection = compiler.vectors()
                    ? LoopClasses.simdObjection(body)
                    : "the JDK that compiled the kernel has no Vector API";
            String stem = LoopClasses.stem(kernels, kernel.name());
            for (RealType real : RealType.values()) {
                scalar.put(stem + real.label(), LoopClasses.scalar(kernels, body, real));
                if (objection.isEmpty()) {
                    simd.put(stem + real.label() + SIMD, pieces && LoopClasses.piecesObjection(body).isEmpty()
                            ? LoopClasses.pieces(kernels, body, real)
                            : LoopClasses.simd(kernels, body, real));
                }
            }
            extras.put(kernel.name(), new LoopConstants.Extras(objection, CudaFunction.write(kernels, kernel)));
        });
        compile(kernels, lowered, scalar, simd, extras);
        if (reader.failed()) {
            return;
        }
        scalar.forEach((name, source) -> output.source(kernels.packageName(), name, source));
        boolean javax = elements.getTypeElement(elements.getModuleOf(type),
                "javax.annotation.processing.Generated") != null;
        output.source(kernels.packageName(), LoopConstants.name(kernels),
                LoopConstants.write(kernels, kernels.kernels(), extras, javax));
    }

    /** Says whether the JIT compiler leaves a class alone; one that does not exist was too large for a class file. */
    private static boolean isTooLarge(byte[] compiled) {
        return compiled == null || InMemoryCompiler.largestMethod(compiled) > LARGEST_METHOD;
    }

    private void checkScalar(Method kernel, byte[] compiled) {
        if (isTooLarge(compiled)) {
            String size = compiled == null ? "more than 65535" : "" + InMemoryCompiler.largestMethod(compiled);
            reader.diagnostics().error(Code.SIZE, kernel.at(), "the loop of '" + kernel.name() + "' has " + size
                    + " bytes of bytecode, and the JIT compiler takes " + LARGEST_METHOD
                    + "; divide the kernel, or use fewer unrolled loops");
        }
    }

    /** Compiles the SIMD loops, and the scalar ones to know their size. */
    private void compile(KernelClass kernels, Map<Method, Lowered> lowered, Map<String, String> scalar,
            Map<String, String> simd, Map<String, LoopConstants.Extras> extras) {
        Map<String, String> all = new LinkedHashMap<>(scalar);
        all.putAll(simd);
        Map<String, byte[]> compiled = compiled(kernels, all);
        Map<String, String> divided = new LinkedHashMap<>();
        lowered.forEach((kernel, body) -> {
            String stem = LoopClasses.stem(kernels, kernel.name());
            checkScalar(kernel, compiled.get(stem + RealType.DOUBLE.label()));
            if (isTooLarge(stem, simd, compiled) && LoopClasses.piecesObjection(body).isEmpty()) {
                for (RealType real : RealType.values()) {
                    divided.put(stem + real.label() + SIMD, LoopClasses.pieces(kernels, body, real));
                }
            }
        });
        if (!divided.isEmpty() && !reader.failed()) {
            divided.keySet().forEach(compiled::remove);
            compiled.putAll(compiled(kernels, divided));
        }
        lowered.forEach((kernel, body) -> {
            String stem = LoopClasses.stem(kernels, kernel.name());
            if (isTooLarge(stem, simd, compiled)) {
                String reason = LoopClasses.piecesObjection(body);
                extras.put(kernel.name(), new LoopConstants.Extras(
                        "its vector code has more bytecode than the JIT compiler takes"
                                + (reason.isEmpty() ? "" : ", and is not divided since " + reason),
                        extras.get(kernel.name()).cuda()));
                return;
            }
            for (RealType real : RealType.values()) {
                String name = stem + real.label() + SIMD;
                if (simd.containsKey(name)) {
                    output.classFile(kernels.packageName(), name, compiled.get(name));
                }
            }
        });
    }

    /** Says whether there is a SIMD loop in either precision that the JIT compiler leaves alone. */
    private static boolean isTooLarge(String stem, Map<String, String> simd, Map<String, byte[]> compiled) {
        boolean large = false;
        for (RealType real : RealType.values()) {
            String name = stem + real.label() + SIMD;
            large |= simd.containsKey(name) && isTooLarge(compiled.get(name));
        }
        return large;
    }

    /** Compiles classes; names are without their package. */
    private Map<String, byte[]> compiled(KernelClass kernels, Map<String, String> sources) {
        String prefix = kernels.packageName().isEmpty() ? "" : kernels.packageName() + ".";
        Map<String, String> named = new LinkedHashMap<>();
        sources.forEach((name, source) -> named.put(prefix + name, source));
        Map<String, byte[]> classes = new LinkedHashMap<>();
        compiler.compile(named).forEach((name, bytes) -> classes.put(name.substring(prefix.length()), bytes));
        return classes;
    }
}
