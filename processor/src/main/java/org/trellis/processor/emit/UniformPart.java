package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trellis.processor.lower.Expressions;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * The variables of a kernel that are the same for all elements, since they depend on globals and constants only: they
 * are computed once, before the loop. A coefficient made of two scalars costs nothing so.
 */
final class UniformPart {
    private final List<Statement.Declare> declared = new ArrayList<>();
    private final List<Statement> rest = new ArrayList<>();

    UniformPart(LoopLayout layout) {
        Lowered kernel = layout.kernel();
        Set<String> assigned = Statements.assigned(kernel.body());
        Set<String> known = new HashSet<>();
        layout.uniform().forEach(component -> known.add(component.local()));
        for (Statement statement : kernel.body()) {
            if (statement instanceof Statement.Declare d && d.value() != null && d.type() != ValueType.BOOLEAN
                    && !assigned.contains(d.name()) && uniform(d.value(), known)) {
                declared.add(d);
                known.add(d.name());
            } else {
                rest.add(statement);
            }
        }
    }

    private static boolean uniform(Expression value, Set<String> known) {
        boolean[] all = {true};
        Expressions.visit(value, part -> all[0] &= switch (part) {
            case Expression.Local local -> known.contains(local.name());
            case Expression.Element _,Expression.Sample _,Expression.Length _,Expression.Call _,Expression.View _ ->
                false;
            default -> true;
        });
        return all[0];
    }

    /** Returns the variables, in order. */
    List<Statement.Declare> declared() {
        return declared;
    }

    /** Returns what is left to do for each element. */
    List<Statement> rest() {
        return rest;
    }
}
