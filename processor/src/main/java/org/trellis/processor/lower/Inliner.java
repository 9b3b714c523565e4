package org.trellis.processor.lower;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Puts the bodies of kernel functions where they are called, and gives every local variable a name of its own
 * ({@code name_number}). Functions with a value have no other effect, so they may be run before the statement that uses
 * the value. Functions must not be recursive.
 */
public final class Inliner {
    private final Map<String, Method> functions;
    private final Predicate<Method> kept;
    private final Map<String, List<Integer>> lengths = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private int counter;

    /**
     * Creates an inliner.
     *
     * @param functions the kernel functions by name
     * @param kept      which functions stay calls
     */
    public Inliner(Map<String, Method> functions, Predicate<Method> kept) {
        this.functions = functions;
        this.kept = kept;
    }

    /** What the names of one method mean at the place where it is inlined. */
    private record Names(Map<String, Expression> scalars, Map<String, Expression.View> arrays) {
        Names() {
            this(new HashMap<>(), new HashMap<>());
        }
    }

    /**
     * Inlines the calls of a method.
     *
     * @param method a kernel, or a function that takes scalars only
     * @return the same without calls of functions that are not kept
     */
    public Method inline(Method method) {
        counter = 0;
        lengths.clear();
        method.parameters().forEach(parameter -> taken.add(parameter.name()));
        Names names = new Names();
        for (Parameter parameter : method.parameters()) {
            if (parameter.rank() > 0) {
                lengths.put(parameter.name(), parameter.rank() == 1
                        ? List.of(parameter.components())
                        : List.of(Math.max(0, parameter.entries()), parameter.components()));
                names.arrays.put(parameter.name(), new Expression.View(parameter.name(), List.of(), parameter.rank(),
                        parameter.type(), parameter.at()));
            }
        }
        return new Method(method.name(), method.result(), method.parameters(), statements(method.body(), names),
                method.at());
    }

    private List<Statement> statements(List<Statement> statements, Names names) {
        List<Statement> out = new ArrayList<>();
        statements.forEach(statement -> statement(statement, names, out));
        return out;
    }

    private String fresh(String name) {
        String unique;
        do {
            counter++;
            unique = name + "_" + counter;
        } while (taken.contains(unique));
        return unique;
    }

    private void statement(Statement statement, Names names, List<Statement> out) {
        switch (statement) {
            case Statement.Declare d -> {
                Expression value = d.value() == null ? null : expression(d.value(), names, out);
                Expression.Local local = new Expression.Local(fresh(d.name()), d.type());
                names.scalars.put(d.name(), local);
                out.add(new Statement.Declare(local.name(), d.type(), value, d.at()));
            }
            case Statement.DeclareArray d -> {
                List<Expression> values = expressions(d.values(), names, out);
                String name = fresh(d.name());
                lengths.put(name, d.lengths());
                names.arrays.put(d.name(), new Expression.View(name, List.of(), d.lengths().size(), d.type(), d.at()));
                out.add(new Statement.DeclareArray(name, d.type(), d.lengths(), values, d.at()));
            }
            case Statement.Assign a -> {
                Expression value = expression(a.value(), names, out);
                out.add(new Statement.Assign(expression(a.target(), names, out), a.operator(), value, a.at()));
            }
            case Statement.If i -> {
                Expression condition = expression(i.condition(), names, out);
                out.add(new Statement.If(condition, statements(i.whenTrue(), names), statements(i.whenFalse(), names),
                        i.at()));
            }
            case Statement.Loop loop -> out.add(loop(loop, names));
            case Statement.Block b -> out.add(new Statement.Block(statements(b.body(), names), b.at()));
            case Statement.Return r ->
                out.add(new Statement.Return(r.value() == null ? null : expression(r.value(), names, out), r.at()));
            case Statement.Evaluate e -> {
                if (kept.test(functions.get(e.call().function()))) {
                    // It has no effect: it takes scalars and its value is not used.
                    break;
                }
                call(e.call(), names, out);
            }
            case Statement.Reduce r -> throw new IllegalArgumentException("not in source: " + r);
        }
    }

