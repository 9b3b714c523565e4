package org.trellis.processor.front;

import com.sun.source.tree.Tree;
import java.util.Optional;

/** Constant arithmetic (Java Language Specification, 15.29) on boxed {@code int, long, float, double, boolean}. */
final class Arithmetic {
    private Arithmetic() {}

    /** Applies a unary operator. */
    static Optional<Object> unary(Tree.Kind kind, Object value) {
        return Optional.ofNullable(switch (kind) {
            case UNARY_PLUS -> value instanceof Number ? value : null;
            case UNARY_MINUS -> negate(value);
            case BITWISE_COMPLEMENT -> value instanceof Integer i ? (Object) ~i : null;
            case LOGICAL_COMPLEMENT -> value instanceof Boolean b ? (Object) !b : null;
            default -> null;
        });
    }

    private static Object negate(Object value) {
        return switch (value) {
            case Integer i -> -i;
            case Long l -> -l;
            case Float f -> -f;
            case Double d -> -d;
            default -> null;
        };
    }

    /** Applies a binary operator after numeric promotion. */
    static Optional<Object> binary(Tree.Kind kind, Object left, Object right) {
        if (left instanceof Boolean a && right instanceof Boolean b) {
            return Optional.ofNullable(booleans(kind, a, b));
        }
        if (!(left instanceof Number a) || !(right instanceof Number b)) {
            return Optional.empty();
        }
        if (a instanceof Double || b instanceof Double) {
            return Optional.ofNullable(doubles(kind, a.doubleValue(), b.doubleValue()));
        }
        if (a instanceof Float || b instanceof Float) {
            return Optional.ofNullable(floats(kind, a.floatValue(), b.floatValue()));
        }
        if (a instanceof Integer i && b instanceof Integer j) {
            return Optional.ofNullable(integers(kind, i, j));
        }
        return Optional.empty();
    }

    /** Converts to the primitive type of a cast. */
    static Optional<Object> cast(String type, Object value) {
        if (!(value instanceof Number number)) {
            return value instanceof Boolean && "boolean".equals(type) ? Optional.of(value) : Optional.empty();
        }
        return Optional.ofNullable(switch (type) {
            case "int" -> number instanceof Double || number instanceof Float
                    ? (Object) (int) number.doubleValue()
                    : (Object) number.intValue();
            case "long" -> number instanceof Double || number instanceof Float
                    ? (Object) (long) number.doubleValue()
                    : (Object) number.longValue();
            case "float" -> number.floatValue();
            case "double" -> number.doubleValue();
            default -> null;
        });
    }

    private static Object booleans(Tree.Kind kind, boolean a, boolean b) {
        return switch (kind) {
            case CONDITIONAL_AND, AND -> a && b;
            case CONDITIONAL_OR, OR -> a || b;
            case XOR, NOT_EQUAL_TO -> a != b;
            case EQUAL_TO -> a == b;
            default -> null;
        };
    }

    private static Object doubles(Tree.Kind kind, double a, double b) {
        return switch (kind) {
            case PLUS -> a + b;
            case MINUS -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            case REMAINDER -> a % b;
            default -> compare(kind, a, b);
        };
    }

    private static Object floats(Tree.Kind kind, float a, float b) {
        return switch (kind) {
            case PLUS -> a + b;
            case MINUS -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            case REMAINDER -> a % b;
            default -> compare(kind, a, b);
        };
    }

    private static Object compare(Tree.Kind kind, double a, double b) {
        return switch (kind) {
            case LESS_THAN -> a < b;
            case LESS_THAN_EQUAL -> a <= b;
            case GREATER_THAN -> a > b;
            case GREATER_THAN_EQUAL -> a >= b;
            case EQUAL_TO -> a == b;
            case NOT_EQUAL_TO -> a != b;
            default -> null;
        };
    }

    private static Object integers(Tree.Kind kind, int a, int b) {
        return switch (kind) {
            case PLUS -> a + b;
            case MINUS -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> b == 0 ? null : (Object) (a / b);
            case REMAINDER -> b == 0 ? null : (Object) (a % b);
            case LEFT_SHIFT -> a << b;
            case RIGHT_SHIFT -> a >> b;
            case UNSIGNED_RIGHT_SHIFT -> a >>> b;
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            default -> compare(kind, a, b);
        };
    }
}
