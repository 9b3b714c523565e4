package org.trellis.processor.lower;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.trellis.processor.lower.Lowered.Component;
import org.trellis.processor.lower.Lowered.Contribution;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.MathFunction;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Gives every component of a parameter and of a local array a local variable. Outside branches and loops each
 * assignment makes a new variable, so that equal increments are seen to be equal and SIMD code needs no masks there.
 * Works on unrolled methods that keep the rules.
 */
public final class Flattener {
    private final Map<String, Integer> parameters = new HashMap<>();
    private final Method method;
    private final Map<String, List<Integer>> lengths = new HashMap<>();
    private final Map<String, String> current = new HashMap<>();
    private final Map<Component, Integer> increments = new HashMap<>();
    private final Set<Component> loads = new TreeSet<>();
    private final Map<Component, String> stores = new TreeMap<>();
    private final Map<Component, Contribution> contributions = new TreeMap<>();
    private final Map<Component, String> accumulators = new TreeMap<>();
    private int versions;

    /**
     * Creates a flattener for one kernel.
     *
     * @param unrolled the kernel without calls, its loops unrolled
     */
    public Flattener(Method unrolled) {
        method = unrolled;
        for (int i = 0; i < method.parameters().size(); i++) {
            parameters.put(method.parameters().get(i).name(), i);
        }
    }

    /**
     * Flattens the kernel.
     *
     * @return the same kernel over local variables
     */
    public Lowered flatten() {
        countIncrements(method.body(), true);
        List<Statement> body = new ArrayList<>();
        method.body().forEach(statement -> top(statement, body));
        for (Component component : List.copyOf(stores.keySet())) {
            stores.put(component, name(component.local()));
        }
        for (Component component : List.copyOf(accumulators.keySet())) {
            accumulators.put(component, name(component.local()));
        }
        return new Lowered(method.name(), method.parameters(), body, loads, stores, contributions, accumulators);
    }

    private void countIncrements(List<Statement> statements, boolean top) {
        for (Statement statement : statements) {
            switch (statement) {
                case Statement.Assign a when increment(a.target()) != null ->
                    increments.merge(increment(a.target()), top ? 1 : 2, Integer::sum);
                case Statement.If i -> {
                    countIncrements(i.whenTrue(), false);
                    countIncrements(i.whenFalse(), false);
                }
                case Statement.Loop l -> countIncrements(l.body(), false);
                default -> {
                    // Increments nothing.
                }
            }
        }
    }

    private Component increment(Expression target) {
        Component component = target instanceof Expression.Element e ? component(e) : null;
        return component != null && method.parameters().get(component.parameter()).access() == Access.INCREMENT
                ? component
                : null;
    }

    /** Returns the component that an element of a parameter is; null for local arrays and variable rows. */
    private Component component(Expression.Element e) {
        Integer parameter = parameters.get(e.array());
        if (parameter == null || method.parameters().get(parameter).variable()) {
            return null;
        }
        int last = ((Expression.Int) e.indices().getLast()).value();
        return new Component(parameter, e.indices().size() == 1 ? 0 : ((Expression.Int) e.indices().get(0)).value(),
                last);
    }

    private String name(String base) {
        return current.getOrDefault(base, base);
    }

    private String version(String base) {
        versions++;
        String name = base + "v" + versions;
        current.put(base, name);
        return name;
    }

    private void top(Statement statement, List<Statement> out) {
        switch (statement) {
            case Statement.Declare d ->
                out.add(new Statement.Declare(d.name(), d.type(), value(d.value()), d.at()));
            case Statement.Assign a when increment(a.target()) != null -> topIncrement(a, out);
            case Statement.Assign a when isReduction(a.target()) -> out.add(reduction(a));
            case Statement.Assign a when !isVariable(a.target()) -> {
                String base = base(a.target());
                Expression right = value(a.value());
                if (!a.operator().isEmpty()) {
                    right = new Expression.Binary(a.operator(), value(a.target()), right, a.target().type(), a.at());
                }
                note(a.target());
                out.add(new Statement.Declare(version(base), a.target().type(), right, a.at()));
            }
            default -> {
                keepContributions(statement, out);
                nested(statement, out);
            }
        }
    }

