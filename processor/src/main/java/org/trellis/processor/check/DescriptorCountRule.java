package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Heading;

/** Each parameter of a kernel has exactly one access descriptor, a kernel function's has none. */
final class DescriptorCountRule implements HeadingRule {
    @Override
    public boolean check(Heading heading, Diagnostics diagnostics) {
        boolean good = true;
        for (Heading.HeadingParameter parameter : heading.parameters()) {
            int count = parameter.descriptors().size();
            if (heading.kernel() && count == 0) {
                diagnostics.error(Code.NO_DESCRIPTOR, parameter.at(), "parameter '" + parameter.name()
                        + "' has no access descriptor; expected one of @Read, @Write, @ReadWrite, @Increment, "
                        + "@GlobalRead, @Sum, @Min, @Max, @Constant");
                good = false;
            } else if (count > 1 || (!heading.kernel() && count > 0)) {
                diagnostics.error(Code.SEVERAL_DESCRIPTORS, parameter.at(), "parameter '" + parameter.name() + "' has "
                        + count + " access descriptors, expected " + (heading.kernel() ? "one" : "none"));
                good = false;
            }
        }
        return good;
    }
}
