package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Writes the loop that runs one element after the other. Components are loaded into local variables where they are
 * first used and stored at the end, so that stores do not come between loads, and few values wait in registers; strides
 * and map columns are static final fields, which the JIT compiler takes for constants.
 */
final class ScalarLoop {
    /** Sums that are added to in turn, so that an addition need not wait for the one before. */
    private static final int CHAINS = 8;
    /** The most lines of an element's code that are written out several times. */
    private static final int MAX_REPEATED_LINES = 40;

    private final LoopLayout layout;
    private final Lowered kernel;
    private final ScalarExpressions expressions;
    private final UniformPart uniform;
    private int lane;

    ScalarLoop(LoopLayout layout) {
        this.layout = layout;
        kernel = layout.kernel();
        uniform = new UniformPart(layout);
        expressions = new ScalarExpressions(layout.real(), layout.indices());
    }

    /** Writes a method {@code void scalar(LoopArguments arguments, LoopRange range, int from)}. */
    void method(CodeWriter out) {
        out.line("private static void scalar(LoopArguments arguments, LoopRange range, int from) {");
        layout.arrays(out, "");
        checkRows(out);
        uniform.declared().forEach(statement -> statement(statement, out));
        out.line("int[] order = range.order();");
        int lanes = lanes();
        for (lane = 0; lane < lanes; lane++) {
            reductions(out);
        }
        out.line("int n = from;");
        if (lanes > 1) {
            out.line("for (int to = range.to() - " + (lanes - 1) + "; n < to; n += " + lanes + ") {");
            for (lane = 0; lane < lanes; lane++) {
                out.line("{");
                element(out, lane == 0 ? "n" : "n + " + lane);
                out.line("}");
            }
            out.line("}");
        }
        lane = 0;
        out.line("for (int to = range.to(); n < to; n++) {");
        element(out, "n");
        out.line("}");
        combine(out, lanes);
        out.line("}");
    }

    private void element(CodeWriter out, String number) {
        out.line("int e = ORDERED ? order[" + number + "] : " + number + ";");
        layout.indices(out, "");
        rows(out);
        initial(out);
        body(out);
        kernel.stores().forEach((component, local) -> out.line(LoopLayout.place(component) + " = " + local + ";"));
        layout.fixed().stream().filter(p -> kernel.parameters().get(p).access() == Access.INCREMENT)
                .forEach(p -> increments(p, out));
    }

    /**
     * Writes the statements, each after the loads of what it is the first to use: of large kernels whose loads all came
     * first, the JIT compiler would move most values to the stack and back. Where statements write rows, which may be
     * of an array that is read, all loads come first.
     */
    private void body(CodeWriter out) {
        Map<String, Lowered.Component> waiting = new LinkedHashMap<>();
        layout.loads().forEach(component -> waiting.put(component.local(), component));
        if (kernel.variable()) {
            load(Set.copyOf(waiting.keySet()), waiting, out);
        }
        expressions.cells().open();
        for (Statement statement : uniform.rest()) {
            load(SegmentDivision.used(List.of(statement)), waiting, out);
            statement(statement, out);
        }
        expressions.cells().close();
        load(Set.copyOf(waiting.keySet()), waiting, out);
    }

    /** Loads those of the waiting components that are among some names. */
    private void load(Set<String> names, Map<String, Lowered.Component> waiting, CodeWriter out) {
        for (Lowered.Component c : layout.loads()) {
            if (names.contains(c.local()) && waiting.remove(c.local()) != null) {
                out.line(layout.type(c.parameter()) + " " + c.local() + " = " + LoopLayout.place(c) + ";");
            }
        }
    }

    /** Returns the number of real values that a kernel reduces into. */
    static int reals(Lowered kernel) {
        return kernel.parameters().stream()
                .filter(parameter -> parameter.access().reduces() && parameter.type() == ValueType.REAL)
                .mapToInt(Parameter::components).sum();
    }

    /**
     * Returns how many elements are written out one after the other, each with reductions of its own: the JIT compiler
     * keeps the order of floating-point additions, so that each would wait for the one before.
     */
    private int lanes() {
        int values = reals(kernel);
        if (values == 0 || kernel.variable()) {
            return 1;
        }
        CodeWriter once = new CodeWriter();
        element(once, "n");
        return once.toString().lines().count() > MAX_REPEATED_LINES
                ? 1
                : Integer.highestOneBit(Math.max(1, CHAINS / values));
    }