    private Statement loop(Statement.Loop loop, Names names) {
        Expression.Local variable = new Expression.Local(fresh(loop.variable()), ValueType.INT);
        names.scalars.put(loop.variable(), variable);
        List<Statement> body = statements(loop.body(), names);
        if (loop.rows().isEmpty()) {
            return new Statement.Loop(variable.name(), loop.first(), loop.step(), loop.count(), "", body, loop.at());
        }
        Expression length = length(loop.rows(), names);
        return length instanceof Expression.Int count
                ? new Statement.Loop(variable.name(), 0, 1, count.value(), "", body, loop.at())
                : new Statement.Loop(variable.name(), 0, 1, 0, ((Expression.Length) length).array(), body, loop.at());
    }

    private Expression length(String array, Names names) {
        Expression.View view = names.arrays.get(array);
        int length = lengths.get(view.array()).get(view.indices().size());
        return length > 0 ? new Expression.Int(length) : new Expression.Length(view.array());
    }

    private List<Expression> expressions(List<Expression> expressions, Names names, List<Statement> out) {
        List<Expression> results = new ArrayList<>();
        expressions.forEach(expression -> results.add(expression(expression, names, out)));
        return results;
    }

    private Expression expression(Expression expression, Names names, List<Statement> out) {
        return switch (expression) {
            case Expression.Local local -> names.scalars.getOrDefault(local.name(), local);
            case Expression.Element e -> {
                Expression.View view = names.arrays.get(e.array());
                List<Expression> indices = new ArrayList<>(view.indices());
                indices.addAll(expressions(e.indices(), names, out));
                yield new Expression.Element(view.array(), indices, e.type(), e.at());
            }
            case Expression.View v -> {
                Expression.View view = names.arrays.get(v.array());
                List<Expression> indices = new ArrayList<>(view.indices());
                indices.addAll(expressions(v.indices(), names, out));
                yield new Expression.View(view.array(), indices, v.rank(), v.type(), v.at());
            }
            case Expression.Sample s -> new Expression.Sample(names.arrays.get(s.raster()).array(), s.component(),
                    expressions(s.arguments(), names, out), s.at());
            case Expression.Length l -> length(l.array(), names);
            case Expression.Call call -> kept.test(functions.get(call.function()))
                    ? new Expression.Call(call.function(), expressions(call.arguments(), names, out), call.type(),
                            call.at())
                    : call(call, names, out);
            default -> Expressions.map(expression, part -> expression(part, names, out));
        };
    }

    /** Appends a function's statements and returns its value, or null. */
    private Expression call(Expression.Call call, Names names, List<Statement> out) {
        Method function = functions.get(call.function());
        Names inner = new Names();
        Set<String> assigned = Statements.assigned(function.body());
        for (int i = 0; i < call.arguments().size(); i++) {
            Parameter parameter = function.parameters().get(i);
            Expression argument = expression(call.arguments().get(i), names, out);
            if (argument instanceof Expression.View view) {
                inner.arrays.put(parameter.name(), view);
            } else if (!assigned.contains(parameter.name()) && Expressions.atomic(argument)) {
                inner.scalars.put(parameter.name(), argument);
            } else {
                Expression.Local local = new Expression.Local(fresh(parameter.name()), parameter.type());
                inner.scalars.put(parameter.name(), local);
                out.add(new Statement.Declare(local.name(), parameter.type(), argument, call.at()));
            }
        }
        List<Statement> body = function.body();
        boolean returns = !body.isEmpty() && body.getLast() instanceof Statement.Return;
        for (Statement statement : returns ? body.subList(0, body.size() - 1) : body) {
            statement(statement, inner, out);
        }
        if (!returns || ((Statement.Return) body.getLast()).value() == null) {
            return null;
        }
        Expression value = expression(((Statement.Return) body.getLast()).value(), inner, out);
        Expression.Local result = new Expression.Local(fresh(function.name()), function.result());
        out.add(new Statement.Declare(result.name(), function.result(), value, call.at()));
        return result;
    }
}
