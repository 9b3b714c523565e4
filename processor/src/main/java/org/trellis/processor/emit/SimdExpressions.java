package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.MathFunction;
import org.trellis.processor.model.ValueType;

/**
 * Writes lowered expressions as operations on vectors. Only operations that give every lane the bits that scalar code
 * gives are vector operations; sine and its kind run lane by lane, since the Vector API's own may differ between
 * interpreted and compiled code. All code is written out in place: the JIT compiler inlines the Vector API without
 * limit, but not other helper methods, and a vector that crosses a call is an object.
 */
final class SimdExpressions {
    private static final Set<MathFunction> LANEWISE = Set.of(MathFunction.ABS, MathFunction.MIN, MathFunction.MAX,
            MathFunction.SQRT, MathFunction.FMA);

    private final RealType real;
    private final CodeWriter out;
    private final String scratch;
    private final Set<String> uniform = new HashSet<>();
    private int temporaries;

    /**
     * Creates a writer.
     *
     * @param real    the precision
     * @param out     where statements go that have to come first
     * @param scratch the place in {@code w} for two vectors that functions work on
     */
    SimdExpressions(RealType real, CodeWriter out, String scratch) {
        this.real = real;
        this.out = out;
        this.scratch = scratch;
    }

    /** Notes that a name is an {@code int}, the same for all lanes. */
    void uniform(String name) {
        uniform.add(name);
    }

    String vector() {
        return real.label() + "Vector";
    }

    String type(ValueType type) {
        return switch (type) {
            case REAL -> vector();
            case INT -> "IntVector";
            default -> "VectorMask<" + real.label() + ">";
        };
    }

    String zero(ValueType type) {
        return switch (type) {
            case REAL -> vector() + ".zero(S)";
            case INT -> "IntVector.zero(SI)";
            default -> "S.maskAll(false)";
        };
    }

    String text(Expression expression) {
        return switch (expression) {
            case Expression.Real r -> vector() + ".broadcast(S, " + real.literal(r.value()) + ")";
            case Expression.Int i -> "IntVector.broadcast(SI, " + i.value() + ")";
            case Expression.Bool b -> "S.maskAll(" + b.value() + ")";
            case Expression.Local l -> uniform.contains(l.name())
                    ? "IntVector.broadcast(SI, " + l.name() + ")"
                    : l.name();
            case Expression.Unary u -> text(u.operand()) + ("-".equals(u.operator()) ? ".neg()" : ".not()");
            case Expression.Binary b -> binary(b);
            case Expression.Conditional c ->
                select(c.type(), text(c.condition()), text(c.whenTrue()), text(c.whenFalse()));
            case Expression.Cast c -> cast(c);
            case Expression.MathCall m -> math(m);
            case Expression.Contracted c -> {
                String left = text(c.left());
                String right = text(c.right());
                String sum = text(c.sum());
                yield "(FUSED ? " + left + ".fma(" + right + ", " + sum + ") : " + left + ".mul(" + right + ").add("
                        + sum + "))";
            }
            case Expression.Call _,Expression.View _,Expression.Length _,Expression.Element _,Expression.Sample _ ->
                throw new IllegalArgumentException("no vector operation: " + expression);
        };
    }

    /** Returns one of two values for each lane. */
    String select(ValueType type, String mask, String whenTrue, String whenFalse) {
        return switch (type) {
            case REAL -> whenFalse + ".blend(" + whenTrue + ", " + mask + ")";
            case INT -> whenFalse + ".blend(" + whenTrue + ", " + mask + ".cast(SI))";
            default -> "(" + whenTrue + ").and(" + mask + ").or((" + whenFalse + ").andNot(" + mask + "))";
        };
    }

    private String cast(Expression.Cast c) {
        String letter = real == RealType.DOUBLE ? "D" : "F";
        return c.type() == ValueType.REAL
                ? "((" + vector() + ") " + text(c.operand()) + ".convertShape(VectorOperators.I2" + letter + ", S, 0))"
                : "((IntVector) " + text(c.operand()) + ".convertShape(VectorOperators." + letter + "2I, SI, 0))";
    }

    private String binary(Expression.Binary b) {
        return binary(b.operator(), b.left().type(), text(b.left()), text(b.right()));
    }

    /** Applies an operator to operands of a type. */
    String binary(String operator, ValueType type, String left, String right) {
        return switch (operator) {
            case "+" -> left + ".add(" + right + ")";
            case "-" -> left + ".sub(" + right + ")";
            case "*" -> left + ".mul(" + right + ")";
            case "/" -> left + ".div(" + right + ")";
            case "%" -> left + ".sub(" + left + ".div(" + right + ").mul(" + right + "))";
            case "<<" -> left + ".lanewise(VectorOperators.LSHL, " + right + ")";
            case ">>" -> left + ".lanewise(VectorOperators.ASHR, " + right + ")";
            case ">>>" -> left + ".lanewise(VectorOperators.LSHR, " + right + ")";
            case "&", "&&" -> left + ".and(" + right + ")";
            case "|", "||" -> left + ".or(" + right + ")";
            case "^" -> type == ValueType.BOOLEAN
                    ? left + ".xor(" + right + ")"
                    : left + ".lanewise(VectorOperators.XOR, " + right + ")";
            case "<" -> compare(type, "LT", left, right);
            case "<=" -> compare(type, "LE", left, right);
            case ">" -> compare(type, "GT", left, right);
            case ">=" -> compare(type, "GE", left, right);
            case "==" -> type == ValueType.BOOLEAN
                    ? left + ".eq(" + right + ")"
                    : compare(type, "EQ", left, right);
            case "!=" -> type == ValueType.BOOLEAN
                    ? left + ".xor(" + right + ")"
                    : compare(type, "NE", left, right);
            default -> throw new IllegalArgumentException("no vector operator: " + operator);
        };
    }

    private static String compare(ValueType type, String comparison, String left, String right) {
        String mask = left + ".compare(VectorOperators." + comparison + ", " + right + ")";
        return type == ValueType.INT ? mask + ".cast(S)" : mask;
    }

    private String math(Expression.MathCall call) {
        List<String> arguments = new ArrayList<>();
        call.arguments().forEach(argument -> arguments.add(text(argument)));
        if (LANEWISE.contains(call.function())) {
            return arguments.getFirst() + "." + call.function().method() + "("
                    + String.join(", ", arguments.subList(1, arguments.size())) + ")";
        }
        return laneByLane(call.function(), arguments);
    }

    private String laneByLane(MathFunction function, List<String> arguments) {
        temporaries++;
        String result = "lanes" + temporaries;
        List<String> lanes = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String place = scratch + (i == 0 ? "" : " + L");
            out.line(arguments.get(i) + ".intoArray(w, " + place + ");");
            lanes.add("w[" + place + " + lane]");
        }
        out.line("for (int lane = 0; lane < L; lane++) {");
        out.line(lanes.getFirst() + " = " + (real == RealType.FLOAT ? "(float) " : "") + "Math." + function.method()
                + "(" + String.join(", ", lanes) + ");");
        out.line("}");
        out.line(vector() + " " + result + " = " + vector() + ".fromArray(S, w, " + scratch + ");");
        return result;
    }
}
