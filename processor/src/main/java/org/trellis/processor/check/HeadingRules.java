package org.trellis.processor.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Heading;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/** Applies the rules about headings, and makes methods of those that keep them. */
public final class HeadingRules {
    private static final List<HeadingRule> RULES = List.of(new MethodRule(), new DescriptorCountRule(),
            new DescriptorValueRule(), new ParameterTypeRule());

    private final Diagnostics diagnostics;

    /**
     * Creates the rules.
     *
     * @param diagnostics where errors go
     */
    public HeadingRules(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /**
     * Checks a heading, up to the first rule that it breaks.
     *
     * @param heading the heading
     * @return true if it keeps all rules
     */
    public boolean check(Heading heading) {
        for (HeadingRule rule : RULES) {
            if (!rule.check(heading, diagnostics)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Checks that the names of methods, and of the constants made from them, differ.
     *
     * @param headings all headings of a class
     */
    public void checkNames(List<Heading> headings) {
        Map<String, String> names = new HashMap<>();
        for (Heading heading : headings) {
            String name = heading.kernel() ? constantName(heading.name()) : heading.name();
            String other = names.putIfAbsent(name, heading.name());
            if (other != null) {
                diagnostics.error(Code.DUPLICATE, heading.at(), "'" + heading.name() + "' and '" + other
                        + "' would both be '" + name + "' in generated code; kernels cannot be overloaded");
            }
        }
    }

    /**
     * Returns the name of the constant for a kernel.
     *
     * @param method its name, {@code resCalc}
     * @return {@code RES_CALC}
     */
    public static String constantName(String method) {
        return method.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
                .toUpperCase(Locale.ROOT);
    }

    /**
     * Makes a method without a body of a heading that keeps the rules.
     *
     * @param heading the heading
     * @return the method
     */
    public Method method(Heading heading) {
        List<Parameter> parameters = new ArrayList<>();
        for (Heading.HeadingParameter parameter : heading.parameters()) {
            String type = parameter.type();
            int rank = (type.length() - type.replace("[]", "").length()) / 2;
            boolean raster = type.equals(Parameter.RASTER_TYPE);
            ValueType scalar = raster ? ValueType.REAL : type(type.replace("[]", ""));
            rank = raster ? 1 : rank;
            if (heading.kernel()) {
                Heading.Descriptor descriptor = parameter.descriptors().getFirst();
                parameters.add(new Parameter(parameter.name(), descriptor.access(), scalar, rank,
                        descriptor.number("value", 1),
                        raster ? Parameter.RASTER : descriptor.number("entries", 1), descriptor.text("repeats"),
                        descriptor.number("sign", 1), parameter.at()));
            } else {
                parameters.add(new Parameter(parameter.name(), Access.HELPER, scalar, rank, 0,
                        raster ? Parameter.RASTER : 0, "", 1,
                        parameter.at()));
            }
        }
        return new Method(heading.name(), type(heading.result()), parameters, List.of(), heading.at());
    }

    private static ValueType type(String source) {
        return switch (source) {
            case "double" -> ValueType.REAL;
            case "int" -> ValueType.INT;
            case "boolean" -> ValueType.BOOLEAN;
            default -> ValueType.VOID;
        };
    }
}
