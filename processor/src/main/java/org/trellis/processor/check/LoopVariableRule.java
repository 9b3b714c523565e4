package org.trellis.processor.check;

import java.util.List;
import java.util.stream.Stream;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Statement;

/** The body of a loop does not assign its variable. */
final class LoopVariableRule implements ClassRule {
    @Override
    public void check(KernelClass kernels, Diagnostics diagnostics) {
        Stream.concat(kernels.kernels().stream(), kernels.functions().values().stream())
                .forEach(method -> Statements.visit(method.body(), statement -> {
                    if (statement instanceof Statement.Loop loop) {
                        check(loop.variable(), loop.body(), diagnostics);
                    }
                }));
    }

    private static void check(String variable, List<Statement> body, Diagnostics diagnostics) {
        Statements.visit(body, statement -> {
            if (statement instanceof Statement.Assign a && a.target() instanceof Expression.Local local
                    && local.name().equals(variable)) {
                diagnostics.error(Code.LOOP_VARIABLE, a.at(), "the body assigns the loop variable '" + variable
                        + "'; only the head of the loop may");
            }
        });
    }
}
