package org.trellis.processor.check;

import java.util.ArrayList;
import java.util.List;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Expressions;
import org.trellis.processor.lower.Flattener;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.MathFunction;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;

/** Minima and maxima occur in the form {@code g[i] = Math.min(g[i], value)} only. */
final class ReductionRule implements KernelRule {
    @Override
    public void check(Method unrolled, Diagnostics diagnostics) {
        for (Parameter parameter : unrolled.parameters()) {
            if (parameter.access() == Access.MIN || parameter.access() == Access.MAX) {
                Statements.visit(unrolled.body(), statement -> check(statement, parameter, diagnostics));
            }
        }
    }

    private static void check(Statement statement, Parameter parameter, Diagnostics diagnostics) {
        List<Expression> read = new ArrayList<>();
        if (statement instanceof Statement.Assign a && a.target() instanceof Expression.Element e
                && e.array().equals(parameter.name())) {
            MathFunction function = parameter.access() == Access.MIN ? MathFunction.MIN : MathFunction.MAX;
            Expression operand = a.operator().isEmpty() && a.value() instanceof Expression.MathCall call
                    && call.function() == function ? Flattener.operand(call, e) : null;
            if (operand == null) {
                error(statement, parameter, diagnostics);
            } else {
                Expressions.visit(operand, read::add);
            }
        } else {
            Statements.read(statement, read::add);
        }
        if (read.stream().anyMatch(part -> part instanceof Expression.Element e
                && e.array().equals(parameter.name()))) {
            error(statement, parameter, diagnostics);
        }
    }

    private static void error(Statement statement, Parameter parameter, Diagnostics diagnostics) {
        String name = parameter.name();
        diagnostics.error(Code.REDUCTION_FORM, statement.at(), "'" + name + "' is a @"
                + parameter.access().annotation() + " parameter: expected " + name + "[i] = Math."
                + (parameter.access() == Access.MIN ? "min" : "max") + "(" + name + "[i], value) and no other use");
    }
}
