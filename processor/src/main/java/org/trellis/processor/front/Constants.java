package org.trellis.processor.front;

import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;
import java.util.Optional;
import javax.lang.model.element.VariableElement;

/** Evaluates constant expressions as the compiler would, in their own types. */
final class Constants {
    private final ConstantNames names;

    Constants(ConstantNames names) {
        this.names = names;
    }

    /**
     * Evaluates an expression.
     *
     * @return a boxed primitive value, or empty if the expression is not constant
     */
    Optional<Object> evaluate(ExpressionTree tree, Scope scope) {
        return switch (tree) {
            case LiteralTree literal -> literal(literal);
            case ParenthesizedTree inner -> evaluate(inner.getExpression(), scope);
            case UnaryTree unary -> evaluate(unary.getExpression(), scope)
                    .flatMap(value -> Arithmetic.unary(tree.getKind(), value));
            case BinaryTree binary -> evaluate(binary.getLeftOperand(), scope)
                    .flatMap(left -> evaluate(binary.getRightOperand(), scope)
                            .flatMap(right -> Arithmetic.binary(tree.getKind(), left, right)));
            case TypeCastTree cast -> cast.getType() instanceof PrimitiveTypeTree primitive
                    ? evaluate(cast.getExpression(), scope)
                            .flatMap(value -> Arithmetic.cast(primitive.toString(), value))
                    : Optional.empty();
            case ConditionalExpressionTree conditional -> conditional(conditional, scope);
            case IdentifierTree name -> scope.find(name.toString()) != null
                    ? Optional.empty()
                    : names.field(name.toString()).flatMap(Constants::value);
            case MemberSelectTree select -> select(select, scope);
            default -> Optional.empty();
        };
    }

    private static Optional<Object> literal(LiteralTree literal) {
        Object value = literal.getValue();
        return value instanceof Number || value instanceof Boolean ? Optional.of(value) : Optional.empty();
    }

    private Optional<Object> conditional(ConditionalExpressionTree tree, Scope scope) {
        Optional<Object> condition = evaluate(tree.getCondition(), scope);
        Optional<Object> whenTrue = evaluate(tree.getTrueExpression(), scope);
        Optional<Object> whenFalse = evaluate(tree.getFalseExpression(), scope);
        if (condition.isEmpty() || whenTrue.isEmpty() || whenFalse.isEmpty()
                || !whenTrue.get().getClass().equals(whenFalse.get().getClass())) {
            return Optional.empty();
        }
        return Boolean.TRUE.equals(condition.get()) ? whenTrue : whenFalse;
    }

    private Optional<Object> select(MemberSelectTree tree, Scope scope) {
        String member = tree.getIdentifier().toString();
        int rank = 0;
        ExpressionTree array = tree.getExpression();
        while (array instanceof ArrayAccessTree access) {
            array = access.getExpression();
            rank++;
        }
        Symbol symbol = array instanceof IdentifierTree name ? scope.find(name.toString()) : null;
        if (symbol != null) {
            int length = "length".equals(member) && rank < symbol.rank() ? symbol.lengths().get(rank) : 0;
            return length > 0 ? Optional.of(length) : Optional.empty();
        }
        return names.field(tree.getExpression().toString(), member).flatMap(Constants::value);
    }

    private static Optional<Object> value(VariableElement field) {
        Object value = field.getConstantValue();
        return switch (value) {
            case Number number when number instanceof Byte || number instanceof Short -> Optional.of(number.intValue());
            case Number number -> Optional.of(number);
            case Boolean truth -> Optional.of(truth);
            case null, default -> Optional.empty();
        };
    }
}
