package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/** Writes the values that are the same for all elements: once as they are, and as vectors. */
final class SimdUniforms {
    private final LoopLayout layout;
    private final UniformPart part;
    private final String vector;

    SimdUniforms(LoopLayout layout) {
        this.layout = layout;
        part = new UniformPart(layout);
        vector = layout.real().label() + "Vector";
    }

    /** Returns what is left to do for each element. */
    List<Statement> rest() {
        return part.rest();
    }

    /** A value: its name, and whether it is an integer. */
    record Value(String name, ValueType type) {}

    /** Returns all values, the loaded ones last. */
    List<Value> values() {
        List<Value> values = new ArrayList<>();
        part.declared().forEach(d -> values.add(new Value(d.name(), d.type())));
        layout.uniform().forEach(c -> values.add(new Value(c.local(), layout.parameter(c).type())));
        return values;
    }

    /** Computes them, in a block where names have no suffix; outside, theirs is {@code u}. */
    void declare(CodeWriter out) {
        ScalarExpressions scalar = new ScalarExpressions(layout.real(), layout.indices());
        for (int i = 0; i < part.declared().size(); i++) {
            Statement.Declare d = part.declared().get(i);
            out.line("final " + scalar.type(d.type()) + " " + d.name() + "u;");
            out.line("{");
            for (Lowered.Component c : layout.uniform()) {
                out.line(layout.type(c.parameter()) + " " + c.local() + " = " + c.local() + "u;");
            }
            for (Statement.Declare before : part.declared().subList(0, i)) {
                out.line(scalar.type(before.type()) + " " + before.name() + " = " + before.name() + "u;");
            }
            out.line(d.name() + "u = " + scalar.text(d.value()) + ";");
            out.line("}");
        }
    }

    /** Turns those that are requested into vectors, whose names have no suffix. */
    void broadcast(Predicate<String> wanted, CodeWriter out) {
        for (Value value : values()) {
            if (wanted.test(value.name())) {
                boolean reals = value.type() == ValueType.REAL;
                out.line((reals ? vector : "IntVector") + " " + value.name() + " = " + (reals ? vector : "IntVector")
                        + ".broadcast(" + (reals ? "S" : "SI") + ", " + value.name() + "u);");
            }
        }
    }
}
