package org.trellis.processor.lower;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.trellis.processor.diagnostic.Position;
import org.trellis.processor.model.Expression;

/** Walks over expressions. */
public final class Expressions {
    private Expressions() {}

    /** Says whether an expression is a literal or a local variable. */
    static boolean atomic(Expression expression) {
        return expression instanceof Expression.Local || expression instanceof Expression.Int
                || expression instanceof Expression.Real || expression instanceof Expression.Bool;
    }

    /**
     * Rebuilds an expression from changed parts. Places are kept.
     *
     * @param expression the expression
     * @param change     what becomes of its direct parts
     * @return the same kind of expression
     */
    public static Expression map(Expression expression, UnaryOperator<Expression> change) {
        return switch (expression) {
            case Expression.Element e -> new Expression.Element(e.array(), all(e.indices(), change), e.type(), e.at());
            case Expression.View v ->
                new Expression.View(v.array(), all(v.indices(), change), v.rank(), v.type(), v.at());
            case Expression.Unary u -> new Expression.Unary(u.operator(), change.apply(u.operand()));
            case Expression.Binary b -> new Expression.Binary(b.operator(), change.apply(b.left()),
                    change.apply(b.right()), b.type(), b.at());
            case Expression.Conditional c -> new Expression.Conditional(change.apply(c.condition()),
                    change.apply(c.whenTrue()), change.apply(c.whenFalse()));
            case Expression.Cast c -> new Expression.Cast(c.type(), change.apply(c.operand()));
            case Expression.MathCall m -> new Expression.MathCall(m.function(), all(m.arguments(), change), m.type());
            case Expression.Sample s ->
                new Expression.Sample(s.raster(), s.component(), all(s.arguments(), change), s.at());
            case Expression.Contracted c -> new Expression.Contracted(change.apply(c.left()), change.apply(c.right()),
                    change.apply(c.sum()));
            case Expression.Call c ->
                new Expression.Call(c.function(), all(c.arguments(), change), c.type(), c.at());
            case Expression.Real _,Expression.Int _,Expression.Bool _,Expression.Local _,Expression.Length _ ->
                expression;
        };
    }

    private static List<Expression> all(List<Expression> parts, UnaryOperator<Expression> change) {
        List<Expression> changed = new ArrayList<>(parts.size());
        parts.forEach(part -> changed.add(change.apply(part)));
        return changed;
    }

    /**
     * Visits an expression and all its parts, from outside to inside.
     *
     * @param expression the expression; null is nothing
     * @param visitor    what is done with each
     */
    public static void visit(Expression expression, Consumer<Expression> visitor) {
        if (expression != null) {
            visitor.accept(expression);
            map(expression, part -> {
                visit(part, visitor);
                return part;
            });
        }
    }

    /** Forgets places, so that equal expressions are equal. */
    static Expression withoutPlaces(Expression expression) {
        Expression inner = map(expression, Expressions::withoutPlaces);
        return switch (inner) {
            case Expression.Binary b ->
                new Expression.Binary(b.operator(), b.left(), b.right(), b.type(), Position.NONE);
            case Expression.Element e -> new Expression.Element(e.array(), e.indices(), e.type(), Position.NONE);
            case Expression.Sample s ->
                new Expression.Sample(s.raster(), s.component(), s.arguments(), Position.NONE);
            default -> inner;
        };
    }
}