    /** A variable that was added to a target keeps its value: a branch or loop that assigns it gets a copy. */
    private void keepContributions(Statement statement, List<Statement> out) {
        Set<String> added = new TreeSet<>();
        contributions.values().forEach(contribution -> added.add(contribution.local()));
        Statements.visit(List.of(statement), inner -> {
            if (inner instanceof Statement.Assign a && increment(a.target()) == null && !isReduction(a.target())
                    && !isVariable(a.target()) && isKnown(a.target()) && added.contains(name(base(a.target())))) {
                Expression old = new Expression.Local(name(base(a.target())), a.target().type());
                out.add(new Statement.Declare(version(base(a.target())), old.type(), old, a.at()));
            }
        });
    }

    /** Says whether a target is declared already: arrays declared in branches and loops are not, before these. */
    private boolean isKnown(Expression target) {
        return !(target instanceof Expression.Element e) || component(e) != null || lengths.containsKey(e.array());
    }

    private void topIncrement(Statement.Assign a, List<Statement> out) {
        Component component = increment(a.target());
        if (increments.get(component) != 1) {
            out.add(accumulate(component, a));
            return;
        }
        Expression value = value(a.value());
        if (!(value instanceof Expression.Local)) {
            Expression.Local local = new Expression.Local(component.local(), a.target().type());
            out.add(new Statement.Declare(local.name(), local.type(), value, a.at()));
            value = local;
        }
        contributions.put(component, new Contribution("-".equals(a.operator()) ? -1 : 1,
                ((Expression.Local) value).name()));
    }

    private Statement accumulate(Component component, Statement.Assign a) {
        accumulators.put(component, component.local());
        return new Statement.Assign(new Expression.Local(component.local(), a.target().type()), a.operator(),
                value(a.value()), a.at());
    }

    private boolean isReduction(Expression target) {
        Parameter parameter = parameter(target);
        return parameter != null && parameter.access().reduces();
    }

    private boolean isVariable(Expression target) {
        Parameter parameter = parameter(target);
        return parameter != null && parameter.variable();
    }

    /** Returns the parameter whose component an expression is, or null. */
    private Parameter parameter(Expression target) {
        Integer index = target instanceof Expression.Element e ? parameters.get(e.array()) : null;
        return index == null ? null : method.parameters().get(index);
    }

    private Statement reduction(Statement.Assign a) {
        Expression.Element e = (Expression.Element) a.target();
        Component component = component(e);
        Access access = method.parameters().get(component.parameter()).access();
        Expression value;
        if (access == Access.SUM) {
            value = "-".equals(a.operator())
                    ? new Expression.Unary("-", value(a.value()))
                    : value(a.value());
        } else {
            value = value(operand((Expression.MathCall) a.value(), e));
        }
        return new Statement.Reduce(component.parameter(), component.component(), access, value, a.at());
    }

    /**
     * Returns what a minimum or maximum takes besides the reduction's own old value.
     *
     * @param call      the call of {@code Math.min} or {@code Math.max}
     * @param reduction the component of the reduction
     * @return the other argument, or null if the call is none of the two or has no such argument
     */
    public static Expression operand(Expression.MathCall call, Expression.Element reduction) {
        if (call.function() != MathFunction.MIN && call.function() != MathFunction.MAX) {
            return null;
        }
        Expression own = Expressions.withoutPlaces(reduction);
        if (Expressions.withoutPlaces(call.arguments().getFirst()).equals(own)) {
            return call.arguments().getLast();
        }
        return Expressions.withoutPlaces(call.arguments().getLast()).equals(own) ? call.arguments().getFirst() : null;
    }

