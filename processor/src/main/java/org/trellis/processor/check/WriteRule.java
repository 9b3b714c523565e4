package org.trellis.processor.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;

/** Every component of a {@code @Write} parameter is assigned on every path, and not read before. */
final class WriteRule implements KernelRule {
    private static final String ROW = "row";

    @Override
    public void check(Method unrolled, Diagnostics diagnostics) {
        for (Parameter parameter : unrolled.parameters()) {
            if (parameter.access() == Access.WRITE) {
                Set<String> assigned = new HashSet<>();
                walk(unrolled.body(), parameter, assigned, diagnostics);
                String missing = missing(parameter, assigned);
                if (!missing.isEmpty()) {
                    diagnostics.error(Code.NOT_ASSIGNED, parameter.at(), "'" + missing
                            + "' is not assigned on every path; expected of @Write is that every component is, "
                            + "use @ReadWrite otherwise");
                }
            }
        }
    }

    private static String missing(Parameter parameter, Set<String> assigned) {
        int entries = parameter.rank() < 2 || parameter.variable() ? 1 : parameter.entries();
        for (int entry = 0; entry < entries; entry++) {
            for (int component = 0; component < parameter.components(); component++) {
                String row = parameter.rank() < 2 ? "" : "[" + (parameter.variable() ? ROW : entry) + "]";
                String place = row + "[" + component + "]";
                if (!assigned.contains(place)) {
                    return parameter.name() + place;
                }
            }
        }
        return "";
    }

    private static void walk(List<Statement> statements, Parameter parameter, Set<String> assigned,
            Diagnostics diagnostics) {
        for (Statement statement : statements) {
            Statements.read(statement, part -> read(part, parameter, assigned, diagnostics));
            switch (statement) {
                case Statement.Assign a -> {
                    if (!a.operator().isEmpty()) {
                        read(a.target(), parameter, assigned, diagnostics);
                    }
                    if (a.target() instanceof Expression.Element e && e.array().equals(parameter.name())) {
                        assigned.add(place(e));
                    }
                }
                case Statement.If i -> {
                    Set<String> whenTrue = new HashSet<>(assigned);
                    Set<String> whenFalse = new HashSet<>(assigned);
                    walk(i.whenTrue(), parameter, whenTrue, diagnostics);
                    walk(i.whenFalse(), parameter, whenFalse, diagnostics);
                    whenTrue.retainAll(whenFalse);
                    assigned.addAll(whenTrue);
                }
                case Statement.Loop l -> walk(l.body(), parameter, assigned, diagnostics);
                default -> {
                    // Assigns nothing.
                }
            }
        }
    }

    private static void read(Expression part, Parameter parameter, Set<String> assigned, Diagnostics diagnostics) {
        if (part instanceof Expression.Element e && e.array().equals(parameter.name())
                && !assigned.contains(place(e))) {
            diagnostics.error(Code.NOT_ASSIGNED, e.at(), "'" + parameter.name()
                    + "' is a @Write parameter, and this component is read before it is assigned on every path");
        }
    }

    private static String place(Expression.Element e) {
        StringBuilder place = new StringBuilder();
        for (Expression index : e.indices()) {
            place.append('[').append(index instanceof Expression.Int constant ? constant.value() : ROW).append(']');
        }
        return place.toString();
    }
}
