package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.trellis.processor.check.HeadingRules;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/** Writes the class that offers the loops of a class's kernels as constants. */
public final class LoopConstants {
    private LoopConstants() {}

    /**
     * What is generated beside the scalar loops.
     *
     * @param simdObjection why there is no SIMD loop, or an empty string
     * @param cuda          CUDA C
     */
    public record Extras(String simdObjection, String cuda) {}

    /**
     * Returns the name of the generated class.
     *
     * @param owner the class that holds kernels
     * @return its simple name
     */
    public static String name(KernelClass owner) {
        return owner.stem() + "Loops";
    }

    /**
     * Writes the class.
     *
     * @param owner           the class that holds kernels
     * @param kernels         the kernels for which there are loops
     * @param extras          what else there is for each, by name
     * @param javaxAnnotation whether the class can be marked as generated in the JDK's way too
     * @return Java source
     */
    public static String write(KernelClass owner, List<Method> kernels, Map<String, Extras> extras,
            boolean javaxAnnotation) {
        CodeWriter out = new CodeWriter();
        out.line("// Generated from " + owner.name() + ". Do not edit.");
        if (!owner.packageName().isEmpty()) {
            out.line("package " + owner.packageName() + ";");
        }
        out.line("");
        out.line("import java.lang.invoke.MethodHandles;");
        out.line("import java.util.List;");
        for (String used : new String[]{"Access", "ArgumentSignature", "Generated", "GeneratedLoops",
            "KernelSignature", "LoopKernel"}) {
            out.line("import org.trellis.kernel." + used + ";");
        }
        out.line("");
        out.line("/** The loops of the kernels in {@link " + owner.name() + "}. */");
        out.line("@SuppressWarnings({\"all\", \"unused\"})");
        out.line("@Generated(\"org.trellis.processor.MeshKernelProcessor\")");
        if (javaxAnnotation) {
            out.line("@javax.annotation.processing.Generated(\"org.trellis.processor.MeshKernelProcessor\")");
        }
        out.line((owner.isPublic() ? "public " : "") + "final class " + name(owner) + " {");
        for (Method kernel : kernels) {
            out.line("/** The loops of {@code " + owner.name() + "." + kernel.name() + "}. */");
            out.line("public static final LoopKernel " + HeadingRules.constantName(kernel.name()) + " = "
                    + kernel.name() + "$kernel();");
            out.line("");
        }
        out.line("private " + name(owner) + "() {");
        out.line("}");
        for (Method kernel : kernels) {
            out.line("");
            kernel(out, owner, kernel, extras.get(kernel.name()));
        }
        out.line("}");
        return out.toString();
    }

    private static void kernel(CodeWriter out, KernelClass owner, Method kernel, Extras extras) {
        out.line("private static LoopKernel " + kernel.name() + "$kernel() {");
        out.line("KernelSignature signature = new KernelSignature(\"" + owner.name() + "." + kernel.name()
                + "\", List.of(");
        List<String> signatures = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < kernel.parameters().size(); i++) {
            Parameter p = kernel.parameters().get(i);
            signatures.add("        " + signature(kernel, p));
            arguments.add("(" + boxed(p) + ") arguments[" + i + "]");
        }
        out.lines(String.join(",\n", signatures) + "));");
        out.line("return GeneratedLoops.kernel(MethodHandles.lookup(), signature, \""
                + LoopClasses.stem(owner, kernel.name()) + "\",");
        out.line("        arguments -> " + owner.name() + "." + kernel.name() + "(" + String.join(", ", arguments)
                + "),");
        out.line("        \"" + escaped(extras.simdObjection()) + "\", " + name(owner) + "::" + kernel.name()
                + "$cuda" + scalars(kernel) + ");");
        out.line("}");
        out.line("");
        out.line("private static String " + kernel.name() + "$cuda() {");
        List<String> lines = new ArrayList<>();
        extras.cuda().lines().forEach(line -> lines.add("        \"" + escaped(line) + "\""));
        if (lines.isEmpty()) {
            lines.add("        \"\"");
        }
        out.line("return String.join(\"\\n\",");
        out.lines(String.join(",\n", lines) + ");");
        out.line("}");
    }

    private static String scalars(Method kernel) {
        StringBuilder indices = new StringBuilder();
        for (int i = 0; i < kernel.parameters().size(); i++) {
            indices.append(kernel.parameters().get(i).rank() == 0 ? ", " + i : "");
        }
        return indices.toString();
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private static String signature(Method kernel, Parameter p) {
        int repeats = -1;
        for (int i = 0; i < kernel.parameters().size(); i++) {
            if (kernel.parameters().get(i).name().equals(p.repeats())) {
                repeats = i;
            }
        }
        Access access = p.access();
        String kind = access.dat() ? "DAT" : access == Access.CONSTANT ? "CONSTANT" : "GLOBAL";
        return "new ArgumentSignature(\"" + p.name() + "\", ArgumentSignature.Kind." + kind + ", Access."
                + access.signatureName() + ", ArgumentSignature.Type." + (p.type() == ValueType.REAL ? "REAL" : "INT")
                + ", " + p.components() + ", " + (p.variable()
                        ? "ArgumentSignature.VARIABLE"
                        : p.raster() ? "ArgumentSignature.RASTER" : p.entries())
                + ", "
                + repeats + ", " + p.sign() + ")";
    }

    private static String boxed(Parameter p) {
        if (p.raster()) {
            return Parameter.RASTER_TYPE;
        }
        return p.rank() == 0
                ? p.type() == ValueType.REAL ? "Double" : "Integer"
                : p.type().source() + "[]".repeat(p.rank());
    }
}