    private void nested(Statement statement, List<Statement> out) {
        switch (statement) {
            case Statement.Declare d ->
                out.add(new Statement.Declare(d.name(), d.type(), value(d.value()), d.at()));
            case Statement.DeclareArray d -> array(d, out);
            case Statement.Assign a when increment(a.target()) != null ->
                out.add(accumulate(increment(a.target()), a));
            case Statement.Assign a when isReduction(a.target()) -> out.add(reduction(a));
            case Statement.Assign a -> {
                note(a.target());
                if (!a.operator().isEmpty() && !isVariable(a.target())) {
                    // The old value is needed, also of a component that is only written otherwise.
                    value(a.target());
                }
                Expression target = isVariable(a.target())
                        ? Expressions.map(a.target(), this::value)
                        : new Expression.Local(name(base(a.target())), a.target().type());
                out.add(new Statement.Assign(target, a.operator(), value(a.value()), a.at()));
            }
            case Statement.If i -> out.add(new Statement.If(value(i.condition()), nested(i.whenTrue()),
                    nested(i.whenFalse()), i.at()));
            case Statement.Loop l -> out.add(new Statement.Loop(l.variable(), l.first(), l.step(), l.count(), l.rows(),
                    nested(l.body()), l.at()));
            default -> throw new IllegalArgumentException("not in an unrolled kernel: " + statement);
        }
    }

    private List<Statement> nested(List<Statement> statements) {
        List<Statement> out = new ArrayList<>();
        statements.forEach(statement -> nested(statement, out));
        return out;
    }

    private void array(Statement.DeclareArray d, List<Statement> out) {
        lengths.put(d.name(), d.lengths());
        int size = d.lengths().stream().reduce(1, (a, b) -> a * b);
        for (int i = 0; i < size; i++) {
            Expression zero = d.type() == ValueType.REAL ? new Expression.Real(0.0) : new Expression.Int(0);
            out.add(new Statement.Declare(d.name() + "c" + i, d.type(),
                    d.values().isEmpty() ? zero : value(d.values().get(i)), d.at()));
        }
    }

    /** Notes that a component of a written parameter is assigned. */
    private void note(Expression target) {
        Component component = target instanceof Expression.Element e ? component(e) : null;
        if (component != null) {
            stores.put(component, component.local());
            Parameter parameter = method.parameters().get(component.parameter());
            if (parameter.access() == Access.READ_WRITE) {
                // A branch may leave the old value.
                loads.add(component);
            }
        }
    }

    private String base(Expression target) {
        return switch (target) {
            case Expression.Local local -> local.name();
            case Expression.Element e -> {
                Component component = component(e);
                yield component != null ? component.local() : e.array() + "c" + offset(e);
            }
            default -> throw new IllegalArgumentException("not assignable: " + target);
        };
    }

    private int offset(Expression.Element e) {
        int offset = 0;
        List<Integer> sizes = lengths.get(e.array());
        for (int i = 0; i < sizes.size(); i++) {
            offset = offset * sizes.get(i) + ((Expression.Int) e.indices().get(i)).value();
        }
        return offset;
    }

    private Expression value(Expression expression) {
        if (expression == null) {
            return null;
        }
        return switch (expression) {
            case Expression.Local local when parameters.containsKey(local.name()) -> {
                Component component = new Component(parameters.get(local.name()), 0, 0);
                loads.add(component);
                yield new Expression.Local(component.local(), local.type());
            }
            case Expression.Local local -> new Expression.Local(name(local.name()), local.type());
            case Expression.Element e when isVariable(e) -> Expressions.withoutPlaces(Expressions.map(e, this::value));
            case Expression.Element e -> {
                Component component = component(e);
                if (component != null && method.parameters().get(component.parameter()).access() != Access.WRITE) {
                    loads.add(component);
                }
                yield new Expression.Local(name(base(e)), e.type());
            }
            default -> Expressions.withoutPlaces(Expressions.map(expression, this::value));
        };
    }

}
