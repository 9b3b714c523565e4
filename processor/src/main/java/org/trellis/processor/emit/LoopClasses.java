package org.trellis.processor.emit;

import java.util.Locale;
import java.util.function.Consumer;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.KernelClass;

/** Writes the classes that hold a kernel's loops. */
public final class LoopClasses {
    private LoopClasses() {}

    /**
     * Returns the stem of the names of a kernel's loop classes.
     *
     * @param owner  the class that holds the kernel
     * @param kernel the kernel's name
     * @return for example {@code AirfoilResCalc}
     */
    public static String stem(KernelClass owner, String kernel) {
        return owner.stem() + kernel.substring(0, 1).toUpperCase(Locale.ROOT) + kernel.substring(1);
    }

    /**
     * Writes the loop that runs one element after the other.
     *
     * @param owner  the class that holds the kernel
     * @param kernel the kernel
     * @param real   the precision
     * @return Java source of a class named after stem and precision
     */
    public static String scalar(KernelClass owner, Lowered kernel, RealType real) {
        CodeWriter out = new CodeWriter();
        heading(out, owner, kernel, "one element after the other, in " + real.keyword());
        out.line("@SuppressWarnings({\"all\", \"unused\"})");
        out.line("@Generated(\"org.trellis.processor.MeshKernelProcessor\")");
        out.line("final class " + stem(owner, kernel.name()) + real.label() + " implements RangeLoop {");
        LoopLayout layout = new LoopLayout(kernel, real);
        layout.fields(out);
        out.line("");
        out.line("@Override");
        out.line("public void run(LoopArguments arguments, LoopRange range) {");
        out.line("scalar(arguments, range, range.from());");
        out.line("}");
        out.line("");
        new ScalarLoop(layout).method(out);
        out.line("}");
        return out.toString();
    }

    /**
     * Writes the loop that runs several elements at once.
     *
     * @param owner  the class that holds the kernel
     * @param kernel the kernel
     * @param real   the precision
     * @return Java source of a class named after stem and precision, and Simd
     */
    public static String simd(KernelClass owner, Lowered kernel, RealType real) {
        LoopLayout layout = new LoopLayout(kernel, real);
        SimdLoop loop = new SimdLoop(layout);
        return vector(owner, kernel, layout, "several elements at once", loop::fields, loop::methods);
    }

    /** Writes a class of vector code, with scalar code for what is left over. */
    private static String vector(KernelClass owner, Lowered kernel, LoopLayout layout, String words,
            Consumer<CodeWriter> fields, Consumer<CodeWriter> methods) {
        RealType real = layout.real();
        CodeWriter out = new CodeWriter();
        heading(out, owner, kernel, words + ", in " + real.keyword());
        out.line("import jdk.incubator.vector.*;");
        out.line("");
        out.line("final class " + stem(owner, kernel.name()) + real.label() + "Simd implements RangeLoop {");
        layout.fields(out);
        fields.accept(out);
        out.line("");
        methods.accept(out);
        out.line("");
        new ScalarLoop(layout).method(out);
        out.line("}");
        return out.toString();
    }

    /**
     * Writes the loop that runs several elements at once, in several methods: for kernels whose code would be too large
     * in one.
     *
     * @param owner  the class that holds the kernel
     * @param kernel the kernel, to whose division there is no objection
     * @param real   the precision
     * @return Java source of a class of the same name as that of {@link #simd}
     */
    public static String pieces(KernelClass owner, Lowered kernel, RealType real) {
        LoopLayout layout = new LoopLayout(kernel, real);
        SegmentedLoop loop = new SegmentedLoop(layout);
        return vector(owner, kernel, layout, "several elements at once, in pieces", loop::fields, loop::methods);
    }

    /**
     * Says why there is no such loop for a kernel.
     *
     * @param kernel the kernel, to whose SIMD loop there is no other objection than its size
     * @return the reason, or an empty string if there is one
     */
    public static String piecesObjection(Lowered kernel) {
        return SegmentedLoop.objection(kernel);
    }

    /**
     * Says why there is no SIMD loop for a kernel.
     *
     * @param kernel the kernel
     * @return the reason, or an empty string if there is one
     */
    public static String simdObjection(Lowered kernel) {
        return SimdLoop.objection(kernel);
    }

    static void heading(CodeWriter out, KernelClass owner, Lowered kernel, String how) {
        out.line("// Generated from " + owner.name() + "." + kernel.name() + ": " + how + ". Do not edit.");
        if (!owner.packageName().isEmpty()) {
            out.line("package " + owner.packageName() + ";");
        }
        out.line("");
        out.line("import java.lang.invoke.MethodHandles;");
        for (String used : new String[]{"Generated", "GeneratedLoops", "IncrementMode", "LoopArguments", "LoopRange",
            "LoopShape", "RangeLoop"}) {
            out.line("import org.trellis.kernel." + used + ";");
        }
        out.line("");
    }
}
