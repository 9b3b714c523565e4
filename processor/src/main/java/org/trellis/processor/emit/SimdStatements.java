package org.trellis.processor.emit;

import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/** Writes lowered statements as operations on vectors: both branches run, and assignments keep lanes by blends. */
final class SimdStatements {
    private final RealType real;
    private final CodeWriter out;
    private final SimdExpressions expressions;
    private final int chain;
    private int masks;

    SimdStatements(RealType real, CodeWriter out, SimdExpressions expressions, int chain) {
        this.chain = chain;
        this.real = real;
        this.out = out;
        this.expressions = expressions;
    }

    /**
     * Writes a statement.
     *
     * @param mask the variable that holds the lanes for which it is run, or an empty string for all
     */
    void write(Statement statement, String mask) {
        switch (statement) {
            case Statement.Declare d -> out.line(expressions.type(d.type()) + " " + d.name() + " = "
                    + (d.value() == null ? expressions.zero(d.type()) : expressions.text(d.value())) + ";");
            case Statement.Assign a -> assign(a, mask);
            case Statement.Reduce r -> reduce(r, mask);
            case Statement.If i -> branch(i, mask);
            case Statement.Loop l -> {
                expressions.uniform(l.variable());
                out.line("for (int " + l.variable() + " = " + l.first() + ", run" + l.variable() + " = 0; run"
                        + l.variable() + " < " + l.count() + "; run" + l.variable() + "++, " + l.variable() + " += "
                        + l.step() + ") {");
                l.body().forEach(inner -> write(inner, mask));
                out.line("}");
            }
            default -> throw new IllegalArgumentException("not in a lowered kernel: " + statement);
        }
    }

    private void assign(Statement.Assign a, String mask) {
        String target = ((Expression.Local) a.target()).name();
        ValueType type = a.target().type();
        String value = expressions.text(a.value());
        if (!a.operator().isEmpty()) {
            value = expressions.binary(a.operator(), type, target, value);
        }
        out.line(target + " = " + (mask.isEmpty() ? value : expressions.select(type, mask, value, target)) + ";");
    }

    private void branch(Statement.If statement, String outer) {
        masks++;
        String mask = "mask" + masks;
        String type = "VectorMask<" + real.label() + "> ";
        String condition = expressions.text(statement.condition());
        out.line(type + mask + " = " + condition + (outer.isEmpty() ? "" : ".and(" + outer + ")") + ";");
        if (!statement.whenFalse().isEmpty()) {
            out.line(type + mask + "not = " + (outer.isEmpty() ? mask + ".not()" : outer + ".andNot(" + mask + ")")
                    + ";");
        }
        out.line("{");
        statement.whenTrue().forEach(inner -> write(inner, mask));
        out.line("}");
        if (!statement.whenFalse().isEmpty()) {
            out.line("{");
            statement.whenFalse().forEach(inner -> write(inner, mask + "not"));
            out.line("}");
        }
    }

    /** Returns the name of the operation that combines vectors of a reduction. */
    static String operation(Access access) {
        return access == Access.MIN ? "min" : access == Access.MAX ? "max" : "add";
    }

    private void reduce(Statement.Reduce r, String mask) {
        String name = ScalarLoop.own(ScalarLoop.accumulator(r.parameter(), r.component()), chain);
        boolean integers = r.value().type() == ValueType.INT;
        String value = expressions.text(r.value());
        if (!mask.isEmpty()) {
            String neutral = ScalarLoop.neutral(r.access(), !integers);
            neutral = integers
                    ? "IntVector.broadcast(SI, " + neutral + ")"
                    : expressions.vector() + ".broadcast(S, " + (real == RealType.FLOAT ? "(float) " : "") + neutral
                            + ")";
            value = expressions.select(r.value().type(), mask, value, neutral);
        }
        String operation = operation(r.access());
        if (integers || real == RealType.DOUBLE) {
            out.line(name + "v = " + name + "v." + operation + "(" + value + ");");
            return;
        }
        // Reductions are in double precision: the lanes of a float vector make two of them.
        masks++;
        String wide = "wide" + masks;
        out.line("FloatVector " + wide + " = " + value + ";");
        for (int part = 0; part < 2; part++) {
            String half = name + (part == 0 ? "v" : "u");
            out.line(half + " = " + half + "." + operation + "((DoubleVector) " + wide
                    + ".convertShape(VectorOperators.F2D, SD, " + part + "));");
        }
    }
}