    /** Variables that are assigned in branches only need a first value. */
    private void initial(CodeWriter out) {
        Set<String> assigned = Statements.assigned(kernel.body());
        for (Lowered.Component c : kernel.stores().keySet()) {
            if (layout.parameter(c).access() == Access.WRITE && assigned.contains(c.local())) {
                out.line(layout.type(c.parameter()) + " " + c.local() + " = 0;");
            }
        }
        for (Lowered.Component c : kernel.accumulators().keySet()) {
            out.line(layout.type(c.parameter()) + " " + c.local() + " = 0;");
        }
    }

    private void checkRows(CodeWriter out) {
        List<Integer> variable = layout.variable();
        for (int i = 1; i < variable.size(); i++) {
            out.line("if (offsets" + variable.get(i) + " != offsets" + variable.get(0) + ") {");
            out.line("throw new IllegalArgumentException(\"arguments '"
                    + kernel.parameters().get(variable.get(0)).name() + "' and '"
                    + kernel.parameters().get(variable.get(i)).name()
                    + "' go through different maps of variable arity, expected the same\");");
            out.line("}");
        }
    }

    private void rows(CodeWriter out) {
        for (int p : layout.variable()) {
            out.line("int begin" + p + " = offsets" + p + "[e];");
            out.line("int length" + p + " = offsets" + p + "[e + 1] - begin" + p + ";");
            if (kernel.parameters().get(p).access() == Access.INCREMENT) {
                out.line("if (STORE" + p + ") {");
                out.line("for (int k = 0; k < length" + p + "; k++) {");
                for (int c = 0; c < kernel.parameters().get(p).components(); c++) {
                    out.line("a" + p + "[t" + p + "[begin" + p + " + k] * E" + p + " + " + c + " * C" + p + "] = 0;");
                }
                out.line("}");
                out.line("}");
            }
        }
    }

    /** Reductions are kept in double precision, whatever the precision of the loop. */
    static String accumulator(int parameter, int component) {
        return "r" + parameter + "c" + component;
    }

    /** Returns the name of the accumulator of one of several chains. */
    static String own(String accumulator, int lane) {
        return lane == 0 ? accumulator : accumulator + "l" + lane;
    }

    private void reductions(CodeWriter out) {
        for (int p = 0; p < kernel.parameters().size(); p++) {
            Parameter parameter = kernel.parameters().get(p);
            if (parameter.access().reduces()) {
                boolean real = parameter.type() == ValueType.REAL;
                for (int c = 0; c < parameter.components(); c++) {
                    out.line((real ? "double " : "int ") + own(accumulator(p, c), lane) + " = "
                            + neutral(parameter.access(), real) + ";");
                }
            }
        }
    }

    static String neutral(Access access, boolean real) {
        return switch (access) {
            case MIN -> real ? "Double.POSITIVE_INFINITY" : "Integer.MAX_VALUE";
            case MAX -> real ? "Double.NEGATIVE_INFINITY" : "Integer.MIN_VALUE";
            default -> real ? "0.0" : "0";
        };
    }

    private void combine(CodeWriter out, int lanes) {
        for (int p = 0; p < kernel.parameters().size(); p++) {
            Parameter parameter = kernel.parameters().get(p);
            if (parameter.access().reduces()) {
                String array = (parameter.type() == ValueType.REAL ? "range.reals(" : "range.ints(") + p + ")";
                for (int c = 0; c < parameter.components(); c++) {
                    String place = array + "[" + c + "]";
                    for (int step = lanes / 2; step > 0; step /= 2) {
                        for (int l = 0; l < step; l++) {
                            out.line(combine(parameter.access(), own(accumulator(p, c), l),
                                    own(accumulator(p, c), l + step)));
                        }
                    }
                    out.line(combine(parameter.access(), place, accumulator(p, c)));
                }
            }
        }
    }

