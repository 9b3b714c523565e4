package org.trellis.processor.check;

import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Heading;

/** A kernel can be called from generated code and has the one form that the language knows. */
final class MethodRule implements HeadingRule {
    private static final Set<String> RESULTS = Set.of("void", "double", "int", "boolean");

    @Override
    public boolean check(Heading heading, Diagnostics diagnostics) {
        String fault = fault(heading.modifiers(), heading.kernel());
        if (!fault.isEmpty()) {
            diagnostics.error(Code.METHOD, heading.at(), "'" + heading.name() + "' " + fault);
            return false;
        }
        if (heading.kernel() && !"void".equals(heading.result())) {
            diagnostics.error(Code.RESULT, heading.at(), "a kernel returns nothing, found " + heading.result()
                    + "; results go into @Write, @Increment or reduction parameters");
            return false;
        }
        if (!RESULTS.contains(heading.result())) {
            diagnostics.error(Code.RESULT, heading.at(),
                    "a kernel function returns double, int, boolean or nothing, found " + heading.result());
            return false;
        }
        return true;
    }

    private static String fault(Set<String> modifiers, boolean kernel) {
        if (!modifiers.contains("static")) {
            return "has to be static";
        }
        if (kernel && modifiers.contains("hidden")) {
            return "and the classes around it must not be private: generated code calls it";
        }
        if (modifiers.contains("native")) {
            return "has to be written in Java";
        }
        if (modifiers.contains("generic")) {
            return "must not have type parameters";
        }
        if (modifiers.contains("varargs")) {
            return "must not take a variable number of arguments";
        }
        return modifiers.contains("throws") ? "must not declare exceptions" : "";
    }
}
