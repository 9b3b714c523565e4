package org.trellis.processor.lower;

import org.trellis.processor.model.Expression;

/** Folds integer and truth values, which decide on indices and branches. Reals are left to the compilers. */
final class IntegerFolding {
    private IntegerFolding() {}

    static Expression binary(Expression.Binary b) {
        if (b.left() instanceof Expression.Int left && b.right() instanceof Expression.Int right) {
            return integers(b, left.value(), right.value());
        }
        if (b.left() instanceof Expression.Bool left) {
            return switch (b.operator()) {
                case "&&", "&" -> left.value() ? b.right() : left;
                case "||", "|" -> left.value() ? left : b.right();
                default -> b;
            };
        }
        return b;
    }

    private static Expression integers(Expression.Binary b, int left, int right) {
        return switch (b.operator()) {
            case "+" -> new Expression.Int(left + right);
            case "-" -> new Expression.Int(left - right);
            case "*" -> new Expression.Int(left * right);
            case "/" -> right == 0 ? b : new Expression.Int(left / right);
            case "%" -> right == 0 ? b : new Expression.Int(left % right);
            case "<<" -> new Expression.Int(left << right);
            case ">>" -> new Expression.Int(left >> right);
            case ">>>" -> new Expression.Int(left >>> right);
            case "&" -> new Expression.Int(left & right);
            case "|" -> new Expression.Int(left | right);
            case "^" -> new Expression.Int(left ^ right);
            case "<" -> new Expression.Bool(left < right);
            case "<=" -> new Expression.Bool(left <= right);
            case ">" -> new Expression.Bool(left > right);
            case ">=" -> new Expression.Bool(left >= right);
            case "==" -> new Expression.Bool(left == right);
            case "!=" -> new Expression.Bool(left != right);
            default -> b;
        };
    }
}
