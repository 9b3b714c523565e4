package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Integers are divided by constants other than zero: a lane of a vector or a thread of a GPU cannot throw. There is no
 * remainder of reals.
 */
final class DivisionRule implements KernelRule {
    @Override
    public void check(Method unrolled, Diagnostics diagnostics) {
        Statements.visit(unrolled.body(), statement -> {
            if (statement instanceof Statement.Assign a
                    && a.target().type() == ValueType.INT && ("/".equals(a.operator()) || "%".equals(a.operator()))
                    && !safe(a.value())) {
                diagnostics.error(Code.DIVISION, a.at(),
                        "an integer may only be divided by a constant other than zero");
            }
            Statements.read(statement, part -> {
                if (part instanceof Expression.Binary b && ("/".equals(b.operator()) || "%".equals(b.operator()))) {
                    check(b, diagnostics);
                }
            });
        });
    }

    private static void check(Expression.Binary b, Diagnostics diagnostics) {
        if (b.type() == ValueType.INT && !safe(b.right())) {
            diagnostics.error(Code.DIVISION, b.at(), "an integer may only be divided by a constant other than zero");
        }
        if (b.type() == ValueType.REAL && "%".equals(b.operator())) {
            diagnostics.error(Code.DIVISION, b.at(), "there is no remainder of reals in kernels");
        }
    }

    private static boolean safe(Expression divisor) {
        return divisor instanceof Expression.Int constant && constant.value() != 0;
    }
}
