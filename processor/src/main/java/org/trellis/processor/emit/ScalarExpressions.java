package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.MathFunction;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/** Writes lowered expressions as Java for one element. */
final class ScalarExpressions {
    private final RealType real;
    private final Map<String, Integer> parameters;
    private final SampledCells cells = new SampledCells();

    /**
     * Creates a writer.
     *
     * @param real       the precision
     * @param parameters the indices of the kernel's parameters by name
     */
    ScalarExpressions(RealType real, Map<String, Integer> parameters) {
        this.real = real;
        this.parameters = parameters;
    }

    String type(ValueType type) {
        return type == ValueType.REAL ? real.keyword() : type.source();
    }

    String text(Expression expression) {
        return switch (expression) {
            case Expression.Real r -> real.literal(r.value());
            case Expression.Int i -> i.value() < 0 ? "(" + i.value() + ")" : Integer.toString(i.value());
            case Expression.Bool b -> Boolean.toString(b.value());
            case Expression.Local l -> l.name();
            case Expression.Length l -> "length" + parameters.get(l.array());
            case Expression.Element e -> row(e);
            case Expression.Unary u -> "(" + u.operator() + text(u.operand()) + ")";
            case Expression.Binary b -> "(" + text(b.left()) + " " + b.operator() + " " + text(b.right()) + ")";
            case Expression.Conditional c ->
                "(" + text(c.condition()) + " ? " + text(c.whenTrue()) + " : " + text(c.whenFalse()) + ")";
            case Expression.Cast c -> "((" + type(c.type()) + ") " + text(c.operand()) + ")";
            case Expression.MathCall m -> math(m);
            case Expression.Sample s -> sample(s);
            case Expression.Contracted c -> "(FUSED ? Math.fma(" + text(c.left()) + ", " + text(c.right()) + ", "
                    + text(c.sum()) + ") : " + text(c.left()) + " * " + text(c.right()) + " + " + text(c.sum()) + ")";
            case Expression.Call _,Expression.View _ ->
                throw new IllegalArgumentException("not in a lowered kernel: " + expression);
        };
    }

    /** The component of an entry of a row of variable arity. */
    private String row(Expression.Element e) {
        int p = parameters.get(e.array());
        String index = text(e.indices().get(0));
        String component = text(e.indices().get(1));
        return "a" + p + "[t" + p + "[begin" + p + " + " + index + "] * E" + p + " + " + component + " * C" + p + "]";
    }

    /** Interpolates in double, whatever the precision of the loop, within a cell that a statement before has found. */
    private String sample(Expression.Sample s) {
        String text = "a" + parameters.get(s.raster()) + ".within(" + s.component() + ", " + cells.name(s) + ")";
        return real == RealType.DOUBLE ? text : "((float) " + text + ")";
    }

    /** Writes what finds the cells that a statement samples and that are not known yet. */
    void cells(Statement statement, CodeWriter out) {
        cells.find(statement).forEach((sample, number) -> {
            String raster = "a" + parameters.get(sample.raster());
            List<String> place = sample.arguments().stream().map(this::text).toList();
            out.line("int cell" + number + " = " + raster + ".cell(" + String.join(", ", place) + ");");
            for (int axis = 0; axis < place.size(); axis++) {
                out.line("double " + SampledCells.SHARES.get(axis) + number + " = " + raster + "."
                        + SampledCells.SHARES.get(axis) + "(" + place.get(axis) + ");");
            }
        });
    }

    SampledCells cells() {
        return cells;
    }

    private String math(Expression.MathCall call) {
        List<String> arguments = new ArrayList<>();
        call.arguments().forEach(argument -> arguments.add(text(argument)));
        String text = "Math." + call.function().method() + "(" + String.join(", ", arguments) + ")";
        boolean overloaded = call.function().integers() || call.function() == MathFunction.FMA;
        return real == RealType.DOUBLE || overloaded ? text : "((float) " + text + ")";
    }
}
