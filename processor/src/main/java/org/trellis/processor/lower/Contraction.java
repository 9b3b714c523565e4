package org.trellis.processor.lower;

import java.util.ArrayList;
import java.util.List;
import org.trellis.processor.diagnostic.Position;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Makes a product and the sum that takes it one operation, within one expression of the source, as C compilers do. The
 * parts of a contracted operation are variables or literals: the operation is written out twice, once for machines that
 * have it and once for others, and nested ones would grow exponentially. The branches of {@code ?:} and what follows
 * {@code &&} and {@code ||} are left as they are, so that nothing is computed there that need not be.
 */
public final class Contraction {
    private int counter;
    private List<Statement> out;

    private Contraction() {}

    /**
     * Contracts the operations of a kernel.
     *
     * @param kernel the kernel over local variables
     * @return the same with contracted operations
     */
    public static Lowered of(Lowered kernel) {
        return new Lowered(kernel.name(), kernel.parameters(), new Contraction().statements(kernel.body()),
                kernel.loads(), kernel.stores(), kernel.contributions(), kernel.accumulators());
    }

    private List<Statement> statements(List<Statement> statements) {
        List<Statement> outer = out;
        List<Statement> own = new ArrayList<>();
        out = own;
        for (Statement statement : statements) {
            Statement contracted = statement(statement);
            own.add(contracted);
        }
        out = outer;
        return own;
    }

    private Statement statement(Statement statement) {
        return switch (statement) {
            case Statement.Declare d when d.value() != null ->
                new Statement.Declare(d.name(), d.type(), contract(d.value()), d.at());
            case Statement.Assign a -> assign(a);
            case Statement.Reduce r -> new Statement.Reduce(r.parameter(), r.component(), r.access(),
                    contract(r.value()), r.at());
            case Statement.If i -> {
                Expression condition = contract(i.condition());
                yield new Statement.If(condition, statements(i.whenTrue()), statements(i.whenFalse()), i.at());
            }
            case Statement.Loop l -> new Statement.Loop(l.variable(), l.first(), l.step(), l.count(), l.rows(),
                    statements(l.body()), l.at());
            default -> statement;
        };
    }

    private Statement assign(Statement.Assign a) {
        boolean sum = a.target() instanceof Expression.Local local && local.type() == ValueType.REAL
                && ("+".equals(a.operator()) || "-".equals(a.operator()));
        return sum
                ? new Statement.Assign(a.target(), "",
                        contract(new Expression.Binary(a.operator(), a.target(), a.value(),
                                ValueType.REAL, Position.NONE)),
                        a.at())
                : new Statement.Assign(a.target(), a.operator(), contract(a.value()), a.at());
    }

    private Expression contract(Expression expression) {
        return switch (expression) {
            case Expression.Conditional c ->
                new Expression.Conditional(contract(c.condition()), c.whenTrue(), c.whenFalse());
            case Expression.Binary b when "&&".equals(b.operator()) || "||".equals(b.operator()) ->
                new Expression.Binary(b.operator(), contract(b.left()), b.right(), b.type(), b.at());
            case Expression.Binary b when b.type() == ValueType.REAL && "+".equals(b.operator()) ->
                product(b.right())
                        ? fused(b.right(), b.left(), false)
                        : product(b.left()) ? fused(b.left(), b.right(), false) : parts(b);
            case Expression.Binary b when b.type() == ValueType.REAL && "-".equals(b.operator()) ->
                product(b.right())
                        ? fused(b.right(), b.left(), true)
                        : product(b.left()) ? fused(b.left(), negated(b.right()), false) : parts(b);
            default -> parts(expression);
        };
    }

    private Expression parts(Expression expression) {
        return Expressions.map(expression, this::contract);
    }

    private static boolean product(Expression expression) {
        return expression instanceof Expression.Binary b && b.type() == ValueType.REAL && "*".equals(b.operator());
    }

    private Expression fused(Expression product, Expression sum, boolean negative) {
        Expression.Binary factors = (Expression.Binary) product;
        // A literal changes its sign at no cost, in whichever factor it is.
        boolean right = negative && !negatable(factors.left()) && negatable(factors.right());
        Expression left = negative && !right ? negated(factors.left()) : factors.left();
        return new Expression.Contracted(atom(contract(left)),
                atom(contract(right ? negated(factors.right()) : factors.right())), atom(contract(sum)));
    }

    private static boolean negatable(Expression expression) {
        return expression instanceof Expression.Real || expression instanceof Expression.Unary
                || (product(expression) && negatable(((Expression.Binary) expression).left()));
    }

    /** Returns an expression times −1: exact wherever the sign is put. */
    private static Expression negated(Expression expression) {
        return switch (expression) {
            case Expression.Real r -> new Expression.Real(-r.value());
            case Expression.Unary u -> u.operand();
            case Expression.Binary b when product(b) && negatable(b.left()) ->
                new Expression.Binary("*", negated(b.left()), b.right(), b.type(), b.at());
            default -> new Expression.Unary("-", expression);
        };
    }

    /** Returns a variable that holds a value, declared before the statement. */
    private Expression atom(Expression expression) {
        if (Expressions.atomic(expression)) {
            return expression;
        }
        counter++;
        Expression.Local local = new Expression.Local("fused" + counter, ValueType.REAL);
        out.add(new Statement.Declare(local.name(), local.type(), expression, Position.NONE));
        return local;
    }
}
