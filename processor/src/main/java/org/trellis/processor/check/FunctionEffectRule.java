package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/** A function with a result has no other effect: it does not assign to its array parameters. */
final class FunctionEffectRule implements ClassRule {
    @Override
    public void check(KernelClass kernels, Diagnostics diagnostics) {
        for (Method function : kernels.functions().values()) {
            if (function.result() != ValueType.VOID) {
                check(function, diagnostics);
            }
        }
    }

    private static void check(Method function, Diagnostics diagnostics) {
        Statements.visit(function.body(), statement -> {
            String written = switch (statement) {
                case Statement.Assign a when a.target() instanceof Expression.Element e -> e.array();
                default -> "";
            };
            if (function.parameters().stream().map(Parameter::name).anyMatch(written::equals)) {
                diagnostics.error(Code.READ_ONLY, statement.at(), "the function '" + function.name()
                        + "' has a result, so it cannot assign its parameter '" + written + "' as well");
            }
            if (statement instanceof Statement.Evaluate) {
                diagnostics.error(Code.READ_ONLY, statement.at(), "the function '" + function.name()
                        + "' has a result, so it cannot call functions for their effects");
            }
        });
    }
}
