package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;

/** Parameters that are read are not assigned. */
final class ReadOnlyRule implements KernelRule {
    @Override
    public void check(Method unrolled, Diagnostics diagnostics) {
        Statements.visit(unrolled.body(), statement -> {
            if (!(statement instanceof Statement.Assign a)) {
                return;
            }
            String name = a.target() instanceof Expression.Element e
                    ? e.array()
                    : ((Expression.Local) a.target()).name();
            for (Parameter parameter : unrolled.parameters()) {
                if (parameter.name().equals(name) && parameter.access().readOnly()) {
                    diagnostics.error(Code.READ_ONLY, a.at(), "'" + name + "' is a @"
                            + parameter.access().annotation() + " parameter and cannot be assigned");
                }
            }
        });
    }
}
