package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Heading;
import org.trellis.processor.model.Parameter;

/** The numbers in descriptors are in their ranges. */
final class DescriptorValueRule implements HeadingRule {
    private static final int MAX_COMPONENTS = 1024;

    @Override
    public boolean check(Heading heading, Diagnostics diagnostics) {
        boolean good = true;
        for (Heading.HeadingParameter parameter : heading.parameters()) {
            for (Heading.Descriptor descriptor : parameter.descriptors()) {
                String fault = fault(descriptor);
                if (!fault.isEmpty()) {
                    diagnostics.error(Code.DESCRIPTOR_VALUE, parameter.at(), "parameter '" + parameter.name() + "' has "
                            + fault);
                    good = false;
                }
            }
        }
        return good;
    }

    private static String fault(Heading.Descriptor descriptor) {
        int components = descriptor.number("value", 1);
        int entries = descriptor.number("entries", 1);
        int sign = descriptor.number("sign", 1);
        if (components < 1 || components > MAX_COMPONENTS) {
            return components + " components, expected 1 to " + MAX_COMPONENTS;
        }
        if (entries != Parameter.VARIABLE && (entries < 1 || entries > MAX_COMPONENTS)) {
            return entries + " entries, expected 1 to " + MAX_COMPONENTS + " or ArgumentSignature.VARIABLE (-1)";
        }
        return sign == 1 || sign == -1 ? "" : "sign " + sign + ", expected 1 or -1";
    }
}
