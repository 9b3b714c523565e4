package org.trellis.processor.check;

import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Heading;
import org.trellis.processor.model.Parameter;

/** The type of a parameter is the one that its descriptor asks for. */
final class ParameterTypeRule implements HeadingRule {
    private static final Set<String> FUNCTION = Set.of("double", "int", "boolean", "double[]", "int[]", "double[][]",
            "int[][]", Parameter.RASTER_TYPE);

    @Override
    public boolean check(Heading heading, Diagnostics diagnostics) {
        boolean good = true;
        for (Heading.HeadingParameter parameter : heading.parameters()) {
            Set<String> expected = heading.kernel() ? expected(parameter.descriptors().getFirst()) : FUNCTION;
            if (!expected.contains(parameter.type())) {
                diagnostics.error(Code.PARAMETER_TYPE, parameter.at(), "parameter '" + parameter.name()
                        + "' is of type " + parameter.type() + ", expected "
                        + String.join(" or ", expected.stream().sorted().toList()));
                good = false;
            }
        }
        return good;
    }

    private static Set<String> expected(Heading.Descriptor descriptor) {
        if (descriptor.access().dat() && descriptor.number("entries", 1) != 1) {
            return Set.of("double[][]", "int[][]");
        }
        if (descriptor.access() == Access.CONSTANT && descriptor.number("value", 1) != 1) {
            return Set.of("double[]", "int[]", Parameter.RASTER_TYPE);
        }
        return descriptor.access() == Access.CONSTANT && descriptor.number("value", 1) == 1
                ? Set.of("double[]", "int[]", "double", "int", Parameter.RASTER_TYPE)
                : Set.of("double[]", "int[]");
    }
}
