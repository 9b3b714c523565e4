package org.trellis.processor.front;

import com.sun.source.tree.Tree;
import java.util.Set;

/** The symbols of operators. */
final class Operators {
    /** Operators of truth values that look at the second operand only when they have to. */
    static final Set<String> LOGICAL = Set.of("&&", "||");

    private Operators() {}

    /** Returns the symbol of a binary operator or of a compound assignment, or an empty string. */
    static String symbol(Tree.Kind kind) {
        return switch (kind) {
            case PLUS, PLUS_ASSIGNMENT -> "+";
            case MINUS, MINUS_ASSIGNMENT -> "-";
            case MULTIPLY, MULTIPLY_ASSIGNMENT -> "*";
            case DIVIDE, DIVIDE_ASSIGNMENT -> "/";
            case REMAINDER, REMAINDER_ASSIGNMENT -> "%";
            case LEFT_SHIFT, LEFT_SHIFT_ASSIGNMENT -> "<<";
            case RIGHT_SHIFT, RIGHT_SHIFT_ASSIGNMENT -> ">>";
            case UNSIGNED_RIGHT_SHIFT, UNSIGNED_RIGHT_SHIFT_ASSIGNMENT -> ">>>";
            case AND, AND_ASSIGNMENT -> "&";
            case OR, OR_ASSIGNMENT -> "|";
            case XOR, XOR_ASSIGNMENT -> "^";
            case CONDITIONAL_AND -> "&&";
            case CONDITIONAL_OR -> "||";
            case LESS_THAN -> "<";
            case LESS_THAN_EQUAL -> "<=";
            case GREATER_THAN -> ">";
            case GREATER_THAN_EQUAL -> ">=";
            case EQUAL_TO -> "==";
            case NOT_EQUAL_TO -> "!=";
            default -> "";
        };
    }
}
