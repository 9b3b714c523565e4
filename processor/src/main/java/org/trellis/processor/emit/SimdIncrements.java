package org.trellis.processor.emit;

import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/** Writes how staged increments are applied to the target of one lane. */
final class SimdIncrements {
    private final LoopLayout layout;
    private final SimdStaging staging;

    SimdIncrements(LoopLayout layout, SimdStaging staging) {
        this.layout = layout;
        this.staging = staging;
    }

    void scatter(int p, CodeWriter out) {
        Parameter parameter = layout.kernel().parameters().get(p);
        for (int entry = 0; entry < parameter.entries(); entry++) {
            String index = LoopLayout.index(p, entry);
            out.line("if (K" + p + " == " + SimdLoop.SINGLE + " && (ADD" + p + " || STORE" + p + " || (ADD_OWNED" + p
                    + " && " + index
                    + " >= ownedFrom && " + index + " < ownedTo))) {");
            single(p, entry, out);
            out.line("}");
        }
    }

    private String slot(int p, int entry) {
        return staging.twin(p) < 0
                ? Integer.toString(staging.slot(p, entry))
                : "(TWIN" + p + " ? " + staging.slot(staging.twin(p), entry) + " : " + staging.slot(p, entry) + ")";
    }

    private void single(int p, int entry, CodeWriter out) {
        Parameter parameter = layout.kernel().parameters().get(p);
        boolean negative = staging.sign(p) < 0;
        boolean reals = parameter.type() == ValueType.REAL;
        for (int c = 0; c < parameter.components(); c++) {
            Lowered.Component component = new Lowered.Component(p, entry, c);
            String staged = (reals ? "w[(" : "wi[(") + slot(p, entry) + " + " + c + ") * L + l]";
            String place = LoopLayout.place(component);
            out.line("if (STORE" + p + ") {");
            out.line(place + " = " + (negative ? "-" : "") + staged + ";");
            if (layout.contribution(component) != null) {
                out.line("} else {");
                out.line(place + (negative ? " -= " : " += ") + staged + ";");
            }
            out.line("}");
        }
    }
}
