package org.trellis.processor.lower;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.KernelError;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Unrolls loops that are short or whose variable is part of an index, and folds what is constant then. Loops over the
 * entries of a map of variable arity stay.
 */
public final class Unroller {
    /** Loops of at most so many runs are always unrolled. */
    private static final int MAX_UNROLLED_RUNS = 4;

    /** A kernel may not grow beyond this: the JIT compiler refuses methods of more than 8000 bytes. */
    private static final int MOST_STATEMENTS = 4000;

    private final Map<String, Expression> known = new HashMap<>();
    private int counter;
    private int statements;

    /** Creates an unroller for one method. */
    public Unroller() {}

    /**
     * Unrolls the loops of a method without calls.
     *
     * @param method the method
     * @return the same with the loops unrolled
     */
    public Method unroll(Method method) {
        return new Method(method.name(), method.result(), method.parameters(), unroll(method.body()), method.at());
    }

    private List<Statement> unroll(List<Statement> body) {
        List<Statement> out = new ArrayList<>();
        body.forEach(statement -> statement(statement, out));
        return out;
    }

    private void statement(Statement statement, List<Statement> out) {
        statements++;
        if (statements > MOST_STATEMENTS) {
            throw new KernelError(Code.SIZE, statement.at(), "the kernel has more than " + MOST_STATEMENTS
                    + " statements once its loops are unrolled and its functions inlined");
        }
        switch (statement) {
            case Statement.Declare d -> {
                Expression value = d.value() == null ? null : fold(d.value());
                out.add(new Statement.Declare(renamed(d.name(), d.type()), d.type(), value, d.at()));
            }
            case Statement.DeclareArray d -> {
                List<Expression> values = new ArrayList<>();
                d.values().forEach(value -> values.add(fold(value)));
                out.add(new Statement.DeclareArray(renamed(d.name(), d.type()), d.type(), d.lengths(), values,
                        d.at()));
            }
            case Statement.Assign a ->
                out.add(new Statement.Assign(fold(a.target()), a.operator(), fold(a.value()), a.at()));
            case Statement.If i -> branch(i, out);
            case Statement.Loop l -> loop(l, out);
            case Statement.Block b -> out.addAll(unroll(b.body()));
            case Statement.Return r -> {
                if (r.value() != null) {
                    out.add(new Statement.Return(fold(r.value()), r.at()));
                }
            }
            case Statement.Evaluate _,Statement.Reduce _ ->
                throw new IllegalArgumentException("not in an inlined method: " + statement);
        }
    }

    /** Declarations of an unrolled body occur once for each run, so each run has its own names. */
    private String renamed(String name, ValueType type) {
        if (!known.containsKey(name)) {
            known.put(name, new Expression.Local(name, type));
            return name;
        }
        counter++;
        String own = name + "r" + counter;
        known.put(name, new Expression.Local(own, type));
        return own;
    }

    private void branch(Statement.If statement, List<Statement> out) {
        Expression condition = fold(statement.condition());
        if (condition instanceof Expression.Bool constant) {
            out.addAll(unroll(constant.value() ? statement.whenTrue() : statement.whenFalse()));
        } else {
            out.add(new Statement.If(condition, unroll(statement.whenTrue()), unroll(statement.whenFalse()),
                    statement.at()));
        }
    }

    private void loop(Statement.Loop loop, List<Statement> out) {
        if (!loop.rows().isEmpty() || (loop.count() > MAX_UNROLLED_RUNS && !indexes(loop))) {
            known.put(loop.variable(), new Expression.Local(loop.variable(), ValueType.INT));
            out.add(new Statement.Loop(loop.variable(), loop.first(), loop.step(), loop.count(), loop.rows(),
                    unroll(loop.body()), loop.at()));
            return;
        }
        for (int run = 0; run < loop.count(); run++) {
            known.put(loop.variable(), new Expression.Int(loop.first() + run * loop.step()));
            loop.body().forEach(statement -> statement(statement, out));
        }
    }

    /** Says whether a loop's variable is part of an index, or of the count of another loop. */
    private static boolean indexes(Statement.Loop loop) {
        Set<Boolean> found = new HashSet<>();
        Statements.visit(loop.body(), statement -> {
            if (statement instanceof Statement.Assign a) {
                Expressions.visit(a.target(), part -> usedAsIndex(part, loop.variable(), found));
            }
            Statements.read(statement, part -> usedAsIndex(part, loop.variable(), found));
        });
        return !found.isEmpty();
    }

    private static void usedAsIndex(Expression part, String variable, Set<Boolean> found) {
        if (part instanceof Expression.Element element) {
            element.indices().forEach(index -> Expressions.visit(index, inner -> {
                if (inner instanceof Expression.Local local && local.name().equals(variable)) {
                    found.add(true);
                }
            }));
        }
    }

    private Expression fold(Expression expression) {
        if (expression instanceof Expression.Local local) {
            return known.getOrDefault(local.name(), local);
        }
        if (expression instanceof Expression.Element element
                && known.get(element.array()) instanceof Expression.Local array) {
            Expression.Element inner = (Expression.Element) Expressions.map(element, this::fold);
            return new Expression.Element(array.name(), inner.indices(), inner.type(), inner.at());
        }
        Expression inner = Expressions.map(expression, this::fold);
        return switch (inner) {
            case Expression.Binary b -> IntegerFolding.binary(b);
            case Expression.Unary u when u.operand() instanceof Expression.Int i && "-".equals(u.operator()) ->
                new Expression.Int(-i.value());
            case Expression.Unary u when u.operand() instanceof Expression.Bool b -> new Expression.Bool(!b.value());
            case Expression.Cast c when c.operand() instanceof Expression.Int i -> new Expression.Real(i.value());
            case Expression.Conditional c when c.condition() instanceof Expression.Bool b ->
                b.value() ? c.whenTrue() : c.whenFalse();
            default -> inner;
        };
    }
}
