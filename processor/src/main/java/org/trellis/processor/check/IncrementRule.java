package org.trellis.processor.check;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;

/** Increments and sums are added to, by {@code +=} and {@code -=}, and never read. */
final class IncrementRule implements KernelRule {
    @Override
    public void check(Method unrolled, Diagnostics diagnostics) {
        Map<String, Parameter> added = unrolled.parameters().stream()
                .filter(parameter -> parameter.access() == Access.INCREMENT || parameter.access() == Access.SUM)
                .collect(Collectors.toMap(Parameter::name, Function.identity()));
        Statements.visit(unrolled.body(), statement -> {
            Statements.read(statement, part -> {
                if (part instanceof Expression.Element e && added.containsKey(e.array())) {
                    diagnostics.error(Code.INCREMENT_ONLY, e.at(), "'" + e.array() + "' is a @"
                            + added.get(e.array()).access().annotation() + " parameter and cannot be read");
                }
            });
            if (statement instanceof Statement.Assign a && a.target() instanceof Expression.Element e
                    && added.containsKey(e.array()) && !"+".equals(a.operator()) && !"-".equals(a.operator())) {
                diagnostics.error(Code.INCREMENT_ONLY, a.at(), "'" + e.array() + "' is a @"
                        + added.get(e.array()).access().annotation() + " parameter: expected += or -=, found "
                        + a.operator() + "=");
            }
        });
    }
}