    /** Returns the statement that combines a value with a reduction. */
    static String combine(Access access, String place, String value) {
        return switch (access) {
            case MIN -> place + " = Math.min(" + place + ", " + value + ");";
            case MAX -> place + " = Math.max(" + place + ", " + value + ");";
            default -> place + " += " + value + ";";
        };
    }

    private void statement(Statement statement, CodeWriter out) {
        expressions.cells(statement, out);
        switch (statement) {
            case Statement.Declare d -> out.line(expressions.type(d.type()) + " " + d.name()
                    + (d.value() == null ? "" : " = " + expressions.text(d.value())) + ";");
            case Statement.Assign a when a.target() instanceof Expression.Element e -> {
                row(a, e, out);
                expressions.cells().forgetRows();
            }
            case Statement.Assign a -> {
                out.line(expressions.text(a.target()) + " " + a.operator() + "= " + expressions.text(a.value()) + ";");
                expressions.cells().forget(Statements.assigned(List.of(a)));
            }
            case Statement.Reduce r -> out.line(combine(r.access(),
                    own(accumulator(r.parameter(), r.component()), lane), expressions.text(r.value())));
            case Statement.If i -> branch(i, out);
            case Statement.Loop l -> {
                expressions.cells().forget(Statements.assigned(l.body()));
                out.line("for (int " + l.variable() + " = " + l.first() + ", run" + l.variable() + " = 0; run"
                        + l.variable() + " < "
                        + (l.rows().isEmpty() ? l.count() : "length" + layout.indices().get(l.rows())) + "; run"
                        + l.variable() + "++, " + l.variable() + " += " + l.step() + ") {");
                block(l.body(), out);
                out.line("}");
            }
            default -> throw new IllegalArgumentException("not in a lowered kernel: " + statement);
        }
    }

    private void branch(Statement.If statement, CodeWriter out) {
        out.line("if (" + expressions.text(statement.condition()) + ") {");
        block(statement.whenTrue(), out);
        if (!statement.whenFalse().isEmpty()) {
            out.line("} else {");
            block(statement.whenFalse(), out);
        }
        out.line("}");
    }

    private void block(List<Statement> body, CodeWriter out) {
        expressions.cells().open();
        body.forEach(inner -> statement(inner, out));
        expressions.cells().close();
    }

    private void row(Statement.Assign a, Expression.Element e, CodeWriter out) {
        int p = layout.indices().get(e.array());
        String line = expressions.text(e) + " " + a.operator() + "= " + expressions.text(a.value()) + ";";
        if (kernel.parameters().get(p).access() != Access.INCREMENT) {
            out.line(line);
            return;
        }
        String target = "t" + p + "[begin" + p + " + " + expressions.text(e.indices().get(0)) + "]";
        out.line("if (ADD" + p + " || STORE" + p + " || (ADD_OWNED" + p + " && " + target + " >= ownedFrom && "
                + target + " < ownedTo)) {");
        out.line(line);
        out.line("}");
    }

    private void increments(int p, CodeWriter out) {
        List<String> additions = new ArrayList<>();
        List<String> stores = new ArrayList<>();
        Parameter parameter = kernel.parameters().get(p);
        for (int entry = 0; entry < parameter.entries(); entry++) {
            List<String> own = new ArrayList<>();
            for (int c = 0; c < parameter.components(); c++) {
                Lowered.Component component = new Lowered.Component(p, entry, c);
                Lowered.Contribution contribution = layout.contribution(component);
                String place = LoopLayout.place(component);
                if (contribution == null) {
                    stores.add(place + " = 0;");
                } else {
                    own.add(place + (contribution.sign() < 0 ? " -= " : " += ") + contribution.local() + ";");
                    stores.add(place + " = " + (contribution.sign() < 0 ? "-" : "") + contribution.local() + ";");
                }
            }
            String index = LoopLayout.index(p, entry);
            additions.add("if (ADD" + p + " || (ADD_OWNED" + p + " && " + index + " >= ownedFrom && " + index
                    + " < ownedTo)) {");
            additions.addAll(own);
            additions.add("}");
        }
        out.line("if (STORE" + p + ") {");
        stores.forEach(out::line);
        out.line("} else {");
        additions.forEach(out::line);
        out.line("}");
    }
}
