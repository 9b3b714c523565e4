package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/**
 * The names that the generated loops of a kernel share: for the parameter number p, the array {@code ap}, the map's
 * column {@code tpeK} of entry K, the index {@code ipeK} that it gives, and the strides {@code Ep} and {@code Cp}.
 */
final class LoopLayout {
    private final Lowered kernel;
    private final RealType real;
    private final Map<String, Integer> indices = new HashMap<>();

    LoopLayout(Lowered kernel, RealType real) {
        this.kernel = kernel;
        this.real = real;
        for (int p = 0; p < kernel.parameters().size(); p++) {
            indices.put(kernel.parameters().get(p).name(), p);
        }
    }

    Lowered kernel() {
        return kernel;
    }

    RealType real() {
        return real;
    }

    Map<String, Integer> indices() {
        return indices;
    }

    /** Returns the indices of the dats whose entries are known at compile time. */
    List<Integer> fixed() {
        List<Integer> found = new ArrayList<>();
        for (int p = 0; p < kernel.parameters().size(); p++) {
            Parameter parameter = kernel.parameters().get(p);
            if (parameter.access().dat() && !parameter.variable()) {
                found.add(p);
            }
        }
        return found;
    }

    /** Returns the indices of the dats with variable rows. */
    List<Integer> variable() {
        List<Integer> found = new ArrayList<>();
        for (int p = 0; p < kernel.parameters().size(); p++) {
            if (kernel.parameters().get(p).variable()) {
                found.add(p);
            }
        }
        return found;
    }

    /** Returns the loaded components of globals and constants. */
    List<Lowered.Component> uniform() {
        return kernel.loads().stream().filter(component -> !parameter(component).access().dat()).toList();
    }

    /** Returns the loaded components of dats. */
    List<Lowered.Component> loads() {
        return kernel.loads().stream().filter(component -> parameter(component).access().dat()).toList();
    }

    Parameter parameter(Lowered.Component component) {
        return kernel.parameters().get(component.parameter());
    }

    /** Returns the Java type of a component in the arrays of the loop. */
    String type(int p) {
        return kernel.parameters().get(p).type() == ValueType.REAL ? real.keyword() : "int";
    }

    static String target(int p, int entry) {
        return "t" + p + "e" + entry;
    }

    static String index(int p, int entry) {
        return "i" + p + "e" + entry;
    }

    /** Returns a component's place in its array. */
    static String place(Lowered.Component component) {
        return place(component, index(component.parameter(), component.entry()));
    }

    static String place(Lowered.Component component, String index) {
        int p = component.parameter();
        String offset = switch (component.component()) {
            case 0 -> "";
            case 1 -> " + C" + p;
            default -> " + " + component.component() + " * C" + p;
        };
        return "a" + p + "[" + index + " * E" + p + offset + "]";
    }

    /** Returns the static fields that hold the shape. */
    void fields(CodeWriter out) {
        out.line("private static final LoopShape SHAPE = GeneratedLoops.shape(MethodHandles.lookup());");
        out.line("private static final boolean ORDERED = SHAPE.ordered();");
        if (kernel.contracted()) {
            out.line("private static final boolean FUSED = GeneratedLoops.fusedMultiplyAdd();");
        }
        boolean first = true;
        for (int p = 0; p < kernel.parameters().size(); p++) {
            Parameter parameter = kernel.parameters().get(p);
            if (!parameter.access().dat()) {
                continue;
            }
            out.line("private static final int E" + p + " = SHAPE.elementStride(" + p + ");");
            out.line("private static final int C" + p + " = SHAPE.componentStride(" + p + ");");
            if (parameter.entries() == 1) {
                out.line("private static final boolean D" + p + " = SHAPE.direct(" + p + ");");
                if (!first) {
                    out.line("private static final int S" + p + " = SHAPE.sameTarget(" + p + ");");
                }
                first = false;
            }
            if (parameter.access() == Access.INCREMENT) {
                for (String mode : List.of("ADD", "ADD_OWNED", "STORE")) {
                    out.line("private static final boolean " + mode + p + " = SHAPE.increment(" + p
                            + ") == IncrementMode." + mode + ";");
                }
            }
        }
    }

    /**
     * Declares the arrays, maps and uniform values of a loop.
     *
     * @param suffix what follows the names of uniform values
     */
    void arrays(CodeWriter out, String suffix) {
        // A column that several arguments go through gets one variable, so that its entries are loaded once.
        StringBuilder columns = new StringBuilder();
        for (int p = 0; p < kernel.parameters().size(); p++) {
            Parameter parameter = kernel.parameters().get(p);
            if (parameter.access().dat()) {
                out.line(type(p) + "[] a" + p + " = arguments." + type(p) + "s(" + p + ");");
                if (parameter.variable()) {
                    out.line("int[] t" + p + " = arguments.targets(" + p + ", 0);");
                    out.line("int[] offsets" + p + " = arguments.offsets(" + p + ");");
                } else {
                    for (int entry = 0; entry < parameter.entries(); entry++) {
                        out.line("int[] " + target(p, entry) + " = " + (parameter.entries() == 1
                                ? columns.toString().replace("?S", "S" + p)
                                : "") + "arguments.targets(" + p + ", " + entry + ");");
                    }
                    if (parameter.entries() == 1) {
                        columns.append("?S == " + p + " ? " + target(p, 0) + " : ");
                    }
                }
            }
        }
        for (int p = 0; p < kernel.parameters().size(); p++) {
            if (kernel.parameters().get(p).raster()) {
                out.line(Parameter.RASTER_TYPE + " a" + p + " = arguments.raster(" + p + ");");
            }
        }
        for (Lowered.Component c : uniform()) {
            boolean reals = parameter(c).type() == ValueType.REAL;
            out.line("final " + type(c.parameter()) + " " + c.local() + suffix + " = "
                    + (reals && real == RealType.FLOAT ? "(float) " : "") + "arguments." + (reals ? "doubles" : "ints")
                    + "(" + c.parameter() + ")[" + c.component() + "];");
        }
        if (kernel.parameters().stream().anyMatch(parameter -> parameter.access() == Access.INCREMENT)) {
            out.line("int ownedFrom = range.ownedFrom();");
            out.line("int ownedTo = range.ownedTo();");
        }
    }

    /**
     * Declares the indices of an element.
     *
     * @param suffix what follows the names of the element, {@code e}, and of its indices
     */
    void indices(CodeWriter out, String suffix) {
        for (int p : fixed()) {
            Parameter parameter = kernel.parameters().get(p);
            for (int entry = 0; entry < parameter.entries(); entry++) {
                out.line("int " + index(p, entry) + suffix + " = " + (parameter.entries() == 1
                        ? "D" + p + " ? e" + suffix + " : "
                        : "") + target(p, entry) + "[e" + suffix + "];");
            }
        }
    }

    /** Returns all components of a parameter with entries known at compile time. */
    List<Lowered.Component> components(int p) {
        Parameter parameter = kernel.parameters().get(p);
        TreeSet<Lowered.Component> all = new TreeSet<>();
        for (int entry = 0; entry < parameter.entries(); entry++) {
            for (int c = 0; c < parameter.components(); c++) {
                all.add(new Lowered.Component(p, entry, c));
            }
        }
        return List.copyOf(all);
    }

    /** Returns what an increment's component adds: a sign and a variable, or nothing. */
    Lowered.Contribution contribution(Lowered.Component component) {
        String accumulator = kernel.accumulators().get(component);
        return accumulator != null ? new Lowered.Contribution(1, accumulator) : kernel.contributions().get(component);
    }
}
